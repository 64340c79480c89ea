"""Every part of a BERT, counted on its modules: shapes without numbers, so that nothing is allocated."""

from __future__ import annotations

from functools import cache, partial

from engine.label import Label
from engine.result import Table
from engine.textbook.bert import BertShape
from engine.textbook.model_sizes import MODELS, Sizes
from engine.textbook.pretraining_heads import PretrainingBert
from engine.textbook.random_weights import build_on_meta, count_parameters
from engine.textbook.tiny_bert import tiny_shape

HEADS = {"bert-large": 16}  # the others have 12; the number of heads changes no count


def shape_of(model: str) -> BertShape:
    """A real model's shape, by its name in model_sizes, or "tiny"."""
    if model == "tiny":
        return tiny_shape(2)
    sizes = MODELS[model]
    return BertShape(sizes.vocabulary, sizes.d_model, sizes.layers, HEADS.get(model, 12), sizes.width)


def sizes_of(model: str) -> Sizes:
    """The same for the formulas of model_sizes."""
    shape = shape_of(model)
    return Sizes("bert", shape.vocabulary, shape.positions, shape.d_model, shape.layers, shape.width, shape.segments, pooler=True)


@cache
def parameter_counts(model: str) -> dict[str, int]:
    """Parameters of every part; `layer` and its parts are those of one layer, `with_heads` counts the tied decoder once."""
    whole = build_on_meta(partial(PretrainingBert, shape_of(model)))
    tables, first = whole.embeddings, whole.layers[0]
    parts = {"word": tables.word, "position": tables.position, "segment": tables.segment, "norm": tables.norm, "embeddings": tables}
    parts |= {name: getattr(first, name) for name in ("attention", "attention_norm", "feed_forward", "output_norm")}
    parts |= {"layer": first, "encoder": whole.layers, "pooler": whole.pooler, "masked": whole.masked, "next_sentence": whole.next_sentence}
    counts = {name: count_parameters(part) for name, part in parts.items()}
    return counts | {"total": counts["embeddings"] + counts["encoder"] + counts["pooler"], "with_heads": count_parameters(whole)}


def parameter_tree(model: str) -> Table:
    """Every part with its shape and its count."""
    shape, count = shape_of(model), parameter_counts(model)
    d, w, v = shape.d_model, shape.width, shape.vocabulary
    rows: tuple[tuple[Label | str | float, ...], ...] = (
        (Label("embeddings", "嵌入"), "", count["embeddings"]),
        (Label("· word", "· 词"), f"{v} × {d}", count["word"]),
        (Label("· position", "· 位置"), f"{shape.positions} × {d}", count["position"]),
        (Label("· segment", "· 段"), f"{shape.segments} × {d}", count["segment"]),
        (Label("· LayerNorm", "· LayerNorm"), f"2 × {d}", count["norm"]),
        (Label(f"encoder, {shape.layers} layers", f"编码器，{shape.layers} 层"), f"{shape.layers} × {count['layer']}", count["encoder"]),
        (Label("· attention, a layer", "· 每层的注意力"), f"4 × ({d} × {d} + {d})", count["attention"]),
        (Label("· its LayerNorm", "· 其 LayerNorm"), f"2 × {d}", count["attention_norm"]),
        (Label("· feed-forward, a layer", "· 每层的前馈网络"), f"2 × {d} × {w} + {w} + {d}", count["feed_forward"]),
        (Label("· its LayerNorm", "· 其 LayerNorm"), f"2 × {d}", count["output_norm"]),
        (Label("pooler", "池化层"), f"{d} × {d} + {d}", count["pooler"]),
        (Label("BERT", "BERT"), "", count["total"]),
        (Label("masked-token head, decoder tied", "掩码词元头（解码矩阵共享）"), f"{d} × {d} + 3 × {d} + {v}", count["masked"]),
        (Label("next-sentence head", "下一句头"), f"2 × {d} + 2", count["next_sentence"]),
        (Label("with both heads", "连同两个头"), "", count["with_heads"]),
    )
    return Table(
        "parameter_tree",
        Label(f"parameters of {model}", f"{model} 的参数"),
        (Label("part", "部分"), Label("shape", "形状"), Label("parameters", "参数量")),
        rows,
    )


def shapes(model: str, tokens: int, classes: int) -> Table:
    """What one sequence of so many tokens looks like on its way through the model."""
    shape = shape_of(model)
    rows = (
        (Label("piece numbers", "词片编号"), f"1 × {tokens}"),
        (Label("word + position + segment, LayerNorm", "词 + 位置 + 段，LayerNorm"), f"1 × {tokens} × {shape.d_model}"),
        (Label("weights of every layer", "每层的注意力权重"), f"1 × {shape.heads} × {tokens} × {tokens}"),
        (Label("inside the feed-forward part", "前馈网络内部"), f"1 × {tokens} × {shape.width}"),
        (Label("after every layer", "每层之后"), f"1 × {tokens} × {shape.d_model}"),
        (Label("pooled [CLS]", "池化后的 [CLS]"), f"1 × {shape.d_model}"),
        (Label("class probabilities", "类别概率"), f"1 × {classes}"),
        (Label("masked-token logits", "掩码词元的 logits"), f"1 × {tokens} × {shape.vocabulary}"),
    )
    return Table("shapes", Label(f"shapes in {model}", f"{model} 中的形状"), (Label("what", "内容"), Label("shape", "形状")), rows)
