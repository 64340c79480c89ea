"""A short run of random expressions; the long one is `python -m tests.fuzz_expressions`."""

from __future__ import annotations

import pytest

from tests import fuzz_expressions


@pytest.mark.parametrize(("kind", "count"), [("claims", 500), ("lines", 50)])
def test_expressions_end_in_a_value_or_in_a_sentence(kind: str, count: int) -> None:
    """Nothing else comes out of claims, numbers and lines, and some of all sorts do."""
    counts = fuzz_expressions.run(kind, 1, range(count))

    assert count == sum(counts.values())
    assert len(counts) >= 3
