"""A parameter that a person moves: whole ticks under the hood, so that a float never drifts."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input

from content.yaml.clean import clean
from engine.parameter import TEXT_LIMIT, Parameter, Value
from quiz.charts import slider as drawing
from quiz.charts.slider import Columns
from quiz.charts.style import Pen, Row
from quiz.tui.bindings import bind
from quiz.tui.widgets.figure import Block, FigureWidget, Pens

PICTURES = 20  # a second, while a slider is dragged
Place = Callable[[], Columns]  # the columns that all sliders of a lab share


class Changed(Message):
    """A person moved a parameter; never sent for a value that the program set."""

    def __init__(self, slider: Slider | TextField, name: str, value: Value) -> None:
        super().__init__()
        self.slider = slider
        self.name = name
        self.value = value


class Slider(FigureWidget, can_focus=True):
    """A rail of ticks, or choices side by side. A value between two ticks is shown as it is until it is moved."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("left", "step(-1)", "slider.less"),
        bind("right", "step(1)", "slider.more"),
        bind("shift+left", "leap(-1)", "slider.much-less"),
        bind("shift+right", "leap(1)", "slider.much-more"),
        bind("home", "to_end(0)", "slider.least"),
        bind("end", "to_end(1)", "slider.most"),
    ]
    DEFAULT_CSS = "Slider { height: 1; }"

    def __init__(self, pens: Pens, parameter: Parameter, value: Value, place: Place) -> None:
        super().__init__(pens)
        self.parameter = parameter
        self.value = value
        self._place = place
        self._dragging = False
        self._pulled: events.MouseEvent | None = None  # where the mouse was last, not drawn yet
        self._resting: Timer | None = None  # runs for a moment after a step of a drag

    def set(self, value: Value) -> None:
        """Shows a value that the program chose."""
        self.value = value
        self.redraw()

    def draw(self, width: int, pen: Pen) -> list[Row]:
        draw = drawing.choices_row if self.parameter.scale == "choice" else drawing.rail_row
        return [draw(self.parameter, self.value, width, self._place(), pen.look, pen.words, self.has_focus)]

    def _move(self, tick: int) -> None:
        value = self.parameter.value_at(tick)
        if value != self.value:
            self.set(value)
            self.post_message(Changed(self, self.parameter.name, value))

    def action_step(self, steps: int) -> None:
        tick = self.parameter.tick_of(self.value)
        near = self.parameter.value_at(tick)
        if not isinstance(near, str) and (float(near) - float(self.value)) * steps > 0:
            steps -= 1 if steps > 0 else -1  # from between two ticks the nearer one is already a step
        self._move(tick + steps)

    def action_leap(self, direction: int) -> None:
        self.action_step(direction * max(round(self.parameter.ticks / 10), 2 if self.parameter.ticks > 4 else 1))

    def action_to_end(self, end: int) -> None:
        self._move(end * self.parameter.ticks)

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragging = self.parameter.scale != "choice"
        self.capture_mouse(self._dragging)
        self._go(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """A terminal reports every cell; more pictures than PICTURES a second nobody sees, and each is a run."""
        if self._dragging:
            self._pulled = event
            if self._resting is None:
                self._follow()

    def _follow(self) -> None:
        """Goes where the mouse is by now, and again after a moment, until it has not moved."""
        self._resting = None
        if self._pulled:
            self._go(self._pulled)
            self._pulled, self._resting = None, self.set_timer(1 / PICTURES, self._follow)

    def on_unmount(self) -> None:
        """The mouse would stay with a slider that is gone."""
        self.release_mouse()

    def on_mouse_up(self) -> None:
        self._dragging = False
        if self._pulled:
            self._go(self._pulled)
            self._pulled = None
        self.release_mouse()

    def _go(self, event: events.MouseEvent) -> None:
        pen, width = self.pens(), self.content_size.width
        if self.parameter.scale == "choice":
            tick = drawing.choice_at(self.parameter, self.value, event.x, width, self._place(), pen.look, pen.words)
        else:
            tick = drawing.tick_at(self.parameter, event.x, width, self._place())
        if tick is not None:
            self._move(tick)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self._wheel(event, 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, steps: int) -> None:
        if self.has_focus:  # otherwise the wheel scrolls the lab, and must not move what happens to pass under it
            event.stop()
            event.prevent_default()
            self.action_step(steps)


class TextField(Horizontal):
    """A parameter that is a text."""

    DEFAULT_CSS = """
    TextField { height: 1; max-width: 84; }
    TextField > Block { height: 1; }
    TextField > Input { width: 1fr; }
    """

    def __init__(self, pens: Pens, parameter: Parameter, value: Value, place: Place) -> None:
        super().__init__()
        self.parameter = parameter
        self.value = str(value)
        self._place = place
        self._label = Block(pens, self._label_rows)  # made here: the language may change before they are mounted
        self._field = Input(clean(self.value), max_length=TEXT_LIMIT, compact=True)

    def compose(self) -> ComposeResult:
        yield self._label
        yield self._field

    def _label_rows(self, width: int, pen: Pen) -> list[Row]:
        return [drawing.label(self.parameter, self._place().label, pen.look, pen.words, self.has_focus_within)]

    def set(self, value: Value) -> None:
        """Shows a value that the program chose."""
        self.value = str(value)
        with self._field.prevent(Input.Changed):
            self._field.value = clean(self.value)

    def redraw(self) -> None:
        """The label in its column: another language has other widths."""
        self._label.styles.width = drawing.FOCUS + self._place().label + drawing.GAP
        self._label.redraw()

    def on_mount(self) -> None:
        self.redraw()

    def on_descendant_focus(self) -> None:
        self.redraw()

    def on_descendant_blur(self) -> None:
        self.redraw()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value != clean(self.value):  # mounting says so too
            self.value = event.value
            self.post_message(Changed(self, self.parameter.name, event.value))


def control(pens: Pens, parameter: Parameter, value: Value, place: Place) -> Slider | TextField:
    """The widget for a parameter."""
    return (TextField if parameter.scale == "text" else Slider)(pens, parameter, value, place)
