"""How many parameters a model has, from its few numbers: a formula for each family, and what is usually forgotten.

Letters: V vocabulary, P rows of the position table, D = d_model, W width of the feed-forward part, L layers.
Numbers of the models are those of the config.json that was published with each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal["bert", "gpt", "llama", "qwen", "deepseek"]


@dataclass(frozen=True)
class Experts:
    """Of a layer's experts, `chosen` and the shared one work for a token; the first `dense` layers have one wide part instead."""

    count: int
    chosen: int
    shared: int
    dense: int
    dense_width: int


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention: queries, keys and values through narrow vectors. Source: DeepSeek-V2, DeepSeek-AI 2024."""

    queries: int  # width of the narrow query
    keys: int  # of the vector from which keys and values are made
    heads: int
    head: int  # width of a head's key without its rotated part, and of its value
    rotated: int


@dataclass(frozen=True)
class Sizes:
    """A model's numbers. `tied`: the output matrix is the embedding table, and counts once.

    `key_width` is the width of all keys together, where groups of heads share them; 0 stands for D. With experts, W is the width of one.
    """

    family: Family
    vocabulary: int
    positions: int
    d_model: int
    layers: int
    width: int
    segments: int = 0
    pooler: bool = False
    tied: bool = True
    key_width: int = 0
    experts: Experts | None = None
    latent: Latent | None = None

    @property
    def modern(self) -> bool:
        """SwiGLU, RMSNorm, rotated positions, no biases (but Qwen's at queries, keys and values)."""
        return self.family not in ("bert", "gpt")


def attention_parameters(sizes: Sizes) -> int:
    """W_Q, W_K, W_V, W_O; the number of heads does not matter, that of shared keys does. LLaMA has no biases."""
    if sizes.latent:
        return latent_attention_parameters(sizes.d_model, sizes.latent)
    width, keys = sizes.d_model, sizes.key_width or sizes.d_model
    biases = {"llama": 0, "qwen": width + 2 * keys}.get(sizes.family, 2 * width + 2 * keys)
    return 2 * width**2 + 2 * width * keys + biases


def latent_attention_parameters(d_model: int, latent: Latent) -> int:
    """Down to the narrow vectors, their norms, up to all heads, and W_O. The rotated key is one, made from the token itself."""
    key, value = latent.head + latent.rotated, latent.head
    queries = d_model * latent.queries + latent.queries + latent.queries * latent.heads * key
    keys = d_model * (latent.keys + latent.rotated) + latent.keys + latent.keys * latent.heads * (latent.head + value)
    return queries + keys + latent.heads * value * d_model


def feed_forward_parameters(sizes: Sizes) -> int:
    """Two matrices and their biases, or SwiGLU's three matrices; of experts all, and the router that chooses among them."""
    if not sizes.modern:
        return 2 * sizes.d_model * sizes.width + sizes.width + sizes.d_model
    one = 3 * sizes.d_model * sizes.width
    experts = sizes.experts
    return (experts.count + experts.shared) * one + experts.count * sizes.d_model if experts else one


def all_feed_forward_parameters(sizes: Sizes) -> int:
    """Of all layers, the ones without experts among them."""
    dense = sizes.experts.dense if sizes.experts else 0
    wide = 3 * sizes.d_model * sizes.experts.dense_width if sizes.experts else 0
    return (sizes.layers - dense) * feed_forward_parameters(sizes) + dense * wide


def norm_parameters(sizes: Sizes) -> int:
    """One norm: LayerNorm's weight and bias, or RMSNorm's weight."""
    return sizes.d_model if sizes.modern else 2 * sizes.d_model


def layer_parameters(sizes: Sizes) -> int:
    """Attention, feed-forward and their two norms; of a model with experts, a layer that has them."""
    return attention_parameters(sizes) + feed_forward_parameters(sizes) + 2 * norm_parameters(sizes)


def stack_parameters(sizes: Sizes) -> int:
    """All layers."""
    return sizes.layers * (attention_parameters(sizes) + 2 * norm_parameters(sizes)) + all_feed_forward_parameters(sizes)


def embedding_parameters(sizes: Sizes) -> int:
    """The tables, and BERT's LayerNorm after their sum. LLaMA rotates instead of looking positions up."""
    tables = (sizes.vocabulary + sizes.positions + sizes.segments) * sizes.d_model
    return tables + (norm_parameters(sizes) if sizes.family == "bert" else 0)


def top_parameters(sizes: Sizes) -> int:
    """What comes after the layers: BERT's pooler, the last norm of a pre-norm stack, an output matrix that is not tied."""
    pooler = sizes.d_model**2 + sizes.d_model if sizes.pooler else 0
    last_norm = 0 if sizes.family == "bert" else norm_parameters(sizes)
    output = 0 if sizes.tied else sizes.vocabulary * sizes.d_model
    return pooler + last_norm + output


def total_parameters(sizes: Sizes) -> int:
    return embedding_parameters(sizes) + stack_parameters(sizes) + top_parameters(sizes)


def active_parameters(sizes: Sizes) -> int:
    """Those that work for one token: all, but for the experts that were not chosen."""
    if not sizes.experts:
        return total_parameters(sizes)
    idle = sizes.experts.count - sizes.experts.chosen
    return total_parameters(sizes) - (sizes.layers - sizes.experts.dense) * idle * 3 * sizes.d_model * sizes.width


def bias_and_norm_parameters(sizes: Sizes) -> int:
    """What of all layers is no matrix."""
    width, keys = sizes.d_model, sizes.key_width or sizes.d_model
    norms = 2 * norm_parameters(sizes) + (sizes.latent.queries + sizes.latent.keys if sizes.latent else 0)
    biases = {"llama": 0, "deepseek": 0, "qwen": width + 2 * keys}.get(sizes.family, 5 * width + sizes.width)
    return sizes.layers * (norms + biases)


def pretraining_head_parameters(sizes: Sizes) -> int:
    """BERT's masked-token head (its decoder tied, with a bias of its own) and next-sentence head."""
    transform = sizes.d_model**2 + sizes.d_model + norm_parameters(sizes)
    return transform + sizes.vocabulary + 2 * sizes.d_model + 2


def factorised_embedding_parameters(sizes: Sizes, inner: int) -> int:
    """V·E + E·D instead of V·D: a narrow table, then one matrix up to the model's width. Source: ALBERT, Lan et al. 2019."""
    return sizes.vocabulary * inner + inner * sizes.d_model


def shared_parameters(sizes: Sizes) -> int:
    """With one layer's weights used in all layers, as in ALBERT: the depth costs nothing. The work stays the same."""
    return total_parameters(sizes) - (sizes.layers - 1) * layer_parameters(sizes)


def training_flops(parameters: float, tokens: float) -> float:
    """6·N·D: two operations a parameter and token forward, four backward; scores are left out. Source: Kaplan et al. 2020."""
    return 6 * parameters * tokens


def rule_of_thumb(sizes: Sizes) -> int:
    """Wrong as a total: 12·L·D² counts the layers' square matrices, at a width of 4·D, and nothing else."""
    return 12 * sizes.layers * sizes.d_model**2


def _bert(vocabulary: int, d_model: int, layers: int, positions: int = 512, segments: int = 2) -> Sizes:
    return Sizes("bert", vocabulary, positions, d_model, layers, 4 * d_model, segments, pooler=True)


def _gpt(vocabulary: int, positions: int, d_model: int, layers: int) -> Sizes:
    return Sizes("gpt", vocabulary, positions, d_model, layers, 4 * d_model)


MODELS: dict[str, Sizes] = {
    "bert-base": _bert(30_522, 768, 12),
    "bert-large": _bert(30_522, 1024, 24),
    "bert-base-chinese": _bert(21_128, 768, 12),
    "bert-base-cased": _bert(28_996, 768, 12),
    "bert-multilingual": _bert(119_547, 768, 12),
    "roberta-base": _bert(50_265, 768, 12, positions=514, segments=1),
    "roberta-large": _bert(50_265, 1024, 24, positions=514, segments=1),
    "gpt2": _gpt(50_257, 1024, 768, 12),
    "gpt2-medium": _gpt(50_257, 1024, 1024, 24),
    "gpt2-large": _gpt(50_257, 1024, 1280, 36),
    "gpt2-xl": _gpt(50_257, 1024, 1600, 48),
    "llama-7b": Sizes("llama", 32_000, 0, 4096, 32, 11_008, tied=False),
    "llama-3-8b": Sizes("llama", 128_256, 0, 4096, 32, 14_336, tied=False, key_width=8 * 128),
    "llama-3-70b": Sizes("llama", 128_256, 0, 8192, 80, 28_672, tied=False, key_width=8 * 128),
    "qwen2.5-0.5b": Sizes("qwen", 151_936, 0, 896, 24, 4864, key_width=2 * 64),
    "qwen2.5-7b": Sizes("qwen", 152_064, 0, 3584, 28, 18_944, tied=False, key_width=4 * 128),
    # The 61 layers of the main model; the published file holds one more, which predicts a second token.
    "deepseek-v3": Sizes(
        "deepseek",
        129_280,
        0,
        7168,
        61,
        2048,
        tied=False,
        experts=Experts(count=256, chosen=8, shared=1, dense=3, dense_width=18_432),
        latent=Latent(queries=1536, keys=512, heads=128, head=128, rotated=64),
    ),
}
