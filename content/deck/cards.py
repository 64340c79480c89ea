"""What a deck is, once it is known to be one: plain values. `content.deck.model` says what may be in them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from content.format import FORMAT, LANGUAGES, FigureKind, Kind, Scale
from content.text.numerals import real

if TYPE_CHECKING:
    from datetime import date


UNREAD = "\0"  # the check of a claim whose own was refused: no file can hold this


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

    def covers(self, guess: float, measured: float) -> bool:
        """Whether a guess is near enough to the measured value."""
        allowed = self.amount * abs(measured) if self.is_relative else self.amount
        return abs(guess - measured) <= allowed + 1e-12 * abs(measured)


@dataclass(frozen=True, slots=True)
class Predict(Part):
    """A number to guess before the run shows it."""

    ask: Text
    quantity: str
    within: Tolerance = Tolerance("20%")
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Option(Part):
    """One answer of a choice card."""

    text: Text
    right: bool = False
    why: Text | None = None


@dataclass(frozen=True, slots=True)
class Number(Part):
    """The number that a number card asks for: measured by the run, or fixed."""

    quantity: str | None = None
    value: float | None = None
    within: Tolerance = Tolerance("5%")
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Code(Part):
    """A listing with one wrong line."""

    listing: str
    wrong_line: int
    right: str


@dataclass(frozen=True, slots=True)
class ComputedParameter(Part):
    """A slider of a deck's own computation; numbers as they were written."""

    default: str
    low: str | None = None
    high: str | None = None
    step: str | None = None
    scale: Scale = "linear"
    label: Text | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Turns(Part):
    """Lines that are done `repeat` times; `keep` is noted each time."""

    repeat: str
    do: Mapping[str, str]
    keep: str


@dataclass(frozen=True, slots=True)
class Arms(Part):
    """The two lines that are the wrong way and the right way."""

    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class ComputedFigure(Part):
    """What is drawn together. A curve goes over a parameter where one is named, else over the places of a vector."""

    kind: FigureKind
    shows: tuple[str, ...]
    over: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Computation:
    """An experiment of a deck's own: lines from top to bottom, each a name and what it becomes. No part of a card: several may name it."""

    title: Text
    compute: Mapping[str, str | Turns]
    parameters: Mapping[str, ComputedParameter] = field(default_factory=dict)
    arms: Arms | None = None
    figures: tuple[ComputedFigure, ...] = ()
    labels: Mapping[str, Text] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def lines(self) -> Mapping[str, str]:
        """Every line by the name that it makes, those of turns too."""
        found: dict[str, str] = {}
        for name, line in self.compute.items():
            found |= {**line.do, name: line.keep} if isinstance(line, Turns) else {name: line}
        return found


@dataclass(frozen=True, slots=True)
class Claim(Part):
    """A sentence of the answer and the expression that decides whether it is true."""

    says: Text
    check: str


@dataclass(frozen=True, slots=True)
class Verification(Part):
    """The run that stands behind an answer."""

    experiment: str
    set: Mapping[str, str] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    computation: Computation | None = field(default=None, compare=False)  # the deck's own experiment of this name

    def checks(self) -> Iterator[tuple[int, str]]:
        """What each claim checks, with its place."""
        return ((place, claim.check) for place, claim in enumerate(self.claims) if claim.check != UNREAD)


@dataclass(frozen=True, slots=True)
class Card(Part):
    """One question."""

    id: str
    question: Text
    formerly: tuple[str, ...] = ()
    kind: Kind = "explain"
    level: int = 2
    asked: int | None = None
    tags: tuple[str, ...] = ()
    predict: Predict | None = None
    options: tuple[Option, ...] = ()
    number: Number | None = None
    order: tuple[Text, ...] = ()
    code: Code | None = None
    key_points: tuple[Text, ...] = ()
    answer: Text | None = None
    detail: Text | None = None
    formula: str | None = None
    trap: Text | None = None
    verify: Verification | None = None
    follow_ups: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    checked: date | None = None


@dataclass(frozen=True, slots=True)
class Deck(Part):
    """One YAML file; its defaults stand in its cards."""

    deck: str
    title: Text
    cards: tuple[Card, ...]
    formerly: tuple[str, ...] = ()
    format: int = FORMAT
    experiments: Mapping[str, Computation] = field(default_factory=dict)


def with_computations(deck: Deck) -> Deck:
    """The deck, with its own computations at hand in the cards that they stand behind."""
    if not deck.experiments:
        return deck
    return replace(deck, cards=tuple(_with_computation(card, deck.experiments) for card in deck.cards))


def _with_computation(card: Card, experiments: Mapping[str, Computation]) -> Card:
    if card.verify is None or card.verify.experiment not in experiments:
        return card
    return replace(card, verify=replace(card.verify, computation=experiments[card.verify.experiment]))
