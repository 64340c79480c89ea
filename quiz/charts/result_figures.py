"""A whole Result, figure by figure, in the order of the Result; and as one thing that a rich console prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment

from engine.experiment import Description
from engine.label import Label
from engine.parameter import Value
from engine.result import Matrix, Quantity, Result, Series, Table
from quiz.charts import table as tables
from quiz.charts.axes import shared
from quiz.charts.curve import curve
from quiz.charts.downsample import Cell
from quiz.charts.flow import Wish, flow, side_by_side
from quiz.charts.heatmap import heatmap, plan
from quiz.charts.legend import extent, headline, legend, shrunk_text, under_cursor
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import cut
from quiz.words.i18n import Words

TALLEST = 16  # rows for a heatmap
CURVE = 8  # rows for a curve, its axis included
CURVE_WISH = 56  # characters


Draw = Callable[[int, Pen], list[Row]]  # a width in characters, a pen -> rows


def curves(result: Result) -> dict[str, tuple[Series, ...]]:
    """The series by figure, in the order of their first appearance; a series without a figure is one of its own."""
    figures: dict[str, tuple[Series, ...]] = {}
    for series in result.series:
        key = series.figure or series.name
        figures[key] = (*figures.get(key, ()), series)
    return figures


def marker(series: tuple[Series, ...], description: Description | None, values: Mapping[str, Value]) -> float | None:
    """The present value of the parameter that a figure's x axis shows: the one with the axis' name or label."""
    for parameter in description.parameters if description else ():
        if series[0].x_label == parameter.label or series[0].x_label.en == parameter.name:
            value = values.get(parameter.name, parameter.default)
            return float(value) if isinstance(value, int | float) else None
    return None


def named_in(matrix: Matrix, words: Words) -> Matrix:
    """The matrix with the names of its rows and columns in one language: 小猫 for one reader is kitten for another."""
    rows, columns = (
        tuple(words.label(name) if isinstance(name, Label) else name for name in names) for names in (matrix.rows, matrix.columns)
    )
    return replace(matrix, rows=rows, columns=columns)


def matrix_wish(matrix: Matrix, width: int, pen: Pen) -> int:
    """How wide a heatmap wants to be: its cells and its title."""
    matrix = named_in(matrix, pen.words)
    placed = plan(matrix, width, TALLEST, pen.look)
    return min(max(placed.width, extent(pen.words.label(matrix.label), matrix.arm, [], pen.look)), width)


def matrix_rows(matrix: Matrix, width: int, pen: Pen, cursor: Cell | None = None) -> list[Row]:
    """A heatmap below its headline, which under a cursor says the cell's value; a line below says if cells were pooled."""
    matrix = named_in(matrix, pen.words)
    placed, label = plan(matrix, width, TALLEST, pen.look), pen.words.label(matrix.label)
    aside = under_cursor(matrix, placed.pool.cell(*cursor), pen.look, pen.words) if cursor else legend(matrix, placed, pen.look)
    wide = extent(label, matrix.arm, aside, pen.look)
    if wide > width and not cursor:
        aside = []  # a title is worth more than a legend
    title = headline(label, matrix.arm, min(width, max(placed.width, wide)), pen.look, aside)
    pooled = shrunk_text(placed, pen.look, pen.words)
    below = [[Segment(cut(pooled, width, pen.look), QUIET)]] if pooled else []
    return [title, *heatmap(matrix, width, TALLEST, pen.look, cursor), *below]


def curve_rows(series: tuple[Series, ...], at: float | None, width: int, pen: Pen) -> list[Row]:
    """Curves below what their labels have in common."""
    title = shared([pen.words.label(line.label) for line in series])[0]
    above = [headline(title, "", width, pen.look, [])] if title else []
    return [*above, *curve(series, width, CURVE, pen.look, pen.words, at)]


def blocks(result: Result) -> dict[str, Draw]:
    """How to draw what is neither a matrix nor a curve, by its key."""
    drawn: dict[str, Draw] = {}
    if result.quantities:
        drawn["quantities"] = lambda width, pen: tables.quantities(result.quantities, width, pen.look, pen.words)
    if result.timings:
        drawn["timings"] = partial(_timings, result.timings)
    for data in result.tables:
        drawn[f"table {data.name}"] = partial(_titled_table, data)
    if result.steps:
        drawn["steps"] = lambda width, pen: tables.steps(result.steps, width, pen.look, pen.words, pen.typeset)
    if result.notes:
        drawn["notes"] = lambda width, pen: tables.notes(result.notes, width, pen.look, pen.words)
    return drawn


def _titled_table(data: Table, width: int, pen: Pen) -> list[Row]:
    return [headline(pen.words.label(data.label), "", width, pen.look, []), *tables.table(data, width, pen.look, pen.words)]


def _timings(timings: Sequence[Quantity], width: int, pen: Pen) -> list[Row]:
    """Numbers of this machine and this moment, set apart from those that are the same everywhere."""
    title = [Segment(cut(pen.words("lab.timings"), width, pen.look), QUIET)]
    return [title, *tables.quantities(timings, width, pen.look, pen.words)]


@dataclass(frozen=True)
class ResultPicture:
    """All figures of a Result, for `console.print`, with a blank line between them."""

    result: Result
    pen: Pen
    description: Description | None = None
    values: Mapping[str, Value] | None = None

    def rows(self, width: int) -> list[Row]:
        """The rows, none wider than `width`."""
        pen = self.pen
        figures: list[tuple[Wish, Draw]] = []
        for matrix in self.result.matrices:
            figures.append((("matrix", matrix_wish(matrix, width, pen)), partial(matrix_rows, matrix)))
        for series in curves(self.result).values():
            at = marker(series, self.description, self.values or {})
            figures.append((("curve", min(CURVE_WISH, width)), partial(curve_rows, series, at)))
        figures += [(("", width), draw) for draw in blocks(self.result).values()]
        rows: list[Row] = []
        for shelf in flow([wish for wish, _ in figures], width):
            drawn = [figures[spot.index][1](spot.width, pen) for spot in shelf]
            rows += [[], *side_by_side(drawn, shelf)] if rows else side_by_side(drawn, shelf)
        return rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for drawn in self.rows(options.max_width):
            yield from drawn
            yield Segment.line()
