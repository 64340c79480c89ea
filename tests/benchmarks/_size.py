"""How much a benchmark does: all of it by hand, a small share in the tests, where it only has to run to its end."""

from __future__ import annotations

import sys


def asked_share() -> float:
    """The first argument of a benchmark: 0.01 is a hundredth of its size; everything without it."""
    return float(sys.argv[1]) if len(sys.argv) > 1 else 1.0


def part(whole: int, share: float) -> int:
    """So much of a number, at least one."""
    return max(round(whole * share), 1)
