"""Top-p adapts the number of candidates to how sure the model is, top-k does not; a repetition penalty acts on logits, by their sign."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, number
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.decoding import (
    apply_temperature,
    candidates,
    keep_min_p,
    keep_top_k,
    keep_top_p,
    penalise,
    penalise_by_dividing,
    penalise_probability,
)
from engine.textbook.weight_statistics import entropy

VOCABULARY = 1000
WORDS = ("the", "a", "its", "my", "no")
LOGITS = (2.0, 1.0, 0.0, -1.0, -2.0)  # of the five words that are read cell by cell
SAID = (2.0, 0.5, -1.0)  # three logits; the last token was said already
TEMPERATURES = tuple(0.1 * 5 ** (tick / 6) for tick in range(16))  # 0.1 ... 5.6
SHARES = tuple(tick / 20 for tick in range(1, 21))
TEMPERATURE, TOP_P = Label("temperature T", "温度 T"), Label("top-p", "top-p")


@dataclass(frozen=True)
class Models:
    """Two next-token distributions over 1000 words: one that has no idea, one that is sure."""

    flat: Tensor
    peaked: Tensor


def draw(seed: int) -> Models:
    """Flat: logits that spread by 0.3. Peaked: the same, and one word 11 above, which gets over 98 %."""
    flat = 0.3 * torch.randn(VOCABULARY, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    peaked = flat.clone()
    peaked[0] = 11.0
    return Models(flat, peaked)


def run(*, temperature: float, top_k: int, top_p: float, min_p: float, penalty: float, seed: int) -> Result:
    models = draw(seed)
    logits = torch.tensor(LOGITS, dtype=torch.float64)
    stages = pipeline(logits, temperature, top_k, top_p, min_p)
    return Result(
        quantities=(
            *_candidates(models, top_k, top_p, min_p),
            *_penalties(penalty),
            measured(
                "word_entropy",
                entropy(torch.softmax(apply_temperature(logits, temperature), -1)),
                "entropy of the five words at T",
                "五个词在温度 T 下的熵",
                "nats",
            ),
            measured("kept_words", candidates(stages[-1]), "words left after all steps", "所有步骤之后剩下的词数"),
            *_order(logits, temperature, top_p),
        ),
        matrices=(_by_stage(stages),),
        series=_curves(logits, models),
        notes=_notes(temperature),
    )


def pipeline(logits: Tensor, temperature: float, top_k: int, top_p: float, min_p: float) -> tuple[Tensor, ...]:
    """The logits after each step, in the usual order; what a step throws out, the next one does not count."""
    hot = apply_temperature(logits, temperature)
    by_k = keep_top_k(hot, top_k)
    by_p = keep_top_p(by_k, top_p)
    return logits, hot, by_k, by_p, keep_min_p(by_p, min_p)


def _candidates(models: Models, top_k: int, top_p: float, min_p: float) -> tuple[Quantity, ...]:
    flat, peaked = models.flat, models.peaked
    return (
        right("nucleus_flat", candidates(keep_top_p(flat, top_p)), "top-p: candidates, unsure model", "top-p：没把握时的候选数"),
        right("nucleus_peaked", candidates(keep_top_p(peaked, top_p)), "top-p: candidates, sure model", "top-p：有把握时的候选数"),
        wrong("top_k_flat", candidates(keep_top_k(flat, top_k)), "top-k: candidates, unsure model", "top-k：没把握时的候选数"),
        wrong("top_k_peaked", candidates(keep_top_k(peaked, top_k)), "top-k: candidates, sure model", "top-k：有把握时的候选数"),
        measured(
            "top_k_mass_flat",
            mass(flat, keep_top_k(flat, top_k)),
            "probability that top-k keeps, unsure model",
            "top-k 保留的概率，没把握时",
        ),
        measured(
            "top_k_mass_peaked",
            mass(peaked, keep_top_k(peaked, top_k)),
            "probability that top-k keeps, sure model",
            "top-k 保留的概率，有把握时",
        ),
        measured("min_p_flat", candidates(keep_min_p(flat, min_p)), "min-p: candidates, unsure model", "min-p：没把握时的候选数"),
        measured("min_p_peaked", candidates(keep_min_p(peaked, min_p)), "min-p: candidates, sure model", "min-p：有把握时的候选数"),
    )


def mass(logits: Tensor, kept: Tensor) -> float:
    """The probability of those that stay."""
    return number(torch.softmax(logits, -1)[kept > -math.inf].sum())


def _penalties(penalty: float) -> tuple[Quantity, ...]:
    logits = torch.tensor(SAID, dtype=torch.float64)

    def repeated(penalised: Tensor) -> float:
        return number(torch.softmax(penalised, -1)[-1])

    return (
        measured("repeat_unpenalised", repeated(logits), "said already, logit -1: its probability", "已出现的词（logit −1）：原概率"),
        wrong("repeat_logit_divided", repeated(penalise_by_dividing(logits, [2], penalty)), "... logit divided", "……logit 直接除"),
        right("repeat_penalised", repeated(penalise(logits, [2], penalty)), "... negative logit multiplied", "……负 logit 改为乘"),
        measured(
            "repeat_probability_divided", repeated(penalise_probability(logits, [2], penalty)), "... probability divided", "……概率相除"
        ),
        measured(
            "repeat_shifted",
            repeated(penalise(logits + 3, [2], penalty)),
            "... right rule, all logits + 3",
            "……正确规则，但所有 logit 加 3",
        ),
    )


def _order(logits: Tensor, temperature: float, top_p: float) -> tuple[Quantity, ...]:
    first, last = keep_top_p(apply_temperature(logits, temperature), top_p), keep_top_p(logits, top_p)
    return (
        measured("kept_heated_first", candidates(first), "words kept, temperature before top-p", "保留的词数，先温度后 top-p"),
        measured("kept_heated_last", candidates(last), "words kept, temperature after top-p", "保留的词数，先 top-p 后温度"),
    )


def _by_stage(stages: tuple[Tensor, ...]) -> Matrix:
    return Matrix(
        "probabilities_by_stage",
        grid(torch.softmax(torch.stack(stages), -1)),
        Label("five words, step by step", "五个词，逐步变化"),
        ("softmax", "/T", "top-k", "top-p", "min-p"),
        WORDS,
        r"p = \mathrm{softmax}(z / T)",
        "weights",
    )


def _curves(logits: Tensor, models: Models) -> tuple[Series, ...]:
    entropies = tuple(entropy(torch.softmax(apply_temperature(logits, each), -1)) for each in TEMPERATURES)
    flat = tuple(float(candidates(keep_top_p(models.flat, share))) for share in SHARES)
    peaked = tuple(float(candidates(keep_top_p(models.peaked, share))) for share in SHARES)
    return (
        Series("nucleus_flat_over_p", SHARES, flat, Label("candidates, unsure model", "候选数，没把握"), TOP_P, "candidates"),
        Series("nucleus_peaked_over_p", SHARES, peaked, Label("candidates, sure model", "候选数，有把握"), TOP_P, "candidates"),
        Series(
            "entropy_over_temperature",
            TEMPERATURES,
            entropies,
            Label("entropy of the five words", "五个词的熵"),
            TEMPERATURE,
            "entropy",
            True,
        ),
    )


def _notes(temperature: float) -> tuple[Label, ...]:
    unchanged = Label(
        "T = 1 changes nothing: it is the model's own distribution, not a high temperature.",
        "T = 1 什么也不改变：就是模型自身的分布，并不算高温。",
    )
    return (unchanged,) if temperature == 1 else ()


def cost(*, temperature: float, top_k: int, top_p: float, min_p: float, penalty: float, seed: int) -> Cost:
    return Cost(bytes=8 * 10 * VOCABULARY, flops=60 * 20 * VOCABULARY)


EXPERIMENT = Experiment(
    title=Label("sampling", "采样"),
    summary=Label(
        "Temperature, top-k, top-p, min-p and the repetition penalty, on logits that you can read.",
        "温度、top-k、top-p、min-p 与重复惩罚，用看得懂的 logits 演示。",
    ),
    parameters=(
        Parameter("temperature", TEMPERATURE, 1.0, 0.1, 5.0, 0.1),
        Parameter("top_k", Label("top-k", "top-k"), 3, 1, 200),
        Parameter("top_p", TOP_P, 0.9, 0.05, 1.0, 0.05),
        Parameter("min_p", Label("min-p", "min-p"), 0.05, 0.0, 1.0, 0.05),
        Parameter("penalty", Label("repetition penalty", "重复惩罚"), 1.5, 1.0, 3.0, 0.1),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(apply_temperature, keep_top_k, keep_top_p, keep_min_p, penalise, penalise_by_dividing),
    arms=("repeat_logit_divided", "repeat_penalised"),
)
