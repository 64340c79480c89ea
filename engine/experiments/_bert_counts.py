"""Part of bert_architecture: every part of a released model, counted, beside what was published and what a rule of thumb says."""

from __future__ import annotations

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import SHARE, Measure, Rows, measured, note, right, wrong
from engine.textbook.bert_sizes import parameter_counts, part_sizes, sequence_shapes, shape_of, sizes_of
from engine.textbook.model_sizes import embedding_parameters, layer_parameters, rule_of_thumb, total_parameters
from engine.textbook.tiny_bert import PAIR

# What the list of released models says (github.com/google-research/bert), and the paper of the two uncased ones. All bases are "110M".
PUBLISHED = {
    "bert-base": 110e6,
    "bert-large": 340e6,
    "bert-base-chinese": 110e6,
    "bert-base-cased": 110e6,
    "bert-multilingual": 110e6,
}


def counts(model: str) -> Numbers:
    count, sizes = parameter_counts(model), sizes_of(model)
    total = count["total"]
    return {
        **({"quoted_parameters": PUBLISHED[model]} if model in PUBLISHED else {}),
        "published": model in PUBLISHED,
        "total_parameters": total,
        "formula_parameters": total_parameters(sizes),
        "with_heads_parameters": count["with_heads"],
        "rule_of_thumb_parameters": rule_of_thumb(sizes),
        "without_pooler_parameters": total - count["pooler"],
        "embedding_parameters": embedding_parameters(sizes),
        "layer_parameters": layer_parameters(sizes),
        "embedding_share": count["embeddings"] / total,
    }


def tables(model: str, classes: int) -> Numbers:
    """Every part of a real model with its shape and its count, and what one sequence looks like on its way through it."""
    stages = sequence_shapes(shape_of(model), len(PAIR), classes)
    return {
        "parameter_tree": part_sizes(model),
        "counted_layers": shape_of(model).layers,
        "shapes": [(" × ".join(map(str, stage)),) for stage in stages],
    }


COUNT_MEASURES: tuple[Measure, ...] = (
    wrong("quoted_parameters", "parameters, published for {model}", "参数量，官方公布（{model}）"),
    right("total_parameters", "parameters, counted", "参数量，按模块清点"),
    right("formula_parameters", "parameters, by formula", "参数量，按公式计算"),
    right("with_heads_parameters", "parameters, with both heads, tied", "参数量，含两个预训练头（共享）"),
    wrong("rule_of_thumb_parameters", "parameters, 12·L·D²", "参数量，12·L·D²"),
    wrong("without_pooler_parameters", "parameters, pooler forgotten", "参数量，漏掉池化层"),
    measured("embedding_parameters", "parameters of the embeddings", "嵌入的参数量"),
    measured("layer_parameters", "parameters of one layer", "一层的参数量"),
    measured("embedding_share", "share of the embeddings in the parameters", "嵌入占参数量的比例", within=SHARE),
    Rows(
        "parameter_tree",
        Label("parameters of {model}", "{model} 的参数"),
        (Label("part", "部分"), Label("shape", "形状"), Label("parameters", "参数量")),
        rows=(
            Label("embeddings", "嵌入"),
            Label("· word", "· 词"),
            Label("· position", "· 位置"),
            Label("· segment", "· 段"),
            Label("· LayerNorm", "· LayerNorm"),
            Label("encoder, {counted_layers} layers", "编码器，{counted_layers} 层"),
            Label("· attention, a layer", "· 每层的注意力"),
            Label("· attention's LayerNorm", "· 注意力的 LayerNorm"),
            Label("· feed-forward, a layer", "· 每层的前馈网络"),
            Label("· feed-forward's LayerNorm", "· 前馈网络的 LayerNorm"),
            Label("pooler", "池化层"),
            Label("BERT", "BERT"),
            Label("masked-token head, decoder tied", "掩码词元头（解码矩阵共享）"),
            Label("next-sentence head", "下一句头"),
            Label("with both heads", "连同两个头"),
        ),
    ),
    Rows(
        "shapes",
        Label("shapes in {model}", "{model} 中的形状"),
        (Label("what", "内容"), Label("shape", "形状")),
        rows=(
            Label("piece numbers", "词片编号"),
            Label("word + position + segment, LayerNorm", "词 + 位置 + 段，LayerNorm"),
            Label("weights of every layer", "每层的注意力权重"),
            Label("inside the feed-forward part", "前馈网络内部"),
            Label("after every layer", "每层之后"),
            Label("pooled [CLS]", "池化后的 [CLS]"),
            Label("class probabilities", "类别概率"),
            Label("masked-token logits", "掩码词元的 logits"),
        ),
    ),
    note(
        "unpublished",
        "published == 0",
        "No number of parameters was published for this model: there is none to compare.",
        "这个模型没有公布参数量，无从比较。",
    ),
)
