"""The feed-forward layer, against torch's own encoder layer and closed forms."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from engine.experiments._xor_learned import identity
from engine.experiments.feed_forward import EXPERIMENT, small_layer
from engine.textbook.feed_forward import FeedForward, SwiGLU, as_one_matrix, swiglu_width
from engine.textbook.random_weights import build_on_meta, count_parameters, with_normal_weights
from engine.textbook.xor import learn_xor, xor_outputs, xor_weights
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def inputs(width: int) -> torch.Tensor:
    return 3 * torch.randn(2, 7, width, generator=torch.Generator().manual_seed(5), dtype=torch.float64)


def test_feed_forward_is_torchs() -> None:
    """up, GELU, down with biases is Sequential(Linear, GELU, Linear) with the same weights."""
    ours = FeedForward(6, 24).double()
    torchs = nn.Sequential(ours.up, nn.GELU(), ours.down)

    assert torch.allclose(torchs(inputs(6)), ours(inputs(6)), rtol=0, atol=1e-12)


def test_swiglu_is_the_formula() -> None:
    """SwiGLU multiplies silu(gate(x)) with another projection of x, not with x itself."""
    layer = SwiGLU(6, 10).double()
    x = inputs(6)
    gate, up, down = (each.weight for each in (layer.gate, layer.up, layer.down))

    assert torch.allclose((nn.functional.silu(x @ gate.T) * (x @ up.T)) @ down.T, layer(x), rtol=0, atol=1e-12)


def test_one_matrix_with_biases() -> None:
    """Without an activation the layer is x·Wᵀ + b of the collapsed weight and bias, biases included."""
    layer = FeedForward(6, 24, identity).double()
    weight, bias = as_one_matrix(layer)

    assert layer.up.bias.detach().abs().min() > 0
    assert torch.allclose(inputs(6) @ weight.T + bias, layer(inputs(6)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", [0, 5, 99])
@pytest.mark.parametrize("expansion", [2, 4, 8])
def test_activation_makes_the_difference(expansion: int, seed: int) -> None:
    """Without GELU the layer is one matrix and its wide middle has rank d; with it neither is true."""
    found = quantities(expansion=expansion, seed=seed)

    assert 0.0 == pytest.approx(found["linear_collapse_error"], abs=1e-12)
    assert found["gelu_collapse_error"] > 0.1
    assert 4 == found["linear_hidden_rank"]
    assert 4 * expansion == found["gelu_hidden_rank"]


def test_tokens_do_not_meet() -> None:
    """Permuted tokens give permuted outputs, and another token's change moves nothing."""
    found = quantities()

    assert 0.0 == pytest.approx(found["permutation_difference"], abs=1e-12)
    assert 0.0 == pytest.approx(found["other_token_change"], abs=1e-12)


@pytest.mark.parametrize(("d_model", "heads", "expansion"), [(768, 12, 4), (512, 8, 4), (128, 4, 2)])
def test_counts_are_torchs(d_model: int, heads: int, expansion: int) -> None:
    """A layer has as many parameters as torch's TransformerEncoderLayer; BERT's has 7,087,872, the original's 3,152,384."""
    layer = nn.TransformerEncoderLayer(d_model, heads, expansion * d_model, device="meta")
    found = quantities(d_model=d_model, expansion=expansion)

    assert sum(each.numel() for each in layer.parameters()) == found["layer_parameters"]
    assert sum(each.numel() for each in layer.self_attn.parameters()) == found["attention_parameters"]
    assert {(768, 4): 7_087_872, (512, 4): 3_152_384}.get((d_model, expansion), found["layer_parameters"]) == found["layer_parameters"]


def test_share_is_two_thirds() -> None:
    """At four times the width the feed-forward part has two thirds of the parameters, at two times a half; the curve says the same."""
    assert 2 / 3 == pytest.approx(quantities()["ffn_share"], abs=1e-3)
    assert 1 / 2 == pytest.approx(quantities(expansion=2)["ffn_share"], abs=1e-3)
    assert quantities()["ffn_share"] == next(each for each in run().series if each.name == "ffn_share_over_expansion").y[3]


def test_swiglu_width() -> None:
    """For d = 4096, 8/3·d = 10,922.67 becomes 11,008; kept at 4·d the three matrices would cost half as much again."""
    found = quantities(d_model=4096)

    assert 11_008 == found["swiglu_rounded_width"] == swiglu_width(4096)
    assert 10_922.67 == pytest.approx(found["swiglu_exact_width"], abs=0.01)
    assert 3 * 4096 * 11_008 == found["swiglu_parameters"] == pytest.approx(found["plain_weights"], rel=0.01)
    assert 1.5 * found["plain_weights"] == found["swiglu_unreduced_parameters"]


def test_initial_weights_are_their_own() -> None:
    """Weights come from the seed alone: N(0, std²) in matrices, 0 in biases, and nothing is drawn from torch's global state."""
    before = torch.random.get_rng_state()
    layer = with_normal_weights(lambda: nn.Linear(100, 200), 0.02, seed=3)

    assert torch.equal(before, torch.random.get_rng_state())
    assert 0.02 == pytest.approx(float(layer.weight.std()), rel=0.02)
    assert 0.0 == float(layer.bias.abs().max())
    assert torch.equal(small_layer(4, identity, 3).up.weight, small_layer(4, identity, 3).up.weight)
    assert not torch.equal(small_layer(4, identity, 3).up.weight, small_layer(4, identity, 4).up.weight)
    assert 100 * 200 + 200 == count_parameters(build_on_meta(lambda: nn.Linear(100, 200)))


@pytest.mark.parametrize("seed", [0, 5, 42, 99])
def test_xor_needs_the_activation(seed: int) -> None:
    """With GELU four units or more learn XOR whatever the start; without it the best is a half everywhere, a quarter of error."""
    found = quantities(seed=seed, expansion=2, xor_steps=300)
    answers = next(matrix for matrix in run(seed=seed, expansion=2, xor_steps=300).matrices if matrix.name == "xor_answers").values

    assert 0.25 == pytest.approx(found["linear_xor_error"], abs=1e-3)
    assert 0.0 == pytest.approx(found["gelu_xor_error"], abs=1e-3)
    assert [[0.0, 0.5, 0.0], [1.0, 0.5, 1.0], [1.0, 0.5, 1.0], [0.0, 0.5, 0.0]] == [pytest.approx(row, abs=0.1) for row in answers]


def test_a_quarter_is_the_least_error_of_a_straight_function() -> None:
    """Least squares of torch on the four corners leaves the same quarter: it is no fault of the training."""
    corners = torch.tensor([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=torch.float64)
    answers = torch.tensor([0, 1, 1, 0], dtype=torch.float64)
    best = corners @ torch.linalg.lstsq(corners, answers).solution

    assert 0.25 == pytest.approx(float((best - answers).square().mean()))


def test_xor_is_learned_as_torch_learns_it() -> None:
    """Sequential(Linear, GELU, Linear) with the same weights under torch's own Adam gives the same errors, step by step."""
    theta = xor_weights(3, seed=4)
    model = nn.Sequential(nn.Linear(2, 3), nn.GELU(), nn.Linear(3, 1)).double()
    parts = (theta[:6].view(3, 2), theta[6:9], theta[9:12].view(1, 3), theta[12:])
    with torch.no_grad():
        for parameter, part in zip(model.parameters(), parts, strict=True):
            parameter.copy_(part)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    x, answers = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]).double(), torch.tensor([0.0, 1.0, 1.0, 0.0]).double()
    errors: list[float] = []
    for _ in range(20):
        loss = (model(x)[:, 0] - answers).square().mean()
        errors.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    ours = learn_xor(nn.functional.gelu, 3, (4,), 20)[1][:20, 0]

    assert errors == pytest.approx(ours.tolist(), rel=1e-6)
    assert torch.allclose(
        model(x)[:, 0], xor_outputs(learn_xor(nn.functional.gelu, 3, (4,), 20)[0][-1, 0], x, nn.functional.gelu), atol=1e-8
    )


def test_the_errors_of_xor_can_be_told_apart_in_the_picture() -> None:
    """The first steps are far off; the curves end at 1, so that .25 is not the floor."""
    tops = [max(one.y) for one in run().series if one.name.endswith("xor_over_steps")]

    assert (2, True) == (len(tops), all(top <= 1 for top in tops))
