"""How many of how many, and how much that can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

ENOUGH = 20  # cases; with fewer a percentage says more than is known
Z = 1.96  # 95 %


@dataclass(frozen=True)
class Share:
    """`part` of `whole` cases."""

    part: int
    whole: int

    @property
    def value(self) -> float | None:
        """0..1; None of nothing."""
        return self.part / self.whole if self.whole else None

    @property
    def few(self) -> bool:
        """Whether the cases are too few for a percentage."""
        return self.whole < ENOUGH

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true share is with 95 % confidence, as if cases were independent (Wilson 1927); None of nothing."""
        if not self.whole:
            return None
        n, p = self.whole, self.part / self.whole
        centre = (p + Z**2 / (2 * n)) / (1 + Z**2 / n)
        reach = Z * sqrt(p * (1 - p) / n + (Z / (2 * n)) ** 2) / (1 + Z**2 / n)
        return max(centre - reach, 0.0), min(centre + reach, 1.0)
