"""What a deck is, once it is known to be one: plain values. `content.deck.model` says what may be in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from content.deck.plain_parts import Part, Text, Tolerance
from content.format import FORMAT, FigureKind, Kind, Scale

if TYPE_CHECKING:
    from datetime import date


# fmt: off
__all__ = (
    "UNREAD", "Arms", "Card", "Claim", "Code", "Computation", "ComputedFigure", "ComputedParameter", "Deck", "Number", "Option", "Part",
    "Predict", "Preset", "Run", "Setting", "Text", "Tolerance", "Turns", "Verification", "run_place", "with_computations",
)
# fmt: on

Setting = str | Text  # what a run's parameter is set to, or that for each language
_GUESSED, _KNOWN = Tolerance("20%"), Tolerance("5%")  # how near a guess, and a number, have to be
UNREAD = "\0"  # the check of a claim whose own was refused: no file can hold this


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


def settings(written: Mapping[str, Setting], language: str) -> dict[str, str]:
    """What is set for who reads a language."""
    return {name: value.said(language) if isinstance(value, Text) else value for name, value in written.items()}


@dataclass(frozen=True, slots=True)
class Preset(Part):
    """A setting of the card's own run worth trying: `check` proves what is to be seen there."""

    name: Text
    set: Mapping[str, Setting]
    watch: Text
    check: str

    def settings(self, language: str) -> dict[str, str]:
        """What it sets for who reads a language."""
        return settings(self.set, language)


@dataclass(frozen=True, slots=True)
class Run(Part):
    """An experiment with its settings; over several seeds, its numbers are medians."""

    experiment: str
    set: Mapping[str, Setting] = field(default_factory=dict)
    seeds: int = 1
    computation: Computation | None = field(default=None, compare=False)  # the deck's own experiment of this name

    def settings(self, language: str) -> dict[str, str]:
        """What is set for who reads a language."""
        return settings(self.set, language)


@dataclass(frozen=True, slots=True)
class Verification(Part):
    """What stands behind an answer: one run, or several by their names, of which the first is the card's own.

    `show` names something that the card's picture draws, `caption` is the sentence below it; without them and without `presets`, the
    experiment's own stand there.
    """

    experiment: str = ""
    set: Mapping[str, Setting] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    seeds: int = 1
    runs: Mapping[str, Run] = field(default_factory=dict)
    show: str = ""
    caption: Text | None = None
    presets: tuple[Preset, ...] = ()
    computation: Computation | None = field(default=None, compare=False)

    @property
    def every_run(self) -> Mapping[str, Run]:
        """The runs by their names; one alone has none."""
        return self.runs or {"": Run(self.experiment, self.set, self.seeds, self.computation)}

    @property
    def own(self) -> Run:
        """The run that the lab shows."""
        return next(iter(self.every_run.values()))

    def settings(self, language: str) -> dict[str, str]:
        """What is set, as texts may name it: the own run's parameters alone, those of every named run behind its name."""
        named = {f"{run}.{name}": value for run, one in self.runs.items() for name, value in one.settings(language).items()}
        return self.own.settings(language) | named

    def checks(self) -> Iterator[tuple[tuple[str, int], str]]:
        """What each claim and each preset checks, with its place."""
        parts: tuple[tuple[str, tuple[Claim | Preset, ...]], ...] = (("claims", self.claims), ("presets", self.presets))
        return (((key, place), part.check) for key, named in parts for place, part in enumerate(named) if part.check != UNREAD)


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


def run_place(name: str) -> tuple[str, ...]:
    """Where a run stands in its card."""
    return ("verify", "runs", name) if name else ("verify",)


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
