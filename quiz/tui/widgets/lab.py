"""The lab: an experiment's sliders above what it measured. It asks for runs and shows their results; it runs nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import DescendantFocus
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from engine.experiment import Description
from engine.figures import Figure
from engine.parameter import Value
from engine.result import Result
from quiz.card.card_run import Verdict
from quiz.charts import legend as drawing
from quiz.charts.figures.ghost import against
from quiz.charts.figures.numbers import numbers_rows
from quiz.charts.figures.subject import Guess
from quiz.charts.result_figures import blocks, subjects
from quiz.charts.slider import Columns, columns
from quiz.charts.style import QUIET, Pen, Row, Typeset, as_latex
from quiz.charts.text import paragraph
from quiz.tui.base import BaseApp
from quiz.tui.bindings import bind
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.figure import Block, FigureWidget, style_of_app
from quiz.tui.widgets.figure_view import FigureView
from quiz.tui.widgets.flow_layout import FlowContainer
from quiz.tui.widgets.slider import Changed as Moved
from quiz.tui.widgets.slider import Slider, TextField, control
from quiz.words.i18n import Words

Wanted = tuple[type[FigureView] | type[Block], tuple[Any, ...]]  # a widget, and what it shows
Key = object  # a figure, or the name of a block

NUMBERS_KEY = "v"
SWEEP, SWEEP_STEPS = 2.0, 24  # seconds from end to end, in so many steps: a repaint each, fewer than 20 a second


class Lab(VerticalScroll):
    """`typeset` turns LaTeX into rows, as the app does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("up", "walk(-1)", "lab.up"),
        bind("down", "walk(1)", "lab.down"),
    ]
    DEFAULT_CSS = """
    Lab { scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    Lab > Vertical, Lab > FigureWidget { height: auto; margin: 0 1; }
    Lab #lab-figures.-stale { opacity: 50%; }
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
        self.set_reactive(Lab.words, words)
        self._typeset = typeset
        self._head = Block(self.pen, self._head_rows, id="lab-head")
        self._sliders_place = Vertical(id="lab-sliders")
        self._failure_place = Block(self.pen, self._failure_rows, id="lab-failure")
        self._figures_place = FlowContainer(id="lab-figures")
        self.description: Description | None = None
        self.values: dict[str, Value] = {}
        self.result = Result()
        self._start: dict[str, Value] = {}
        self._left: Widget | None = None
        self._controls: list[Slider | TextField] = []
        self._figures: dict[Key, FigureWidget] = {}
        self._first: Result | None = None  # of this experiment: bars stay sorted by it
        self._lead: Figure | None = None
        self._pinned: Result | None = None
        self._sweeping: Timer | None = None
        self._sweep: Iterator[Value] = iter(())
        self._swept: Slider
        self._swept_since = 0.0  # the last key then: another one stops it
        self._guess: Guess | None = None
        self._everything = False  # all numbers, or those that matter
        self._measured: tuple[tuple[object, ...], Columns] | None = None  # every slider asks for all their widths whenever it is drawn
        self._aside = ""  # at the right of the title
        self._failure = ""
        self._claims: tuple[bool, ...] = ()  # whether each holds

    def pen(self) -> Pen:
        return Pen(style_of_app(self.app), self.words, self._typeset)

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._sliders_place
        yield self._failure_place
        yield self._figures_place

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
        self._controls = [control(self.pen, parameter, self.values[parameter.name], self._columns) for parameter in parameters]
        self.result, self._figures, self._first = Result(), {}, None
        self._lead, self._guess, self._pinned = None, None, None
        self._stop_sweep()
        replace_children(self._figures_place, ())
        first = [each for each in self._controls if each.parameter.name in matter]
        parted = 0 < len(first) < len(self._controls)
        more = [Block(self.pen, _more_rows)] if parted else []
        replace_children(self._sliders_place, [*first, *more, *self._controls[len(first) :]])

    def show(self, result: Result) -> None:
        """What a run measured. A Result with the same figures as the one before only changes their rows."""
        self.result, self._first = result, self._first or result
        self._say_aloud(aside="", failure="")
        wanted = self._wanted()
        if list(wanted) == list(self._figures):
            for key, (_, content) in wanted.items():
                self._figures[key].update(*content)
            return
        self._figures = {key: widget(self.pen, *content) for key, (widget, content) in wanted.items()}
        replace_children(self._figures_place, self._figures.values())

    def lead(self, figure: Figure | None, guess: Guess | None = None) -> None:
        """The figure that a card is about comes first, with the card's sentence, and what was predicted is marked in it."""
        if (figure, guess) != (self._lead, self._guess):
            self._lead, self._guess = figure, guess
            if self.result != Result():
                self.show(self.result)

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

    @property
    def figure(self) -> FigureView | None:
        """The figure that has the focus, else the hero; none before the first run."""
        views = [view for view in self._figures.values() if isinstance(view, FigureView)]
        return next((view for view in views if view.has_focus), views[0] if views else None)

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
        for slider in self._controls:
            if slider.parameter.name in values:
                slider.set(values[slider.parameter.name])
        if {**self.values, **values} != self.values:
            self._moved({**self.values, **values})

    def action_pin(self) -> None:
        """Keeps the present run as what the next ones are held against, or lets it go."""
        self._pinned = None if self._pinned else self.result
        self._say_aloud(aside=self._aside, failure=self._failure)
        if self.result != Result():
            self.show(self.result)

    def action_sweep(self) -> None:
        """The slider that has the focus, or had it, from end to end; again stops it."""
        if self._sweeping:
            self._stop_sweep()
            return
        slider = self._left if self._left in self._controls else next(iter(self._controls), None)
        if isinstance(slider, Slider) and self.app.animation_level != "none":
            ticks = slider.parameter.ticks
            steps = min(ticks, SWEEP_STEPS)
            self._sweep = iter([slider.parameter.value_at(round(ticks * step / steps)) for step in range(steps + 1)])
            self._swept, self._swept_since = slider, self._last_key()
            self._sweeping = self.set_interval(SWEEP / SWEEP_STEPS, self._sweep_on)

    def _sweep_on(self) -> None:
        """One step further: a run that is not done when the next begins is not waited for."""
        value = next(self._sweep, None)
        if value is None or self._last_key() != self._swept_since or self._swept not in self._controls:
            self._stop_sweep()
        else:
            self.go_to({self._swept.parameter.name: value})

    def _stop_sweep(self) -> None:
        if self._sweeping:
            self._sweeping.stop()
            self._sweeping = None

    def _last_key(self) -> float:
        return self.app.last_key if isinstance(self.app, BaseApp) else 0.0

    def action_numbers(self) -> None:
        """All numbers, or only those that a slider moves and no figure shows."""
        self._everything = not self._everything
        if "numbers" in self._figures:
            self._figures["numbers"].redraw()

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        self._left = event.widget

    def action_reset(self) -> None:
        """All sliders back to the values that they were given."""
        if self.values != self._start:
            for slider in self._controls:
                slider.set(self._start[slider.parameter.name])
        if self.values != self._start or self._failure:
            self._moved(self._start)

    def _stops(self) -> list[Widget]:
        shown = (*self._controls, *self._figures.values())
        return [widget for each in shown for widget in each.walk_children(Widget, with_self=True) if widget.focusable]

    @on(Moved)
    def take_value(self, event: Moved) -> None:
        event.stop()
        if event.slider in self._controls:  # of the experiment before, it comes too late
            self._moved({**self.values, event.name: event.value})

    def watch_words(self) -> None:
        for slider in self._controls:
            slider.redraw()
        for drawn in self.query(FigureWidget):
            drawn.redraw()

    def _moved(self, values: Mapping[str, Value]) -> None:
        self.values = dict(values)
        self.post_message(self.Changed(self.description, dict(values)))

    def _wanted(self) -> dict[Key, Wanted]:
        """The figures of the result, by their keys: the hero first and alone."""
        figures: dict[Key, Wanted] = {}
        for at, subject in enumerate(subjects(self._led(), self.result, self.values, self._first)):
            marked = replace(subject, guess=None if at else self._guess, ghost=self._pinned)
            figures[subject.figure] = (FigureView, (against(marked), subject.figure.kind if at else "hero"))
        return figures | {key: (Block, (draw,)) for key, draw in blocks(self.result, self._number_rows).items()}

    def _led(self) -> Description | None:
        """The experiment with the figure first that the card is about."""
        if self.description is None or self._lead is None:
            return self.description
        others = (figure for figure in self.description.figures if figure.shows != self._lead.shows or figure.kind != self._lead.kind)
        return replace(self.description, figures=(self._lead, *others))

    def _number_rows(self, width: int, pen: Pen) -> list[Row]:
        return numbers_rows(self.description, self.result, width, pen, everything=self._everything, key=NUMBERS_KEY)

    def _columns(self) -> Columns:
        look = self.pen().look
        now = (self.description, self.words, look)
        if self._measured is None or self._measured[0] != now:
            self._measured = now, columns(self.description.parameters if self.description else (), look, self.words)
        return self._measured[1]

    def _say_aloud(self, *, aside: str, failure: str) -> None:
        if (aside, failure) != (self._aside, self._failure):
            self._aside, self._failure = aside, failure
            self._figures_place.set_class(bool(failure), "-stale")
            self._failure_place.redraw()
        self._head.redraw()

    def _head_rows(self, width: int, pen: Pen) -> list[Row]:
        title = pen.words.label(self.description.title) if self.description else ""
        aside = self._aside or (pen.words("lab.ghost") if self._pinned else "")
        head = drawing.lab_head(pen.words("lab.title"), title, aside, width, pen.look, self._claims)
        said = pen.words.label(self.description.summary) if self.description else ""
        return [head, *(paragraph(said, width, pen.look, QUIET) if said else [])]

    def _failure_rows(self, width: int, pen: Pen) -> list[Row]:
        return drawing.failure_rows(self._failure, width, pen.look)


def _more_rows(width: int, pen: Pen) -> list[Row]:
    """Above the sliders that the card is not about."""
    return paragraph(pen.words("lab.more"), width, pen.look, QUIET)
