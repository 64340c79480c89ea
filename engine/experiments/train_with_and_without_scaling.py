"""Two equal heads learn from the same questions: at a large d_k the one that does not divide by √d_k starts saturated and lags behind."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Progress, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import scaled_dot_product_attention
from engine.textbook.lookup_task import (
    PAIRS,
    VALUES,
    WIDTH,
    Lookup,
    Questions,
    draw_head,
    draw_lookup,
    head_logits,
    head_sizes,
    lesson_loss,
)
from engine.textbook.optimizers import adam, adam_step
from engine.textbook.training_loop import train
from engine.textbook.weight_statistics import jacobian_trace, saturated_percent

BATCH, RATE = 32, 0.01
EXAM = 256  # questions
EVERY = 5  # steps between two points of the curves
STEPS = Label("training steps", "训练步数")

Arm = Literal["right", "wrong"]
ARMS: tuple[tuple[str, str, str, Arm], ...] = (("raw", "unscaled", "未缩放", "wrong"), ("scaled", "scaled", "缩放后", "right"))
Losses = dict[str, list[float]]  # arm -> mean loss of every five steps


def run(*, d_k: int, steps: int, seed: int) -> Generator[Progress, None, Result]:
    generator = torch.Generator().manual_seed(seed)
    task = draw_lookup(generator)
    start = draw_head(d_k, generator)
    exam = task.questions(EXAM, generator)
    scales = {"raw": 1.0, "scaled": 1 / math.sqrt(d_k)}
    lessons = [learning(task, start, d_k, scale, steps, seed) for scale in scales.values()]
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
            yield Progress(step / steps, Result(series=_curves(losses)))
    return Result(
        quantities=_quantities(thetas, start, d_k, scales, exam, losses),
        series=_curves(losses),
        notes=_notes(d_k),
    )


def learning(task: Lookup, start: Tensor, d_k: int, scale: float, steps: int, seed: int) -> Iterator[tuple[Tensor, float]]:
    """One arm's training. Both arms draw their questions from a generator of the same seed, so they see the same ones."""
    questions = torch.Generator().manual_seed(seed + 1000)
    return train(start, lesson_loss(task, d_k, scale, BATCH, questions), adam(start, RATE), steps)


def _quantities(
    thetas: dict[str, Tensor], start: Tensor, d_k: int, scales: dict[str, float], exam: Questions, losses: Losses
) -> tuple[Quantity, ...]:
    found: list[Quantity] = []
    for arm, en, zh, way in ARMS:
        quantity = wrong if way == "wrong" else right
        logits, _ = head_logits(thetas[arm], d_k, scales[arm], exam)
        _, first = head_logits(start, d_k, scales[arm], exam)
        solved = 100 * float((logits.argmax(-1) == exam.answers).double().mean())
        found += [
            quantity(f"{arm}_loss", losses[arm][-1], f"loss at the end, {en}", f"最后的损失，{zh}"),
            quantity(f"{arm}_solved_percent", solved, f"new questions solved, {en}", f"新题正确率，{zh}", "%"),
            quantity(f"{arm}_saturated_percent", saturated_percent(first), f"saturated at the start, {en}", f"起点处饱和的行，{zh}", "%"),
            quantity(
                f"{arm}_jacobian_trace", jacobian_trace(first.double()), f"Jacobian trace at the start, {en}", f"起点处雅可比矩阵的迹，{zh}"
            ),
        ]
    guessing = measured("chance_loss", math.log(VALUES), "loss of a guess, ln 8", "瞎猜的损失，ln 8")
    return (*found, guessing)


def _curves(losses: Losses) -> tuple[Series, ...]:
    x = tuple(float(EVERY * (index + 1)) for index in range(len(losses["raw"])))
    return tuple(
        Series(f"{arm}_loss_over_steps", x, tuple(losses[arm]), Label(en, zh), STEPS, "loss", arm=way) for arm, en, zh, way in ARMS
    )


def _notes(d_k: int) -> tuple[Label, ...]:
    small = Label(
        "At a small d_k the scores are small anyway: the unscaled head learns as well.", "d_k 很小时分数本来就不大：未缩放的头同样能学会。"
    )
    return (small,) if d_k <= 16 else ()


def cost(*, d_k: int, steps: int, seed: int) -> Cost:
    weights = sum(head_sizes(d_k))
    a_pass = 2 * WIDTH * (d_k + PAIRS * (d_k + VALUES)) + 2 * PAIRS * (d_k + VALUES)  # a question
    learned = 2 * steps * (3 * BATCH * a_pass + 15 * weights)
    return Cost(bytes=4 * (12 * weights + 10 * EXAM * (PAIRS + 1) * (WIDTH + d_k)), flops=learned + 4 * EXAM * a_pass)


EXPERIMENT = Experiment(
    title=Label("training with and without √d_k", "有无 √d_k 的训练"),
    summary=Label(
        "Two heads with the same weights and the same questions, trained side by side; only one of them divides by √d_k.",
        "两个头权重相同、题目相同，并排训练；只有一个除以 √d_k。",
    ),
    parameters=(
        Parameter("d_k", Label("d_k", "d_k"), 256, 4, 256, 2, "log"),
        Parameter("steps", STEPS, 200, 50, 300, 50),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(scaled_dot_product_attention, head_logits, train, adam_step),
    arms=("raw_loss", "scaled_loss"),
    deadline=30.0,
)
