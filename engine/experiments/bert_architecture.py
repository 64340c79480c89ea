"""BERT sums three embeddings, runs them through its layers and pools [CLS]; every part counted, base has 109,482,240 parameters."""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.experiment import Experiment
from engine.experiments._bert_counts import COUNT_MEASURES, counts, tables
from engine.figures import Figure
from engine.label import Label
from engine.measures import SHARE, YES_OR_NO, Grid, Measure, Walk, measured
from engine.parameter import SEED, Parameter, choice
from engine.preset import Preset
from engine.textbook.bert import Encoded, fails_beyond, one_product
from engine.textbook.differences import largest
from engine.textbook.pretraining_heads import Classifier
from engine.textbook.random_weights import with_normal_weights
from engine.textbook.tiny_bert import PAIR, PAIR_SEGMENTS, SPREAD, WIDTH, numbers_of, tiny_bert

OTHER_PAIR = ("[CLS]", "dogs", "bark", "[SEP]", "birds", "[SEP]")
TALLEST = 4  # layers of the tiny model


def run(*, model: str, layers: int, classes: int, seed: int) -> Numbers:
    bert, classifier = tiny_bert(layers, seed), with_normal_weights(partial(Classifier, WIDTH, classes), SPREAD, seed + 1)
    ids, segments = numbers_of(PAIR), torch.tensor([PAIR_SEGMENTS])
    encoded: Encoded = bert(ids, segments)
    other: Encoded = bert(numbers_of(OTHER_PAIR), segments)
    cls_change = [largest((there - here)[0, 0]) for there, here in zip(other.hidden, encoded.hidden, strict=True)]
    logits: Tensor = classifier(encoded.pooled)  # (1, classes)
    probabilities = torch.softmax(logits, -1)
    (word,), (position,), (segment,) = bert.embeddings.parts(ids, segments)  # each (T, D)
    return {
        **counts(model),
        "one_hot_difference": largest(one_product(bert.embeddings, ids, segments) - (word + position + segment)),
        "position_rows": len(bert.embeddings.position.weight),
        "position_beyond_fails": fails_beyond(bert.embeddings),
        "cls_change_embedded": cls_change[0],
        "cls_change_layer_1": cls_change[1],
        "largest_probability": probabilities.max(),
        "probability_sum": probabilities.sum(),
        "word_rows": word,
        "position_rows_used": position,
        "segment_rows": segment,
        "embedded": encoded.hidden[0][0],
        "hidden_{1}": torch.cat(encoded.hidden[1:]),  # (L, T, D)
        "pooled": encoded.pooled,
        "logits": logits,
        "probabilities": probabilities,
        **tables(model, classes),
        **{f"has_layer_{index}": True for index in range(1, layers + 1)},
    }


def of_tokens(name: str, en: str, zh: str, formula: str = "") -> Grid:
    return Grid(name, Label(en, zh), PAIR, "d{1}", formula)


WHOLE = (1, len(PAIR), WIDTH)

MEASURES: tuple[Measure, ...] = (
    *COUNT_MEASURES,
    measured("one_hot_difference", "three look-ups - one product with stacked tables, largest", "三次查表之和与堆叠表一次相乘：最大差"),
    measured("position_rows", "rows of the tiny model's position table", "小模型位置表的行数", within=(len(PAIR), len(PAIR))),
    measured(
        "position_beyond_fails",
        "one token beyond the position table: an error (1 = yes)",
        "比位置表多一个词元：报错（1 = 是）",
        within=YES_OR_NO,
    ),
    measured(
        "cls_change_embedded", "[CLS] in another sentence: largest change, before the layers", "换一句话，[CLS] 的最大变化：进入各层之前"
    ),
    measured("cls_change_layer_1", "[CLS] in another sentence: largest change, after layer 1", "换一句话，[CLS] 的最大变化：第 1 层之后"),
    measured("largest_probability", "tiny model: largest class probability", "小模型：最大类别概率", within=SHARE),
    measured("probability_sum", "sum of the class probabilities", "类别概率之和", within=(0.999, 1.001)),
    of_tokens("word_rows", "word embeddings", "词嵌入", "E_{word}"),
    of_tokens("position_rows_used", "position embeddings, learned", "位置嵌入（学习得到）", "E_{pos}"),
    of_tokens("segment_rows", "segment embeddings: sentence A or B", "段嵌入：句子 A 或 B", "E_{seg}"),
    of_tokens(
        "embedded", "sum of the three embeddings after LayerNorm", "三种嵌入之和再 LayerNorm", r"\mathrm{LN}(E_{word} + E_{pos} + E_{seg})"
    ),
    of_tokens("hidden_{1}", "after layer {1}", "第 {1} 层之后"),
    Grid("pooled", Label("pooled [CLS]", "池化后的 [CLS]"), ("[CLS]",), "d{1}", r"\tanh(W h_{CLS} + b)"),
    Grid("logits", Label("logits", "logits"), ("[CLS]",), "c{1}", r"W_c p + b_c"),
    Grid(
        "probabilities",
        Label("class probabilities", "类别概率"),
        ("[CLS]",),
        "c{1}",
        r"\mathrm{softmax}(W_c p + b_c)",
        "weights",
    ),
    Walk(Label("each piece's number in the vocabulary", "每个词片在词表中的编号"), r"\mathrm{ids}", (1, len(PAIR))),
    Walk(Label("one row of each of three tables", "三张表各取一行"), "E_{word} + E_{pos} + E_{seg}", WHOLE, "word_rows"),
    Walk(Label("summed and normalised", "相加并归一化"), r"H_0 = \mathrm{LN}(E_{word} + E_{pos} + E_{seg})", WHOLE, "embedded"),
    *(
        Walk(
            Label(f"layer {index}", f"第 {index} 层"),
            f"H_{index} = \\mathrm{{Layer}}_{index}(H_{index - 1})",
            WHOLE,
            f"hidden_{index}",
            when=f"has_layer_{index}",
        )
        for index in range(1, TALLEST + 1)
    ),
    Walk(Label("the first token speaks for the sequence", "首个词元代表整个序列"), r"p = \tanh(W h_{CLS} + b)", (1, WIDTH), "pooled"),
    Walk(Label("one number a class", "每个类别一个数"), "W_c p + b_c", (1, "classes"), "logits"),
    Walk(Label("probabilities", "概率"), r"\mathrm{softmax}(W_c p + b_c)", (1, "classes"), "probabilities"),
)

EXPERIMENT = Experiment(
    title=Label("BERT from end to end", "BERT 的整体结构"),
    summary=Label(
        "From piece numbers to class probabilities with every shape, and every parameter of the real sizes counted.",
        "从词片编号到类别概率，标出每一步的形状，并清点真实尺寸的每个参数。",
    ),
    keywords=(
        "encoder",
        "[CLS]",
        "pooler",
        "segment embedding",
        "token type",
        "ALBERT",
        "RoBERTa",
        "BERT-base",
        "BERT-large",
        "编码器",
        "句向量",
        "嵌入",
        "段嵌入",
    ),
    parameters=(
        choice(
            "model",
            Label("counted model", "被清点的模型"),
            ("bert-base", "base, uncased", "base，英文不分大小写"),
            ("bert-large", "large, uncased", "large，英文不分大小写"),
            ("bert-base-chinese", "base, Chinese", "base，中文"),
            ("bert-base-cased", "base, cased", "base，区分大小写"),
            ("bert-multilingual", "base, multilingual cased", "base，多语言"),
            ("tiny", "the tiny one, two layers", "小模型，两层"),
        ),
        Parameter("layers", Label("layers of the tiny model", "小模型的层数"), 2, 1, TALLEST),
        Parameter("classes", Label("classes", "类别数"), 3, 2, 6),
        SEED,
    ),
    measures=MEASURES,
    figures=(
        Figure(
            "heatmap",
            ("word_rows", "position_rows_used", "segment_rows", "embedded"),
            caption=Label(
                "What enters BERT is a sum of three rows: which piece, at which position, in which sentence; so the two [SEP] differ.",
                "进入 BERT 的是三行之和：哪个词片、第几个位置、哪个句子；所以两个 [SEP] 并不相同。",
            ),
        ),
        Figure("steps", ("word_rows", "embedded", "hidden_{1}", "pooled", "logits", "probabilities")),
        Figure(
            "bars",
            (
                "total_parameters",
                "with_heads_parameters",
                "without_pooler_parameters",
                "rule_of_thumb_parameters",
                "quoted_parameters",
            ),
        ),
        Figure("bars", ("embedding_parameters", "layer_parameters"), mark="total_parameters"),
        Figure("table", ("parameter_tree",)),
        Figure("table", ("shapes",)),
        Figure("bars", ("probabilities",)),
    ),
    arms=("quoted_parameters", "total_parameters"),
    presets=(
        Preset(
            Label("BERT-large", "BERT-large"),
            {"model": "bert-large"},
            Label(
                "Twice the layers, wider ones: three times the parameters, and the embeddings fall below a tenth.",
                "层数加倍、也更宽：参数约为三倍，而嵌入已不到十分之一。",
            ),
            "total_parameters > 300000000 and embedding_share < 0.1",
            show="total_parameters",
        ),
        Preset(
            Label("multilingual BERT", "多语言 BERT"),
            {"model": "bert-multilingual"},
            Label(
                "The same layers with a vocabulary for a hundred languages: more than half of the parameters are embeddings.",
                "层完全一样，词表要装下一百种语言：一半以上的参数是嵌入。",
            ),
            "embedding_share > 0.5",
            show="embedding_parameters",
        ),
        Preset(
            Label("the tiny one", "小模型"),
            {"model": "tiny"},
            Label("Small enough to count by hand: 596 parameters, of the same parts.", "小到可以手数：596 个参数，部件完全一样。"),
            "total_parameters == 596",
            show="parameter_tree",
        ),
    ),
    run=run,
)
