"""What a run has measured, as plain Python numbers under names: quantities, curves, matrices, tables and steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from engine.label import Label


@dataclass(frozen=True)
class Quantity:
    """One measured number. `arm` says which way of computing it belongs to; colour and comparison follow from it."""

    name: str
    value: float
    label: Label
    unit: str = ""
    arm: Literal["", "right", "wrong"] = ""


@dataclass(frozen=True)
class Series:
    """A curve. Series of the same `figure` share their axes."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    label: Label
    x_label: Label
    figure: str = ""
    log_x: bool = False
    arm: Literal["", "right", "wrong"] = ""


@dataclass(frozen=True)
class Matrix:
    """A named array, row by row. `product_of=(A, B)` says each cell is a row of A times a column of B (B already transposed if needed).

    `factor` is what the dot product is multiplied with; a reader can open a cell and see its terms. `made_of=(formula, S, ...)` says that
    it was made cell by cell or row by row of the first of these matrices that there is, times `factor`; `forbidden` why a cell may be
    blank.
    A cell may be -inf, a score that a mask forbids; nan and +inf never occur.
    """

    name: str
    values: tuple[tuple[float, ...], ...]
    label: Label
    rows: tuple[Label | str, ...]
    columns: tuple[Label | str, ...]  # a plain name is the same in all languages
    formula: str = ""  # LaTeX
    kind: Literal["weights", "signed", "magnitude"] = "signed"
    product_of: tuple[str, str] | None = None
    factor: float = 1.0
    arm: Literal["", "right", "wrong"] = ""
    made_of: tuple[str, ...] = ()
    forbidden: Label | None = None


@dataclass(frozen=True)
class Table:
    name: str
    label: Label
    columns: tuple[Label, ...]
    rows: tuple[tuple[float | str | Label, ...], ...]


@dataclass(frozen=True)
class Step:
    """One line of a walk-through: a formula (LaTeX), the shape it gives, the matrix it made, and why; `code` is the same in torch."""

    label: Label
    formula: str = ""
    shape: tuple[int, ...] = ()
    matrix: str = ""
    code: str = ""


@dataclass(frozen=True)
class Result:
    """Everything a run measured, as plain Python numbers; equal parameters give an equal Result.

    `timings` are the exception: how long something took on this machine, now. They are shown, but no two runs agree on them, so they
    count neither for equality nor for claims.
    """

    quantities: tuple[Quantity, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    series: tuple[Series, ...] = ()
    tables: tuple[Table, ...] = ()
    steps: tuple[Step, ...] = ()
    notes: tuple[Label, ...] = ()
    timings: tuple[Quantity, ...] = field(default=(), compare=False)

    def scope(self) -> dict[str, object]:
        """The names a claim or a live number may use: quantities as floats, series (their y) and matrices as tuples."""
        names: dict[str, object] = {quantity.name: quantity.value for quantity in self.quantities}
        names.update({series.name: series.y for series in self.series})
        names.update({matrix.name: matrix.values for matrix in self.matrices})
        return names


@dataclass(frozen=True)
class Progress:
    """What a long run yields on its way: how far it is (0..1) and what can already be drawn."""

    fraction: float
    result: Result = field(default_factory=Result)
