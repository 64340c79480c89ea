"""One masked pass predicts after every prefix at once; on random tokens no honest loss falls below ln V, so what does fall is a leak."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Progress, Quantity, Result, Series, Table
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.attention import causal_mask
from engine.textbook.next_token import mean_loss, next_token_logits, prefix_logits, shifted, unshifted
from engine.textbook.optimizers import adam
from engine.textbook.tiny_transformer import Shape, encode, initial_weights
from engine.textbook.training_loop import train

VOCABULARY, WIDTH, LAYERS, HEADS, HIDDEN = 8, 16, 2, 2, 32
BATCH, RATE = 16, 0.02
EVERY = 5  # steps between two points of the curves
SHOWN = 6  # places in the matrices and the table
STEPS = Label("training steps", "训练步数")

Arm = Literal["right", "wrong"]


@dataclass(frozen=True)
class Way:
    """One way to make the training pairs: shifted or not, with the causal mask or without."""

    name: str
    label: Label
    arm: Arm
    pair: Callable[[Tensor], tuple[Tensor, Tensor]]
    mask: Callable[[int, int], Tensor | None]


WAYS = (
    Way("unshifted", Label("target not shifted", "目标没有错位"), "wrong", unshifted, causal_mask),
    Way("unmasked", Label("no causal mask", "没有因果掩码"), "wrong", shifted, lambda queries, keys: None),
    Way("honest", Label("shifted and masked", "错位并加掩码"), "right", shifted, causal_mask),
)


def run(*, tokens: int, steps: int, seed: int) -> Generator[Progress, None, Result]:
    shape = shape_for(tokens)
    theta = initial_weights(shape, torch.Generator().manual_seed(seed))
    lessons = [learning(way, shape, theta, steps, seed) for way in WAYS]
    points: list[tuple[float, ...]] = []
    for step, after in enumerate(zip(*lessons, strict=True), start=1):
        if step % EVERY == 0:
            points.append((step, *(loss for _, loss in after)))
            yield Progress(step / steps, Result(series=_curves(points)))
    sentence = torch.randint(VOCABULARY, (1, tokens), generator=torch.Generator().manual_seed(seed))
    return Result(
        quantities=(*_losses(points), *_equality(theta.double(), shape, sentence)),
        matrices=_matrices(theta.double(), shape, sentence),
        series=_curves(points),
        tables=(_pairs(sentence),),
        notes=_notes(tokens),
    )


def shape_for(tokens: int) -> Shape:
    return Shape(VOCABULARY, tokens, WIDTH, LAYERS, HEADS, HIDDEN)


def learning(way: Way, shape: Shape, theta: Tensor, steps: int, seed: int) -> Generator[tuple[Tensor, float], None, None]:
    """Every way starts with the same weights and sees the same random sequences."""
    generator = torch.Generator().manual_seed(seed + 1000)

    def loss(weights: Tensor) -> Tensor:
        inputs, targets = way.pair(torch.randint(VOCABULARY, (BATCH, shape.positions + 1), generator=generator))
        mask = way.mask(shape.positions, shape.positions)
        return mean_loss(next_token_logits(weights, shape, inputs, mask), targets)

    yield from train(theta, loss, adam(theta, RATE), steps)


def _losses(points: list[tuple[float, ...]]) -> tuple[Quantity, ...]:
    _, leaking, unmasked, honest = points[-1]
    return (
        wrong("unshifted_loss", leaking, "loss, target not shifted", "损失，目标没有错位"),
        wrong("unmasked_loss", unmasked, "loss, no causal mask", "损失，没有因果掩码"),
        right("honest_loss", honest, "loss, shifted and masked", "损失，错位并加掩码"),
        measured("least_honest_loss", math.log(VOCABULARY), "ln V: nobody can guess better", "ln V：谁也猜不到更好"),
    )


def _equality(theta: Tensor, shape: Shape, sentence: Tensor) -> tuple[Quantity, ...]:
    """Before training, in float64: the row of one pass against the pass over that prefix alone."""
    tokens = sentence.shape[1]
    slow = prefix_logits(theta, shape, sentence)
    masked, unmasked = (next_token_logits(theta, shape, sentence, mask) for mask in (causal_mask(tokens, tokens), None))
    return (
        right("masked_difference", number((masked - slow).abs().max()), "masked pass against all prefixes", "带掩码的前向与逐个前缀之差"),
        wrong("unmasked_difference", number((unmasked - slow).abs().max()), "unmasked pass against them", "不带掩码的前向与逐个前缀之差"),
        right("passes_at_once", 1, "passes for all places, training", "训练：所有位置所需的前向次数"),
        measured("passes_step_by_step", tokens, "passes for all places, prefix by prefix", "逐个前缀：所需的前向次数"),
        measured("lessons_per_pass", tokens, "predictions that a pass learns from", "一次前向中参与学习的预测数"),
        measured("tokens_at_once", tokens, "tokens computed, at once", "计算的词元数，一次完成"),
        measured("tokens_step_by_step", tokens * (tokens + 1) / 2, "tokens computed, prefix by prefix", "计算的词元数，逐个前缀"),
    )


def _matrices(theta: Tensor, shape: Shape, sentence: Tensor) -> tuple[Matrix, ...]:
    """The first places' logits, both ways."""
    short = sentence[:, :SHOWN]
    count = short.shape[1]
    at_once = next_token_logits(theta, shape, short, causal_mask(count, count))[0]
    one_by_one = prefix_logits(theta, shape, short)[0]
    rows, columns = names("t", count), tuple(str(word) for word in range(VOCABULARY))
    return (
        Matrix("at_once", grid(at_once), Label("logits, one masked pass", "logits，一次带掩码的前向"), rows, columns, arm="right"),
        Matrix("one_by_one", grid(one_by_one), Label("logits, prefix by prefix", "logits，逐个前缀"), rows, columns),
    )


def _curves(points: list[tuple[float, ...]]) -> tuple[Series, ...]:
    steps, *losses = (tuple(column) for column in zip(*points, strict=True))
    return tuple(
        Series(f"{way.name}_loss_over_steps", steps, y, way.label, STEPS, "loss", arm=way.arm) for way, y in zip(WAYS, losses, strict=True)
    )


def _pairs(sentence: Tensor) -> Table:
    """Teacher forcing: every place is given the true tokens before it, not the model's own guesses."""
    inputs, targets = shifted(sentence[:, : SHOWN + 1])
    rows = tuple((place + 1, int(now), int(after)) for place, (now, after) in enumerate(zip(inputs[0], targets[0], strict=True)))
    columns = (Label("place", "位置"), Label("input", "输入"), Label("target", "目标"))
    return Table("pairs", Label("input and target", "输入与目标"), columns, rows)


def _notes(tokens: int) -> tuple[Label, ...]:
    floor = math.log(VOCABULARY) / tokens
    return (
        Label(
            f"The tokens are random: below ln V is cheating. Unmasked, only the last place cannot peek: the floor is ln V/T = {floor:.2f}.",
            f"词元是随机的：低于 ln V 就是作弊。没有掩码时只有最后一个位置偷看不到，所以下限是 ln V/T = {floor:.2f}。",
        ),
    )


def cost(*, tokens: int, steps: int, seed: int) -> Cost:
    shape = shape_for(tokens)
    a_pass = 2 * tokens * (shape.count() + 2 * LAYERS * tokens * WIDTH)
    numbers = 8 * shape.count() + 60 * BATCH * tokens * (WIDTH + HEADS * tokens)
    return Cost(bytes=8 * numbers, flops=3 * 3 * BATCH * a_pass * steps + a_pass * tokens)


EXPERIMENT = Experiment(
    title=Label("training in parallel", "并行训练"),
    summary=Label(
        "One pass learns from every prefix; forget the shift or the mask, and the loss falls for the wrong reason.",
        "一次前向就从每个前缀学习；忘了错位或掩码，损失会因为错误的原因下降。",
    ),
    parameters=(
        Parameter("tokens", Label("tokens T", "词元数 T"), 8, 2, 16),
        Parameter("steps", STEPS, 100, 50, 150, 25),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(shifted, unshifted, next_token_logits, prefix_logits, encode, train),
    arms=("unshifted_loss", "honest_loss"),
    deadline=30.0,
)
