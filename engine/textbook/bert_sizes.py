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
