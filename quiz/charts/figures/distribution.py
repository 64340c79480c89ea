"""A distribution as bars: a row a key, sorted once, the ways of computing beside each other on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from content.text.numbers import significant
from engine.result import Matrix
from quiz.charts.downsample import Cell
from quiz.charts.figures.panel import Panel
from quiz.charts.figures.subject import Cursor, Subject, named, named_in
from quiz.charts.legend import titles, under_cursor
from quiz.charts.level_bars import BarAxis, bar_axis, level_bar, with_mark
from quiz.charts.opened_cell import can_open, opened_cell
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.charts.text import left, paragraph

NUMBER = 9  # characters for a value
NARROWEST = 20  # characters for a way of computing
LONGEST = 40
FEW = 8  # keys that stay in the order in which they were declared
GAP = 2
NAMED = 12  # characters for a key's name at most


def distribution(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    """A matrix a column where they fit, below each other where they do not."""
    shown = [named_in(matrix, pen.words) for matrix in subject.matrices]
    order = order_of(subject)
    named_wide, each = _columns(shown, width, pen)
    ghosts = _ghosts(subject)
    of_kind = {
        one.kind: [value for other in shown if other.kind == one.kind for value in (*other.values[0], *ghosts.get(other.name, ()))]
        for one in shown
    }
    axes: dict[str, BarAxis] = {kind: bar_axis(values, each - NUMBER) for kind, values in of_kind.items()}
    rows: list[Row] = []
    shelves = [shown] if _beside(shown, width, pen) else [[one] for one in shown]
    for shelf in shelves:
        parts = [shown.index(one) for one in shelf]
        rows += _heads(shelf, parts, named_wide, each, pen)
        for row, key in enumerate(order[: max(height - 1, 1)]):
            chosen = cursor is not None and cursor.focused and cursor.row == row
            rows.append(_key(shelf, parts, key, named_wide, axes, pen, chosen, ghosts))
        if len(order) > max(height - 1, 1):
            rows.append([Segment(pen.look.glyphs.more, QUIET)])
    return rows + _below(shown, subject, order, width, pen, cursor)


def _ghosts(subject: Subject) -> dict[str, Sequence[float]]:
    """What the pinned run has for the same keys; a mark at another key's bar would say nothing."""
    before = {one.name: one for one in subject.ghost.matrices} if subject.ghost else {}
    same = [one for one in subject.matrices if one.name in before and before[one.name].columns == one.columns]
    return {one.name: before[one.name].values[0] for one in same}


def order_of(subject: Subject) -> list[int]:
    """The keys, the largest first: by the run that bars are sorted by while it has the same keys."""
    (first, *_), columns = subject.matrices, subject.matrices[0].columns
    if len(columns) <= FEW:
        return list(range(len(columns)))
    earlier = named((first.name,), subject.sorted_by.matrices) if subject.sorted_by else []
    by = earlier[0] if earlier and earlier[0].columns == columns else first
    return sorted(range(len(columns)), key=lambda key: -by.values[0][key])


def panels(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Panel]:
    """One: a row a key, a column a matrix; below each other they are entered as one."""
    if not subject.matrices:
        return []
    shown = [named_in(matrix, pen.words) for matrix in subject.matrices]
    named_wide, each = _columns(shown, width, pen)
    head = max(len(titles(pen.words.label(one.label), one.arm, each, pen.look)) for one in shown)
    count = min(len(shown[0].columns), max(height - 1, 1))
    columns = len(shown) if _beside(shown, width, pen) else 1

    def cell_at(x: int, y: int) -> Cell | None:
        return y, min(max(x - named_wide, 0) // (each + GAP), columns - 1)

    return [Panel(count, columns, 0, head, width, count, cell_at)]


def _beside(shown: Sequence[Matrix], width: int, pen: Pen) -> bool:
    room = width - _named(shown, pen) - GAP * (len(shown) - 1)
    return len({one.columns for one in shown}) == 1 and room // len(shown) >= NARROWEST


def _named(shown: Sequence[Matrix], pen: Pen) -> int:
    return min(max(cell_len(pen.look.text(name)) for one in shown for name in one.columns), NAMED) + 1


def _columns(shown: Sequence[Matrix], width: int, pen: Pen) -> tuple[int, int]:
    """Characters for the names of the keys, and for a matrix."""
    before = _named(shown, pen)
    beside = len(shown) if _beside(shown, width, pen) else 1
    return before, max(min((width - before - GAP * (beside - 1)) // beside, LONGEST + NUMBER), NUMBER + 1)


def _heads(shelf: Sequence[Matrix], parts: Sequence[int], before: int, each: int, pen: Pen) -> list[Row]:
    said = [titles(pen.words.label(one.label), one.arm, each, pen.look) for one in shelf]
    rows: list[Row] = []
    for i in range(max(map(len, said))):
        row: Row = [Segment(" " * before)]
        for part, lines, one in zip(parts, said, shelf, strict=True):
            text = lines[i] if i < len(lines) else ""
            row.append(Segment(left(text, each, pen.look) + " " * GAP, (_colour(one, part, pen) or Style()) + STRONG))
        rows.append(row)
    return rows


def _key(
    shelf: Sequence[Matrix],
    parts: Sequence[int],
    key: int,
    before: int,
    axes: dict[str, BarAxis],
    pen: Pen,
    chosen: bool,
    ghosts: Mapping[str, Sequence[float]],
) -> Row:
    row: Row = [Segment(left(pen.look.text(shelf[0].columns[key]), before - 1, pen.look) + " ", STRONG if chosen else QUIET)]
    for part, one in zip(parts, shelf, strict=True):
        value = one.values[0][key] if key < len(one.values[0]) else 0.0
        axis = axes[one.kind]
        bar = level_bar(value, axis, pen.look, _colour(one, part, pen))
        pinned = dict(enumerate(ghosts.get(one.name, ()))).get(key, value)
        if pinned != value:
            bar = with_mark(bar, pinned, axis, pen.look, pen.look.glyphs.axis)
        row += [*bar, Segment(significant(value, 3).rjust(NUMBER), STRONG if chosen else None), Segment(" " * GAP)]
    return row


def _colour(one: Matrix, part: int, pen: Pen) -> Style | None:
    lines = pen.look.palette.lines
    return pen.look.of_arm(one.arm) if one.arm else lines[part % len(lines)]


def _below(shown: Sequence[Matrix], subject: Subject, order: list[int], width: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    if cursor is None:
        return []
    if cursor.focused:
        one = shown[min(cursor.column, len(shown) - 1)]
        cell = 0, order[min(cursor.row, len(order) - 1)]
        opened = opened_cell(one, subject.every_matrix, cell, width, pen) if cursor.opened else []
        return [under_cursor(one, cell, pen.look, pen.words), *opened]
    return paragraph(pen.words("figure.opens"), width, pen.look, QUIET) if any(can_open(one, subject.every_matrix) for one in shown) else []
