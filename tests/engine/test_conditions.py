"""When a note is shown."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from engine.conditions import comparisons, holds

VALUES: dict[str, Any] = {"n": 3, "norm": torch.tensor(2.5), "kind": "causal", "causal": True, "fill": "-1e9", "on": True}


@pytest.mark.parametrize(
    "condition",
    [
        *("", "n == 3", "n != 4", "n < 4", "n <= 3", "n > norm", "norm >= 2.5", "n > -1e9", "on == 1"),
        *("kind == causal", "kind != none", "fill == -1e9", "n == 3 and kind == causal and norm < n"),
    ],
)
def test_true(condition: str) -> None:
    """Numbers, names of numbers, tensors and choices are compared as they are; a choice may look like a number."""
    assert holds(condition, VALUES)


@pytest.mark.parametrize("condition", ["n == 4", "n < 3", "norm >= n", "kind == padding", "n == 3 and kind == none", "fill == -1e4"])
def test_false(condition: str) -> None:
    """One comparison that does not hold is enough."""
    assert not holds(condition, VALUES)


@pytest.mark.parametrize("condition", ["m == 3", "m != 3", "n == 3 and m < 1", "n == kind", "n != kind", "kind == n", "n < m"])
def test_what_is_not_known(condition: str) -> None:
    """Nothing is said of what was not measured, and a number is neither a text nor different from one."""
    assert not holds(condition, VALUES)


@pytest.mark.parametrize("condition", ["n", "n =", "n = 3", "n is 3", "n > 1 or n < 0", "n  >1"])
def test_not_a_condition(condition: str) -> None:
    """A slip of the pen is refused when it is read."""
    with pytest.raises(ValueError, match="compares nothing: write a name, one of ==, !=, "):
        comparisons(condition)
