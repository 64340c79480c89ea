"""A cursor goes from cell to cell, and from panel to panel."""

from __future__ import annotations

from quiz.charts.figures.panel import Panel, kept, moved, pointed_at
from quiz.charts.figures.subject import Cursor


def panel(x: int, y: int) -> Panel:
    """2 x 2 cells of a character each."""
    return Panel(2, 2, x, y, 2, 2, lambda across, down: (down, across))


PANELS = (panel(0, 1), panel(5, 1), panel(0, 6))


def test_across_goes_on_beside() -> None:
    """The panel on the same shelf follows, in the same row; at its end the cursor stays."""
    over = moved(PANELS, Cursor(0, 1, 1), 0, 1)

    assert Cursor(1, 1, 0) == over
    assert Cursor(1, 1, 1) == moved(PANELS, Cursor(1, 1, 1), 0, 1)
    assert Cursor(0, 1, 1) == moved(PANELS, Cursor(1, 1, 0), 0, -1)


def test_down_goes_on_below_and_ends() -> None:
    """The next shelf follows; below the last and above the first there is nothing."""
    assert Cursor(2, 0, 1) == moved(PANELS, Cursor(0, 1, 1), 1, 0)
    assert Cursor(0, 1, 0) == moved(PANELS, Cursor(2, 0, 0), -1, 0)
    assert moved(PANELS, Cursor(2, 1, 0), 1, 0) is None
    assert moved(PANELS, Cursor(1, 0, 0), -1, 0) is None


def test_a_smaller_figure_keeps_the_cursor_inside() -> None:
    """A run may bring fewer and smaller matrices."""
    assert Cursor(0, 1, 1) == kept(PANELS[:1], Cursor(2, 5, 7))


def test_the_mouse_points_at_the_cell_under_it() -> None:
    """Between the panels there is none."""
    assert Cursor(1, 1, 0) == pointed_at(PANELS, Cursor(), 5, 2)
    assert pointed_at(PANELS, Cursor(), 3, 1) is None
