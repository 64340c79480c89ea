"""A whole Result, figure by figure: those that are declared, the hero first, then what no figure names, then the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment

from engine.experiment import Description
from engine.figures import Figure
from engine.parameter import Value
from engine.result import Quantity, Result
from quiz.charts import table as tables
from quiz.charts.figures.heatmap import USUAL
from quiz.charts.figures.kinds import draw_figure, figure_wish
from quiz.charts.figures.numbers import numbers_rows
from quiz.charts.figures.subject import Subject, named
from quiz.charts.flow import Wish, flow, side_by_side
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph

TALLEST = USUAL  # rows for one picture of a figure

Draw = Callable[[int, Pen], list[Row]]  # a width in characters, a pen -> rows


def subjects(description: Description | None, result: Result, values: Mapping[str, Value], first: Result | None = None) -> list[Subject]:
    """What is drawn of a run, in its order. `first` is the run that bars stay sorted by."""
    declared = description.figures if description else ()
    there = [one for figure in declared if (one := Subject(figure, description, result, values, first)).is_there]
    rest = _undeclared([one.figure for one in there], result)
    return there + [one for figure in rest if (one := Subject(figure, description, result, values, first)).is_there]


def _undeclared(declared: Sequence[Figure], result: Result) -> Iterator[Figure]:
    """A figure for each matrix, each set of axes, each table and the steps that no figure names."""
    shows = [name for figure in declared for name in figure.shows]
    drawn = {one.name for one in named(shows, result.matrices)} | {one.name for one in named(shows, result.series)}
    drawn |= {one.name for one in named(shows, result.tables)}
    for matrix in result.matrices:
        if matrix.name not in drawn:
            yield Figure("heatmap", (matrix.name,))
    axes: dict[str, tuple[str, ...]] = {}
    for series in result.series:
        if series.name not in drawn:
            key = series.figure or series.name
            axes[key] = (*axes.get(key, ()), series.name)
    yield from (Figure("curve", names) for names in axes.values())
    yield from (Figure("table", (table.name,)) for table in result.tables if table.name not in drawn)
    if result.steps and not any(figure.kind == "steps" for figure in declared):
        yield Figure("steps", ())


def timings_rows(timings: Sequence[Quantity], width: int, pen: Pen) -> list[Row]:
    """Numbers of this machine and this moment, set apart from those that are the same everywhere."""
    return [*paragraph(pen.words("lab.timings"), width, pen.look, QUIET), *tables.quantities(timings, width, pen.look, pen.words)]


def blocks(result: Result, numbers: Draw) -> dict[str, Draw]:
    """How to draw what stands below the figures, by its key."""
    drawn: dict[str, Draw] = {}
    if result.quantities:
        drawn["numbers"] = numbers
    if result.timings:
        drawn["timings"] = partial(timings_rows, result.timings)
    if result.notes:
        drawn["notes"] = lambda width, pen: tables.notes(result.notes, width, pen.look, pen.words)
    return drawn


@dataclass(frozen=True)
class ResultPicture:
    """All figures of a Result, for `console.print`, with a blank line between them."""

    result: Result
    pen: Pen
    description: Description | None = None
    values: Mapping[str, Value] | None = None

    def rows(self, width: int) -> list[Row]:
        """The rows, none wider than `width`."""
        figures: list[tuple[Wish, Draw]] = []
        for at, subject in enumerate(subjects(self.description, self.result, self.values or {})):
            kind = subject.figure.kind if at else "hero"  # which stands alone
            figures.append(((kind, figure_wish(subject, width, self.pen)), partial(_drawn, subject)))
        figures += [((key, width), draw) for key, draw in blocks(self.result, self._numbers).items()]
        rows: list[Row] = []
        for shelf in flow([wish for wish, _ in figures], width):
            drawn = [figures[spot.index][1](spot.width, self.pen) for spot in shelf]
            rows += [[], *side_by_side(drawn, shelf)] if rows else side_by_side(drawn, shelf)
        return rows

    def _numbers(self, width: int, pen: Pen) -> list[Row]:
        return numbers_rows(self.description, self.result, width, pen, everything=True)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for drawn in self.rows(options.max_width):
            yield from drawn
            yield Segment.line()


def _drawn(subject: Subject, width: int, pen: Pen) -> list[Row]:
    return draw_figure(subject, width, TALLEST, pen)
