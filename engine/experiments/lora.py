"""A low-rank update trains a fraction of the parameters, starts as the pretrained model because B = 0, and merges without a trace."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Series, Step
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.lora import Adapter, adapter_parameters, best_share, gradients, train

WIDTH, EXAMPLES = 8, 32
STEPS = 150
RATE = 0.07
RANKS = tuple(range(1, WIDTH + 1))
RANK, STEPS_LABEL = Label("rank r", "秩 r"), Label("training steps", "训练步数")


def run(*, rank: int, scale: float, needed_rank: int, width: int, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    W, change, x = pretrained(needed_rank, generator)
    target = x @ (W + change).T  # what a full fine-tuning would reach
    A = torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.float64)[:rank] / math.sqrt(WIDTH)
    B = torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.float64)[:, :rank] / math.sqrt(WIDTH)
    starts = {
        "zero_b": Adapter(torch.zeros_like(B), A, scale * rank),
        "random": Adapter(B, A, scale * rank),
        "zeros": Adapter(torch.zeros_like(B), torch.zeros_like(A), scale * rank),
    }
    trained = {name: train(start, W, x, target, RATE, STEPS) for name, start in starts.items()}
    adapter, losses = trained["zero_b"]
    return Result(
        quantities=(
            *_start(starts, W, x, target),
            *_end(adapter, W, x, losses, trained["zeros"][1]),
            measured(
                "share_in_reach",
                100 * best_share(change, rank),
                "share of the wanted change that rank r can express",
                "秩 r 能表达的目标改动比例",
                "%",
            ),
            *_parameters(width, rank),
        ),
        matrices=_matrices(adapter, change, rank),
        series=(*_losses({name: losses for name, (_, losses) in trained.items()}), *_shares(change)),
        steps=_steps(rank),
        notes=_notes(rank, needed_rank),
    )


def pretrained(needed_rank: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """W (D, D), the change of rank `needed_rank` that the new task asks for, and examples x (N, D)."""
    W, left, right_, x = (torch.randn(rows, WIDTH, generator=generator, dtype=torch.float64) for rows in (WIDTH, WIDTH, WIDTH, EXAMPLES))
    return W / math.sqrt(WIDTH), left[:, :needed_rank] @ right_[:needed_rank] / math.sqrt(WIDTH * needed_rank), x


def _start(starts: dict[str, Adapter], W: Tensor, x: Tensor, target: Tensor) -> tuple[Quantity, ...]:
    def moved(name: str) -> float:
        return number((starts[name].apply(W, x) - x @ W.T).abs().max())

    error = x @ W.T - target  # of the pretrained model, where both start
    of_B, of_A = gradients(starts["zero_b"], error, x)
    none_B, none_A = gradients(starts["zeros"], error, x)
    return (
        wrong("start_change_random", moved("random"), "outputs changed before training, both random", "训练前输出的变化：A、B 都随机"),
        right("start_change", moved("zero_b"), "outputs changed before training, B = 0", "训练前输出的变化：B = 0"),
        right("start_gradient_b", number(of_B.norm()), "first gradient of B, B = 0 and A random", "B 的首个梯度：B = 0、A 随机"),
        measured("start_gradient_a", number(of_A.norm()), "first gradient of A, B = 0 and A random", "A 的首个梯度：B = 0、A 随机"),
        wrong(
            "start_gradient_zeros", number(none_B.norm() + none_A.norm()), "first gradient of both, A = B = 0", "两者的首个梯度：A = B = 0"
        ),
    )


def _end(adapter: Adapter, W: Tensor, x: Tensor, losses: list[float], zeros: list[float]) -> tuple[Quantity, ...]:
    gap = (adapter.apply(W, x) - x @ adapter.merge(W).T).abs().max()
    return (
        right("merged_error", number(gap), "merged against unmerged, after training", "训练后：合并与不合并之差"),
        measured("update_rank", int(torch.linalg.matrix_rank(adapter.update())), "rank of the trained ΔW", "训练得到的 ΔW 的秩"),
        right("loss_left", 100 * losses[-1] / losses[0], "loss left after training, B = 0", "训练后剩余的损失：B = 0", "%"),
        wrong("loss_left_zeros", 100 * zeros[-1] / zeros[0], "loss left after training, A = B = 0", "训练后剩余的损失：A = B = 0", "%"),
    )


def _parameters(width: int, rank: int) -> tuple[Quantity, ...]:
    thin, full = adapter_parameters(width, width, rank), width * width
    return (
        right("trained_parameters", thin, f"trained for a {width} x {width} matrix", f"{width} × {width} 矩阵要训练的参数"),
        wrong("full_parameters", full, "trained by full fine-tuning", "全量微调要训练的参数"),
        measured("trained_percent", 100 * thin / full, "trained share", "训练的比例", "%"),
        measured(
            "optimizer_mebibytes_saved",
            12 * (full - thin) / 2**20,
            "32-bit master copy and two Adam moments saved",
            "省下的 32 位主副本与两个 Adam 矩",
            "MiB",
        ),
    )


def _matrices(adapter: Adapter, change: Tensor, rank: int) -> tuple[Matrix, ...]:
    features, ranks = names("", WIDTH), names("r", rank)
    return (
        Matrix(
            "update",
            grid(adapter.update()),
            Label("trained ΔW", "训练得到的 ΔW"),
            features,
            features,
            r"\Delta W = \frac{\alpha}{r} B A",
            "signed",
            ("B", "A"),
            adapter.scale,
        ),
        Matrix("wanted", grid(change), Label("the change that the task asks for", "任务所要的改动"), features, features),
        Matrix("B", grid(adapter.B), Label("B, started at 0", "B，从 0 开始"), features, ranks, "B"),
        Matrix("A", grid(adapter.A), Label("A, started random", "A，随机初始化"), ranks, features, "A"),
    )


def _losses(losses: dict[str, list[float]]) -> tuple[Series, ...]:
    x = tuple(map(float, range(STEPS + 1)))
    return (
        Series("loss_over_steps", x, tuple(losses["zero_b"]), Label("loss, B = 0", "损失，B = 0"), STEPS_LABEL, "loss", arm="right"),
        Series(
            "loss_zeros_over_steps",
            x,
            tuple(losses["zeros"]),
            Label("loss, A = B = 0", "损失，A = B = 0"),
            STEPS_LABEL,
            "loss",
            arm="wrong",
        ),
        Series(
            "loss_random_over_steps",
            x,
            tuple(losses["random"]),
            Label("loss, both random", "损失，都随机"),
            STEPS_LABEL,
            "loss",
            arm="wrong",
        ),
    )


def _shares(change: Tensor) -> tuple[Series, ...]:
    shares = tuple(100 * best_share(change, each) for each in RANKS)
    return (Series("share_over_rank", tuple(map(float, RANKS)), shares, Label("share in reach, %", "可表达的比例（%）"), RANK, "rank"),)


def _steps(rank: int) -> tuple[Step, ...]:
    return (
        Step(Label("down to r numbers a token", "降到每个词元 r 个数"), r"x A^\top", (EXAMPLES, rank), "A"),
        Step(Label("up again", "再升回来"), r"(x A^\top) B^\top", (EXAMPLES, WIDTH), "B"),
        Step(Label("added to the frozen path", "加到冻结的主路上"), r"x W^\top + \frac{\alpha}{r} (x A^\top) B^\top", (EXAMPLES, WIDTH)),
        Step(Label("merged for serving", "部署时合并"), r"W + \frac{\alpha}{r} B A", (WIDTH, WIDTH), "update"),
    )


def _notes(rank: int, needed_rank: int) -> tuple[Label, ...]:
    short = Label(
        f"The task asks for a change of rank {needed_rank}: no update of rank {rank} reaches it.",
        f"任务需要秩为 {needed_rank} 的改动：秩 {rank} 的更新到不了。",
    )
    full = Label(f"At this toy width r = {WIDTH} is full rank and saves nothing.", f"在这个玩具宽度上，r = {WIDTH} 已是满秩，省不下什么。")
    return tuple(note for applies, note in ((rank < needed_rank, short), (rank == WIDTH, full)) if applies)


def cost(*, rank: int, scale: float, needed_rank: int, width: int, seed: int) -> Cost:
    step = 20 * EXAMPLES * WIDTH * (WIDTH + rank)
    return Cost(bytes=8 * WIDTH * ((STEPS + 20) * EXAMPLES + 20 * (WIDTH + rank)), flops=3 * STEPS * step)


EXPERIMENT = Experiment(
    title=Label("LoRA", "LoRA"),
    summary=Label(
        "A thin product is trained beside a frozen matrix, from three different starts.",
        "冻结大矩阵，旁边训练两个瘦矩阵之积；三种初始化对照。",
    ),
    parameters=(
        Parameter("rank", RANK, 2, 1, WIDTH),
        Parameter("scale", Label("α / r", "α / r"), 1.0, 0.25, 2.0, 0.25),
        Parameter("needed_rank", Label("rank that the task needs", "任务需要的秩"), 2, 1, WIDTH),
        Parameter("width", Label("width D of a real matrix", "真实矩阵的宽度 D"), 4096, 256, 16384, 2, "log"),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(Adapter, gradients, train, best_share),
    arms=("start_change_random", "start_change"),
)
