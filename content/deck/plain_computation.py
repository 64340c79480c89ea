"""A deck's own experiment as plain values: sliders, lines, what is drawn. `content.deck.computation_model` says what may be in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from content.deck.plain_parts import Part, Text
from content.format import FigureKind, Scale


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
