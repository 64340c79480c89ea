"""One masked pass predicts after every prefix at once; on random tokens no honest loss falls below ln V, so what does fall is a leak."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor
from torch.func import vmap

from engine.assemble import Numbers
from engine.experiment import Experiment, Steps
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.attention import causal_mask
from engine.textbook.next_token import mean_loss, next_token_logits, prefix_logits, shifted, unshifted
from engine.textbook.optimizers import adam
from engine.textbook.tiny_transformer import Shape, initial_weights
from engine.textbook.training_loop import SEEDS, Remembered, seeds_beside, train

VOCABULARY, WIDTH, LAYERS, HEADS, HIDDEN = 8, 16, 2, 2, 32
BATCH, RATE = 16, 0.02
EVERY = 5  # steps between two points of the curves
SHOWN = 6  # places in the matrices and the table
FEWEST, MOST = 2, 16  # tokens
MOST_STEPS = 150


class Way(NamedTuple):
    """One way to make the training pairs: shifted or not, with the causal mask or without."""

    pair: Callable[[Tensor], tuple[Tensor, Tensor]]
    mask: Callable[[int, int], Tensor]


def everyone_sees(queries: int, keys: int) -> Tensor:
    """Wrong: (T, S), all True."""
    return torch.ones(queries, keys, dtype=torch.bool)


WAYS = {"unshifted": Way(unshifted, causal_mask), "unmasked": Way(shifted, everyone_sees), "honest": Way(shifted, causal_mask)}


def run(*, tokens: int, steps: int, seed: int) -> Steps:
    shape = shape_for(tokens)
    theta = initial_weights(shape, torch.Generator().manual_seed(seed))
    points: list[tuple[float, ...]] = []  # the step, and each way's loss
    for step, losses in enumerate(trainings(tokens, seeds_beside(seed)).first(steps), start=1):
        if step % EVERY == 0 or step == steps:
            points.append((step, *losses[seed % SEEDS].tolist()))
            yield step / steps, curves(points)
    sentence = torch.randint(VOCABULARY, (1, tokens), generator=torch.Generator().manual_seed(seed))
    return {
        **{f"{name}_loss": loss for name, loss in zip(WAYS, points[-1][1:], strict=True)},
        "least_honest_loss": math.log(VOCABULARY),
        **differences(theta.double(), shape, sentence),
        **passes(tokens),
        **logits(theta.double(), shape, sentence[:, :SHOWN]),
        **curves(points),
        "pairs": pairs(sentence),
        "floor": math.log(VOCABULARY) / tokens,
    }


def shape_for(tokens: int) -> Shape:
    return Shape(VOCABULARY, tokens, WIDTH, LAYERS, HEADS, HIDDEN)


@lru_cache(32)  # of one kept is the state of fifteen small models
def trainings(tokens: int, seeds: range) -> Remembered[Tensor]:
    """The losses of `train_every_way`, step by step."""
    return Remembered(train_every_way(shape_for(tokens), seeds))


def train_every_way(shape: Shape, seeds: Iterable[int]) -> Iterator[Tensor]:
    """The losses (S, W) of every step: every way starts with its seed's weights and sees its seed's random sequences."""
    starts = [initial_weights(shape, torch.Generator().manual_seed(seed)) for seed in seeds for _ in WAYS]
    generators = [torch.Generator().manual_seed(seed + 1000) for seed in seeds]  # other streams than the weights
    thetas, size = torch.stack(starts), (BATCH, shape.positions + 1)  # (S·W, P)
    masks = torch.stack([way.mask(shape.positions, shape.positions) for way in WAYS.values()]).repeat(len(generators), 1, 1)

    def losses(thetas: Tensor) -> Tensor:
        drawn = [torch.randint(VOCABULARY, size, generator=generator) for generator in generators]
        inputs, targets = map(torch.stack, zip(*(way.pair(tokens) for tokens in drawn for way in WAYS.values()), strict=True))
        return vmap(one_loss)(thetas, inputs, targets, masks)

    def one_loss(theta: Tensor, inputs: Tensor, targets: Tensor, mask: Tensor) -> Tensor:
        return mean_loss(next_token_logits(theta, shape, inputs, mask), targets)

    for _, values in train(thetas, losses, adam(thetas, RATE), MOST_STEPS):
        yield values.view(-1, len(WAYS))


def curves(points: list[tuple[float, ...]]) -> Numbers:
    steps, *losses = zip(*points, strict=True)
    return {f"{name}_loss_over_steps": (steps, y) for name, y in zip(WAYS, losses, strict=True)}


def differences(theta: Tensor, shape: Shape, sentence: Tensor) -> Numbers:
    """Before training, in float64: the row of one pass against the pass over that prefix alone."""
    tokens = sentence.shape[1]
    exact = prefix_logits(theta, shape, sentence)
    masked, unmasked = (next_token_logits(theta, shape, sentence, mask) for mask in (causal_mask(tokens, tokens), None))
    return {"masked_difference": (masked - exact).abs().max(), "unmasked_difference": (unmasked - exact).abs().max()}


def passes(tokens: int) -> Numbers:
    return {
        "passes_at_once": 1,
        "passes_step_by_step": tokens,
        "lessons_per_pass": tokens,
        "tokens_at_once": tokens,
        "tokens_step_by_step": tokens * (tokens + 1) / 2,
    }


def logits(theta: Tensor, shape: Shape, sentence: Tensor) -> Numbers:
    """Both ways, (T, V)."""
    count = sentence.shape[1]
    return {
        "at_once": next_token_logits(theta, shape, sentence, causal_mask(count, count))[0],
        "one_by_one": prefix_logits(theta, shape, sentence)[0],
    }


def pairs(sentence: Tensor) -> list[tuple[int, int, int]]:
    """Teacher forcing: every place is given the true tokens before it, not the model's own guesses."""
    inputs, targets = (each[0].tolist() for each in shifted(sentence[:, : SHOWN + 1]))
    return [(place, now, after) for place, (now, after) in enumerate(zip(inputs, targets, strict=True), start=1)]


STEPS = Label("training steps", "训练步数")
TOKENS = (FEWEST, MOST)

MEASURES = (
    wrong("unshifted_loss", "loss at the end, target not shifted", "最后的损失，目标没有错位"),
    wrong("unmasked_loss", "loss at the end, no causal mask", "最后的损失，没有因果掩码"),
    right("honest_loss", "loss at the end, shifted and masked", "最后的损失，错位并加掩码"),
    measured("least_honest_loss", "least mean loss without peeking, ln V", "不偷看时平均损失的下限，ln V"),
    right("masked_difference", "logits: largest difference, masked pass - all prefixes", "logits 的最大差，带掩码的前向与逐个前缀"),
    wrong("unmasked_difference", "logits: largest difference, unmasked pass - all prefixes", "logits 的最大差，不带掩码的前向与逐个前缀"),
    right("passes_at_once", "passes for all places, training", "训练：所有位置所需的前向次数", within=(1, 1)),
    measured("passes_step_by_step", "passes for all places, prefix by prefix", "逐个前缀：所需的前向次数", within=TOKENS),
    measured("lessons_per_pass", "predictions that a pass learns from", "一次前向中参与学习的预测数", within=TOKENS),
    measured("tokens_at_once", "tokens computed, at once", "计算的词元数，一次完成", within=TOKENS),
    measured("tokens_step_by_step", "tokens computed, prefix by prefix", "计算的词元数，逐个前缀", within=(3, MOST * (MOST + 1) / 2)),
    Grid("at_once", Label("logits: one masked pass", "logits：一次带掩码的前向"), "t{1}", "{0}", arm="right"),
    Grid("one_by_one", Label("logits: prefix by prefix", "logits：逐个前缀"), "t{1}", "{0}"),
    Curve("unshifted_loss_over_steps", Label("loss, target not shifted", "损失，目标没有错位"), STEPS, "loss", arm="wrong"),
    Curve("unmasked_loss_over_steps", Label("loss, no causal mask", "损失，没有因果掩码"), STEPS, "loss", arm="wrong"),
    Curve("honest_loss_over_steps", Label("loss, shifted and masked", "损失，错位并加掩码"), STEPS, "loss", arm="right"),
    Rows("pairs", Label("input and target", "输入与目标"), (Label("place", "位置"), Label("input", "输入"), Label("target", "目标"))),
    note(
        "random_tokens",
        "floor > 0",
        "The tokens are random: below ln V is cheating. Unmasked, only the last place cannot peek: the floor is ln V/T = {floor:.2f}.",
        "词元是随机的：低于 ln V 就是作弊。没有掩码时只有最后一个位置偷看不到，所以下限是 ln V/T = {floor:.2f}。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("training in parallel", "并行训练"),
    summary=Label(
        "One pass learns from every prefix; forget the shift or the mask, and the loss falls for the wrong reason.",
        "一次前向就从每个前缀学习；忘了错位或掩码，损失会因为错误的原因下降。",
    ),
    keywords=(
        "teacher forcing",
        "causal language model",
        "shift",
        "label leakage",
        "next token",
        "教师强制",
        "因果语言模型",
        "错位",
        "泄漏",
    ),
    parameters=(
        Parameter("tokens", Label("tokens T", "词元数 T"), 8, FEWEST, MOST),
        Parameter("steps", STEPS, 100, 50, MOST_STEPS, 25),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "curve",
            ("unshifted_loss_over_steps", "unmasked_loss_over_steps", "honest_loss_over_steps"),
            over="steps",
            mark="honest_loss",
            caption=Label(
                "A loss below ln V was read off, not learned: without the shift or the mask the model sees what it should predict.",
                "损失低于 ln V 不是学会的，是偷看的：不移位或不加掩码，模型就看得到要预测的词元。",
            ),
        ),
        Figure("heatmap", ("at_once", "one_by_one")),
        Figure("table", ("pairs",)),
        Figure("bars", ("tokens_at_once", "tokens_step_by_step")),
    ),
    arms=("unshifted_loss", "honest_loss"),
    deadline=30.0,
    presets=(
        Preset(
            Label("16 tokens", "16 个词元"),
            {"tokens": 16},
            Label(
                "One masked pass teaches at 16 places at once; prefix by prefix it would be 136 tokens to compute.",
                "加掩码的一次前向同时学 16 个位置；逐个前缀算要 136 个词元。",
            ),
            "lessons_per_pass == 16 and tokens_step_by_step == 136",
        ),
        Preset(
            Label("2 tokens", "2 个词元"),
            {"tokens": 2},
            Label(
                "Without a mask only the first place can look at its answer: half of the loss stays.",
                "不加掩码时，只有第一个位置看得到自己的答案：损失还剩一半。",
            ),
            "unmasked_loss > 0.8",
        ),
    ),
    run=run,
)
