"""Where the norm stands, against torch's own layers and the growth that theory gives."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import nn

from engine.assemble import assemble
from engine.experiments._norm_by_depth import by_depth
from engine.experiments.pre_vs_post_norm import EXPERIMENT, MEASURES
from engine.parameter import Value
from engine.result import Result
from engine.textbook import deep_transformers as deep
from engine.textbook.norm_placement import measure_depth, no_norm, norm_inside, post_norm, pre_norm, random_layers, sublayer
from engine.textbook.training_loop import Remembered
from tests.engine.runs import runs_of

trained, trained_quantities = runs_of(EXPERIMENT)


def run(layers: int = 24, gain: float = 1.0, seed: int = 0) -> Result:
    """What is measured on random layers; nothing is trained for it."""
    return assemble(MEASURES, by_depth(layers, gain, seed), {})


def quantities(**given: Any) -> dict[str, float]:
    return {quantity.name: quantity.value for quantity in run(**given).quantities}


def mean(name: str, **given: Value) -> float:
    return sum(quantities(**given, seed=seed)[name] for seed in range(5)) / 5


@pytest.mark.parametrize(("norm_first", "placement"), [(False, post_norm), (True, pre_norm)])
def test_placements_are_torchs(norm_first: bool, placement: object) -> None:
    """The feed-forward half of torch's encoder layer is the same with norm_first false (post) and true (pre)."""
    assert placement in (post_norm, pre_norm)
    layer = nn.TransformerEncoderLayer(4, 1, 16, 0.0, norm_first=norm_first, dtype=torch.float64)
    up, down = random_layers(1, 4, 1.0, seed=3)[0]
    with torch.no_grad():
        for parameter in (*layer.self_attn.parameters(), layer.linear1.bias, layer.linear2.bias):
            parameter.zero_()  # attention adds nothing
        layer.linear1.weight.copy_(up.T)
        layer.linear2.weight.copy_(down.T)
    x = 3 * torch.randn(1, 5, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    start = x if norm_first else nn.functional.layer_norm(x, (4,))  # post-norm's attention half still normalises

    actual = (post_norm, pre_norm)[norm_first](start, sublayer(up, down))

    assert torch.allclose(layer(x), actual, rtol=0, atol=1e-9)


def test_placements_differ() -> None:
    """The four placements give four outputs, and only post-norm's tokens have variance 1."""
    x = 3 * torch.randn(5, 4, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    f = sublayer(*random_layers(1, 4, 1.0, seed=3)[0])
    outputs = [placement(x, f) for placement in (post_norm, pre_norm, norm_inside, no_norm)]

    assert all(not torch.allclose(a, b, atol=0.1) for i, a in enumerate(outputs) for b in outputs[:i])
    assert [True, False, False, False] == [
        bool(torch.allclose(each.var(-1, correction=0), torch.ones(5).double(), atol=1e-3)) for each in outputs
    ]


def test_variance_by_depth() -> None:
    """Post-norm stays at 1; pre-norm goes from 2 to about 49 over 48 layers, and so does x + LN(f(x)); without a norm it explodes."""
    found = quantities(layers=48)

    assert 1.0 == pytest.approx(found["post_norm_variance"], abs=0.01)
    assert 2.0 == pytest.approx(mean("pre_norm_first_variance"), abs=0.15)
    assert 49 == pytest.approx(mean("pre_norm_variance", layers=48), rel=0.1)
    assert 49 == pytest.approx(mean("norm_inside_variance", layers=48), rel=0.1)
    assert found["no_norm_variance"] > 1e9


@pytest.mark.parametrize("gain", [0.1, 0.5, 2.0])
def test_growth_follows_what_a_layer_adds(gain: float) -> None:
    """A layer that adds variance g² makes pre-norm's stream grow by g² a layer, whatever the stream has become."""
    assert 1 + 24 * gain**2 == pytest.approx(mean("pre_norm_variance", gain=gain), rel=0.15)


def test_last_gradient() -> None:
    """Post-norm's last layers keep their gradient at any depth; pre-norm's shrink with √(1 + L), so the ratio is about that over √2."""
    for layers in (12, 48):
        assert math.sqrt((1 + layers) / 2) == pytest.approx(mean("last_gradient_ratio", layers=layers), rel=0.25)
    assert mean("post_norm_last_gradient", layers=48) == pytest.approx(mean("post_norm_last_gradient", layers=12), rel=0.3)


def test_deep_pre_norm_layers_matter_less() -> None:
    """A layer of a deep pre-norm stack moves the stream by 1/√L of its length, one of a post-norm stack as far as the first."""
    found = quantities(layers=48)

    assert 1 / math.sqrt(48) == pytest.approx(mean("pre_norm_last_move", layers=48), rel=0.15)
    assert found["post_norm_last_move"] > 4 * found["pre_norm_last_move"]


def test_gradient_is_the_slope_of_the_loss() -> None:
    """The measured norm is that of finite differences."""
    x, target = (torch.randn(3, 4, generator=torch.Generator().manual_seed(seed), dtype=torch.float64) for seed in (1, 2))
    layers = random_layers(2, 4, 1.0, seed=3)

    def loss(down: torch.Tensor) -> float:
        y = pre_norm(pre_norm(x, sublayer(layers[0][0], down)), sublayer(*layers[1]))
        return float(((nn.functional.layer_norm(y, (4,)) - target) ** 2).sum() / 6)

    down, step = layers[0][1], 1e-6
    slopes = []
    for index in range(down.numel()):
        change = torch.zeros(down.numel(), dtype=torch.float64)
        change[index] = step
        slopes.append((loss(down + change.view_as(down)) - loss(down - change.view_as(down))) / (2 * step))

    assert math.hypot(*slopes) == pytest.approx(measure_depth(pre_norm, x, layers, target).gradient[0], rel=1e-5)


def test_curves_end_at_the_quantities() -> None:
    """Variances run from before the first layer, gradients from layer 1; the last points are the quantities."""
    result = run(layers=7)
    curves, found = {series.name: series for series in result.series}, quantities(layers=7)

    for name in ("norm_inside_variance", "post_norm_variance", "pre_norm_variance"):
        assert (0.0, 7.0, found[name]) == (
            curves[f"{name}_over_layer"].x[0],
            curves[f"{name}_over_layer"].x[-1],
            curves[f"{name}_over_layer"].y[-1],
        )
    assert (1.0, 7.0) == (curves["pre_norm_gradient_over_layer"].x[0], curves["pre_norm_gradient_over_layer"].x[-1])
    assert found["pre_norm_last_gradient"] == curves["pre_norm_gradient_over_layer"].y[-1]


@pytest.mark.parametrize("seed", [0, 1])
def test_post_norm_needs_the_warm_up(seed: int) -> None:
    """At a rate of 0.01 six layers of post-norm stay at ln 8 without a warm-up and learn with one; pre-norm learns either way."""
    found = trained_quantities(seed=seed)

    assert math.log(8) == pytest.approx(found["post_plain_loss"], abs=0.1)
    assert found["post_warmed_loss"] < 0.6
    assert max(found["pre_plain_loss"], found["pre_warmed_loss"]) < 0.1


@pytest.mark.parametrize(("post", "norm_first"), [(True, False), (False, True)])
def test_the_trained_layers_are_torchs(post: bool, norm_first: bool) -> None:
    """A layer of ours with the same weights is torch's TransformerEncoderLayer, norms after or before, GELU, one head, causal."""
    theta = deep.draw_model(1, seed=3)
    words, places, *inner, output = (
        part.view(size)
        for part, size in zip(torch.split(theta, [rows * columns for rows, columns in deep.matrices(1)]), deep.matrices(1), strict=True)
    )
    layer = nn.TransformerEncoderLayer(deep.WIDTH, 1, 2 * deep.WIDTH, 0.0, "gelu", batch_first=True, norm_first=norm_first)
    with torch.no_grad():
        for parameter in (layer.self_attn.in_proj_bias, layer.self_attn.out_proj.bias, layer.linear1.bias, layer.linear2.bias):
            parameter.zero_()
        layer.self_attn.in_proj_weight.copy_(torch.cat([each.T for each in inner[:3]]))
        for mine, theirs in zip(inner[3:], (layer.self_attn.out_proj, layer.linear1, layer.linear2), strict=True):
            theirs.weight.copy_(mine.T)
        symbols = torch.randint(deep.SYMBOLS, (4, deep.TOKENS), generator=torch.Generator().manual_seed(0))
        x = layer(words[symbols] + places, src_mask=nn.Transformer.generate_square_subsequent_mask(deep.TOKENS))
        expected = (x if post else nn.functional.layer_norm(x, (deep.WIDTH,))) @ output
        actual = deep.logits(theta[None], 1, symbols, post)[0]

    assert torch.allclose(expected, actual, rtol=0, atol=1e-4)


def test_warm_up_rises_and_stays() -> None:
    """A line up to the last step of the warm-up, then the whole rate."""
    assert [0.25, 0.5, 0.75, 1.0, 1.0] == [deep.warm_up(step, 4) for step in range(1, 6)]


def test_both_arms_begin_alike() -> None:
    """The first loss is that of the same model on the same symbols, whatever the rate will be."""
    first = next(deep.train_placement(True, 2, 0.01, 10, seed=1))

    assert first[0] == first[1]
    assert math.log(8) < float(first[0]) < 10


def test_a_training_is_remembered() -> None:
    """Asked again, for fewer or for more steps, it goes on where it was; nothing is trained twice."""
    steps = iter(torch.arange(10.0))
    remembered = Remembered(steps)

    assert [0.0, 1.0, 2.0] == [float(each) for each in remembered.first(3)]
    assert [0.0, 1.0] == [float(each) for each in remembered.first(2)]
    assert [0.0, 1.0, 2.0, 3.0] == [float(each) for each in remembered.first(4)]
    assert 4.0 == float(next(steps))
