"""A matrix as coloured cells: with numbers while they can be read, then as tiles, then two cells a character, then pooled."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from content.text.numbers import significant
from engine.result import Matrix
from quiz.charts import cell_numbers
from quiz.charts.colour_scale import Scale, is_blank, painter, scale
from quiz.charts.downsample import Cell, Downsampled, Values, fit_matrix
from quiz.charts.matrix_labels import SUM, column_names, row_name, row_sum, sum_header
from quiz.charts.palette import DENSITY, RGB, ground, halves
from quiz.charts.style import QUIET, STRONG, ChartStyle, Row
from quiz.charts.text import centre, clip

LABEL = 10  # cells for a row's label
COMFORTABLE = 5  # for a number's cell: `.97` with room around it, so that two arms line up
NUMBERED = 12  # rows and columns whose numbers are written at most
WIDEST = 10  # cells for a number's cell
LIT = Style(bold=True, underline=True)


@dataclass(frozen=True)
class Plan:
    """Where the cells of a matrix are on the screen: `across` characters and `1 / down` rows for each, after the labels."""

    pool: Downsampled
    labels: int  # characters before the first cell
    header: int  # rows above the first cell
    across: int
    down: int  # cells in one row of characters: 1, or 2 with half blocks
    draw: Callable[[Plan, Matrix, ChartStyle, Cell | None, Collection[Cell]], list[Row]]
    ends: Scale
    sums: int = 0  # characters for the sums of the rows, after the last cell

    @property
    def numbered(self) -> bool:
        return self.draw is _numbered

    @property
    def height(self) -> int:
        return self.header + -(-self.pool.height // self.down)

    @property
    def width(self) -> int:
        return self.labels + self.pool.width * self.across + self.sums

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The block under a character, for the mouse."""
        if x < self.labels or y < self.header:
            return None
        row, column = (y - self.header) * self.down, (x - self.labels) // self.across
        return (row, column) if row < self.pool.height and column < self.pool.width else None


def heatmap(
    matrix: Matrix,
    width: int,
    height: int,
    look: ChartStyle,
    cursor: Cell | None = None,
    ends: Scale | None = None,
    lit: Collection[Cell] = (),
) -> list[Row]:
    """At most `height` rows of at most `width` characters. `cursor` is a block (row, column) of the plan's pool; `lit` are cells that
    another cell was made of."""
    return draw_plan(plan(matrix, width, height, look, ends), matrix, width, look, cursor, lit)[: max(height, 0)]


def draw_plan(
    placed: Plan, matrix: Matrix, width: int, look: ChartStyle, cursor: Cell | None = None, lit: Collection[Cell] = ()
) -> list[Row]:
    """The matrix as it was planned."""
    return [clip(row, width) for row in placed.draw(placed, matrix, look, cursor, lit)] if width > 0 else []


def plan(matrix: Matrix, width: int, height: int, look: ChartStyle, ends: Scale | None = None) -> Plan:
    """The most readable way to show a matrix in `width` x `height` characters; `ends` where it shares its colours with others."""
    ends = ends or scale(matrix)
    rows, columns = len(matrix.values), len(matrix.values[0]) if matrix.values else 0
    named = min(max((cell_len(look.text(name)) for name in matrix.rows), default=0), LABEL)
    before, header = named + 1 if named else 0, 1 if any(matrix.columns) else 0
    whole = Downsampled(matrix.values, 1, 1)
    if 0 < rows <= NUMBERED and 0 < columns <= NUMBERED and rows + header <= height:
        sums = SUM if matrix.kind == "weights" and columns > 1 else 0
        for labels, margin in ((before, sums), (before, 0), (0, 0)):
            across = _across(matrix, (width - labels - margin) // columns, look)
            if across:
                return Plan(whole, labels, header, across, 1, _numbered, ends, margin)
    header = min(header, max(height - 1, 0))
    labels = before if before + columns * 2 <= width else 0
    if rows + header <= height and columns * 2 <= width:
        return Plan(whole, labels, header, 2, 1, _tiled, ends)
    if look.glyphs.half and look.palette.ramps:
        labels = before if before + min(columns, 16) <= width else 0
        return Plan(fit_matrix(matrix.values, width - labels, 2 * (height - header)), labels, header, 1, 2, _halved, ends)
    labels = before if before + 2 * min(columns, 16) <= width else 0
    return Plan(fit_matrix(matrix.values, (width - labels) // 2, height - header), labels, header, 2, 1, _tiled, ends)


def _across(matrix: Matrix, room: int, look: ChartStyle) -> int:
    """The width of a number's cell: its number, a space at both sides, its label if there is room; 0 if the number does not fit."""
    needed = max(map(cell_len, _written(matrix.values)), default=1) + 2
    wished = max(needed, *(cell_len(look.text(name)) + 1 for name in matrix.columns), COMFORTABLE)
    return min(wished, room, WIDEST) if room >= needed else 0


def _written(values: Values) -> list[str]:
    show = cell_numbers.cell_texts(value for row in values for value in row)
    return [show(value) for row in values for value in row if math.isfinite(value)]


def _numbered(placed: Plan, matrix: Matrix, look: ChartStyle, cursor: Cell | None, lit: Collection[Cell]) -> list[Row]:
    paint, show = painter(matrix.kind, placed.ends, look), cell_numbers.cell_texts(value for row in matrix.values for value in row)
    digits = max(map(cell_len, _written(matrix.values)), default=1)
    rows = [_header(placed, matrix, look, cursor)] if placed.header else []
    for i, values in enumerate(matrix.values):
        row = [row_name(matrix, i, placed.labels, look, cursor)] if placed.labels else []
        for j, value in enumerate(values):
            blank = is_blank(value, matrix.kind) and not value > 0
            text = look.glyphs.masked if blank else show(value) if math.isfinite(value) else significant(value)
            cell = _number_cell(text.rjust(digits), placed.across, paint(value), look, (i, j) == cursor)
            row.extend([Segment(each.text, (each.style or Style()) + LIT) for each in cell] if (i, j) in lit else cell)
        rows.append([*row, row_sum(values, placed.sums)] if placed.sums else row)
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
    names = [matrix.columns[j * placed.pool.columns] for j in range(placed.pool.width)]
    row = [Segment(" " * placed.labels), *column_names(names, placed.across, look, cursor[1] if cursor else None, placed.numbered)]
    return [*row, sum_header(placed.sums, look)] if placed.sums else row


def _tiled(placed: Plan, matrix: Matrix, look: ChartStyle, cursor: Cell | None, lit: Collection[Cell]) -> list[Row]:
    paint = painter(matrix.kind, placed.ends, look)
    rows = [_header(placed, matrix, look, cursor)] if placed.header else []
    for i, values in enumerate(placed.pool.shown()):
        row = [row_name(matrix, i * placed.pool.rows, placed.labels, look, cursor, i)] if placed.labels else []
        row.extend(_tile(value, paint(value), placed.ends, matrix.kind, look) for value in values)
        if cursor and cursor[0] == i:
            at = cursor[1] + (1 if placed.labels else 0)
            row[at] = Segment("".join(look.glyphs.cursor), _cursor_style(row[at].style, look))
        rows.append(row)
    return rows


def _cursor_style(below: Style | None, look: ChartStyle) -> Style:
    return halves(look.palette.cursor, None) + Style(bgcolor=below.bgcolor if below else None) if look.palette.ramps else STRONG


def _tile(value: float, below: RGB | None, ends: Scale, kind: str, look: ChartStyle) -> Segment:
    """Two characters of one colour; without colours a sign and a density."""
    if is_blank(value, kind):
        return Segment(look.glyphs.masked + " ", QUIET)
    if below:
        return Segment("  ", ground(below))
    strength = abs(value) / ends.high if kind == "signed" else ends.level(value)
    mark = DENSITY[round(strength * (len(DENSITY) - 1))]
    sign = mark if kind != "signed" else " " if mark == " " else "-" if value < 0 else "+"
    return Segment(sign + mark)


def _halved(placed: Plan, matrix: Matrix, look: ChartStyle, cursor: Cell | None, lit: Collection[Cell]) -> list[Row]:
    paint = painter(matrix.kind, placed.ends, look)
    colours = [[paint(value) for value in row] for row in placed.pool.shown()]
    if cursor:
        colours[cursor[0]][cursor[1]] = look.palette.cursor
    if len(colours) % 2:
        colours.append([None] * len(colours[0]))
    rows = [_header(placed, matrix, look, cursor)] if placed.header else []
    for i, (above, below) in enumerate(zip(colours[::2], colours[1::2], strict=True)):
        name = [row_name(matrix, 2 * i * placed.pool.rows, placed.labels, look, cursor, 2 * i)] if placed.labels else []
        rows.append([*name, *merge_halves(zip(above, below, strict=True), look)])
    return rows


def merge_halves(pairs: Iterable[tuple[RGB | None, RGB | None]], look: ChartStyle) -> Row:
    """Two rows of colours in one of characters; neighbours of one colour become one segment."""
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
