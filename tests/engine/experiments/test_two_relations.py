"""Why one head is not enough, against the closed form."""

from __future__ import annotations

import pytest

from engine.experiments.two_relations import EXPERIMENT, weights_of
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_one_head_loses_half(share: float) -> None:
    """One head with weights w and 1-w loses (1-w)²/(w²+(1-w)²) of A and the rest of B: half in all, whatever w is."""
    found = quantities(head_1=share)
    lost = (1 - share) ** 2 / (share**2 + (1 - share) ** 2)

    assert lost == pytest.approx(found["one_head_loss_a"], abs=0.05)
    assert 1 - lost == pytest.approx(found["one_head_loss_b"], abs=0.05)
    assert 0.5 == pytest.approx(found["one_head_loss"], abs=0.03)


@pytest.mark.parametrize(("first", "second"), [(1.0, 0.0), (0.9, 0.1), (0.5, 0.45), (0.0, 0.3), (0.5, 0.499)])
def test_two_different_heads_lose_nothing(first: float, second: float) -> None:
    """Two heads that differ at all let W_O recover both tokens."""
    assert 0.0 == pytest.approx(quantities(head_1=first, head_2=second)["two_heads_loss"], abs=1e-9)


def test_two_equal_heads_are_one() -> None:
    """Two heads with the same weights lose what one loses, and a note says so."""
    found = quantities(head_1=0.3, head_2=0.3)

    assert found["one_head_loss"] == pytest.approx(found["two_heads_loss"])
    assert run(head_1=0.3, head_2=0.3).notes


def test_curves_pass_through_the_quantities() -> None:
    """Each curve at head 1's share is the quantity of that name."""
    result = run(head_1=0.2, head_2=0.6)
    found = {quantity.name: quantity.value for quantity in result.quantities}

    for series in result.series:
        assert found[series.name.removesuffix("_over_share")] == pytest.approx(series.y[4], abs=1e-9)


def test_weights_come_from_softmax() -> None:
    """A share of 0 is a score of -inf and stays finite."""
    assert [[0.0, 1.0], [0.25, 0.75]] == [pytest.approx(row) for row in weights_of((0.0, 0.25)).tolist()]
