"""Two equal heads learn from the same questions: at a large d_k the one that does not divide by √d_k starts saturated and lags behind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import torch
from torch import Generator, Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment, Steps
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, Measure, Scalar, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.lookup_task import VALUES, Lookup, Questions, draw_head, draw_lookup, head_logits, head_losses, together
from engine.textbook.optimizers import adam
from engine.textbook.training_loop import train
from engine.textbook.weight_statistics import jacobian_trace, saturated_percent

SEEDS = 8  # of the unscaled arm no single run tells anything: start weights that differ by 1e-7 end elsewhere
BATCH, RATE = 32, 0.01
EXAM = 256  # questions
EVERY = 5  # steps between two points of the curves
ARMS = ("raw", "scaled")


def run(*, d_k: int, steps: int, seed: int) -> Steps:
    generators = [Generator().manual_seed(SEEDS * seed + each) for each in range(SEEDS)]
    tasks = [draw_lookup(each) for each in generators]
    starts = torch.stack([draw_head(d_k, each) for each in generators])  # (seeds, P)
    exam = questions(tasks, EXAM, generators)
    thetas, losses, points = starts, [], []
    for step, (after, loss) in enumerate(train_arms(tasks, starts, d_k, steps, generators), start=1):
        thetas = after
        losses.append(loss)
        if step % EVERY == 0:
            points.append(torch.stack(losses[-EVERY:]).mean(0))
            yield step / steps, curves(points)
    logits, _ = head_logits(thetas, d_k, scales(d_k), exam)
    solved = 100 * (logits.argmax(-1) == exam.answers).double().mean(-1)  # (arms, seeds)
    return {
        **over_seeds("loss", points[-1]),
        **over_seeds("solved_percent", solved),
        **at_the_start(starts, d_k, exam),
        **curves(points),
        "chance_loss": math.log(VALUES),
    }


def scales(d_k: int) -> Tensor:
    """What scores are multiplied with in both arms, (arms, 1, 1, 1)."""
    return torch.tensor([1.0, 1 / math.sqrt(d_k)]).view(-1, 1, 1, 1)


def questions(tasks: Iterable[Lookup], count: int, generators: Iterable[Generator]) -> Questions:
    return together([task.questions(count, generator) for task, generator in zip(tasks, generators, strict=True)])


def train_arms(
    tasks: Sequence[Lookup], starts: Tensor, d_k: int, steps: int, generators: Sequence[Generator]
) -> Iterator[tuple[Tensor, Tensor]]:
    """All heads (arms, seeds, P) after each step, with their losses. Both arms of a seed begin alike and see the same questions."""
    both = starts.expand(len(ARMS), -1, -1)
    return train(both, lambda thetas: head_losses(thetas, d_k, scales(d_k), questions(tasks, BATCH, generators)), adam(both, RATE), steps)


def over_seeds(name: str, values: Tensor) -> Numbers:
    """Of a number (arms, seeds): its mean, its lowest and its highest value in both arms."""
    found: dict[str, Tensor] = {}
    for arm, each in zip(ARMS, values, strict=True):
        found |= {f"{arm}_{name}": each.mean(), f"{arm}_{name}_lowest": each.min(), f"{arm}_{name}_highest": each.max()}
    return found


def at_the_start(starts: Tensor, d_k: int, exam: Questions) -> Numbers:
    """What the weights on the pairs are like before the first step."""
    weights = dict(zip(ARMS, head_logits(starts, d_k, scales(d_k), exam)[1].double(), strict=True))
    saturated = {f"{arm}_saturated_percent": saturated_percent(each) for arm, each in weights.items()}
    return saturated | {f"{arm}_jacobian_trace": jacobian_trace(each) for arm, each in weights.items()}


def curves(points: list[Tensor]) -> Numbers:
    """Losses (arms, seeds) of every five steps."""
    raw, scaled = torch.stack(points, dim=1)  # (points, seeds)
    lines = {"raw": raw.mean(-1), "raw_lowest": raw.amin(-1), "raw_highest": raw.amax(-1), "scaled": scaled.mean(-1)}
    return {f"{name}_loss_over_steps": ([EVERY * (index + 1) for index in range(len(y))], y) for name, y in lines.items()}


STEPS = Label("training steps", "训练步数")


def trained(arm: str, name: str, en: str, zh: str, unit: str = "", within: tuple[float, float] = (0, math.inf)) -> tuple[Scalar, ...]:
    """A number of the trained heads of one arm: mean and range."""
    of, way_en, way_zh = (wrong, "unscaled", "未缩放") if arm == "raw" else (right, "scaled", "缩放后")
    kinds = (("", "mean", "平均"), ("_lowest", "lowest", "最低"), ("_highest", "highest", "最高"))
    return tuple(
        of(f"{arm}_{name}{end}", f"{en}, {way_en}, {kind_en} of {SEEDS} seeds", f"{zh}，{way_zh}，{SEEDS} 个种子{kind_zh}", unit, within)
        for end, kind_en, kind_zh in kinds
    )


LOSS = ("loss", "loss at the end", "最后的损失")
SOLVED = ("solved_percent", "new questions solved", "新题正确率", "%", PERCENT)

MEASURES: tuple[Measure, ...] = (
    *trained("raw", *LOSS),
    *trained("raw", *SOLVED),
    wrong("raw_saturated_percent", "saturated at the start, unscaled", "起点处饱和的行，未缩放", "%", PERCENT),
    wrong("raw_jacobian_trace", "Jacobian trace at the start, unscaled", "起点处雅可比矩阵的迹，未缩放", within=SHARE),
    *trained("scaled", *LOSS),
    *trained("scaled", *SOLVED),
    right("scaled_saturated_percent", "saturated at the start, scaled", "起点处饱和的行，缩放后", "%", PERCENT),
    right("scaled_jacobian_trace", "Jacobian trace at the start, scaled", "起点处雅可比矩阵的迹，缩放后", within=SHARE),
    measured("chance_loss", "loss of a guess, ln 8", "瞎猜的损失，ln 8"),
    Curve("raw_loss_over_steps", Label("loss, 8 seeds: unscaled, mean", "损失，8 个种子：未缩放，平均"), STEPS, "loss", arm="wrong"),
    Curve(
        "raw_lowest_loss_over_steps", Label("loss, 8 seeds: unscaled, lowest", "损失，8 个种子：未缩放，最低"), STEPS, "loss", arm="wrong"
    ),
    Curve(
        "raw_highest_loss_over_steps",
        Label("loss, 8 seeds: unscaled, highest", "损失，8 个种子：未缩放，最高"),
        STEPS,
        "loss",
        arm="wrong",
    ),
    Curve("scaled_loss_over_steps", Label("loss, 8 seeds: scaled, mean", "损失，8 个种子：缩放后，平均"), STEPS, "loss", arm="right"),
    note(
        "small_width",
        "raw_saturated_percent < 5",
        "At this d_k unscaled scores start small as well: {raw_saturated_percent:.0f} % of the rows are saturated.",
        "d_k 这么小，未缩放的分数起初也不大：饱和的行占 {raw_saturated_percent:.0f}%。",
    ),
)

LOSSES = tuple(f"{name}_loss_over_steps" for name in ("raw", "raw_lowest", "raw_highest", "scaled"))

EXPERIMENT = Experiment(
    title=Label("training with and without √d_k", "有无 √d_k 的训练"),
    summary=Label(
        "Two heads with the same weights and the same questions, trained side by side, eight times; only one divides by √d_k.",
        "两个头权重相同、题目相同，并排训练，重复八次；只有一个除以 √d_k。",
    ),
    keywords=("sqrt d_k", "√d_k", "scaling", "scaled dot-product", "convergence", "缩放", "收敛", "点积"),
    parameters=(Parameter("d_k", Label("d_k", "d_k"), 256, 4, 256, 2, "log"), Parameter("steps", STEPS, 200, 50, 300, 50), SEED),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            LOSSES,
            over="steps",
            mark="raw_loss",
            caption=Label(
                "Same weights, same questions: a wide head that divides by √d_k learns; without, a saturated softmax holds it up.",
                "权重相同，问题相同：头很宽时，除以 √d_k 的学得会，不除的被饱和的 softmax 卡住。",
            ),
        ),
        Figure("bars", ("raw_solved_percent", "scaled_solved_percent")),
        Figure("bars", ("raw_saturated_percent", "scaled_saturated_percent")),
        Figure("bars", ("raw_jacobian_trace", "scaled_jacobian_trace")),
    ),
    arms=("raw_loss", "scaled_loss"),
    presets=(
        Preset(
            Label("d_k = 4", "d_k = 4"),
            {"d_k": 4},
            Label("A narrow head has nothing to saturate: both learn equally well.", "窄的头饱和不了：两种都学得一样好。"),
            "raw_solved_percent > 90 and raw_saturated_percent < 5",
        ),
        Preset(
            Label("50 steps", "50 步"),
            {"steps": 50},
            Label(
                "Unscaled it is still guessing, at ln 8, while the scaled head solves most questions.",
                "不缩放的还停在 ln 8，等于瞎猜；缩放的已经解出大部分问题。",
            ),
            "raw_loss > 1.9 and scaled_solved_percent > 70",
        ),
    ),
    run=run,
    deadline=30.0,
)
