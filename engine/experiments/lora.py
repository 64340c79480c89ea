"""A low-rank update trains a fraction of the parameters, starts as the pretrained model because B = 0, and merges without a trace."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Grid, Walk, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.differences import largest
from engine.textbook.lora import Adapter, adapter_parameters, best_share, gradients, train

WIDTH, EXAMPLES = 8, 32
STEPS = 150
RATE = 0.07
RANKS = tuple(range(1, WIDTH + 1))
OPTIMIZER_BYTES = 3 * 4  # a parameter: 32-bit master copy and two Adam moments


def run(*, rank: int, scale: float, needed_rank: int, width: int, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    W, change, x = pretrained(needed_rank, generator)
    target = x @ (W + change).T  # what a full fine-tuning would reach
    A = torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.float64)[:rank] / math.sqrt(WIDTH)
    B = torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.float64)[:, :rank] / math.sqrt(WIDTH)
    zero_B = Adapter(torch.zeros_like(B), A, scale * rank)
    random = Adapter(B, A, scale * rank)
    zeros = Adapter(torch.zeros_like(B), torch.zeros_like(A), scale * rank)
    (adapter, losses), (_, losses_random), (_, losses_zeros) = (train(each, W, x, target, RATE, STEPS) for each in (zero_B, random, zeros))
    return {
        "start_change": largest(zero_B.apply(W, x) - x @ W.T),
        "start_change_random": largest(random.apply(W, x) - x @ W.T),
        **first_gradients(zero_B, zeros, x @ W.T - target, x),
        "merged_error": largest(adapter.apply(W, x) - x @ adapter.merge(W).T),
        "update_rank": torch.linalg.matrix_rank(adapter.update()),
        "loss_left": 100 * losses[-1] / losses[0],
        "loss_left_zeros": 100 * losses_zeros[-1] / losses_zeros[0],
        "share_in_reach": 100 * best_share(change, rank),
        **trained_parameters(width, rank),
        "update": adapter.update(),
        "wanted": change,
        "toy_width": WIDTH,
        "B": adapter.B,
        "A": adapter.A,
        "loss_over_steps": (range(STEPS + 1), losses),
        "loss_zeros_over_steps": (range(STEPS + 1), losses_zeros),
        "loss_random_over_steps": (range(STEPS + 1), losses_random),
        "share_over_rank": (RANKS, [100 * best_share(change, each) for each in RANKS]),
    }


def pretrained(needed_rank: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """W (D, D), the change of rank `needed_rank` that the new task asks for, and examples x (N, D)."""
    W, left, right_, x = (torch.randn(rows, WIDTH, generator=generator, dtype=torch.float64) for rows in (WIDTH, WIDTH, WIDTH, EXAMPLES))
    return W / math.sqrt(WIDTH), left[:, :needed_rank] @ right_[:needed_rank] / math.sqrt(WIDTH * needed_rank), x


def first_gradients(zero_B: Adapter, zeros: Adapter, error: Tensor, x: Tensor) -> Numbers:
    """Both start as the pretrained model, and so with its error."""
    of_B, of_A = gradients(zero_B, error, x)
    none_B, none_A = gradients(zeros, error, x)
    return {"start_gradient_b": of_B.norm(), "start_gradient_a": of_A.norm(), "start_gradient_zeros": none_B.norm() + none_A.norm()}


def trained_parameters(width: int, rank: int) -> Numbers:
    """Of one width x width matrix of a real model."""
    thin, full = adapter_parameters(width, width, rank), width * width
    return {
        "trained_parameters": thin,
        "full_parameters": full,
        "trained_percent": 100 * thin / full,
        "optimizer_mebibytes_saved": OPTIMIZER_BYTES * (full - thin) / 2**20,
    }


RANK, STEPS_LABEL = Label("rank r", "秩 r"), Label("training steps", "训练步数")

MEASURES = (
    wrong("start_change_random", "untrained: largest change of the outputs, both random", "训练前：输出的最大变化，A、B 都随机"),
    right("start_change", "untrained: largest change of the outputs, B = 0", "训练前：输出的最大变化，B = 0"),
    right("start_gradient_b", "length of B's first gradient, B = 0 and A random", "B 首个梯度的长度，B = 0、A 随机"),
    measured("start_gradient_a", "length of A's first gradient, B = 0 and A random", "A 首个梯度的长度，B = 0、A 随机"),
    wrong("start_gradient_zeros", "lengths of both first gradients, sum, A = B = 0", "两者首个梯度的长度之和，A = B = 0"),
    right("merged_error", "after training: largest difference, merged - unmerged", "训练后：合并与不合并的最大差"),
    measured("update_rank", "rank of the trained ΔW", "训练得到的 ΔW 的秩", within=(0, WIDTH)),
    right("loss_left", "loss after training / before, B = 0", "训练后与训练前的损失之比，B = 0", "%"),
    wrong("loss_left_zeros", "loss after training / before, A = B = 0", "训练后与训练前的损失之比，A = B = 0", "%", PERCENT),
    measured("share_in_reach", "share of the wanted change that rank r can express", "秩 r 能表达的目标改动比例", "%", PERCENT),
    right("trained_parameters", "parameters trained for {width} x {width} weights, LoRA", "{width} × {width} 权重要训练的参数，LoRA"),
    wrong("full_parameters", "parameters trained for {width} x {width} weights, all", "{width} × {width} 权重要训练的参数，全量"),
    measured("trained_percent", "LoRA's share of the parameters trained", "LoRA 训练的参数所占比例", "%", PERCENT),
    measured("optimizer_mebibytes_saved", "saved: 32-bit master copy and two Adam moments", "省下的内存：32 位主副本与两个 Adam 矩", "MiB"),
    Grid(
        "update",
        Label("trained ΔW", "训练得到的 ΔW"),
        "{1}",
        "{1}",
        r"\Delta W = \frac{\alpha}{r} B A",
        product_of=("B", "A"),
        factor="{scale}",
    ),
    Grid("wanted", Label("the change that the task asks for", "任务所要的改动"), "{1}", "{1}"),
    Grid("B", Label("B, started at 0", "B，从 0 开始"), "{1}", "r{1}", "B"),
    Grid("A", Label("A, started random", "A，随机初始化"), "r{1}", "{1}", "A"),
    Curve("loss_over_steps", Label("loss, B = 0", "损失，B = 0"), STEPS_LABEL, "loss", arm="right"),
    Curve("loss_zeros_over_steps", Label("loss, A = B = 0", "损失，A = B = 0"), STEPS_LABEL, "loss", arm="wrong"),
    Curve("loss_random_over_steps", Label("loss, both random", "损失，都随机"), STEPS_LABEL, "loss", arm="wrong"),
    Curve("share_over_rank", Label("share in reach, %", "可表达的比例（%）"), RANK, "rank"),
    Walk(Label("down to r numbers a token", "降到每个词元 r 个数"), r"x A^\top", (EXAMPLES, "rank"), "A"),
    Walk(Label("up again", "再升回来"), r"(x A^\top) B^\top", (EXAMPLES, WIDTH), "B"),
    Walk(Label("added to the frozen path", "加到冻结的主路上"), r"x W^\top + \frac{\alpha}{r} (x A^\top) B^\top", (EXAMPLES, WIDTH)),
    Walk(Label("merged for serving", "部署时合并"), r"W + \frac{\alpha}{r} B A", (WIDTH, WIDTH), "update"),
    note(
        "out_of_reach",
        "rank < needed_rank",
        "The task asks for a change of rank {needed_rank}: no update of rank {rank} reaches it.",
        "任务需要秩为 {needed_rank} 的改动：秩 {rank} 的更新到不了。",
    ),
    note(
        "full_rank",
        "rank == toy_width",
        "At this toy width r = {rank} is full rank and saves nothing.",
        "在这个玩具宽度上，r = {rank} 已是满秩，省不下什么。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("LoRA", "LoRA"),
    summary=Label(
        "A thin product is trained beside a frozen matrix, from three different starts.",
        "冻结大矩阵，旁边训练两个瘦矩阵之积；三种初始化对照。",
    ),
    keywords=("PEFT", "fine-tuning", "finetuning", "adapter", "low rank", "QLoRA", "微调", "低秩", "适配器", "参数高效"),
    parameters=(
        Parameter("rank", RANK, 2, 1, WIDTH),
        Parameter("scale", Label("α / r", "α / r"), 1.0, 0.25, 2.0, 0.25),
        Parameter("needed_rank", Label("rank that the task needs", "任务需要的秩"), 2, 1, WIDTH),
        Parameter("width", Label("width D of a real matrix", "真实矩阵的宽度 D"), 4096, 256, 16384, 2, "log"),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("full_parameters", "trained_parameters"),
            caption=Label(
                "The big matrix stays frozen; what is trained is a thin product B·A, r columns and r rows instead of all of it.",
                "大矩阵冻结不动，训练的是一个细长的乘积 B·A：r 列加 r 行，而不是整个矩阵。",
            ),
        ),
        Figure("heatmap", ("B", "A", "update", "wanted")),
        Figure("curve", ("loss_over_steps", "loss_zeros_over_steps", "loss_random_over_steps")),
        Figure("curve", ("share_over_rank",), over="rank", mark="share_in_reach"),
        Figure("bars", ("start_change_random", "start_change")),
        Figure("steps", ("A", "B", "update")),
    ),
    arms=("start_change_random", "start_change"),
    presets=(
        Preset(
            Label("rank 1", "秩 1"),
            {"rank": 1},
            Label(
                "Less than the task needs: a quarter of the loss stays, however long it trains.",
                "低于任务所需的秩：约四分之一的损失怎么训练也去不掉。",
            ),
            "share_in_reach < 80 and loss_left > 15",
            show="loss_over_steps",
        ),
        Preset(
            Label("D = 16384", "D = 16384"),
            {"width": 16384},
            Label("Four times the width: 16 times the matrix, only four times the LoRA.", "宽度变四倍：矩阵是 16 倍，LoRA 只是四倍。"),
            "trained_percent < 0.03",
        ),
        Preset(
            Label("a task of full rank", "满秩的任务"),
            {"needed_rank": 8},
            Label("A change that needs all eight ranks: two of them reach only a part of it.", "任务需要全部八个秩：两个秩只够到一部分。"),
            "needed_rank == 8 and share_in_reach < 95 and loss_left > 15",
            show="share_over_rank",
        ),
    ),
    run=run,
)
