"""What a deck is, once it is known to be one: plain values. `content.deck.model` says what may be in them.

The door to all of them, also to those that stand in the `plain_` modules beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from content.deck.plain_computation import Arms, Computation, ComputedFigure, ComputedParameter, Turns
from content.deck.plain_parts import Part, Text, Tolerance
from content.deck.plain_run import UNREAD, Claim, Preset, Run, Setting, Verification, run_place
from content.format import FORMAT, Kind

if TYPE_CHECKING:
    from datetime import date


# fmt: off
__all__ = (
    "UNREAD", "Arms", "Card", "Claim", "Code", "Computation", "ComputedFigure", "ComputedParameter", "Deck", "Number", "Option", "Part",
    "Predict", "Preset", "Run", "Setting", "Text", "Tolerance", "Turns", "Verification", "run_place", "with_computations",
)
# fmt: on

_GUESSED, _KNOWN = Tolerance("20%"), Tolerance("5%")  # how near a guess, and a number, have to be


@dataclass(frozen=True, slots=True)
class Predict(Part):
    """A number to guess before the run shows it."""

    ask: Text
    quantity: str
    within: Tolerance = _GUESSED
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
    within: Tolerance = _KNOWN
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Code(Part):
    """A listing with one wrong line."""

    listing: str
    wrong_line: int
    right: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    compare: str = ""
    agrees: str = ""

    @property
    def correction(self) -> str:
        """The line as it should be, as far to the right as the wrong one, unless it is indented itself."""
        wrong = self.listing.splitlines()[self.wrong_line - 1]
        return self.right if self.right[:1].isspace() else wrong[: len(wrong) - len(wrong.lstrip())] + self.right


@dataclass(frozen=True, slots=True)
class Card(Part):
    """One question."""

    id: str
    question: Text
    hint: tuple[Text, ...] = ()
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
    """One YAML file and those that it includes; their defaults stand in their cards."""

    deck: str
    title: Text
    cards: tuple[Card, ...]
    formerly: tuple[str, ...] = ()
    format: int = FORMAT
    experiments: Mapping[str, Computation] = field(default_factory=dict)
    include: tuple[str, ...] = ()


def with_computations(deck: Deck) -> Deck:
    """The deck, with its own computations at hand in the cards that they stand behind."""
    if not deck.experiments:
        return deck
    return replace(deck, cards=tuple(_with_computation(card, deck.experiments) for card in deck.cards))


def _with_computation(card: Card, experiments: Mapping[str, Computation]) -> Card:
    verify = card.verify
    if verify is None or not any(run.experiment in experiments for run in verify.every_run.values()):
        return card
    runs = {name: replace(run, computation=experiments.get(run.experiment)) for name, run in verify.runs.items()}
    return replace(card, verify=replace(verify, runs=runs, computation=experiments.get(verify.experiment)))
