"""If all chosen tokens became [MASK], no visible word would ever be asked for; with 80/10/10 any may be. T5, ELECTRA, GPT ask elsewhere."""

from __future__ import annotations

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments import _span_corruption
from engine.experiments._masking_statistics import EPOCHS, LENGTH, PIECES, coverage, shares, split_words
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, Curve, Grid, Measure, Range, Rows, Scalar, measured, note, right, wrong
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.masked_language_model import (
    Rule,
)
from engine.textbook.pretraining_objectives import Objective, next_piece, pieces_of, replaced, spans
from engine.textbook.pretraining_objectives import masked as masked_pieces

TEXT = "the kitten was unwanted and never played in the snowflakes"
MOST = 40  # pieces of a typed sentence that are shown


def run(*, text: str, chosen: float, masked: float, epochs: int, units: str, share: float, span: int, seed: int) -> Numbers:
    generator = torch.Generator().manual_seed(seed)
    rule = Rule(chosen, masked, (1 - masked) / 2)
    pieces, words = cut(text)
    numbers = {**shares(rule, generator), **coverage(chosen, epochs), **split_words(chosen, generator), "length": LENGTH}
    seen = objectives(pieces, words, rule, share, span, generator)
    return {
        **numbers,
        **asked_for(seen, pieces),
        **_span_corruption.span_numbers(pieces, share, span),
        "sentence": sentence(pieces, seen["word" if units == "words" else "mlm"]),
    }


def cut(text: str) -> tuple[tuple[str, ...], Tensor]:
    """The pieces of a typed text, and which word each belongs to, counted from 0."""
    found = [pieces_of(word, PIECES) for word in text.lower().split()]
    numbers = [number for number, pieces in enumerate(found) for _ in pieces]
    return tuple(piece for pieces in found for piece in pieces)[:MOST], torch.tensor(numbers)[:MOST]


def objectives(
    pieces: tuple[str, ...], words: Tensor, rule: Rule, share: float, span: int, generator: torch.Generator
) -> dict[str, Objective]:
    """Five ways to ask for the same sentence; the masked ones are drawn from the same random numbers."""
    start = generator.get_state()
    by_word = masked_pieces(pieces, words, rule, generator)
    by_piece = masked_pieces(pieces, torch.arange(len(pieces)), rule, generator.set_state(start))
    return {
        "mlm": by_piece,
        "word": by_word,
        "span": spans(pieces, share, span),
        "electra": replaced(pieces, rule.chosen, generator),
        "causal": next_piece(pieces),
    }


def asked_for(seen: dict[str, Objective], pieces: tuple[str, ...]) -> Numbers:
    return {
        **{f"shown_{name}_losses": sum(each.asked) for name, each in seen.items()},
        "asked_pieces": torch.tensor([each.asked for each in seen.values()]).double(),
        "pieces": list(pieces),
        "objectives": [(name, " ".join(seen[key].seen), " ".join(seen[key].target)) for key, name in NAMED.items()],
    }


def sentence(pieces: tuple[str, ...], seen: Objective) -> list[tuple[str, str, str | Label]]:
    """The sentence, piece by piece: what the model sees and what it is asked for."""
    return [(piece, shown, piece if asked else NOT_ASKED) for piece, shown, asked in zip(pieces, seen.seen, seen.asked, strict=True)]


NAMED = {"mlm": "MLM", "word": "whole word", "span": "T5", "electra": "ELECTRA", "causal": "causal"}
EPOCHS_LABEL, NOT_ASKED = Label("epochs", "训练轮数"), Label("not asked", "不计")
COVERED = (EPOCHS_LABEL, "covered")
SHOWN: Range = (0, MOST)

MEASURES: tuple[Measure, ...] = (
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
    *(
        Scalar(f"shown_{name}_losses", Label(f"pieces of the sentence asked for: {en}", f"句中被问到的词片：{zh}"), within=SHOWN)
        for name, en, zh in (
            ("mlm", "MLM (BERT)", "MLM（BERT）"),
            ("word", "whole words", "整词"),
            ("span", "spans (T5)", "片段（T5）"),
            ("electra", "replaced or not (ELECTRA)", "是否被替换（ELECTRA）"),
            ("causal", "the next one (GPT)", "下一个（GPT）"),
        )
    ),
    Grid(
        "asked_pieces",
        Label("five ways of pre-training: pieces that the loss asks for", "五种预训练方式：损失问到的词片"),
        tuple(NAMED.values()),
        "{pieces}",
        kind="weights",
    ),
    Rows(
        "objectives",
        Label("what each of them reads and has to say", "各自读到什么、要说出什么"),
        (Label("objective", "目标"), Label("input", "输入"), Label("target", "输出")),
    ),
    Curve("static_covered_over_epochs", Label("ever asked, %: masks once for all", "曾被问到 %：固定掩码"), *COVERED, arm="wrong"),
    Curve("dynamic_covered_over_epochs", Label("ever asked, %: anew every epoch", "曾被问到 %：每轮重选"), *COVERED, arm="right"),
    Rows(
        "sentence",
        Label("one sentence, as the model gets it", "一个句子，模型看到的样子"),
        (Label("original", "原文"), Label("input", "输入"), Label("label", "标签")),
    ),
    *_span_corruption.MEASURES,
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
    title=Label("masks and spans: what is asked for", "掩码与片段：问的是哪些词"),
    summary=Label(
        "One sentence as MLM, whole words, T5's spans, ELECTRA and GPT: what is read, and where the loss is. BERT's 80/10/10.",
        "同一句话用 MLM、整词、T5 片段、ELECTRA 与 GPT 训练：读什么、损失在哪里。BERT 的 80/10/10。",
    ),
    keywords=(
        "MLM",
        "masked language model",
        "80/10/10",
        "RoBERTa dynamic masking",
        "whole word masking",
        "掩码语言模型",
        "动态掩码",
        "全词掩码",
        "T5",
        "sentinel",
        "denoising",
        "BART",
        "text-to-text",
        "去噪",
        "哨兵",
        "片段",
        "span corruption",
        "ELECTRA",
        "causal language model",
        "片段破坏",
    ),
    parameters=(
        Parameter("text", Label("sentence", "句子"), TEXT, scale="text", pattern=r"[\s\S]*\S[\s\S]*", form=Label("a sentence", "一个句子")),
        Parameter("chosen", Label("share of tokens chosen", "选中的词元比例"), 0.15, 0.05, 0.5, 0.05),
        Parameter("masked", Label("share of them that becomes [MASK]", "其中换成 [MASK] 的比例"), 0.8, 0.0, 1.0, 0.1),
        Parameter("epochs", EPOCHS_LABEL, 10, EPOCHS[0], EPOCHS[-1]),
        choice("units", Label("chosen by", "选择单位"), ("pieces", "piece", "词片"), ("words", "whole word", "整词")),
        *_span_corruption.PARAMETERS,
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("asked_pieces",),
            caption=Label(
                "BERT and T5 ask for a few pieces of the sentence, GPT for every next one, ELECTRA about each of them.",
                "BERT 与 T5 只问句中的少数词片，GPT 问每个下一个，ELECTRA 每个都问。",
            ),
        ),
        Figure("strip", ("asked_pieces",)),
        Figure("table", ("objectives",)),
        Figure("bars", tuple(f"shown_{name}_losses" for name in NAMED)),
        Figure("bars", ("visible_asked_all_masked", "visible_asked")),
        Figure("table", ("sentence",)),
        Figure("bars", ("masked_percent", "random_percent", "kept_percent"), mark="asked_percent"),
        Figure("curve", ("static_covered_over_epochs", "dynamic_covered_over_epochs"), over="epochs", mark="dynamic_covered"),
        Figure("bars", ("split_words", "split_words_whole")),
        *_span_corruption.FIGURES,
    ),
    arms=("visible_asked_all_masked", "visible_asked"),
    presets=(
        Preset(
            Label("all chosen → [MASK]", "选中的全换成 [MASK]"),
            {"masked": 1.0},
            Label(
                "No visible word is ever asked for, so the model need not understand any that it can see.",
                "可见的词从不被问到，模型也就不必理解它们。",
            ),
            "visible_asked == 0",
            show="visible_asked_all_masked",
        ),
        Preset(
            Label("half of it", "挖掉一半"),
            {"chosen": 0.5, "share": 0.5},
            Label(
                "Half of the sentence is asked for, as much as there is left to guess it from; T5's target is longer than its input.",
                "问半句，也只剩半句可以依据；T5 的目标比输入还长。",
            ),
            "shown_mlm_losses == 8 and span_target > span_input",
        ),
        Preset(
            Label("a sentinel a word", "每个词一个哨兵"),
            {"span": 1},
            Label(
                "With spans of one word T5's input is as long as BERT's: the saving comes from long spans.",
                "片段长度为 1 时，T5 的输入和 BERT 一样长：省下的全靠长片段。",
            ),
            "span_input == mlm_positions",
        ),
    ),
    formerly=("span_corruption",),
    run=run,
)
