"""The one-screen Transformer against torch's own encoder with copied weights."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from engine.textbook.attention import causal_mask
from engine.textbook.tiny_transformer import Shape, encode, initial_weights, unpack

SHAPE = Shape(vocabulary=11, positions=7, width=8, layers=2, heads=2, hidden=12)
TOKENS = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 10]])


def weights() -> dict[str, Tensor]:
    return unpack(initial_weights(SHAPE, torch.Generator().manual_seed(0)).double(), SHAPE)


def torchs_encoder(ours: dict[str, Tensor], tokens: Tensor, mask: Tensor | None) -> Tensor:
    """nn.TransformerEncoderLayer, pre-norm, GELU, without biases; its matrices are transposed, its mask says what is forbidden."""
    x = ours["words"][tokens] + ours["places"][: tokens.shape[1]]
    for index in range(SHAPE.layers):
        layer = nn.TransformerEncoderLayer(8, 2, 12, 0.0, "gelu", norm_first=True, batch_first=True, bias=False, dtype=torch.float64).eval()
        with torch.no_grad():
            layer.self_attn.in_proj_weight.copy_(torch.cat([ours[f"{letter}{index}"].T for letter in "QKV"]))
            layer.self_attn.out_proj.weight.copy_(ours[f"O{index}"].T)
            layer.linear1.weight.copy_(ours[f"up{index}"].T)
            layer.linear2.weight.copy_(ours[f"down{index}"].T)
            x = layer(x, src_mask=None if mask is None else ~mask)
    return torch.as_tensor(nn.functional.layer_norm(x, (8,)))


@pytest.mark.parametrize("mask", [None, causal_mask(5, 5)], ids=["all", "causal"])
def test_same_numbers_as_torch(mask: Tensor | None) -> None:
    """Two layers of two heads give what torch's encoder layers give, with and without a mask, for fewer tokens than positions."""
    ours = weights()

    assert_close(torchs_encoder(ours, TOKENS, mask), encode(TOKENS, ours, SHAPE, mask)[0])


def test_weights_of_every_layer_come_back() -> None:
    """Attention weights are (B, h, T, T) for each layer, their rows sum to 1."""
    seen = encode(TOKENS, weights(), SHAPE)[1]

    assert [(2, 2, 5, 5)] * 2 == [tuple(layer.shape) for layer in seen]
    assert_close(torch.ones(2, 2, 5, dtype=torch.float64), seen[1].sum(-1))


def test_all_weights_lie_in_one_vector() -> None:
    """θ holds every matrix once, and a gradient flows back into every number of it that was used."""
    theta = initial_weights(SHAPE, torch.Generator().manual_seed(0)).requires_grad_()
    ours = unpack(theta, SHAPE)

    (gradient,) = torch.autograd.grad((encode(TOKENS, ours, SHAPE)[0] ** 3).sum(), theta)

    assert SHAPE.count() == len(theta) == sum(matrix.numel() for matrix in ours.values())
    used = [*(ours[name].numel() for name in ours if name not in ("words", "places")), 8 * 8, 5 * 8]  # eight words, five positions
    assert sum(used) == int((gradient != 0).sum())
