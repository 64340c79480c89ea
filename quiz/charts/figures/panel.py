"""Where the cells of a figure are on the screen, and how a cursor goes from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from quiz.charts.downsample import Cell
from quiz.charts.figures.subject import Cursor


@dataclass(frozen=True)
class Panel:
    """`rows` x `columns` cells that begin at (x, y) and take `width` x `height` characters; `cell_at` counts from there."""

    rows: int
    columns: int
    x: int
    y: int
    width: int
    height: int
    cell_at: Callable[[int, int], Cell | None]

    def inside(self, row: int, column: int) -> Cell:
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)


def kept(panels: Sequence[Panel], cursor: Cursor) -> Cursor:
    """The cursor in a figure that may have become smaller."""
    part = min(cursor.part, len(panels) - 1)
    row, column = panels[part].inside(cursor.row, cursor.column)
    return replace(cursor, part=part, row=row, column=column)


def moved(panels: Sequence[Panel], cursor: Cursor, down: int, across: int) -> Cursor | None:
    """One cell further, in the panel beside it where this one ends; None where the figure ends above or below."""
    here = panels[cursor.part]
    row, column = cursor.row + down, cursor.column + across
    if 0 <= row < here.rows and 0 <= column < here.columns:
        return replace(cursor, row=row, column=column)
    part = _neighbour(panels, cursor.part, down, across)
    if part is None:
        return None if down else cursor
    there = panels[part]
    row, column = there.inside(
        cursor.row if across else 0 if down > 0 else there.rows - 1, cursor.column if down else 0 if across > 0 else there.columns - 1
    )
    return replace(cursor, part=part, row=row, column=column)


def _neighbour(panels: Sequence[Panel], part: int, down: int, across: int) -> int | None:
    """The nearest panel on that side, first those on the same shelf."""
    here = panels[part]
    if across:
        found = [i for i, each in enumerate(panels) if _overlap(here, each) and (each.x - here.x) * across > 0]
    else:
        found = [i for i, each in enumerate(panels) if not _overlap(here, each) and (each.y - here.y) * down > 0]
    return min(found, key=lambda i: (abs(panels[i].y - here.y), abs(panels[i].x - here.x)), default=None)


def _overlap(one: Panel, other: Panel) -> bool:
    return one.y < other.y + other.height and other.y < one.y + one.height


def pointed_at(panels: Sequence[Panel], cursor: Cursor, x: int, y: int) -> Cursor | None:
    """The cursor on the cell under the mouse."""
    for part, panel in enumerate(panels):
        if panel.x <= x < panel.x + panel.width and panel.y <= y < panel.y + panel.height:
            cell = panel.cell_at(x - panel.x, y - panel.y)
            if cell:
                return replace(cursor, part=part, row=cell[0], column=cell[1], focused=True)
    return None
