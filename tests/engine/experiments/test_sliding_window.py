"""The reach of a window, measured by perturbation, against powers of the mask and autograd."""

from __future__ import annotations

import pytest
import torch
from torch.testing import assert_close

from engine.experiments.sliding_window import EXPERIMENT, draw, window_pairs
from engine.parameter import Value
from engine.result import Series
from engine.textbook.attention import causal_mask, sliding_window_mask
from engine.textbook.attention_reach import attention_layers, dependence, input_influence, receptive_field
from engine.textbook.projections import self_attention
from tests.engine.runs import runs_of
from tests.extent import WHOLE

run, quantities = runs_of(EXPERIMENT)


def matrix(name: str, **given: Value) -> torch.Tensor:
    return next(torch.tensor(matrix.values, dtype=torch.float64) for matrix in run(**given).matrices if matrix.name == name)


def curve(name: str, **given: Value) -> Series:
    return next(series for series in run(**given).series if series.name == name)


def test_reach_of_three_layers_of_four() -> None:
    """w = 4 and L = 3: ten tokens, not twelve."""
    found = quantities()

    assert (10, 10, 12) == (found["reach"], found["reach_formula"], found["claimed_reach"])
    assert 4 == found["one_layer_reach"]


@pytest.mark.parametrize("seed", [0, 9])
@pytest.mark.parametrize("window", range(1, 9))
def test_measured_reach_is_the_formula(window: int, seed: int) -> None:
    """L·(w - 1) + 1, or all tokens when there are no more: at every length and depth, neither more by rounding nor less."""
    found = {}
    for tokens in range(2, 33) if WHOLE else (2, 3, 4, 7, 12, 21, 32):
        x, _, stack = draw(tokens, seed)
        for layers, depends in enumerate(dependence(x, stack, sliding_window_mask(tokens, tokens, window)), start=1):
            found[tokens, layers] = receptive_field(depends)

    assert {(tokens, layers): min(tokens, layers * (window - 1) + 1) for tokens, layers in found} == found


@pytest.mark.parametrize(
    ("tokens", "window", "layers", "seed", "reach"),
    [
        (7, 3, 1, 0, 3),  # two runs that round differently show 7
        (32, 4, 6, 9, 19),  # the farthest token moves the output by less than its rounding
        (32, 2, 6, 10, 7),
    ],
)
def test_rounding_is_no_reach(tokens: int, window: int, layers: int, seed: int, reach: int) -> None:
    """What the experiment shows is the formula, where changes of the numbers are made of rounding or lost in it."""
    found = quantities(tokens=tokens, window=window, layers=layers, seed=seed)

    assert (
        reach
        == found["reach"]
        == found["reach_formula"]
        == curve("reach_over_layers", tokens=tokens, window=window, seed=seed).y[layers - 1]
    )
    assert reach == sum(matrix("depends", tokens=tokens, window=window, layers=layers, seed=seed)[-1])


@pytest.mark.parametrize(("window", "layers"), [(2, 4), (4, 3), (5, 1)])
def test_dependence_is_the_masks_power(window: int, layers: int) -> None:
    """Output i depends on input j exactly where the L-th power of the mask is not 0, a walk of L steps."""
    power = torch.linalg.matrix_power(sliding_window_mask(16, 16, window).double(), layers)

    assert_close((power > 0).double(), matrix("depends", window=window, layers=layers), rtol=0, atol=0)


def test_influence_sees_what_autograd_sees() -> None:
    """The last output has a gradient by exactly the inputs whose change moves it."""
    x, other, stack = draw(12, seed=0)
    mask = sliding_window_mask(12, 12, 3)
    leaf = x.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(attention_layers(leaf, stack[:3], mask)[-1][-1].sum(), leaf)

    changes, depends = input_influence(x, other, stack[:3], mask)[-1], dependence(x, stack[:3], mask)[-1]

    assert (gradient.abs().amax(-1) > 0).tolist() == (changes[-1] > 1e-9).tolist() == depends[-1].tolist()
    assert 7 == receptive_field(depends)


def test_influence_is_one_change_at_a_time() -> None:
    """Row i, column j: output i moves when token j alone is another one; without a window every token reaches the last."""
    x, other, stack = draw(5, seed=1)
    mask = causal_mask(5, 5)
    changed = x.clone()
    changed[1] = other[1]

    changes = input_influence(x, other, stack[:1], mask)[0]

    moved = changed + self_attention(changed, stack[0], mask)[0] - x - self_attention(x, stack[0], mask)[0]
    assert_close(moved.abs().amax(-1), changes[:, 1], rtol=0, atol=1e-12)
    assert 5 == receptive_field(dependence(x, stack[:1], mask)[0])


@pytest.mark.parametrize("window", [1, 4, 8])
@pytest.mark.parametrize("tokens", [2, 5, 32])
def test_pairs_are_those_of_the_mask(tokens: int, window: int) -> None:
    """n·w less the corner at the start, counted in the mask."""
    found = quantities(tokens=tokens, window=window)

    assert sum(min(i + 1, window) for i in range(tokens)) == found["window_pairs"] == window_pairs(tokens, window)
    assert tokens * (tokens + 1) / 2 == found["causal_pairs"]
    assert 100 * found["window_pairs"] / found["causal_pairs"] == pytest.approx(found["pairs_percent"])


def test_layers_needed() -> None:
    """Fifteen steps back in strides of three take five layers: then the reach is all sixteen tokens, and not before."""
    assert 5 == quantities()["layers_needed"]
    assert 16 == quantities(layers=5)["reach"]
    assert 13 == quantities(layers=4)["reach"]
    assert 0 == quantities(window=1)["layers_needed"]


def test_within_reach_is_not_heard_equally() -> None:
    """The farthest token seen moves the last output far less than the token itself, in every of ten seeds."""
    for seed in range(10):
        found = quantities(seed=seed)
        assert 0 < found["farthest_effect"] < 0.2 * found["nearest_effect"]
    effect = curve("effect_over_distance")
    assert [0.0] * 6 == list(effect.y[10:])
    assert (quantities()["nearest_effect"], quantities()["farthest_effect"]) == (effect.y[0], effect.y[9])


def test_curves() -> None:
    """Over the layers the reach grows by w - 1; on logarithmic axes a window's pairs rise half as fast as all pairs."""
    assert (4.0, 7.0, 10.0, 13.0, 16.0, 16.0) == curve("reach_over_layers").y
    windowed, full = curve("window_pairs_log_over_tokens").y, curve("causal_pairs_log_over_tokens").y
    assert 2 * (windowed[-1] - windowed[-3]) == pytest.approx(full[-1] - full[-3], abs=1e-3)


def test_notes() -> None:
    """A window of 1, and a reach that ends at the first token, are said."""
    assert () == run().notes
    assert ["A window of 1 sees only itself: no depth reaches further."] == [note.en for note in run(window=1).notes]
    assert ["There are only 16 tokens to see: the reach ends there."] == [note.en for note in run(layers=6).notes]
    assert ((), 1) == (run(layers=5).notes, len(run(layers=5, tokens=15).notes))
