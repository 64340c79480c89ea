"""T5 cuts out whole spans: one sentinel stands for each, so input and target are short, where BERT keeps a [MASK] for every word."""

from __future__ import annotations

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.result import Quantity, Result, Series, Table
from engine.shorthand import measured, right, wrong
from engine.textbook.span_corruption import Words, corrupt_spans, evenly_spaced_spans, restore_spans

SENTENCE = "the kitten did not eat the fish because it was not hungry but it did drink the milk"
TEXT: Words = tuple(SENTENCE.split())
TOKENS = 512  # of the text that is counted
SPANS = (1, 2, 3, 4, 5, 6, 8, 10)
SPAN = Label("span length", "片段长度")


def run(*, share: float, span: int) -> Result:
    inputs, targets = lengths(share, span)
    cut = sum(size for _, size in evenly_spaced_spans(TOKENS, share, span))
    seen, target = corrupt_spans(TEXT, evenly_spaced_spans(len(TEXT), share, span))
    return Result(
        quantities=(
            wrong("mlm_positions", TOKENS, f"BERT: positions computed, text of {TOKENS}", f"BERT：{TOKENS} 个词元要算的位置数"),
            right("span_input", inputs, "T5: length of the input", "T5：输入长度"),
            right("span_target", targets, "T5: length of the target", "T5：目标长度"),
            wrong(
                "one_by_one_target",
                lengths(share, 1)[1],
                "T5's target with a sentinel for every word",
                "若每个词各用一个哨兵，T5 的目标长度",
            ),
            *_lessons(cut, targets),
            measured(
                "restores",
                float(restore_spans(seen, target) == TEXT),
                "input and target give the text again (1 = yes)",
                "输入与目标能还原原文（1 = 是）",
            ),
        ),
        series=_curves(share),
        tables=(_shown(seen, target, share, span),),
    )


def lengths(share: float, span: int) -> tuple[int, int]:
    """Of input and target, of a text of 512 tokens."""
    text = ("w",) * TOKENS
    seen, target = corrupt_spans(text, evenly_spaced_spans(TOKENS, share, span))
    return len(seen), len(target)


def _lessons(cut: int, targets: int) -> tuple[Quantity, ...]:
    """Positions with a loss, of a text of 512 tokens."""
    return (
        measured("mlm_losses", round(0.15 * TOKENS), "positions with a loss: BERT, 15 %", "计入损失的位置：BERT，15 %"),
        measured("span_losses", targets, "... T5", "……T5"),
        measured("electra_losses", TOKENS, "... ELECTRA: replaced or not, at every token", "……ELECTRA：每个词元都判断是否被替换"),
        measured("causal_losses", TOKENS - 1, "... GPT: the next token", "……GPT：预测下一个词元"),
        measured("corrupted_words", cut, "words cut out", "被挖掉的词数"),
    )


def _curves(share: float) -> tuple[Series, ...]:
    pairs = [lengths(share, span) for span in SPANS]
    x = tuple(map(float, SPANS))
    return (
        Series("input_over_span", x, tuple(float(seen) for seen, _ in pairs), Label("input", "输入长度"), SPAN, "lengths"),
        Series("target_over_span", x, tuple(float(target) for _, target in pairs), Label("target", "目标长度"), SPAN, "lengths"),
    )


def _shown(seen: Words, target: Words, share: float, span: int) -> Table:
    hidden = {place for start, length in evenly_spaced_spans(len(TEXT), share, span) for place in range(start, start + length)}
    masked = " ".join("[MASK]" if place in hidden else word for place, word in enumerate(TEXT))
    rows = (
        (Label("text", "原文"), " ".join(TEXT)),
        (Label("BERT's input", "BERT 输入"), masked),
        (Label("T5's input", "T5 输入"), " ".join(seen)),
        (Label("T5's target", "T5 目标"), " ".join(target)),
    )
    return Table(
        "texts", Label("the same words hidden in two ways", "同样的词，两种挖法"), (Label("what", "内容"), Label("words", "词")), rows
    )


def cost(*, share: float, span: int) -> Cost:
    return Cost(bytes=1e6, flops=1e6)  # words are moved, nothing is computed


EXPERIMENT = Experiment(
    title=Label("span corruption (T5)", "T5 的 span corruption（片段破坏）"),
    summary=Label(
        "Words cut out of a sentence the way of BERT and of T5: what is read, what is written, where the loss is.",
        "按 BERT 与 T5 的方式挖掉句中的词：读什么、写什么、损失在哪里。",
    ),
    parameters=(
        Parameter("share", Label("share of the words cut out", "挖掉的词的比例"), 0.15, 0.1, 0.5, 0.05),
        Parameter("span", SPAN, 3, SPANS[0], 5),
    ),
    run=run,
    cost=cost,
    shows=(corrupt_spans, restore_spans, evenly_spaced_spans),
    arms=("mlm_positions", "span_input"),
)
