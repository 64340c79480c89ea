"""What a figure is of: the parts of a run that it names, and where the sliders stand."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

from engine.assemble import COUNTER
from engine.experiment import Description
from engine.figures import Figure, Kind
from engine.label import Label
from engine.parameter import Value
from engine.result import Matrix, Quantity, Result, Series, Table
from quiz.words.i18n import Words

Part = TypeVar("Part", Matrix, Quantity, Series, Table)

OF_ROWS: frozenset[Kind] = frozenset({"bars", "heatmap", "strip", "waves"})  # to these a series is a matrix of one row
DRAWS: Mapping[Kind, tuple[str, ...]] = {  # what a kind can draw; where it is not named, whatever there is
    "bars": ("matrices", "quantities"), "heatmap": ("matrices",), "strip": ("matrices",), "waves": ("matrices",), "grid": ("matrices",),
    "curve": ("series",), "tree": ("tables",), "merges": ("tables",), "table": ("tables",),
}  # fmt: skip


@dataclass(frozen=True)
class Cursor:
    """Where a person is in a figure that can be walked through; drawn on paper a figure has none.

    `part` counts its panels, `row` and `column` are in that one; `stage` is where a walk-through stands. Without `focused` the figure
    shows that it can be entered, and no cell is marked.
    """

    part: int = 0
    row: int = 0
    column: int = 0
    opened: bool = False
    stage: int = 0
    focused: bool = True

    def within(self, part: int) -> tuple[int, int] | None:
        """The cell of a panel that is marked."""
        return (self.row, self.column) if self.focused and self.part == part else None


class Guess(NamedTuple):
    """What somebody expects a quantity to be."""

    quantity: str
    number: float


@dataclass(frozen=True)
class Subject:
    """A declared figure of a run. `sorted_by` is the run that decides the order of bars: while a slider moves, the first.

    `guess` is marked where its quantity is drawn; `ghost` is another run that this one is held against, faint. Of a `covered` figure
    nothing measured is seen: axes, names, where the slider stands.
    """

    figure: Figure
    description: Description | None
    result: Result
    values: Mapping[str, Value]
    sorted_by: Result | None = None
    guess: Guess | None = None
    covered: bool = False
    ghost: Result | None = None

    @cached_property
    def quantities(self) -> list[Quantity]:
        return named(self.figure.shows, self.result.quantities)

    @cached_property
    def series(self) -> list[Series]:
        return named(self.figure.shows, self.result.series)

    @cached_property
    def matrices(self) -> list[Matrix]:
        rows = map(_as_row, self.result.series) if self.figure.kind in OF_ROWS else ()
        return named(self.figure.shows, (*self.result.matrices, *rows))

    @cached_property
    def tables(self) -> list[Table]:
        return named(self.figure.shows, self.result.tables)

    @cached_property
    def every_matrix(self) -> dict[str, Matrix]:
        """All of the run, for what a cell was made of."""
        return {matrix.name: matrix for matrix in self.result.matrices}

    @cached_property
    def places(self) -> dict[object, Any]:
        """Where its matrices are, by what that depends on: asked for by width, by height and by the drawing in turn."""
        return {}

    @property
    def mark(self) -> Quantity | None:
        return next(iter(named((self.figure.mark,), self.result.quantities)), None)

    def guess_of(self, name: str) -> float | None:
        """The number that is marked for a quantity."""
        return self.guess.number if self.guess and self.guess.quantity == name else None

    @property
    def at(self) -> float | None:
        """Where the slider of `over` stands, or that of the parameter which the x axis is named after."""
        for parameter in self.description.parameters if self.description else ():
            axis = self.series[0].x_label if self.series and not self.figure.over else None
            if parameter.name == self.figure.over or (axis and (axis == parameter.label or axis.en == parameter.name)):
                value = self.values.get(parameter.name, parameter.default)
                return float(value) if isinstance(value, int | float) else None
        return None

    @property
    def is_there(self) -> bool:
        """Whether the run has any of it that its kind can draw: a long one brings its figures one by one, and a deck may name others."""
        parts = DRAWS.get(self.figure.kind, ("quantities", "series", "matrices", "tables"))
        return any(getattr(self, part) for part in parts) or (self.figure.kind == "steps" and bool(self.result.steps))


def named(shows: Sequence[str], parts: Sequence[Part]) -> list[Part]:
    """The parts with these names, in their order; a name that counts takes its whole family."""
    return [part for name in shows for part in parts if part.name == name or ("{" in name and _family(name).fullmatch(part.name))]


def _as_row(series: Series) -> Matrix:
    return Matrix(series.name, (series.y,), series.label, ("",), tuple(f"{x:g}" for x in series.x), arm=series.arm)


@lru_cache(maxsize=256)
def _family(name: str) -> re.Pattern[str]:
    first, last = COUNTER.split(name)[0], COUNTER.split(name)[-1]
    return re.compile(rf"{re.escape(first)}\d+{re.escape(last)}")


def named_in(matrix: Matrix, words: Words) -> Matrix:
    """The matrix with the names of its rows and columns in one language: 小猫 for one reader is kitten for another."""
    rows, columns = (
        tuple(words.label(name) if isinstance(name, Label) else name for name in names) for names in (matrix.rows, matrix.columns)
    )
    return replace(matrix, rows=rows, columns=columns)
