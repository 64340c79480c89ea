"""If every chosen token became [MASK], no visible word would ever be asked for; with 80/10/10 any may be, so each must be understood."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import number
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.masked_language_model import Rule, choose_positions, corrupt, expected_coverage, labels_of, whole_words
from engine.textbook.pretraining_heads import IGNORED

TOKENS = 200_000  # of the statistics
VOCABULARY, MASK = 30_522, 103  # BERT-base, uncased
LENGTH = 512  # of a sequence
PIECES = ("the", "kit", "##ten", "was", "un", "##want", "##ed", "and", "never", "play", "##ed", "in", "the", "snow", "##flake", "##s")
WORDS = (0, 1, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 9)  # which word a piece belongs to
SENTENCES = 2_000  # copies of that sentence, for the statistics of whole words
EPOCHS = tuple(range(1, 41))
EPOCHS_LABEL = Label("epochs", "训练轮数")


def run(*, chosen: float, masked: float, epochs: int, units: str, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(1000, VOCABULARY, (TOKENS,), generator=generator)  # ordinary pieces: [MASK] is not among them
    rule = Rule(chosen, masked, (1 - masked) / 2)
    asked = choose_positions(ids, chosen, generator)
    seen = corrupt(ids, asked, rule, MASK, VOCABULARY, generator)
    always = corrupt(ids, asked, Rule(chosen, 1.0, 0.0), MASK, VOCABULARY, generator)
    return Result(
        quantities=(
            wrong(
                "visible_asked_all_masked",
                share(asked, always != MASK),
                "a visible word is asked for, if all chosen are masked",
                "可见的词被问到的概率：选中的全换成 [MASK]",
                "%",
            ),
            right(
                "visible_asked",
                share(asked, seen != MASK),
                "a visible word is asked for, by this rule",
                "可见的词被问到的概率：按此规则",
                "%",
            ),
            *_shares(ids, seen, asked),
            *_coverage(chosen, epochs),
            *_words(chosen, generator),
        ),
        series=_curves(chosen),
        tables=(_example(rule, units, generator),),
        notes=_notes(masked),
    )


def share(holds: Tensor, among: Tensor) -> float:
    """In percent; 0 where there is nothing to look at."""
    return 100 * number((holds & among).sum()) / max(1, int(among.sum()))


def _shares(ids: Tensor, seen: Tensor, asked: Tensor) -> tuple[Quantity, ...]:
    """Of all tokens, in percent. A random piece that happens to be the original counts as kept: 1 in 30,522."""
    everything = torch.ones_like(asked)
    return (
        measured("asked_percent", share(asked, everything), "tokens with a loss", "计入损失的词元", "%"),
        measured("masked_percent", share(seen == MASK, everything), "tokens that become [MASK]", "换成 [MASK] 的词元", "%"),
        measured(
            "random_percent",
            share((seen != ids) & (seen != MASK), everything),
            "tokens replaced by a random piece",
            "换成随机词片的词元",
            "%",
        ),
        measured(
            "kept_percent", share(asked & (seen == ids), everything), "tokens asked for and left as they are", "被问但保持原样的词元", "%"
        ),
        measured(
            "asked_of_sequence",
            LENGTH * number(asked.double().mean()),
            f"predictions of a sequence of {LENGTH}",
            f"长度 {LENGTH} 的序列的预测数",
        ),
        measured("visible_false", share(seen != ids, seen != MASK), "a visible word is not the original", "可见的词不是原词的概率", "%"),
    )


def _coverage(chosen: float, epochs: int) -> tuple[Quantity, ...]:
    return (
        wrong("static_covered", 100 * chosen, "tokens ever asked for, chosen once for all epochs", "曾被问到的词元：各轮用同一批掩码", "%"),
        right(
            "dynamic_covered",
            100 * expected_coverage(chosen, epochs),
            "tokens ever asked for, chosen anew every epoch (RoBERTa)",
            "曾被问到的词元：每轮重新选（RoBERTa）",
            "%",
        ),
    )


def _words(chosen: float, generator: torch.Generator) -> tuple[Quantity, ...]:
    """Words of several pieces of which some are chosen and some are left to give the rest away."""
    ids = torch.zeros(SENTENCES, len(PIECES))
    by_piece = choose_positions(ids, chosen, generator)
    by_word = whole_words(by_piece, torch.tensor(WORDS))
    return (
        wrong(
            "split_words",
            split_percent(by_piece),
            "words touched that keep a visible piece, chosen by piece",
            "被选中但仍露出词片的词：按词片选",
            "%",
        ),
        right("split_words_whole", split_percent(by_word), "... chosen by whole word", "……按整词选（WWM）", "%"),
        measured(
            "asked_whole", 100 * number(by_word.double().mean()), "pieces asked for, chosen by whole word", "按整词选时计入损失的词片", "%"
        ),
    )


def split_percent(chosen: Tensor) -> float:
    """Of the words (N sentences) with several pieces of which at least one is chosen: those of which not all are."""
    words = torch.tensor(WORDS)
    several = [word for word in sorted(set(WORDS)) if WORDS.count(word) > 1]
    counts = torch.stack([chosen[:, words == word].sum(-1) for word in several], -1)  # (N, words)
    sizes = torch.tensor([WORDS.count(word) for word in several])
    return share((counts > 0) & (counts < sizes), counts > 0)


def _example(rule: Rule, units: str, generator: torch.Generator) -> Table:
    """One sentence, piece by piece: what the model sees and what it is asked for."""
    vocabulary = ("[MASK]", *sorted(set(PIECES)))
    ids = torch.tensor([vocabulary.index(piece) for piece in PIECES])
    asked = choose_positions(ids, rule.chosen, generator)
    asked = whole_words(asked, torch.tensor(WORDS)) if units == "words" else asked
    seen = corrupt(ids, asked, rule, 0, len(vocabulary), generator)
    labels = labels_of(ids, asked)
    rows = tuple(
        (piece, vocabulary[int(shown)], vocabulary[int(label)] if label != IGNORED else Label("not asked", "不计"))
        for piece, shown, label in zip(PIECES, seen, labels, strict=True)
    )
    columns = (Label("original", "原文"), Label("input", "输入"), Label("label", "标签"))
    return Table("sentence", Label("one sentence, as the model gets it", "一个句子，模型看到的样子"), columns, rows)


def _curves(chosen: float) -> tuple[Series, ...]:
    x = tuple(map(float, EPOCHS))
    return (
        Series(
            "static_covered_over_epochs",
            x,
            (100 * chosen,) * len(x),
            Label("ever asked, %: masks once for all", "曾被问到 %：固定掩码"),
            EPOCHS_LABEL,
            "covered",
            arm="wrong",
        ),
        Series(
            "dynamic_covered_over_epochs",
            x,
            tuple(100 * expected_coverage(chosen, each) for each in EPOCHS),
            Label("ever asked, %: anew every epoch", "曾被问到 %：每轮重选"),
            EPOCHS_LABEL,
            "covered",
            arm="right",
        ),
    )


def _notes(masked: float) -> tuple[Label, ...]:
    all_masked = Label(
        "All chosen tokens become [MASK]: what the model makes of visible words is never checked, and fine-tuning shows it only those.",
        "选中的全部换成 [MASK]：可见词的表示从未受检验，而微调时只有可见词。",
    )
    none_masked = Label("No [MASK] at all: half of the answers stand in the input.", "完全没有 [MASK]：一半的答案就写在输入里。")
    return tuple(note for applies, note in ((masked == 1, all_masked), (masked == 0, none_masked)) if applies)


def cost(*, chosen: float, masked: float, epochs: int, units: str, seed: int) -> Cost:
    return Cost(bytes=8 * 10 * TOKENS + 8 * 4 * SENTENCES * len(PIECES), flops=40 * TOKENS + 100 * SENTENCES * len(PIECES))


EXPERIMENT = Experiment(
    title=Label("the masking rule of BERT", "BERT 的掩码规则"),
    summary=Label(
        "15 % chosen, then 80/10/10: what the model sees, what it is asked for, and how it is done anew each epoch.",
        "先选 15 %，再按 80/10/10：模型看到什么、被问什么，以及每轮重选。",
    ),
    parameters=(
        Parameter("chosen", Label("share of tokens chosen", "选中的词元比例"), 0.15, 0.05, 0.5, 0.05),
        Parameter("masked", Label("share of them that becomes [MASK]", "其中换成 [MASK] 的比例"), 0.8, 0.0, 1.0, 0.1),
        Parameter("epochs", EPOCHS_LABEL, 10, 1, EPOCHS[-1]),
        choice("units", Label("chosen by", "选择单位"), ("pieces", "piece", "词片"), ("words", "whole word", "整词")),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(choose_positions, corrupt, labels_of, whole_words, expected_coverage),
    arms=("visible_asked_all_masked", "visible_asked"),
)
