"""A model's parts built on the meta device and counted: the oracle of the sizes that follow from a few numbers."""

from __future__ import annotations

from functools import cache, partial

from torch import nn

from engine.textbook.attention import MultiHeadAttention
from engine.textbook.bert import LookUp
from engine.textbook.feed_forward import FeedForward, SwiGLU
from engine.textbook.model_sizes import (
    Experts,
    Latent,
    Sizes,
)
from engine.textbook.normalization import LayerNorm, RMSNorm
from engine.textbook.random_weights import build_on_meta, count_parameters


class Layer(nn.Module):
    """A layer's parts, to be counted: BERT and GPT-2 have biases and LayerNorms, the younger ones RMSNorms and shared keys."""

    def __init__(self, sizes: Sizes, dense: bool) -> None:
        super().__init__()
        if not sizes.modern:
            self.attention: nn.Module = MultiHeadAttention(sizes.d_model, heads=1)
            self.feed_forward: nn.Module = FeedForward(sizes.d_model, sizes.width)
        else:
            self.attention = LatentAttention(sizes.d_model, sizes.latent) if sizes.latent else GroupedAttention(sizes)
            self.feed_forward = mixture(sizes.d_model, sizes.width, sizes.experts, dense) if sizes.experts else swiglu(sizes)
        self.norms = nn.ModuleList(RMSNorm(sizes.d_model) if sizes.modern else LayerNorm(sizes.d_model) for _ in range(2))


class GroupedAttention(nn.Module):
    """W_Q and W_O of the model's width, W_K and W_V of the keys'; Qwen has biases at the first three."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        width, keys, biases = sizes.d_model, sizes.key_width or sizes.d_model, sizes.family == "qwen"
        self.projections = nn.ModuleList(nn.Linear(width, out, bias=biases) for out in (width, keys, keys))
        self.output = nn.Linear(width, width, bias=False)


class LatentAttention(nn.Module):
    """DeepSeek's: down to a narrow query and a narrow key-value vector, each with its norm, up to all heads."""

    def __init__(self, width: int, latent: Latent) -> None:
        super().__init__()
        key = latent.head + latent.rotated
        self.query = nn.ModuleList(matrix(*each) for each in ((width, latent.queries), (latent.queries, latent.heads * key)))
        self.key_value = nn.ModuleList(
            matrix(*each) for each in ((width, latent.keys + latent.rotated), (latent.keys, 2 * latent.heads * latent.head))
        )
        self.norms = nn.ModuleList(RMSNorm(each) for each in (latent.queries, latent.keys))
        self.output = matrix(latent.heads * latent.head, width)


def matrix(inputs: int, outputs: int) -> nn.Module:
    return nn.Linear(inputs, outputs, bias=False)


def swiglu(sizes: Sizes) -> nn.Module:
    return SwiGLU(sizes.d_model, sizes.width)


def mixture(d_model: int, width: int, experts: Experts, dense: bool) -> nn.Module:
    """A router and all experts, the shared one among them; or the one wide part of a layer without."""
    if dense:
        return SwiGLU(d_model, experts.dense_width)
    return nn.ModuleList([matrix(d_model, experts.count), *(SwiGLU(d_model, width) for _ in range(experts.count + experts.shared))])


class Ends(nn.Module):
    """What is below and above the layers, to be counted."""

    def __init__(self, sizes: Sizes) -> None:
        super().__init__()
        d_model = sizes.d_model
        rows = (sizes.vocabulary, sizes.positions, sizes.segments)
        self.tables = nn.ModuleList(LookUp(count, d_model) for count in rows if count)
        # BERT's norm comes after the embeddings, the others' after the last layer.
        self.norm = RMSNorm(d_model) if sizes.modern else LayerNorm(d_model)
        self.pooler = nn.Linear(d_model, d_model) if sizes.pooler else None
        self.output = None if sizes.tied else nn.Linear(d_model, sizes.vocabulary, bias=False)


@cache
def counted(sizes: Sizes) -> int:
    """Parameters of the modules, all layers of a kind alike; the meta device allocates nothing."""
    dense = sizes.experts.dense if sizes.experts else 0
    kinds = ((sizes.layers - dense, partial(Layer, sizes, False)), (dense, partial(Layer, sizes, True)), (1, partial(Ends, sizes)))
    return sum(count * count_parameters(build_on_meta(part)) for count, part in kinds if count)
