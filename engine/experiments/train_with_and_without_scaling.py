"""Two equal heads learn from the same questions: at a large d_k the one that does not divide by √d_k starts saturated and lags behind."""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment, Steps
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, SHARE, Curve, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.textbook.lookup_task import VALUES, Lookup, Questions, draw_head, draw_lookup, head_logits, lesson_loss
from engine.textbook.optimizers import adam
from engine.textbook.training_loop import train
from engine.textbook.weight_statistics import jacobian_trace, saturated_percent

BATCH, RATE = 32, 0.01
EXAM = 256  # questions
EVERY = 5  # steps between two points of the curves

Losses = dict[str, list[float]]  # arm -> mean loss of every five steps


def run(*, d_k: int, steps: int, seed: int) -> Steps:
    generator = torch.Generator().manual_seed(seed)
    task = draw_lookup(generator)
    start = draw_head(d_k, generator)
    exam = task.questions(EXAM, generator)
    scales = {"raw": 1.0, "scaled": 1 / math.sqrt(d_k)}
    lessons = [train_arm(task, start, d_k, scale, steps, seed) for scale in scales.values()]
    thetas = dict.fromkeys(scales, start)
    losses: Losses = {arm: [] for arm in scales}
    sums = dict.fromkeys(scales, 0.0)
    for step, both in enumerate(zip(*lessons, strict=True), start=1):
        for arm, (theta, loss) in zip(scales, both, strict=True):
            thetas[arm], sums[arm] = theta, sums[arm] + loss / EVERY
        if step % EVERY == 0:
            for arm in scales:
                losses[arm].append(sums[arm])
            sums = dict.fromkeys(scales, 0.0)
            yield step / steps, curves(losses)
    return {
        **examination("raw", thetas["raw"], start, d_k, scales["raw"], exam),
        **examination("scaled", thetas["scaled"], start, d_k, scales["scaled"], exam),
        **{f"{arm}_loss": each[-1] for arm, each in losses.items()},
        **curves(losses),
        "chance_loss": math.log(VALUES),
        "small_width": d_k <= 16,
    }


def train_arm(task: Lookup, start: Tensor, d_k: int, scale: float, steps: int, seed: int) -> Iterator[tuple[Tensor, float]]:
    """One arm's training. Both arms draw their questions from a generator of the same seed, so they see the same ones."""
    questions = torch.Generator().manual_seed(seed + 1000)
    return train(start, lesson_loss(task, d_k, scale, BATCH, questions), adam(start, RATE), steps)


def examination(arm: str, theta: Tensor, start: Tensor, d_k: int, scale: float, exam: Questions) -> Numbers:
    """What a trained head can do, and what its weights on the pairs were like before the first step."""
    logits, _ = head_logits(theta, d_k, scale, exam)
    _, first = head_logits(start, d_k, scale, exam)
    return {
        f"{arm}_solved_percent": 100 * (logits.argmax(-1) == exam.answers).double().mean(),
        f"{arm}_saturated_percent": saturated_percent(first),
        f"{arm}_jacobian_trace": jacobian_trace(first.double()),
    }


def curves(losses: Losses) -> Numbers:
    return {f"{arm}_loss_over_steps": ([EVERY * (index + 1) for index in range(len(y))], y) for arm, y in losses.items()}


STEPS = Label("training steps", "训练步数")

MEASURES = (
    wrong("raw_loss", "loss at the end, unscaled", "最后的损失，未缩放"),
    wrong("raw_solved_percent", "new questions solved, unscaled", "新题正确率，未缩放", "%", PERCENT),
    wrong("raw_saturated_percent", "saturated at the start, unscaled", "起点处饱和的行，未缩放", "%", PERCENT),
    wrong("raw_jacobian_trace", "Jacobian trace at the start, unscaled", "起点处雅可比矩阵的迹，未缩放", within=SHARE),
    right("scaled_loss", "loss at the end, scaled", "最后的损失，缩放后"),
    right("scaled_solved_percent", "new questions solved, scaled", "新题正确率，缩放后", "%", PERCENT),
    right("scaled_saturated_percent", "saturated at the start, scaled", "起点处饱和的行，缩放后", "%", PERCENT),
    right("scaled_jacobian_trace", "Jacobian trace at the start, scaled", "起点处雅可比矩阵的迹，缩放后", within=SHARE),
    measured("chance_loss", "loss of a guess, ln 8", "瞎猜的损失，ln 8"),
    Curve("raw_loss_over_steps", Label("unscaled", "未缩放"), STEPS, "loss", arm="wrong"),
    Curve("scaled_loss_over_steps", Label("scaled", "缩放后"), STEPS, "loss", arm="right"),
    note(
        "small_width",
        "At a small d_k the scores are small anyway: the unscaled head learns as well.",
        "d_k 很小时分数本来就不大：未缩放的头同样能学会。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("training with and without √d_k", "有无 √d_k 的训练"),
    summary=Label(
        "Two heads with the same weights and the same questions, trained side by side; only one of them divides by √d_k.",
        "两个头权重相同、题目相同，并排训练；只有一个除以 √d_k。",
    ),
    parameters=(Parameter("d_k", Label("d_k", "d_k"), 256, 4, 256, 2, "log"), Parameter("steps", STEPS, 200, 50, 300, 50), SEED),
    measures=MEASURES,
    figures=(
        Figure("curve", ("raw_loss_over_steps", "scaled_loss_over_steps"), over="steps", mark="raw_loss"),
        Figure("bars", ("raw_solved_percent", "scaled_solved_percent")),
        Figure("bars", ("raw_saturated_percent", "scaled_saturated_percent")),
        Figure("bars", ("raw_jacobian_trace", "scaled_jacobian_trace")),
    ),
    arms=("raw_loss", "scaled_loss"),
    run=run,
    deadline=30.0,
)
