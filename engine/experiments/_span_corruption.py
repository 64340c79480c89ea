"""T5 cuts out whole spans: one sentinel stands for each, so longer spans make input and target shorter; BERT keeps a [MASK] a word."""

from __future__ import annotations

from engine.assemble import Numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import PERCENT, YES_OR_NO, Curve, Measure, Range, Rows, measured, note, right, wrong
from engine.parameter import Parameter
from engine.textbook.span_corruption import Words, corrupt_spans, evenly_spaced_spans, restore_spans

TOKENS = 512  # of the text that is counted
SPANS = (1, 2, 3, 4, 5, 6, 8, 10)


def span_numbers(text: Words, share: float, span: int) -> Numbers:
    """Of a text of 512, and of the sentence that is shown, piece by piece."""
    inputs, targets = lengths(share, span)
    spans = evenly_spaced_spans(len(text), share, span)
    seen, target = corrupt_spans(text, spans)
    over_span = [lengths(share, each) for each in SPANS]
    return {
        "mlm_positions": TOKENS,
        "span_input": inputs,
        "span_target": targets,
        "one_by_one_target": lengths(share, 1)[1],
        "mlm_losses": round(0.15 * TOKENS),
        "span_losses": targets,
        "electra_losses": TOKENS,
        "causal_losses": TOKENS - 1,
        "corrupted_words": sum(size for _, size in evenly_spaced_spans(TOKENS, share, span)),
        "shown_percent": 100 * sum(size for _, size in spans) / len(text),
        "restores": restore_spans(seen, target) == text,
        "input_over_span": (SPANS, [read for read, _ in over_span]),
        "target_over_span": (SPANS, [written for _, written in over_span]),
        "texts": [(" ".join(words),) for words in (text, masked(text, spans), seen, target)],
    }


def lengths(share: float, span: int) -> tuple[int, int]:
    """Of input and target, of a text of 512 tokens."""
    seen, target = corrupt_spans(("w",) * TOKENS, evenly_spaced_spans(TOKENS, share, span))
    return len(seen), len(target)


def masked(text: Words, spans: list[tuple[int, int]]) -> Words:
    """BERT's input: a [MASK] for every word of the spans."""
    hidden = {place for start, size in spans for place in range(start, start + size)}
    return tuple("[MASK]" if place in hidden else word for place, word in enumerate(text))


LENGTH: Range = (1, TOKENS)
SPAN = Label("mean length of a span", "片段的平均长度")

MEASURES: tuple[Measure, ...] = (
    wrong("mlm_positions", "BERT: positions computed, text of 512", "BERT：512 个词元要算的位置数", within=LENGTH),
    right("span_input", "T5: length of the input", "T5：输入长度", within=LENGTH),
    right("span_target", "T5: length of the target", "T5：目标长度", within=LENGTH),
    wrong(
        "one_by_one_target",
        "T5: length of the target, a sentinel for every word",
        "T5：目标长度，每个词各用一个哨兵",
        within=LENGTH,
    ),
    measured("mlm_losses", "positions with a loss: BERT, 15 %", "计入损失的位置：BERT，15 %", within=LENGTH),
    measured("span_losses", "positions with a loss: T5", "计入损失的位置：T5", within=LENGTH),
    measured("electra_losses", "positions with a loss: ELECTRA (replaced or not)", "计入损失的位置：ELECTRA（是否被替换）", within=LENGTH),
    measured("causal_losses", "positions with a loss: GPT (the next token)", "计入损失的位置：GPT（预测下一个词元）", within=LENGTH),
    measured("corrupted_words", "words cut out of 512", "512 个词元中被挖掉的", within=LENGTH),
    measured("shown_percent", "share of the shown sentence that is cut out", "所示句子中被挖掉的比例", "%", PERCENT),
    measured("restores", "input and target give the text again (1 = yes)", "输入与目标能还原原文（1 = 是）", within=YES_OR_NO),
    Curve("input_over_span", Label("T5's length, input", "T5 的长度，输入"), SPAN, "lengths"),
    Curve("target_over_span", Label("T5's length, target", "T5 的长度，目标"), SPAN, "lengths"),
    Rows(
        "texts",
        Label("words hidden in two ways", "挖词的两种方式"),
        (Label("what", "内容"), Label("words", "词")),
        (Label("text", "原文"), Label("BERT's input", "BERT 输入"), Label("T5's input", "T5 输入"), Label("T5's target", "T5 目标")),
    ),
    note(
        "no_gain",
        "span_input >= mlm_positions",
        "With a sentinel for every word T5's input is no shorter than BERT's.",
        "每个词各用一个哨兵时，T5 的输入并不比 BERT 短。",
    ),
)

PARAMETERS = (
    Parameter("share", Label("T5: share of the pieces cut out", "T5：挖掉的词片比例"), 0.15, 0.1, 0.5, 0.05),
    Parameter("span", SPAN, 3, SPANS[0], 5),
)

FIGURES = (
    Figure("table", ("texts",)),
    Figure("bars", ("mlm_positions", "span_input", "span_target", "one_by_one_target")),
    Figure("curve", ("input_over_span", "target_over_span"), over="span", mark="span_input"),
    Figure("bars", ("mlm_losses", "span_losses", "electra_losses", "causal_losses")),
)
