"""What the plain values of a deck are made of: a text in one language or several, a tolerance, and what all parts have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from content.format import LANGUAGES
from content.yaml.numerals import real


class Part:
    """A deck, a card, or a part of one: `__slots__` are its keys."""

    __slots__: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Text:
    """A text, or one text a language. A missing language falls back to English, then to whatever there is."""

    root: Mapping[str, str]

    def said(self, language: str) -> str:
        """The text in a language, or the nearest that exists."""
        known = (self.root[key] for key in (language, "", "en") if key in self.root)
        return next(known, next(iter(self.root.values()), ""))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages it is written in; a plain string counts for all of them."""
        return LANGUAGES if "" in self.root else tuple(self.root)

    def __hash__(self) -> int:
        return hash(tuple(self.root.items()))


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be off: `5` is absolute, `10%` is relative to the measured value."""

    root: str

    @property
    def is_readable(self) -> bool:
        """Whether it is written as one."""
        return math.isfinite(self._amount) and self._amount >= 0

    @property
    def _amount(self) -> float:
        number = real(self.root.strip().removesuffix("%").strip())
        return math.nan if number is None else number

    @property
    def is_relative(self) -> bool:
        """Whether it is a share of the measured value."""
        return self.root.strip().endswith("%")

    @property
    def amount(self) -> float:
        """How much: 5 of `5`, 0.1 of `10%`."""
        return self._amount / 100 if self.is_relative else self._amount

    def allowed(self, measured: float) -> float:
        """How far from a measured value is still near."""
        return self.amount * abs(measured) if self.is_relative else self.amount

    def covers(self, guess: float, measured: float) -> bool:
        """Whether a guess is near enough to the measured value."""
        return abs(guess - measured) <= self.allowed(measured) + 1e-12 * abs(measured)
