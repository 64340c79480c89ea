"""Counted costs, against torch's own counter of floating-point operations."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from engine.experiments.attention_cost import EXPERIMENT
from engine.parameter import Value
from engine.result import Series
from engine.textbook.attention import MultiHeadAttention
from engine.textbook.layer_costs import layer_multiply_adds, layer_products, part_multiply_adds, recurrent_multiply_adds, score_bytes
from engine.textbook.layer_pass import layer_inputs, run_dense, run_pairs
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def curve(name: str, **given: Value) -> Series:
    return next(series for series in run(**given).series if series.name == name)


@pytest.mark.parametrize(("n", "d", "heads"), [(5, 6, 1), (5, 6, 3), (48, 32, 4), (32, 48, 4)])
def test_counts_equal_torchs_counter(n: int, d: int, heads: int) -> None:
    """The attention and a feed-forward network of this project, run under torch's counter, make as many multiply-adds, whatever h is."""
    attention = MultiHeadAttention(d, heads)
    x, W_1, W_2 = torch.randn(1, n, d), torch.randn(4 * d, d), torch.randn(d, 4 * d)

    with FlopCounterMode(display=False) as counter:
        attention(x)
    of_attention = counter.get_total_flops() / 2
    with FlopCounterMode(display=False) as counter:
        functional.linear(functional.gelu(functional.linear(x, W_1)), W_2)

    assert of_attention == part_multiply_adds(n, d, "projections") + part_multiply_adds(n, d, "pairs")
    assert counter.get_total_flops() / 2 == part_multiply_adds(n, d, "feed_forward")


def test_a_recurrent_layer_equals_torchs_counter() -> None:
    """n steps of W x + U h, under torch's counter."""
    x, h, W, U = torch.randn(5, 1, 6), torch.zeros(1, 6), torch.randn(6, 6), torch.randn(6, 6)

    with FlopCounterMode(display=False) as counter:
        for step in x:
            h = torch.tanh(step @ W + h @ U)

    assert counter.get_total_flops() / 2 == recurrent_multiply_adds(5, 6)


def test_products_have_the_shapes_of_a_layer() -> None:
    """Every product's inner size is what its left side has: QKᵀ is (n, d)(d, n), PV is (n, n)(n, d)."""
    found = {product.formula: (product.rows, product.inner, product.columns) for product in layer_products(5, 8)}

    assert (5, 8, 5) == found["Q Kᵀ"]
    assert (5, 5, 8) == found["P V"]
    assert (5, 32, 8) == found["H W_2"]


@pytest.mark.parametrize(
    ("tokens", "d_model", "percent"), [(128, 768, 2.7), (512, 768, 10), (1536, 768, 25), (32768, 4096, 57.1), (4608, 768, 50)]
)
def test_share_of_the_pairs(tokens: int, d_model: int, percent: float) -> None:
    """QKᵀ and PV are 2n/(12d + 2n) of a layer: 2.7 % at n = 128, a quarter at 2d, half at 6d."""
    assert percent == pytest.approx(quantities(tokens=tokens, d_model=d_model)["pairs_percent"], rel=0.01)


def test_shares_sum_to_100() -> None:
    """Projections, pairs and feed-forward are all of a layer, and the table's products too."""
    found = quantities(tokens=100, d_model=128)

    assert 100 == pytest.approx(found["pairs_percent"] + found["projections_percent"] + found["feed_forward_percent"])
    assert 100 == pytest.approx(sum(float(str(row[5])) for row in run().tables[0].rows))
    assert 100 * 128 * (12 * 128 + 2 * 100) == found["layer_multiply_adds"] == layer_multiply_adds(100, 128)


def test_growth() -> None:
    """Twice the tokens: the pairs cost 4 times, the projections twice; a layer 2.0 for short sequences, nearly 4 for very long ones."""
    assert (4.0, 2.0) == (quantities()["pairs_growth"], quantities()["projections_growth"])
    assert 2.2 == pytest.approx(quantities()["layer_growth"])
    assert quantities(tokens=16)["layer_growth"] < 2.01
    assert quantities(tokens=65536, d_model=64)["layer_growth"] > 3.98


def test_cheaper_than_recurrence_while_n_is_below_d() -> None:
    """n²d against nd²: as many multiply-adds at n = d, fewer before, more after."""
    found = {n: quantities(tokens=n, d_model=512) for n in (256, 512, 1024)}

    assert [0.5, 1.0, 2.0] == [found[n]["pairs_multiply_adds"] / found[n]["recurrent_multiply_adds"] for n in (256, 512, 1024)]


def test_score_memory() -> None:
    """512 tokens: 1 MiB of float32 scores for one head, 12 MiB for twelve; twice the tokens, four times as much."""
    assert (1.0, 12.0) == (quantities(heads=1)["score_mebibytes"], quantities(heads=12)["score_mebibytes"])
    assert 48.0 == quantities(heads=12, tokens=1024)["score_mebibytes"]
    assert torch.zeros(12, 512, 512).numel() * 4 == score_bytes(512, 12)


def test_curves_pass_through_the_quantities() -> None:
    """The curves at n = 4096 agree with the numbers there; on logarithmic axes the pairs rise twice as fast as the projections."""
    found, at = quantities(tokens=4096), curve("pairs_percent_over_tokens").x.index(4096.0)

    assert found["pairs_percent"] == curve("pairs_percent_over_tokens").y[at]
    assert found["layer_growth"] == curve("layer_growth_over_tokens").y[at]
    assert found["score_mebibytes"] == curve("score_mebibytes_over_heads", tokens=4096).y[4]
    pairs, projections = curve("pairs_log_over_tokens").y, curve("projections_log_over_tokens").y
    assert 2 * (projections[-1] - projections[0]) == pytest.approx(pairs[-1] - pairs[0])


def test_the_timed_halves_do_the_counted_work() -> None:
    """What the clock measures makes as many multiply-adds as the formula counts, but for X in place of Q, K and V."""
    given = layer_inputs(5, 6, seed=0)

    assert part_multiply_adds(5, 6, "pairs") == counted(lambda: run_pairs(*given))
    assert part_multiply_adds(5, 6, "projections") + part_multiply_adds(5, 6, "feed_forward") == counted(lambda: run_dense(*given))


def counted(compute: Callable[[], object]) -> float:
    with FlopCounterMode(display=False) as counter:
        compute()
    return float(counter.get_total_flops() / 2)


def test_growth_is_timed_too() -> None:
    """Three ratios of times, positive numbers; how large they are is the machine's affair."""
    names = ("timed_pairs_growth", "timed_dense_growth", "timed_layer_growth")

    assert dict.fromkeys(names, True) == {timing.name: 0 < timing.value < math.inf for timing in run().timings}
