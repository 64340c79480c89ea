"""Top-p adapts the number of candidates to how sure the model is, top-k does not; a repetition penalty acts on logits, by their sign."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._repetition_penalty import PENALTY_MEASURES, penalised_probabilities
from engine.experiments._sampling_by_confidence import KEPT_MEASURES, SHARES, TOP_P, draw, kept_of_each
from engine.figures import Figure
from engine.label import Label
from engine.measures import Curve, Grid, Measure, Range, measured, note
from engine.parameter import SEED, Parameter
from engine.preset import Preset
from engine.textbook.decoding import apply_temperature, candidates, keep_min_p, keep_top_k, keep_top_p
from engine.textbook.weight_statistics import entropy

WORDS = ("the", "a", "its", "my", "no")
LOGITS = (2.0, 1.0, 0.0, -1.0, -2.0)  # of the five words that are read cell by cell
TEMPERATURES = tuple(0.1 * 5 ** (tick / 6) for tick in range(16))  # 0.1 ... 5.6


def run(*, temperature: float, top_k: int, top_p: float, min_p: float, penalty: float, seed: int) -> Numbers:
    models = draw(seed)
    logits = torch.tensor(LOGITS, dtype=torch.float64)
    stages = pipeline(logits, temperature, top_k, top_p, min_p)
    return {
        **kept_of_each(models, top_k, top_p, min_p),
        **penalised_probabilities(penalty),
        "word_entropy": entropy_at(logits, temperature),
        "kept_words": candidates(stages[-1]),
        "kept_heated_first": candidates(keep_top_p(apply_temperature(logits, temperature), top_p)),
        "kept_heated_last": candidates(keep_top_p(logits, top_p)),
        "probabilities_by_stage": torch.softmax(torch.stack(stages), -1),
        "nucleus_flat_over_p": (SHARES, [candidates(keep_top_p(models.flat, share)) for share in SHARES]),
        "nucleus_peaked_over_p": (SHARES, [candidates(keep_top_p(models.peaked, share)) for share in SHARES]),
        "entropy_over_temperature": (TEMPERATURES, [entropy_at(logits, each) for each in TEMPERATURES]),
    }


def pipeline(logits: Tensor, temperature: float, top_k: int, top_p: float, min_p: float) -> tuple[Tensor, ...]:
    """The logits after each step, in the usual order; what a step throws out, the next one does not count."""
    hot = apply_temperature(logits, temperature)
    by_k = keep_top_k(hot, top_k)
    by_p = keep_top_p(by_k, top_p)
    return logits, hot, by_k, by_p, keep_min_p(by_p, min_p)


def entropy_at(logits: Tensor, temperature: float) -> float:
    return entropy(torch.softmax(apply_temperature(logits, temperature), -1))


KEPT: Range = (1, len(WORDS))
TEMPERATURE = Label("temperature T", "温度 T")

MEASURES: tuple[Measure, ...] = (
    *KEPT_MEASURES,
    *PENALTY_MEASURES,
    measured("word_entropy", "entropy of the five words at T", "五个词在温度 T 下的熵", "nats", (0, math.log(len(WORDS)))),
    measured("kept_words", "words left after all steps", "所有步骤之后剩下的词数", within=KEPT),
    measured("kept_heated_first", "words that top-p keeps, temperature before it", "top-p 保留的词数，先温度", within=KEPT),
    measured("kept_heated_last", "words that top-p keeps, temperature after it", "top-p 保留的词数，后温度", within=KEPT),
    Grid(
        "probabilities_by_stage",
        Label("five words, step by step", "五个词，逐步变化"),
        ("softmax", "/T", "top-k", "top-p", "min-p"),
        WORDS,
        r"p = \mathrm{softmax}(z / T)",
        "weights",
    ),
    Curve("entropy_over_temperature", Label("entropy of the five words", "五个词的熵"), TEMPERATURE, "entropy", log_x=True),
    note(
        "unchanged",
        "temperature == 1",
        "T = 1 changes nothing: it is the model's own distribution, not a high temperature.",
        "T = 1 什么也不改变：就是模型自身的分布，并不算高温。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("sampling", "采样"),
    summary=Label(
        "Temperature, top-k, top-p, min-p and the repetition penalty, on logits that you can read.",
        "温度、top-k、top-p、min-p 与重复惩罚，用看得懂的 logits 演示。",
    ),
    keywords=(
        "temperature",
        "top-k",
        "top-p",
        "nucleus",
        "min-p",
        "repetition penalty",
        "greedy",
        "decoding",
        "温度",
        "核采样",
        "重复惩罚",
        "解码",
    ),
    parameters=(
        Parameter("temperature", TEMPERATURE, 1.0, 0.1, 5.0, 0.1),
        Parameter("top_k", Label("top-k", "top-k"), 3, 1, 200),
        Parameter("top_p", TOP_P, 0.9, 0.05, 1.0, 0.05),
        Parameter("min_p", Label("min-p", "min-p"), 0.05, 0.0, 1.0, 0.05),
        Parameter("penalty", Label("repetition penalty", "重复惩罚"), 1.5, 1.0, 3.0, 0.1),
        SEED,
    ),
    presets=(
        Preset(
            Label("top-p = 1", "top-p = 1"),
            {"top_p": 1.0},
            Label(
                "A top-p of 1 keeps every word, even those that a sure model has ruled out.",
                "top-p 为 1 时全部保留，连有把握的模型已经排除的词也留着。",
            ),
            "nucleus_peaked == 1000",
        ),
        Preset(
            Label("top-p = 0.05", "top-p = 0.05"),
            {"top_p": 0.05},
            Label(
                "Nearly greedy where the model is sure, and still a choice of some where it is not.",
                "模型有把握时几乎等于贪心，没把握时仍有几十个可选。",
            ),
            "nucleus_peaked == 1 and nucleus_flat > 5 and nucleus_flat < 100",
        ),
        Preset(
            Label("top-k = 200", "top-k = 200"),
            {"top_k": 200},
            Label(
                "Too few for the unsure model, a third of its probability, and 199 too many for the sure one.",
                "对没把握的模型还是太少，只占三分之一的概率；对有把握的模型却多了 199 个。",
            ),
            "top_k_peaked == 200 and top_k_mass_flat < 0.5",
        ),
    ),
    run=run,
    measures=MEASURES,
    figures=(
        Figure(
            "bars",
            ("nucleus_flat", "nucleus_peaked", "top_k_flat", "top_k_peaked", "min_p_flat", "min_p_peaked"),
            caption=Label(
                "Top-k keeps as many words for a sure model as for an unsure one; top-p and min-p ask the distribution.",
                "top-k 不管模型有没有把握，都留同样多的词；top-p 和 min-p 由分布说了算。",
            ),
        ),
        Figure("heatmap", ("probabilities_by_stage",)),
        Figure("curve", ("nucleus_flat_over_p", "nucleus_peaked_over_p"), over="top_p", mark="nucleus_flat"),
        Figure("curve", ("entropy_over_temperature",), over="temperature", mark="word_entropy"),
        Figure(
            "bars",
            ("repeat_logit_divided", "repeat_penalised", "repeat_probability_divided", "repeat_shifted"),
            mark="repeat_unpenalised",
        ),
    ),
    arms=("repeat_logit_divided", "repeat_penalised"),
)
