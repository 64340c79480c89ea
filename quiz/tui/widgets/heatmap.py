"""A matrix that a person walks through: the cell under the cursor says its value, Enter opens the sum behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from engine.result import Matrix
from quiz.charts.dot_product import product_terms
from quiz.charts.downsample import Cell
from quiz.charts.heatmap import Plan, plan
from quiz.charts.result_figures import TALLEST, matrix_rows, matrix_wish, named_in
from quiz.charts.style import Pen, Row
from quiz.tui.bindings import bind
from quiz.tui.widgets.figure import FigureWidget, Pens

HEADLINE = 1  # row above the cells


class Heatmap(FigureWidget, can_focus=True):
    """`operands` are the Result's matrices by name: what a product's terms are read from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("left", "move(0, -1)", "heatmap.left"),
        bind("right", "move(0, 1)", "heatmap.right"),
        bind("up", "move(-1, 0)", "heatmap.up"),
        bind("down", "move(1, 0)", "heatmap.down"),
        bind("enter", "open", "heatmap.open"),
    ]

    class Passed(Message):
        """The cursor was moved past the matrix: -1 above it, 1 below it."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    def __init__(self, pens: Pens, matrix: Matrix, operands: Mapping[str, Matrix]) -> None:
        super().__init__(pens)
        self.matrix = matrix
        self.operands = operands
        self.cursor: Cell | None = None  # a block of the plan's pool; None while nobody points at the matrix
        self.opened = False
        self._last: Cell = (0, 0)  # where the cursor returns with the focus

    def update(self, matrix: Matrix, operands: Mapping[str, Matrix]) -> None:
        self.matrix, self.operands = matrix, operands
        if self.cursor:
            self.cursor = self._inside(self.cursor)
        self.redraw()

    @property
    def cell(self) -> Cell | None:
        """The matrix' own cell under the cursor; of a pooled block the one that the block shows."""
        return self._plan().pool.cell(*self.cursor) if self.cursor else None

    def wish(self, width: int) -> int:
        return matrix_wish(self.matrix, width, self.pens())

    def draw(self, width: int, pen: Pen) -> list[Row]:
        rows = matrix_rows(self.matrix, width, pen, self.cursor)
        matrix = named_in(self.matrix, pen.words)
        cell = plan(matrix, width, TALLEST, pen.look).pool.cell(*self.cursor) if self.cursor and self.opened else None
        return rows + (product_terms(matrix, self.operands, cell, width, pen.look) if cell else [])

    def point(self, cell: Cell | None) -> None:
        """Moves the cursor to a block, or hides it."""
        if cell != self.cursor:
            self.cursor = cell
            self._last = cell or self._last
            self.redraw()

    def action_move(self, down: int, across: int) -> None:
        row, column = self.cursor or self._last
        cell = self._inside((row + down, column + across))
        if down and cell == self.cursor:
            self.post_message(self.Passed(down))
        else:
            self.point(cell)

    def action_open(self) -> None:
        self.opened = not self.opened
        self.redraw()

    def on_focus(self) -> None:
        if self.cursor is None:
            self.point(self._inside(self._last))

    def on_blur(self) -> None:
        self.point(None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._follow(event)

    def on_leave(self) -> None:
        if not self.has_focus:
            self.point(None)

    def on_click(self, event: events.Click) -> None:
        self._follow(event)

    def _follow(self, event: events.MouseEvent) -> None:
        cell = self._plan().cell_at(event.x, event.y - HEADLINE)
        if cell:
            self.point(cell)

    def _plan(self) -> Plan:
        pen = self.pens()
        return plan(named_in(self.matrix, pen.words), self.content_size.width, TALLEST, pen.look)

    def _inside(self, cell: Cell) -> Cell | None:
        pool = self._plan().pool
        if not pool.height or not pool.width:
            return None
        return min(max(cell[0], 0), pool.height - 1), min(max(cell[1], 0), pool.width - 1)
