"""The table of functions, and what authors are told of it."""

from __future__ import annotations

from content.claims.computation import USAGE
from engine.computed.functions import NAMES, usage


def test_authors_and_torch_know_the_same_functions() -> None:
    """What the language lists is what the engine computes, with the same arguments and defaults."""
    assert {name: usage(name) for name in NAMES} == USAGE
