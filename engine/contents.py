"""The experiments' table of contents: groups in the order of the textbook, and within each what is best seen first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.label import Label


@dataclass(frozen=True)
class Group:
    """Experiments that belong together."""

    name: str
    title: Label
    experiments: tuple[str, ...]


# fmt: off
CONTENTS = (
    Group("attention", Label("Attention", "注意力"), (
        "softmax", "attention_steps", "softmax_saturation", "train_with_and_without_scaling", "softmax_jacobian", "self_attention",
        "query_key_symmetry", "cross_attention", "additive_vs_dot", "order_blindness", "attention_explanation",
        "recurrent_dilution", "convolution_reach",
    )),
    Group("masks", Label("Masks", "掩码"), ("attention_mask", "parallel_training", "padding_side", "sliding_window", "attention_sink")),
    Group("heads", Label("Heads", "多头"), ("multi_head", "two_relations", "grouped_query_attention", "pretrained_attention")),
    Group("positions", Label("Positions", "位置"), (
        "positions_sinusoidal", "positions_learned", "positions_rotary", "positions_alibi",
    )),
    Group("layers", Label("A whole layer", "完整的一层"), (
        "feed_forward", "gelu", "dead_units", "layer_norm", "residual_gradient", "pre_vs_post_norm", "dropout",
    )),
    Group("training", Label("Training", "训练"), (
        "initialization", "cross_entropy", "perplexity", "kl_divergence", "distillation", "gradient_clipping", "precision",
        "lora",
    )),
    Group("tokens", Label("Tokens", "分词"), ("bpe", "wordpiece")),
    Group("bert", Label("BERT", "BERT"), (
        "bert_architecture", "bert_encoder_layer", "masking_rule", "prediction_heads", "parameter_count",
        "sentence_vectors", "coreference",
    )),
    Group("serving", Label("Serving", "推理与部署"), (
        "sampling", "beam_search", "kv_cache", "attention_cost", "flash_attention", "linear_attention", "speculative_decoding",
        "mixture_of_experts", "quantization",
    )),
)
# fmt: on

OTHERS = Label("Others", "其他")


def grouped(names: Collection[str]) -> list[Group]:
    """The groups with those of some experiments that they have; what no group has comes last."""
    known = {name for group in CONTENTS for name in group.experiments}
    found = [Group(group.name, group.title, tuple(name for name in group.experiments if name in names)) for group in CONTENTS]
    return [group for group in (*found, Group("others", OTHERS, tuple(name for name in names if name not in known))) if group.experiments]
