"""One encoder layer, against Hugging Face and torch with copied weights."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import nn
from transformers import BertConfig
from transformers.models.bert.modeling_bert import BertLayer

from engine.experiments.bert_encoder_layer import EXPERIMENT, WRONG
from engine.textbook.bert import BertShape, EncoderLayer, load_weights
from tests.engine.runs import runs_of

_, quantities = runs_of(EXPERIMENT)

SHAPE = BertShape(d_model=12, heads=3, width=20, eps=1e-3)  # an ε that shows, h > 1, a width that is not 4·D


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


def scrambled(module: nn.Module) -> nn.Module:
    """Every weight, bias and norm random and far from its initial value, so that none can be left out unnoticed."""
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(0, 0.7, generator=generator)
    return module


def hugging_face() -> nn.Module:
    config = BertConfig(hidden_size=12, num_attention_heads=3, intermediate_size=20, layer_norm_eps=1e-3)
    config._attn_implementation = "eager"
    make: Callable[[BertConfig], nn.Module] = BertLayer
    return scrambled(make(config)).double().eval()


def ours(theirs: nn.Module) -> EncoderLayer:
    layer = EncoderLayer(SHAPE)
    load_weights(layer, theirs.state_dict(), torch.float64)
    return layer.requires_grad_(False)


def test_layer_is_hugging_faces() -> None:
    """With copied weights the layer gives BertLayer's numbers, three heads, biases and norm weights included."""
    theirs, x = hugging_face(), random(2, 5, 12)

    assert torch.allclose(theirs(x)[0] if isinstance(theirs(x), tuple) else theirs(x), ours(theirs)(x)[0], rtol=0, atol=1e-12)


def test_layer_with_padding_is_hugging_faces() -> None:
    """With a padding mask the real tokens get BertLayer's numbers; Hugging Face adds the mask to the scores."""
    theirs, x = hugging_face(), random(2, 5, 12)
    present = torch.arange(5) < torch.tensor([[3], [5]])
    added = torch.zeros(2, 1, 1, 5, dtype=torch.float64).masked_fill(~present[:, None, None], torch.finfo(torch.float64).min)
    found = theirs(x, added)
    expected = found[0] if isinstance(found, tuple) else found

    actual = ours(theirs)(x, present[:, None, None])[0]

    assert torch.allclose(expected[present], actual[present], rtol=0, atol=1e-12)
    assert not torch.allclose(ours(theirs)(x)[0][present], actual[present], rtol=0, atol=1e-3)


def test_layer_is_torchs_encoder_layer() -> None:
    """It is also torch's TransformerEncoderLayer with GELU and the norm after the sum."""
    layer = ours(hugging_face())
    torchs = nn.TransformerEncoderLayer(12, 3, 20, 0.0, "gelu", 1e-3, batch_first=True, dtype=torch.float64)
    attention = layer.attention
    with torch.no_grad():
        torchs.self_attn.in_proj_weight.copy_(torch.cat([attention.W_Q.weight, attention.W_K.weight, attention.W_V.weight]))
        torchs.self_attn.in_proj_bias.copy_(torch.cat([attention.W_Q.bias, attention.W_K.bias, attention.W_V.bias]))
    for mine, theirs in (
        (attention.W_O, torchs.self_attn.out_proj),
        (layer.feed_forward.up, torchs.linear1),
        (layer.feed_forward.down, torchs.linear2),
        (layer.attention_norm, torchs.norm1),
        (layer.output_norm, torchs.norm2),
    ):
        theirs.load_state_dict(mine.state_dict())

    assert torch.allclose(torchs(random(2, 5, 12)), layer(random(2, 5, 12))[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", [0, 5, 99])
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_wrong_wirings_show(heads: int, seed: int) -> None:
    """Torch's functions agree to rounding; every wrong wiring is off by more than a hundredth."""
    found = quantities(heads=heads, seed=seed)

    assert 0.0 == pytest.approx(found["torch_difference"], abs=1e-12)
    assert [] == [name for name in WRONG if found[name] < 0.01]


@pytest.mark.parametrize("padded", [0, 1, 3])
def test_padding_does_not_leak(padded: int) -> None:
    """Where the last token is padding, its change moves no other output; without a mask, or without padding, it does."""
    found = quantities(padded=padded)

    assert (found["padding_leak"] == 0.0) == (padded > 0)
    assert found["unmasked_padding_leak"] > 0.01


def test_output_is_normalised() -> None:
    """The layer ends with a LayerNorm: every output token has mean 0 and spread 1."""
    found = quantities()

    assert 0.0 == pytest.approx(found["output_row_mean"], abs=1e-12)
    assert 1.0 == pytest.approx(found["output_row_std"], abs=1e-6)


def test_layer_parameters() -> None:
    """A layer has 7,087,872 parameters in BERT-base and 12,596,224 in BERT-large."""
    found = quantities()

    assert (7_087_872, 12_596_224) == (found["layer_parameters_base"], found["layer_parameters_large"])


@pytest.mark.parametrize(
    ("name", "shape", "sentence"), [("attention.self.key.bias", None, "missing"), ("output.dense.weight", (12, 21), "not")]
)
def test_weights_that_do_not_fit(name: str, shape: tuple[int, int] | None, sentence: str) -> None:
    """A checkpoint without a tensor, or with one of another shape, is refused by name; nothing stays random."""
    tensors = dict(hugging_face().state_dict())
    tensors[name] = torch.zeros(shape or (1,))
    if shape is None:
        del tensors[name]

    with pytest.raises(ValueError, match=sentence):
        load_weights(EncoderLayer(SHAPE), tensors)
