"""If every chosen token became [MASK], no visible word would ever be asked for; with 80/10/10 any may be, so each must be understood."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Rows, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.textbook.masked_language_model import (
    Rule,
    choose_at_least,
    choose_positions,
    corrupt,
    expected_coverage,
    labels_of,
    whole_words,
)
from engine.textbook.pretraining_heads import IGNORED

TOKENS = 200_000  # of the statistics
VOCABULARY, MASK = 30_522, 103  # BERT-base, uncased
LENGTH = 512  # of a sequence
PIECES = ("the", "kit", "##ten", "was", "un", "##want", "##ed", "and", "never", "play", "##ed", "in", "the", "snow", "##flake", "##s")
WORDS = (0, 1, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 9)  # which word a piece belongs to
SENTENCES = 2_000  # copies of that sentence, for the statistics of whole words
EPOCHS = tuple(range(1, 41))


def run(*, chosen: float, masked: float, epochs: int, units: str, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    rule = Rule(chosen, masked, (1 - masked) / 2)
    return {
        **shares(rule, generator),
        **coverage(chosen, epochs),
        **split_words(chosen, generator),
        "sentence": sentence(rule, units, generator),
        "length": LENGTH,
    }


def shares(rule: Rule, generator: torch.Generator) -> Numbers:
    """Of all tokens, in percent. A random piece that happens to be the original counts as kept: 1 in 30,522."""
    ids = torch.randint(1000, VOCABULARY, (TOKENS,), generator=generator)  # ordinary pieces: [MASK] is not among them
    asked = choose_positions(ids, rule.chosen, generator)
    seen = corrupt(ids, asked, rule, MASK, VOCABULARY, generator)
    always = corrupt(ids, asked, Rule(rule.chosen, 1.0, 0.0), MASK, VOCABULARY, generator)
    everything = torch.ones_like(asked)
    return {
        "visible_asked_all_masked": percent(asked, always != MASK),
        "visible_asked": percent(asked, seen != MASK),
        "asked_percent": percent(asked, everything),
        "masked_percent": percent(seen == MASK, everything),
        "random_percent": percent((seen != ids) & (seen != MASK), everything),
        "kept_percent": percent(asked & (seen == ids), everything),
        "asked_of_sequence": LENGTH * asked.double().mean(),
        "visible_false": percent(seen != ids, seen != MASK),
    }


def percent(holds: Tensor, among: Tensor) -> float:
    """How many of those `among` it holds for; 0 where there is nothing to look at."""
    return 100 * float((holds & among).sum()) / max(1, int(among.sum()))


def coverage(chosen: float, epochs: int) -> Numbers:
    """Tokens that were ever asked for, chosen once for all and anew in every epoch."""
    static, dynamic = 100 * chosen, [100 * expected_coverage(chosen, each) for each in EPOCHS]
    return {
        "static_covered": static,
        "dynamic_covered": 100 * expected_coverage(chosen, epochs),
        "static_covered_over_epochs": (EPOCHS, [static] * len(EPOCHS)),
        "dynamic_covered_over_epochs": (EPOCHS, dynamic),
    }


def split_words(chosen: float, generator: torch.Generator) -> Numbers:
    """Words of several pieces of which some are chosen and some are left to give the rest away."""
    by_piece = choose_positions(torch.zeros(SENTENCES, len(PIECES)), chosen, generator)
    by_word = whole_words(by_piece, torch.tensor(WORDS))
    return {
        "split_words": split_percent(by_piece),
        "split_words_whole": split_percent(by_word),
        "asked_whole": 100 * by_word.double().mean(),
    }


def split_percent(chosen: Tensor) -> float:
    """Of the words (N sentences) with several pieces of which at least one is chosen: those of which not all are."""
    words = torch.tensor(WORDS)
    several = [word for word in sorted(set(WORDS)) if WORDS.count(word) > 1]
    counts = torch.stack([chosen[:, words == word].sum(-1) for word in several], -1)  # (N, words)
    sizes = torch.tensor([WORDS.count(word) for word in several])
    return percent((counts > 0) & (counts < sizes), counts > 0)


def sentence(rule: Rule, units: str, generator: torch.Generator) -> list[tuple[str, str, str | Label]]:
    """One sentence, piece by piece: what the model sees and what it is asked for."""
    vocabulary = ("[MASK]", *sorted(set(PIECES)))
    ids = torch.tensor([vocabulary.index(piece) for piece in PIECES])
    groups = torch.tensor(WORDS) if units == "words" else torch.arange(len(PIECES))
    asked = choose_at_least(max(1, round(rule.chosen * len(PIECES))), groups, generator)
    seen = corrupt(ids, asked, rule, 0, len(vocabulary), generator)
    labels = [vocabulary[label] if label != IGNORED else NOT_ASKED for label in labels_of(ids, asked).tolist()]
    return [(piece, vocabulary[shown], label) for piece, shown, label in zip(PIECES, seen.tolist(), labels, strict=True)]


EPOCHS_LABEL, NOT_ASKED = Label("epochs", "训练轮数"), Label("not asked", "不计")
COVERED = (EPOCHS_LABEL, "covered")

MEASURES = (
    wrong(
        "visible_asked_all_masked",
        "a visible word is asked for, if all chosen are masked",
        "可见的词被问到的概率：选中的全换成 [MASK]",
        "%",
        within=(0, 0),
    ),
    right("visible_asked", "a visible word is asked for, by this rule", "可见的词被问到的概率：按此规则", "%", PERCENT),
    measured("asked_percent", "tokens with a loss", "计入损失的词元", "%", PERCENT),
    measured("masked_percent", "tokens that become [MASK]", "换成 [MASK] 的词元", "%", PERCENT),
    measured("random_percent", "tokens replaced by a random piece", "换成随机词片的词元", "%", PERCENT),
    measured("kept_percent", "tokens asked for and left as they are", "被问但保持原样的词元", "%", PERCENT),
    measured("asked_of_sequence", "predictions of a sequence of {length}", "长度 {length} 的序列的预测数", within=(0, LENGTH)),
    measured("visible_false", "a visible word is not the original", "可见的词不是原词的概率", "%", PERCENT),
    wrong("static_covered", "tokens ever asked for, chosen once for all epochs", "曾被问到的词元：各轮用同一批掩码", "%", PERCENT),
    right(
        "dynamic_covered", "tokens ever asked for, chosen anew every epoch (RoBERTa)", "曾被问到的词元：每轮重新选（RoBERTa）", "%", PERCENT
    ),
    wrong("split_words", "words touched that keep a visible piece, chosen by piece", "被选中但仍露出词片的词：按词片选", "%", PERCENT),
    right(
        "split_words_whole",
        "words touched that keep a visible piece, chosen by word",
        "被选中但仍露出词片的词：按整词选（WWM）",
        "%",
        within=(0, 0),
    ),
    measured("asked_whole", "pieces asked for, chosen by whole word", "按整词选时计入损失的词片", "%", PERCENT),
    Curve("static_covered_over_epochs", Label("ever asked, %: masks once for all", "曾被问到 %：固定掩码"), *COVERED, arm="wrong"),
    Curve("dynamic_covered_over_epochs", Label("ever asked, %: anew every epoch", "曾被问到 %：每轮重选"), *COVERED, arm="right"),
    Rows(
        "sentence",
        Label("one sentence, as the model gets it", "一个句子，模型看到的样子"),
        (Label("original", "原文"), Label("input", "输入"), Label("label", "标签")),
    ),
    note(
        "all_masked",
        "masked == 1",
        "All chosen tokens become [MASK]: what the model makes of visible words is never checked, and fine-tuning shows it only those.",
        "选中的全部换成 [MASK]：可见词的表示从未受检验，而微调时只有可见词。",
    ),
    note(
        "none_masked",
        "masked == 0",
        "No [MASK] but by chance: about half of the answers stand in the input.",
        "除了偶然抽到，没有 [MASK]：约一半的答案就写在输入里。",
    ),
)

EXPERIMENT = Experiment(
    title=Label("the masking rule of BERT", "BERT 的掩码规则"),
    summary=Label(
        "15 % chosen, then 80/10/10: what the model sees, what it is asked for, and how it is done anew each epoch.",
        "先选 15 %，再按 80/10/10：模型看到什么、被问什么，以及每轮重选。",
    ),
    parameters=(
        Parameter("chosen", Label("share of tokens chosen", "选中的词元比例"), 0.15, 0.05, 0.5, 0.05),
        Parameter("masked", Label("share of them that becomes [MASK]", "其中换成 [MASK] 的比例"), 0.8, 0.0, 1.0, 0.1),
        Parameter("epochs", EPOCHS_LABEL, 10, EPOCHS[0], EPOCHS[-1]),
        choice("units", Label("chosen by", "选择单位"), ("pieces", "piece", "词片"), ("words", "whole word", "整词")),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure("bars", ("visible_asked_all_masked", "visible_asked")),
        Figure("table", ("sentence",)),
        Figure("bars", ("masked_percent", "random_percent", "kept_percent"), mark="asked_percent"),
        Figure("curve", ("static_covered_over_epochs", "dynamic_covered_over_epochs"), over="epochs", mark="dynamic_covered"),
        Figure("bars", ("split_words", "split_words_whole")),
    ),
    arms=("visible_asked_all_masked", "visible_asked"),
    run=run,
)
