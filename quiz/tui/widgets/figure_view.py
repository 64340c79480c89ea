"""A declared figure on the screen: drawn as on paper, and walked through where it has cells."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from engine.parameter import Value
from quiz.charts.figures.grid import choice
from quiz.charts.figures.kinds import draw_figure, figure_panels, figure_wish
from quiz.charts.figures.panel import Panel, kept, moved, pointed_at
from quiz.charts.figures.steps import stages
from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.result_figures import TALLEST
from quiz.charts.style import Pen, Row
from quiz.tui.bindings import bind
from quiz.tui.widgets.figure import FigureWidget, Pens

WIDTH_BEFORE = 80  # characters that it is thought to have until it has a place
HERO = "hero"  # the shelf of the figure that one looks at first
MADE = 9  # the last panel of a stage: what it makes


class FigureView(FigureWidget):
    """It takes the focus where it has cells."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("left", "move(0, -1)", "heatmap.left"),
        bind("right", "move(0, 1)", "heatmap.right"),
        bind("up", "move(-1, 0)", "heatmap.up"),
        bind("down", "move(1, 0)", "heatmap.down"),
        bind("enter", "open", "heatmap.open"),
        bind("n", "turn(1)", "figure.next"),
        bind("p", "turn(-1)", "figure.previous"),
    ]

    class Passed(Message):
        """The cursor was moved past the figure: -1 above it, 1 below it."""

        def __init__(self, direction: int) -> None:
            super().__init__()
            self.direction = direction

    class Chosen(Message):
        """A cell that stands for values of sliders was opened."""

        def __init__(self, values: dict[str, Value]) -> None:
            super().__init__()
            self.values = values

    def __init__(self, pens: Pens, subject: Subject, shelf: str) -> None:
        super().__init__(pens)
        self.subject = subject
        self.shelf = shelf
        self.cursor = Cursor(focused=False)
        self._settle()

    def update(self, subject: Subject, shelf: str) -> None:
        self.subject = subject
        self._settle()
        self.redraw()

    def _settle(self) -> None:
        """Whether there are cells, and the cursor among them."""
        panels = figure_panels(self.subject, self._width(), TALLEST, self.pens(), self.cursor)
        self.can_focus = bool(panels)
        if panels:
            self.cursor = kept(panels, self.cursor)

    def wish(self, width: int) -> int:
        return figure_wish(self.subject, width, self.pens())

    def draw(self, width: int, pen: Pen) -> list[Row]:
        subject = self.subject
        if self.shelf == HERO:  # its sentence stands above it, where the first page has it
            subject = replace(subject, figure=replace(subject.figure, caption=None))
        return draw_figure(subject, width, TALLEST, pen, self.cursor)

    def whole(self, width: int, pen: Pen) -> list[Row]:
        """With its sentence below it, as it is copied."""
        return draw_figure(self.subject, width, TALLEST, pen, self.cursor)

    def point(self, cursor: Cursor) -> None:
        """Moves the cursor, or shows that nobody points at the figure."""
        if cursor != self.cursor:
            self.cursor = cursor
            self.redraw()

    def action_move(self, down: int, across: int) -> None:
        panels = self._panels()
        if not panels:
            return
        further = moved(panels, kept(panels, self.cursor), down, across)
        if further is None:
            self.post_message(self.Passed(down))
        else:
            self.point(further)

    def action_open(self) -> None:
        """The numbers behind a cell, or what the sliders would be there."""
        values = choice(self.subject, self.cursor) if self.subject.figure.kind == "grid" else {}
        if values:
            self.post_message(self.Chosen(values))
        else:
            self.point(replace(self.cursor, opened=not self.cursor.opened))

    def action_turn(self, by: int) -> None:
        """The next stage of a walk-through, or the one before."""
        stage = min(max(self.cursor.stage + by, 0), stages(self.subject) - 1)
        if self.subject.figure.kind == "steps" and stage != self.cursor.stage:
            self.point(Cursor(part=MADE, stage=stage, opened=self.cursor.opened))

    def on_focus(self) -> None:
        self.point(replace(self.cursor, focused=True))

    def on_blur(self) -> None:
        self.point(replace(self.cursor, focused=False))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._follow(event)

    def on_leave(self) -> None:
        if not self.has_focus:
            self.point(replace(self.cursor, focused=False))

    def on_click(self, event: events.Click) -> None:
        self._follow(event)

    def _follow(self, event: events.MouseEvent) -> None:
        found = pointed_at(self._panels(), self.cursor, event.x, event.y)
        if found:
            self.point(found)

    def _panels(self) -> list[Panel]:
        return figure_panels(self.subject, self._width(), TALLEST, self.pens(), self.cursor)

    def _width(self) -> int:
        return self.content_size.width or WIDTH_BEFORE
