"""Part of sampling: a token that was said already, penalised by its logit's sign, by dividing the logit, or the probability."""

from __future__ import annotations

import torch

from engine.assemble import Numbers
from engine.measures import SHARE, Measure, measured, note, right, wrong
from engine.textbook.decoding import penalise, penalise_by_dividing, penalise_probability

SAID = (2.0, 0.5, -1.0)  # three logits; the last token was said already


def penalised_probabilities(penalty: float) -> Numbers:
    """Of a token that was said already, by each rule."""
    logits, said = torch.tensor(SAID, dtype=torch.float64), [len(SAID) - 1]
    by_rule = {
        "repeat_unpenalised": logits,
        "repeat_logit_divided": penalise_by_dividing(logits, said, penalty),
        "repeat_penalised": penalise(logits, said, penalty),
        "repeat_probability_divided": penalise_probability(logits, said, penalty),
        "repeat_shifted": penalise(logits + 3, said, penalty),
    }
    return {rule: torch.softmax(penalised, -1)[-1] for rule, penalised in by_rule.items()}


PENALTY_MEASURES: tuple[Measure, ...] = (
    measured(
        "repeat_unpenalised", "word said already, logit -1: probability, no penalty", "已出现的词，logit −1：概率，无惩罚", within=SHARE
    ),
    wrong(
        "repeat_logit_divided",
        "word said already, logit -1: probability, logit divided",
        "已出现的词，logit −1：概率，logit 直接除",
        within=SHARE,
    ),
    right(
        "repeat_penalised",
        "word said already, logit -1: probability, logit multiplied",
        "已出现的词，logit −1：概率，负 logit 改为乘",
        within=SHARE,
    ),
    measured(
        "repeat_probability_divided",
        "word said already, logit -1: probability, itself divided",
        "已出现的词，logit −1：概率，概率相除",
        within=SHARE,
    ),
    measured(
        "repeat_shifted",
        "word said already, all logits + 3: probability, right rule",
        "已出现的词，所有 logit 加 3：概率，正确规则",
        within=SHARE,
    ),
    note("no_penalty", "penalty == 1", "A penalty of 1 changes nothing.", "惩罚系数为 1 时什么也不改变。"),
)
