"""An experiment's sliders above what it measured. It asks for runs and shows their results; it runs nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.events import DescendantFocus
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from engine.experiment import Description
from engine.parameter import Value
from engine.result import Result
from quiz.card.card_run import Verdict
from quiz.charts import legend as drawing
from quiz.charts.style import QUIET, Pen, Row, Typeset, as_latex
from quiz.charts.text import paragraph
from quiz.tui.bindings import bind
from quiz.tui.widgets.figure import Block, FigureWidget, style_of_app
from quiz.tui.widgets.figure_view import FigureView
from quiz.tui.widgets.lab_figures import LabFigures
from quiz.tui.widgets.lab_guess import LabGuess
from quiz.tui.widgets.lab_sliders import LabSliders
from quiz.tui.widgets.slider import Changed as Moved
from quiz.words.i18n import Words


class RunView(VerticalScroll):
    """`typeset` turns LaTeX into rows, as the app does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("up", "walk(-1)", "lab.up"),
        bind("down", "walk(1)", "lab.down"),
        bind("pageup", "page_up", "lab.page.up"),  # as everywhere: a slider has other keys
        bind("pagedown", "page_down", "lab.page.down"),
    ]
    DEFAULT_CSS = """
    RunView { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    RunView > Vertical, RunView > FigureWidget { height: auto; margin: 0 1; }
    """

    words: reactive[Words] = reactive(Words("en"), init=False)

    class Changed(Message):
        """A person moved something: run this again with these values."""

        def __init__(self, description: Description | None, values: dict[str, Value]) -> None:
            super().__init__()
            self.description = description
            self.values = values

    def __init__(self, words: Words, typeset: Typeset = as_latex, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(RunView.words, words)
        self._typeset = typeset
        self._head = Block(self.pen, self._head_rows, id="lab-head")
        self.sliders = LabSliders(self.pen, id="lab-sliders")
        self._failure_place = Block(self.pen, self._failure_rows, id="lab-failure")
        self.asking = LabGuess(id="lab-guess")
        self.figures = LabFigures(self.pen, id="lab-figures")
        self.description: Description | None = None
        self.values: dict[str, Value] = {}
        self._start: dict[str, Value] = {}
        self._left: Widget | None = None
        self._aside = ""  # at the right of the title
        self._failure = ""
        self._claims: tuple[bool, ...] = ()  # whether each holds

    def pen(self) -> Pen:
        return Pen(style_of_app(self.app), self.words, self._typeset)

    def compose(self) -> ComposeResult:
        yield self._head
        yield self.sliders
        yield self._failure_place
        yield self.asking
        yield self.figures

    @property
    def result(self) -> Result:
        """The run that is shown; an empty one before the first."""
        return self.figures.shown.result

    @property
    def figure(self) -> FigureView | None:
        """The figure that has the focus, else the hero; none before the first run."""
        return self.figures.figure

    def clear(self) -> None:
        """No experiment yet."""
        self.describe(None, {})

    def describe(self, description: Description | None, values: Mapping[str, Value], matter: Collection[str] = ()) -> None:
        """Another experiment: its sliders at `values` (defaults where one is missing), and no figures yet.

        The sliders that `matter` come first.
        """
        parameters = sorted(description.parameters if description else (), key=lambda parameter: parameter.name not in matter)
        self.description = description
        self.values = {parameter.name: values.get(parameter.name, parameter.default) for parameter in parameters}
        self._start = dict(self.values)
        self._claims = ()
        self._say_aloud(aside="", failure="")
        self.figures.clear(description)
        self.sliders.describe(description, self.values, matter)

    def show(self, result: Result) -> None:
        """What a run measured. A Result with the same figures as the one before only changes their rows."""
        self._say_aloud(aside="", failure="")
        self.figures.change(result=result, values=self.values, first=self.figures.shown.first or result)

    def busy(self, fraction: float | None = None) -> None:
        """A run is going on; `fraction` (0..1) is how far it is, None where it does not say."""
        self._say_aloud(aside=drawing.progress_text(fraction, self.pen().look), failure=self._failure)

    def idle(self) -> None:
        """No run is going on: it was cancelled, and the figures are those of the run before."""
        self._say_aloud(aside="", failure=self._failure)

    def fail(self, sentence: str) -> None:
        """The run gave no result; the figures that remain are of other values, and look it."""
        self._say_aloud(aside="", failure=sentence)

    def judge(self, verdicts: Iterable[Verdict]) -> None:
        """What the figures say of the card's claims: at the head, where one sees it while a slider moves."""
        claims = tuple(verdict.outcome.holds for verdict in verdicts)
        if claims != self._claims:
            self._claims = claims
            self._head.redraw()

    def take_focus(self) -> None:
        """Puts the focus where a person left it, or on the first slider."""
        stops = self._stops()
        if stops:
            self.screen.set_focus(self._left if self._left in stops else stops[0])
        else:
            self.focus()

    def action_walk(self, direction: int) -> None:
        """The slider or matrix above or below; at the ends the page scrolls."""
        stops = self._stops()
        at = stops.index(self.screen.focused) if self.screen.focused in stops else -1
        if 0 <= at + direction < len(stops) and at >= 0:
            self.screen.set_focus(stops[at + direction])
        else:
            self.scroll_relative(y=direction, animate=False)

    @on(FigureView.Passed)
    def leave_figure(self, event: FigureView.Passed) -> None:
        event.stop()
        self.action_walk(event.direction)

    @on(FigureView.Chosen)
    def choose(self, event: FigureView.Chosen) -> None:
        """The cell of a grid: the sliders that it stands for go there."""
        event.stop()
        self.go_to(event.values)

    def go_to(self, values: Mapping[str, Value]) -> None:
        """Sets sliders, as if somebody had moved them at once."""
        self.sliders.set(values)
        if {**self.values, **values} != self.values:
            self._moved({**self.values, **values})

    def action_numbers(self) -> None:
        """All numbers, or only those that a slider moves and no figure shows."""
        self.figures.turn_numbers()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        if event.widget in self._stops():
            self._left = event.widget

    def action_reset(self) -> None:
        """All sliders back to the values that they were given."""
        if self.values != self._start:
            self.sliders.set(self._start)
        if self.values != self._start or self._failure:
            self._moved(self._start)

    def _stops(self) -> list[Widget]:
        shown = (*self.sliders.controls, *self.figures.widgets.values())
        return [widget for each in shown for widget in each.walk_children(Widget, with_self=True) if widget.focusable]

    @on(Moved)
    def take_value(self, event: Moved) -> None:
        event.stop()
        if event.slider in self.sliders.controls:  # of the experiment before, it comes too late
            self._moved({**self.values, event.name: event.value})

    def watch_words(self) -> None:
        self.sliders.redraw()
        for drawn in self.query(FigureWidget):
            drawn.redraw()

    def _moved(self, values: Mapping[str, Value]) -> None:
        self.values = dict(values)
        self.post_message(self.Changed(self.description, dict(values)))

    def aside(self, pen: Pen) -> str:
        """What stands at the right of the title."""
        return self._aside

    def _say_aloud(self, *, aside: str, failure: str) -> None:
        if (aside, failure) != (self._aside, self._failure):
            self._aside, self._failure = aside, failure
            self.figures.set_class(bool(failure), "-stale")
            self._failure_place.redraw()
        self._head.redraw()

    def _head_rows(self, width: int, pen: Pen) -> list[Row]:
        title = pen.words.label(self.description.title) if self.description else ""
        head = drawing.lab_head(pen.words("lab.title"), title, self.aside(pen), width, pen.look, self._claims)
        said = pen.words.label(self.description.summary) if self.description else ""
        return [head, *(paragraph(said, width, pen.look, QUIET) if said else [])]

    def _failure_rows(self, width: int, pen: Pen) -> list[Row]:
        return drawing.failure_rows(self._failure, width, pen.look)
