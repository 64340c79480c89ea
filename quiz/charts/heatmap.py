"""A matrix as coloured cells: with numbers while they can be read, then as tiles, then two cells a character, then pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from content.text.numbers import significant
from engine.result import Matrix
from quiz.charts import cell_numbers
from quiz.charts.colour_scale import READABLE, Scale, painter, scale
from quiz.charts.downsample import Cell, Downsampled, Values, fit_matrix
from quiz.charts.palette import DENSITY, RGB, ground, halves
from quiz.charts.style import QUIET, STRONG, ChartStyle, Row
from quiz.charts.text import centre, clip, left

LABEL = 10  # cells for a row's label
COMFORTABLE = 5  # for a number's cell: `.97` with room around it, so that two arms line up
WIDEST = 10  # cells for a number's cell


@dataclass(frozen=True)
class Plan:
    """Where the cells of a matrix are on the screen: `across` characters and `1 / down` rows for each, after the labels."""

    pool: Downsampled
    labels: int  # characters before the first cell
    header: int  # rows above the first cell
    across: int
    down: int  # cells in one row of characters: 1, or 2 with half blocks
    draw: Callable[[Plan, Matrix, ChartStyle, Cell | None], list[Row]]

    @property
    def numbered(self) -> bool:
        return self.draw is _numbered

    @property
    def height(self) -> int:
        return self.header + -(-self.pool.height // self.down)

    @property
    def width(self) -> int:
        return self.labels + self.pool.width * self.across

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The block under a character, for the mouse."""
        if x < self.labels or y < self.header:
            return None
        row, column = (y - self.header) * self.down, (x - self.labels) // self.across
        return (row, column) if row < self.pool.height and column < self.pool.width else None


def heatmap(matrix: Matrix, width: int, height: int, look: ChartStyle, cursor: Cell | None = None) -> list[Row]:
    """At most `height` rows of at most `width` characters. `cursor` is a block (row, column) of the plan's pool."""
    placed = plan(matrix, width, height, look)
    return [clip(row, width) for row in placed.draw(placed, matrix, look, cursor)][: max(height, 0)] if width > 0 else []


def plan(matrix: Matrix, width: int, height: int, look: ChartStyle) -> Plan:
    """The most readable way to show a matrix in `width` x `height` characters."""
    rows, columns = len(matrix.values), len(matrix.values[0]) if matrix.values else 0
    named = min(max((cell_len(look.text(name)) for name in matrix.rows), default=0), LABEL)
    if 0 < rows <= READABLE and 0 < columns <= READABLE:
        header = 1 if any(matrix.columns) else 0
        for labels in (named + 1 if named else 0, 0):
            across = _across(matrix, (width - labels) // columns, look)
            if across and rows + header <= height:
                return Plan(Downsampled(matrix.values, 1, 1), labels, header, across, 1, _numbered)
    if rows <= height and columns * 2 <= width:
        labels = named + 1 if named and named + 1 + columns * 2 <= width else 0
        return Plan(Downsampled(matrix.values, 1, 1), labels, 0, 2, 1, _tiled)
    if look.glyphs.half and look.palette.ramps:
        return Plan(fit_matrix(matrix.values, width, 2 * height), 0, 0, 1, 2, _halved)
    return Plan(fit_matrix(matrix.values, width // 2, height), 0, 0, 2, 1, _tiled)


def _across(matrix: Matrix, room: int, look: ChartStyle) -> int:
    """The width of a number's cell: its number, a space at both sides, its label if there is room; 0 if the number does not fit."""
    needed = max(map(cell_len, _written(matrix.values)), default=1) + 2
    wished = max(needed, *(cell_len(look.text(name)) + 1 for name in matrix.columns), COMFORTABLE)
    return min(wished, room, WIDEST) if room >= needed else 0


def _written(values: Values) -> list[str]:
    show = cell_numbers.cell_texts(value for row in values for value in row)
    return [show(value) for row in values for value in row if math.isfinite(value)]


def _numbered(placed: Plan, matrix: Matrix, look: ChartStyle, cursor: Cell | None) -> list[Row]:
    paint, show = painter(matrix, look), cell_numbers.cell_texts(value for row in matrix.values for value in row)
    digits = max(map(cell_len, _written(matrix.values)), default=1)
    rows = [_header(placed, matrix, look, cursor)] if placed.header else []
    for i, values in enumerate(matrix.values):
        row = [_row_label(placed, matrix, look, i, cursor)] if placed.labels else []
        for j, value in enumerate(values):
            text = show(value) if math.isfinite(value) else look.glyphs.masked if value < 0 else significant(value)
            row.extend(_number_cell(text.rjust(digits), placed.across, paint(value), look, (i, j) == cursor))
        rows.append(row)
    return rows


def _number_cell(text: str, across: int, below: RGB | None, look: ChartStyle, chosen: bool) -> Row:
    style = ground(below) if below else QUIET if text.strip() == look.glyphs.masked else None
    if not chosen:
        return [Segment(centre(text, across, look), style)]
    left_mark, right_mark = look.glyphs.cursor
    before = (across - cell_len(text) + 1) // 2
    frame = halves(look.palette.cursor, below) if below else STRONG
    return [
        Segment(" " * (before - 1), style),
        Segment(left_mark, frame),
        Segment(text, (style or Style()) + STRONG),
        Segment(right_mark, frame),
        Segment(" " * (across - before - cell_len(text) - 1), style),
    ]


def _header(placed: Plan, matrix: Matrix, look: ChartStyle, cursor: Cell | None) -> Row:
    names = [
        Segment(centre(look.text(name), placed.across, look), STRONG if cursor and cursor[1] == j else QUIET)
        for j, name in enumerate(matrix.columns)
    ]
    return [Segment(" " * placed.labels), *names]


def _row_label(placed: Plan, matrix: Matrix, look: ChartStyle, row: int, cursor: Cell | None) -> Segment:
    name = look.text(matrix.rows[row]) if row < len(matrix.rows) else ""
    return Segment(left(name, placed.labels - 1, look) + " ", STRONG if cursor and cursor[0] == row else QUIET)


def _tiled(placed: Plan, matrix: Matrix, look: ChartStyle, cursor: Cell | None) -> list[Row]:
    paint, ends = painter(matrix, look), scale(matrix)
    rows = []
    for i, values in enumerate(placed.pool.shown()):
        row = [_row_label(placed, matrix, look, i, cursor)] if placed.labels else []
        row.extend(_tile(value, paint(value), ends, matrix.kind, look) for value in values)
        if cursor and cursor[0] == i:
            at = cursor[1] + (1 if placed.labels else 0)
            row[at] = Segment("".join(look.glyphs.cursor), _cursor_style(row[at].style, look))
        rows.append(row)
    return rows


def _cursor_style(below: Style | None, look: ChartStyle) -> Style:
    return halves(look.palette.cursor, None) + Style(bgcolor=below.bgcolor if below else None) if look.palette.ramps else STRONG


def _tile(value: float, below: RGB | None, ends: Scale, kind: str, look: ChartStyle) -> Segment:
    """Two characters of one colour; without colours a sign and a density."""
    if not math.isfinite(value):
        return Segment(look.glyphs.masked + " ", QUIET)
    if below:
        return Segment("  ", ground(below))
    strength = abs(value) / ends.high if kind == "signed" else ends.level(value)
    mark = DENSITY[round(strength * (len(DENSITY) - 1))]
    sign = mark if kind != "signed" else " " if mark == " " else "-" if value < 0 else "+"
    return Segment(sign + mark)


def _halved(placed: Plan, matrix: Matrix, look: ChartStyle, cursor: Cell | None) -> list[Row]:
    paint = painter(matrix, look)
    colours = [[paint(value) for value in row] for row in placed.pool.shown()]
    if cursor:
        colours[cursor[0]][cursor[1]] = look.palette.cursor
    if len(colours) % 2:
        colours.append([None] * len(colours[0]))
    return [_merge(zip(above, below, strict=True), look) for above, below in zip(colours[::2], colours[1::2], strict=True)]


def _merge(pairs: Iterable[tuple[RGB | None, RGB | None]], look: ChartStyle) -> Row:
    """Neighbours of one colour become one segment."""
    row: Row = []
    for above, below in pairs:
        text, style = _half(above, below, look)
        if row and row[-1].style is style:
            row[-1] = Segment(row[-1].text + text, style)
        else:
            row.append(Segment(text, style))
    return row


def _half(above: RGB | None, below: RGB | None, look: ChartStyle) -> tuple[str, Style]:
    if above is None and below is None:
        return look.glyphs.masked, QUIET
    if above is None:
        return "▄", halves(below, None)
    return look.glyphs.half, halves(above, below)
