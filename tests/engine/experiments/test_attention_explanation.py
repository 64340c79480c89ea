"""Other weights for the same output, and cut edges, against closed forms and torch's own attention."""

from __future__ import annotations

import math
import statistics

import pytest
import torch
from torch import Tensor
from torch.nn import functional
from torch.testing import assert_close

from engine.experiments.attention_explanation import EXPERIMENT
from engine.parameter import Value
from engine.result import Series
from engine.textbook.weights_as_explanation import (
    agreement,
    away_from,
    edge_effects,
    furthest,
    repeat_the_others,
    silent_directions,
    without_edge,
)
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def curve(name: str, **given: Value) -> Series:
    return next(series for series in run(**given).series if series.name == name)


def normal(*shape: int, seed: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.mark.parametrize(("keys", "width", "count"), [(6, 3, 2), (6, 1, 4), (6, 5, 0), (3, 8, 0), (2, 1, 0)])
def test_silent_directions(keys: int, width: int, count: int) -> None:
    """There are n - d_v - 1 directions that change neither output nor row sum, independent of each other."""
    value = normal(keys, width, seed=0)

    found = silent_directions(value)

    assert (count, keys) == tuple(found.shape)
    assert_close(found @ value, torch.zeros(count, width, dtype=torch.float64), rtol=0, atol=1e-12)
    assert_close(found.sum(-1), torch.zeros(count, dtype=torch.float64), rtol=0, atol=1e-12)
    assert_close(found @ found.T, torch.eye(count, dtype=torch.float64), rtol=0, atol=1e-12)


def test_silent_directions_of_repeated_values() -> None:
    """Two keys with the same value may exchange weight: one more direction."""
    value = normal(4, 3, seed=0)
    value[2] = value[1]

    assert 1 == len(silent_directions(value))


def test_away_from_a_key() -> None:
    """Of all silent directions of length 1 it is the one that lowers the key most, and it is silent itself."""
    value = normal(6, 2, seed=0)
    directions = silent_directions(value)

    found = away_from(2, directions)

    assert_close(found @ value, torch.zeros(2, dtype=torch.float64), rtol=0, atol=1e-12)
    mixed = functional.normalize(normal(1000, len(directions), seed=1), dim=-1) @ directions
    assert float(found[2] / found.norm()) <= float(mixed[:, 2].min()) < 0


def test_a_repeating_key_can_be_left_out() -> None:
    """Values as wide as you like: when k1 repeats the others there is one silent direction, and along it k1 loses all its weight."""
    found = quantities(value_width=8, redundancy=1.0)

    assert 1.0 == found["silent_directions"]
    assert 0.0 == pytest.approx(found["other_top_weight"], abs=1e-12)
    assert 0.0 == pytest.approx(found["output_difference"], abs=1e-12)


def test_furthest_stops_at_the_first_zero() -> None:
    """(.5, .3, .2) along (1, -1, 0) ends at (.8, 0, .2), and a direction that lowers nothing changes nothing."""
    weights = torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)

    assert [0.8, 0.0, 0.2] == pytest.approx(furthest(weights, torch.tensor([1.0, -1.0, 0.0], dtype=torch.float64)).tolist())
    assert weights.tolist() == furthest(weights, torch.zeros(3, dtype=torch.float64)).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_other_weights_same_output(seed: int) -> None:
    """Six keys and d_v = 3: weights that differ visibly, are >= 0, sum to 1, and give the output to rounding."""
    found = quantities(seed=seed)

    assert found["weight_difference"] > 0.01
    assert 0.0 == pytest.approx(found["output_difference"], abs=1e-12)
    assert 1.0 == pytest.approx(found["other_row_sum"], abs=1e-12)
    assert 0.0 == pytest.approx(found["other_smallest_weight"], abs=1e-12)
    assert found["other_smallest_weight"] >= 0


def test_cutting_an_edge_is_masking_its_key() -> None:
    """The output without an edge is torch's attention with that key masked."""
    query, key, value = normal(1, 4, seed=0), normal(5, 4, seed=1), normal(5, 3, seed=2)
    mask = torch.tensor([[True, True, False, True, True]])

    expected = functional.scaled_dot_product_attention(query[None], key[None], value[None], mask)[0, 0]

    assert_close(expected, without_edge((query @ key.T)[0] / 2, value, 2), rtol=0, atol=1e-12)


def test_effect_of_an_edge_in_closed_form() -> None:
    """Cutting an edge moves the output by p/(1 - p) times the distance from the output to the value."""
    scores, value = normal(5, seed=0), normal(5, 3, seed=1)
    p = torch.softmax(scores, 0)

    assert_close(p / (1 - p) * (p @ value - value).norm(dim=-1), edge_effects(scores, value), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_the_largest_weight_can_do_nothing(seed: int) -> None:
    """k1 has the largest weight; when it repeats what the others say, cutting it moves nothing, and a lighter key matters more."""
    found = quantities(seed=seed)
    weights = next(matrix.values[0] for matrix in run(seed=seed).matrices if matrix.name == "weights")

    assert max(weights) == weights[0] == found["top_weight"]
    assert 0.0 == pytest.approx(found["top_weight_effect"], abs=1e-12)
    assert found["decisive_weight"] < found["top_weight"]
    assert found["decisive_effect"] > 0.05


def test_a_key_with_something_to_say_matters() -> None:
    """With a value of its own the key with the largest weight moves the output when it is cut."""
    assert quantities(redundancy=0.0)["top_weight_effect"] > 0.3


def test_repeating_moves_one_value_only() -> None:
    """At share 0 nothing changes; at 1 the value is the output without its key; the other values stay."""
    scores, value = normal(4, seed=0), normal(4, 2, seed=1)

    assert_close(repeat_the_others(scores, value, 1, 0.0), value, rtol=0, atol=0)
    changed = repeat_the_others(scores, value, 1, 1.0)
    assert_close(changed[1], without_edge(scores, value, 1), rtol=0, atol=1e-12)
    assert_close(changed[[0, 2, 3]], value[[0, 2, 3]], rtol=0, atol=0)


def test_agreement() -> None:
    """Spearman's correlation: 1, -1, and by hand 1 - 6·Σd²/(n(n² - 1)) = .5 for one exchange among three, .4 for ranks 1230 and 0132."""
    row = torch.tensor([0.1, 0.2, 0.7])

    assert 1.0 == pytest.approx(agreement(row, 10 * row))
    assert -1.0 == pytest.approx(agreement(row, -row))
    assert 0.5 == pytest.approx(agreement(row, torch.tensor([2.0, 1.0, 3.0])))
    assert 0.4 == pytest.approx(agreement(torch.tensor([2.0, 3.0, 4.0, 1.0]), torch.tensor([1.0, 2.0, 4.0, 3.0])))


@pytest.mark.parametrize(("a", "b"), [((1, 2, 2, 4), (3, 1, 2, 4)), ((1, 1, 2), (5, 6, 6)), ((0, 0, 0, 1), (4, 3, 2, 1)), ((1, 2), (2, 1))])
def test_ties_share_their_rank(a: tuple[float, ...], b: tuple[float, ...]) -> None:
    """Equal values share the mean of their places, as in Pearson's correlation of scipy's average ranks, written out here."""

    def average(row: tuple[float, ...]) -> list[float]:
        places = sorted(row)
        return [statistics.mean(place for place, other in enumerate(places) if other == value) for value in row]

    expected = statistics.correlation(average(a), average(b))

    assert expected == pytest.approx(agreement(torch.tensor(a), torch.tensor(b)))


@pytest.mark.parametrize("seed", range(3))
def test_two_keys_have_one_effect(seed: int) -> None:
    """Where k1 repeats the only other key no cut does anything: no rank correlation is made of rounding, and a note says so."""
    found = run(keys=2, seed=seed)
    values = {quantity.name: quantity.value for quantity in found.quantities}

    assert math.isnan(values["rank_agreement"])
    assert (0.0, 0.0, values["top_weight"]) == (values["decisive_effect"], values["top_weight_effect"], values["decisive_weight"])
    assert ["Every edge has the same effect: there is no order that the weights could agree with."] == [note.en for note in found.notes[:1]]
    assert 1.0 == quantities(keys=2, seed=seed, redundancy=0.5)["rank_agreement"]


def test_values_as_wide_as_the_keys_leave_no_choice() -> None:
    """With d_v >= n - 1 the weights are determined by the output: both rows are the same, and a note says so."""
    for width in (5, 8):
        found = quantities(value_width=width, redundancy=0.5)
        assert (0.0, 0.0) == (found["silent_directions"], found["weight_difference"])
    assert "only one row of weights" in run(value_width=8, redundancy=0.5).notes[0].en
    assert () == run().notes
    assert 0.0 == quantities(distance=0.0)["weight_difference"]


def test_curves() -> None:
    """The weight of k1 stays, the effect of cutting it falls in proportion to what it says of its own."""
    weight, effect = curve("weight_over_redundancy"), curve("effect_over_redundancy")

    assert {quantities()["top_weight"]} == set(weight.y)
    assert [effect.y[0] * (1 - share) for share in effect.x] == pytest.approx(list(effect.y), abs=1e-12)
    assert quantities(redundancy=0.5)["top_weight_effect"] == pytest.approx(effect.y[10])
