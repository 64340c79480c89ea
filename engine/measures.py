"""What a run measures, declared once: names, words in both languages, units, ranges, the way of computing. `run` returns the numbers.

A text may hold the run's own values: `{groups}` is a parameter, or whatever `run` returned under that name (a Label speaks both languages).
Names of rows, columns and families count: `q{1}` is q1, q2, ...; `h{0}` is h0, h1, ...; `{tokens}` alone takes the run's own list of names.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from engine.conditions import comparisons
from engine.label import Label

Arm = Literal["", "right", "wrong"]
Range = tuple[float, float]

ANY: Range = (-math.inf, math.inf)
NOT_NEGATIVE: Range = (0, math.inf)
SHARE: Range = (0, 1)
PERCENT: Range = (0, 100)
YES_OR_NO: Range = (0, 1)


@dataclass(frozen=True)
class Scalar:
    """One number. `within` is the range that it can have whatever the parameters are; `timed` says it is a duration of this machine."""

    name: str
    label: Label
    unit: str = ""
    within: Range = NOT_NEGATIVE
    arm: str = ""  # an Arm, or "{name}" where the run decides
    timed: bool = False


@dataclass(frozen=True)
class Curve:
    """A line; the run gives (x, y). Curves of the same `figure` share their axes."""

    name: str
    label: Label
    x_label: Label
    figure: str = ""
    log_x: bool = False
    arm: str = ""


@dataclass(frozen=True)
class Grid:
    """A matrix, or a family of them where the name counts (`head_{1}`, from a tensor with one more dimension)."""

    name: str
    label: Label
    rows: str | tuple[str, ...]
    columns: str | tuple[str, ...]
    formula: str = ""  # LaTeX
    kind: Literal["weights", "signed", "magnitude"] = "signed"
    product_of: tuple[str, str] | None = None
    factor: float | str = 1.0  # a number, or "{name}"
    arm: str = ""
    made_of: tuple[str, ...] = ()  # ("softmax", S): rows of S, times factor; ("mask", S): S, with -inf where it is forbidden
    forbidden: Label | None = None  # why a blank cell is blank


@dataclass(frozen=True)
class Rows:
    """A table. Where `rows` are named here, the run gives their cells only, in this order; a plain text is the same in all languages."""

    name: str
    label: Label
    columns: tuple[Label, ...]
    rows: tuple[Label | str, ...] = ()


@dataclass(frozen=True)
class Walk:
    """One step of a walk-through. `shape` is made of numbers and of names; with `when` it is shown where the run returned True under it.

    `code` is the line of torch that makes the matrix of those of the steps before.
    """

    label: Label
    formula: str = ""
    shape: tuple[int | str, ...] = ()
    matrix: str = ""
    when: str = ""
    code: str = ""


@dataclass(frozen=True)
class Note:
    """A sentence that is shown where `when` is true of the run's own numbers (see conditions); an empty one always is."""

    name: str
    when: str
    label: Label

    def __post_init__(self) -> None:
        comparisons(self.when)  # raises ValueError: a slip of the pen breaks the experiment, not a run of it


LATER = Label("a later key, and a query sees none", "键在查询之后，查询看不到")  # why a causal mask forbids a cell

Measure = Scalar | Curve | Grid | Rows | Walk | Note


def right(name: str, en: str, zh: str, unit: str = "", within: Range = NOT_NEGATIVE) -> Scalar:
    """A number of the right way of computing."""
    return Scalar(name, Label(en, zh), unit, within, "right")


def wrong(name: str, en: str, zh: str, unit: str = "", within: Range = NOT_NEGATIVE) -> Scalar:
    """A number of the wrong way."""
    return Scalar(name, Label(en, zh), unit, within, "wrong")


def measured(name: str, en: str, zh: str, unit: str = "", within: Range = NOT_NEGATIVE) -> Scalar:
    """A number that belongs to neither way."""
    return Scalar(name, Label(en, zh), unit, within)


def timed(name: str, en: str, zh: str, unit: str = "", arm: Arm = "") -> Scalar:
    """How long something took: shown, and never compared, claimed or repeated."""
    return Scalar(name, Label(en, zh), unit, NOT_NEGATIVE, arm, timed=True)


def note(name: str, when: str, en: str, zh: str) -> Note:
    return Note(name, when, Label(en, zh))
