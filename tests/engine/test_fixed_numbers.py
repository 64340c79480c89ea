"""A number that a lab folds as one that no slider moves is moved by none."""

from __future__ import annotations

import math

import pytest

from engine.catalog import load, names
from engine.fixed_numbers import FIXED
from engine.measures import Scalar
from tests.engine.experiments.observed import observed


def test_they_are_of_experiments_that_there_are() -> None:
    """A renamed experiment takes its fixed numbers along."""
    assert set() == set(FIXED) - set(names())


@pytest.mark.parametrize("name", [name for name in names() if name in FIXED], scope="session")
def test_no_slider_moves_it(name: str) -> None:
    """At every setting that is tried it is what it is at the defaults; it is a number that the experiment declares."""
    known = {measure.name for measure in load(name).measures if isinstance(measure, Scalar)}
    before, *others = ({one.name: one.value for one in seen.result.quantities} for seen in observed(name))
    moved = {
        number
        for after in others
        for number, value in after.items()
        if not math.isclose(value, before.get(number, math.nan), rel_tol=1e-8, abs_tol=1e-12)
    }

    assert set() == set(FIXED[name]) - known
    assert [] == [each for each in FIXED[name] if each in moved]
