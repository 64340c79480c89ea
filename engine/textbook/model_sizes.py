"""How many parameters a model has, from its few numbers: a formula for each family, and what is usually forgotten.

Letters: V vocabulary, P rows of the position table, D = d_model, W width of the feed-forward part, L layers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Family = Literal["bert", "gpt", "llama"]


@dataclass(frozen=True)
class Sizes:
    """A model's numbers. `tied`: the output matrix is the embedding table, and counts once."""

    family: Family
    vocabulary: int
    positions: int
    d_model: int
    layers: int
    width: int
    segments: int = 0
    pooler: bool = False
    tied: bool = True


def attention_parameters(sizes: Sizes) -> int:
    """W_Q, W_K, W_V, W_O; the number of heads does not matter. LLaMA has no biases."""
    biases = 0 if sizes.family == "llama" else 4 * sizes.d_model
    return 4 * sizes.d_model**2 + biases


def feed_forward_parameters(sizes: Sizes) -> int:
    """Two matrices and their biases, or SwiGLU's three matrices."""
    if sizes.family == "llama":
        return 3 * sizes.d_model * sizes.width
    return 2 * sizes.d_model * sizes.width + sizes.width + sizes.d_model


def norm_parameters(sizes: Sizes) -> int:
    """One norm: LayerNorm's weight and bias, or RMSNorm's weight."""
    return sizes.d_model if sizes.family == "llama" else 2 * sizes.d_model


def layer_parameters(sizes: Sizes) -> int:
    """Attention, feed-forward and their two norms."""
    return attention_parameters(sizes) + feed_forward_parameters(sizes) + 2 * norm_parameters(sizes)


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
    return embedding_parameters(sizes) + sizes.layers * layer_parameters(sizes) + top_parameters(sizes)


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
}
