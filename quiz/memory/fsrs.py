"""FSRS-6 over whole days, computed by the FSRS project's own library: what a memory becomes after each grade, and how it fades.

The library computes in float32: seven digits, which is far more than anyone's memory can be known to. An interval that lies within
a millionth of a half day may be rounded the other way than in float64 (see scheduler.RULES).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fsrs_rs_python import DEFAULT_PARAMETERS, FSRS, MemoryState, NextStates

# What each parameter may be. The library cuts any other value to these, so a row of the log with one was not written by a fit.
_STABILITY = (0.001, 100.0)  # days, after a first grade
RANGES = (
    *(_STABILITY, _STABILITY, _STABILITY, _STABILITY, (1.0, 10.0), (0.001, 4.0), (0.001, 4.0)),
    *((0.001, 0.75), (0.0, 4.5), (0.0, 0.8), (0.001, 3.5), (0.001, 5.0), (0.001, 0.25), (0.001, 0.9)),
    *((0.0, 4.0), (0.0, 1.0), (1.0, 6.0), (0.0, 2.0), (0.0, 2.0), (0.0, 0.8), (0.1, 0.8)),
)
RETENTION = 0.9  # without a wish
DIGITS = 4  # decimals; FSRS's own parameters have no more


@dataclass(frozen=True)
class Parameters:
    """The 21 numbers of FSRS-6, w0 to w20 of its papers, and how many of the due cards one wants to recall."""

    w: tuple[float, ...]
    retention: float = RETENTION

    @classmethod
    def rounded(cls, w: Sequence[float]) -> Parameters:
        """The parameters as they are written down: what float32 has behind DIGITS means nothing."""
        return cls(tuple(round(value, DIGITS) for value in w))

    @property
    def sound(self) -> bool:
        """Whether the library would compute with these very numbers."""
        return len(self.w) == len(RANGES) and all(
            isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
            for value, (low, high) in zip(self.w, RANGES, strict=True)
        )

    @cached_property
    def model(self) -> FSRS:
        """The library's part: it may be used from any thread."""
        return FSRS(self.w)

    @cached_property
    def decay(self) -> float:
        """The exponent of the forgetting curve."""
        return -self.w[20]

    @cached_property
    def factor(self) -> float:
        """What makes the curve 0.9 after as many days as the stability."""
        return math.pow(0.9, 1 / self.decay) - 1


DEFAULT = Parameters.rounded(DEFAULT_PARAMETERS)


def next_states(state: tuple[float, float] | None, days: int, retention: float, parameters: Parameters = DEFAULT) -> NextStates:
    """What each grade would make of a memory's (stability, difficulty), `days` after the grade before; 0 is the same day, None a new card.

    Each has an `interval`, in days and not yet whole, after which the probability of recall is `retention`.
    """
    return parameters.model.next_states(MemoryState(*state) if state else None, retention, days)


def whole_days(interval: float, longest: int) -> int:
    """An interval as days that one can wait: 1..longest."""
    return min(max(round(interval), 1), longest)


def retrievability(stability: float, days: int, parameters: Parameters = DEFAULT) -> float:
    """The probability of recall after whole days: 1 at once, 0.9 after `stability` days."""
    return math.pow(1 + parameters.factor * max(0, days) / stability, parameters.decay)
