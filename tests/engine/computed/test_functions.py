"""The table of functions, and what authors are told of it."""

from __future__ import annotations

import pytest
import torch

from content.claims.computation import USAGE
from engine.computed.functions import NAMES, usage
from engine.computed.values import broadcast


def test_authors_and_torch_know_the_same_functions() -> None:
    """What the language lists is what the engine computes, with the same arguments and defaults."""
    assert {name: usage(name) for name in NAMES} == USAGE


@pytest.mark.parametrize("shapes", [(), ((),), ((3,), ()), ((2, 1), (3,)), ((1, 4), (5, 1, 1)), ((0, 1), (1, 3)), ((1,), (0,))])
def test_shapes_are_spread_as_torch_spreads_them(shapes: tuple[tuple[int, ...], ...]) -> None:
    """The rule is walked in Python, since torch's own takes a tenth of a millisecond."""
    added = sum((torch.zeros(shape) for shape in shapes), torch.zeros(()))

    assert list(added.shape) == broadcast(*map(torch.Size, shapes))


def test_shapes_that_do_not_fit_are_refused_in_torch_s_words() -> None:
    """Callers show them, or go on without."""
    with pytest.raises(RuntimeError, match="broadcast"):
        broadcast(torch.Size((2, 3)), torch.Size((4,)))
