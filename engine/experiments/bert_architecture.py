"""BERT sums three embeddings, runs them through its layers and pools [CLS]; every part counted, base has 109,482,240 parameters."""

from __future__ import annotations

import math
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid, names, number
from engine.result import Matrix, Quantity, Result, Step
from engine.shorthand import SEED, choice, measured, right, wrong
from engine.textbook.bert import Bert, Embeddings, Encoded, EncoderLayer, Pooler
from engine.textbook.bert_sizes import parameter_counts, parameter_tree, shapes, sizes_of
from engine.textbook.model_sizes import embedding_parameters, layer_parameters, rule_of_thumb, total_parameters
from engine.textbook.pretraining_heads import Classifier
from engine.textbook.random_weights import with_normal_weights
from engine.textbook.tiny_bert import INNER, PAIR, PAIR_SEGMENTS, SPREAD, VOCABULARY, WIDTH, numbers_of, tiny_bert


def run(*, model: str, layers: int, classes: int, seed: int) -> Result:
    bert, classifier = tiny_bert(layers, seed), with_normal_weights(partial(Classifier, WIDTH, classes), SPREAD, seed + 1)
    ids, segments = numbers_of(PAIR), torch.tensor([PAIR_SEGMENTS])
    encoded: Encoded = bert(ids, segments)
    logits: Tensor = classifier(encoded.pooled)  # (1, classes)
    return Result(
        quantities=(*_counts(model), *_embeddings(bert, ids, segments), *_first_token(bert, encoded, segments), *_classes(logits)),
        matrices=_matrices(bert, ids, segments, encoded, logits),
        tables=(parameter_tree(model), shapes(model, len(PAIR), classes)),
        steps=_steps(layers, classes),
    )


def rounded(count: int) -> float:
    """To two significant digits, as papers quote it."""
    unit = 10.0 ** (math.floor(math.log10(count)) - 1)
    return round(count / unit) * unit


def _counts(model: str) -> tuple[Quantity, ...]:
    count, sizes = parameter_counts(model), sizes_of(model)
    total = count["total"]
    return (
        wrong("quoted_parameters", rounded(total), "parameters as quoted, two digits", "常被引用的参数量（两位有效数字）"),
        right("total_parameters", total, "parameters, counted on the modules", "参数量，按模块清点"),
        right("formula_parameters", total_parameters(sizes), "parameters, by formula", "参数量，按公式计算"),
        right(
            "with_heads_parameters",
            count["with_heads"],
            "with the two pre-training heads, decoder tied",
            "加上两个预训练头（解码矩阵共享）",
        ),
        wrong(
            "rule_of_thumb_parameters",
            rule_of_thumb(sizes),
            "12·L·D²: no embeddings, biases, norms, pooler",
            "12·L·D²：漏掉嵌入、偏置、归一化与池化",
        ),
        wrong("without_pooler_parameters", total - count["pooler"], "pooler forgotten", "漏掉池化层"),
        measured("embedding_parameters", embedding_parameters(sizes), "embeddings", "嵌入"),
        measured("layer_parameters", layer_parameters(sizes), "one layer", "一层"),
        measured("embedding_share", count["embeddings"] / total, "share of the embeddings", "嵌入所占比例"),
    )


def _embeddings(bert: Bert, ids: Tensor, segments: Tensor) -> tuple[Quantity, ...]:
    """The sum of three looked-up rows is one product with a stacked table; a position beyond the table has no row."""
    tables = bert.embeddings
    hot = torch.cat([one_hot(ids, len(VOCABULARY)), one_hot(torch.arange(len(PAIR)), len(PAIR))[None], one_hot(segments, 2)], -1).double()
    stacked = torch.cat([tables.word.weight, tables.position.weight, tables.segment.weight])  # (V + P + 2, D)
    difference = number((hot @ stacked - sum(tables.parts(ids, segments))).abs().max())
    return (
        measured(
            "one_hot_difference",
            difference,
            "three look-ups against one product with the stacked tables",
            "三次查表之和与堆叠表一次相乘之差",
        ),
        measured("position_rows", len(PAIR), "rows of the tiny model's position table", "小模型位置表的行数"),
        measured(
            "position_beyond_fails", float(fails_beyond(tables)), "one token more is an error (1 = yes)", "多一个词元就报错（1 = 是）"
        ),
    )


def fails_beyond(tables: Embeddings) -> bool:
    """Whether a sequence one token longer than the position table is refused."""
    ids = torch.zeros(1, len(PAIR) + 1, dtype=torch.int64)
    try:
        tables(ids, ids)
    except IndexError:
        return True
    return False


def _first_token(bert: Bert, encoded: Encoded, segments: Tensor) -> tuple[Quantity, ...]:
    """[CLS] in two sentences: the same row before the layers, another after the first."""
    other: Encoded = bert(numbers_of(("[CLS]", "dogs", "bark", "[SEP]", "birds", "[SEP]")), segments)

    def change(layer: int) -> float:
        return number((other.hidden[layer] - encoded.hidden[layer])[0, 0].abs().max())

    return (
        measured(
            "cls_change_embedded", change(0), "[CLS] in another sentence: change before the layers", "换一句话，[CLS] 在进入各层之前的变化"
        ),
        measured("cls_change_layer_1", change(1), "... after the first layer", "……在第一层之后的变化"),
    )


def _classes(logits: Tensor) -> tuple[Quantity, ...]:
    probabilities = torch.softmax(logits, -1)
    return (
        measured("largest_probability", number(probabilities.max()), "tiny model: largest class probability", "小模型：最大类别概率"),
        measured("probability_sum", number(probabilities.sum()), "sum of the class probabilities", "类别概率之和"),
    )


def _matrices(bert: Bert, ids: Tensor, segments: Tensor, encoded: Encoded, logits: Tensor) -> tuple[Matrix, ...]:
    words, features = PAIR, names("d", WIDTH)
    word, position, segment = bert.embeddings.parts(ids, segments)

    def of_tokens(name: str, values: Tensor, en: str, zh: str, formula: str = "") -> Matrix:
        return Matrix(name, grid(values[0]), Label(en, zh), words, features, formula)

    def of_sentence(name: str, values: Tensor, en: str, zh: str, columns: tuple[str, ...], formula: str) -> Matrix:
        return Matrix(name, grid(values), Label(en, zh), ("[CLS]",), columns, formula)

    classes = names("c", logits.shape[-1])
    return (
        of_tokens("word_rows", word, "word embeddings", "词嵌入", "E_{word}"),
        of_tokens("position_rows_used", position, "position embeddings, learned", "位置嵌入（学习得到）", "E_{pos}"),
        of_tokens("segment_rows", segment, "segment embeddings: sentence A or B", "段嵌入：句子 A 或 B", "E_{seg}"),
        of_tokens(
            "embedded", encoded.hidden[0], "their sum after LayerNorm", "三者之和再 LayerNorm", r"\mathrm{LN}(E_{word} + E_{pos} + E_{seg})"
        ),
        *(
            of_tokens(f"hidden_{index}", hidden, f"after layer {index}", f"第 {index} 层之后")
            for index, hidden in enumerate(encoded.hidden[1:], start=1)
        ),
        of_sentence("pooled", encoded.pooled, "pooled [CLS]", "池化后的 [CLS]", features, r"\tanh(W h_{CLS} + b)"),
        of_sentence("logits", logits, "logits", "logits", classes, r"W_c p + b_c"),
        Matrix(
            "probabilities",
            grid(torch.softmax(logits, -1)),
            Label("class probabilities", "类别概率"),
            ("[CLS]",),
            classes,
            r"\mathrm{softmax}(W_c p + b_c)",
            "weights",
        ),
    )


def _steps(layers: int, classes: int) -> tuple[Step, ...]:
    whole = (1, len(PAIR), WIDTH)
    return (
        Step(Label("each piece's number in the vocabulary", "每个词片在词表中的编号"), r"\mathrm{ids}", (1, len(PAIR))),
        Step(Label("one row of each of three tables", "三张表各取一行"), "E_{word} + E_{pos} + E_{seg}", whole, "word_rows"),
        Step(Label("summed and normalised", "相加并归一化"), r"H_0 = \mathrm{LN}(E_{word} + E_{pos} + E_{seg})", whole, "embedded"),
        *(
            Step(
                Label(f"layer {index}", f"第 {index} 层"), f"H_{index} = \\mathrm{{Layer}}_{index}(H_{index - 1})", whole, f"hidden_{index}"
            )
            for index in range(1, layers + 1)
        ),
        Step(Label("the first token speaks for the sequence", "首个词元代表整个序列"), r"p = \tanh(W h_{CLS} + b)", (1, WIDTH), "pooled"),
        Step(Label("one number a class", "每个类别一个数"), "W_c p + b_c", (1, classes), "logits"),
        Step(Label("probabilities", "概率"), r"\mathrm{softmax}(W_c p + b_c)", (1, classes), "probabilities"),
    )


def cost(*, model: str, layers: int, classes: int, seed: int) -> Cost:
    tables = (len(VOCABULARY) + len(PAIR) + 2) * WIDTH
    layer = 4 * WIDTH**2 + 2 * WIDTH * INNER
    tokens = len(PAIR)
    return Cost(
        bytes=16 * (tables + layers * layer + classes * WIDTH), flops=8 * tokens * (layers * (layer + 4 * tokens * WIDTH) + classes * WIDTH)
    )


EXPERIMENT = Experiment(
    title=Label("BERT from end to end", "BERT 的整体结构"),
    summary=Label(
        "From piece numbers to class probabilities with every shape, and every parameter of the real sizes counted.",
        "从词片编号到类别概率，标出每一步的形状，并清点真实尺寸的每个参数。",
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
        Parameter("layers", Label("layers of the tiny model", "小模型的层数"), 2, 1, 4),
        Parameter("classes", Label("classes", "类别数"), 3, 2, 6),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(Bert, Embeddings, EncoderLayer, Pooler, Classifier, total_parameters),
    arms=("quoted_parameters", "total_parameters"),
)
