"""Every part of a BERT, counted on its modules: shapes without numbers, so that nothing is allocated."""

from __future__ import annotations

from functools import cache, partial

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


def part_sizes(model: str) -> list[tuple[str, int]]:
    """Every part from the bottom to the top: how its numbers multiply, and their count; "" where it is a sum of parts."""
    shape, count = shape_of(model), parameter_counts(model)
    d, w, v = shape.d_model, shape.width, shape.vocabulary
    parts = {
        "embeddings": "",
        "word": f"{v} × {d}",
        "position": f"{shape.positions} × {d}",
        "segment": f"{shape.segments} × {d}",
        "norm": f"2 × {d}",
        "encoder": f"{shape.layers} × {count['layer']}",
        "attention": f"4 × ({d} × {d} + {d})",
        "attention_norm": f"2 × {d}",
        "feed_forward": f"2 × {d} × {w} + {w} + {d}",
        "output_norm": f"2 × {d}",
        "pooler": f"{d} × {d} + {d}",
        "total": "",
        "masked": f"{d} × {d} + 3 × {d} + {v}",
        "next_sentence": f"2 × {d} + 2",
        "with_heads": "",
    }
    return [(spelled, count[part]) for part, spelled in parts.items()]


def sequence_shapes(shape: BertShape, tokens: int, classes: int) -> tuple[tuple[int, ...], ...]:
    """One sequence on its way: numbers, embedded, weights, widened, after a layer, pooled, classes, logits of all tokens."""
    d, w = shape.d_model, shape.width
    return (
        (1, tokens),
        (1, tokens, d),
        (1, shape.heads, tokens, tokens),
        (1, tokens, w),
        (1, tokens, d),
        (1, d),
        (1, classes),
        (1, tokens, shape.vocabulary),
    )
