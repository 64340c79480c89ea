"""The figures of a lab's run: the hero first and alone, covered while somebody says what it will show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.experiment import Description
from engine.figures import Figure
from engine.parameter import Value
from engine.result import Result
from quiz.charts.figures.ghost import against
from quiz.charts.figures.numbers import numbers_rows
from quiz.charts.figures.subject import Guess, Subject
from quiz.charts.result_figures import blocks, subjects
from quiz.charts.style import Pen, Row
from quiz.charts.text import paragraph
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.figure import Block, FigureWidget, Pens
from quiz.tui.widgets.figure_view import HERO, FigureView
from quiz.tui.widgets.flow_layout import FlowContainer

NUMBERS_KEY = "v"

Wanted = tuple[type[FigureView] | type[Block], tuple[Any, ...]]  # a widget, and what it shows
Key = object  # a figure, or the name of a block


@dataclass(frozen=True)
class Shown:
    """A run and how it is looked at. `first` is the one that bars stay sorted by, `pinned` the one that this is held against; `cover` are
    the values of a run that is still to be guessed."""

    description: Description | None = None
    result: Result = field(default_factory=Result)
    values: Mapping[str, Value] | None = None
    first: Result | None = None
    pinned: Result | None = None
    lead: Figure | None = None
    guess: Guess | None = None
    cover: Mapping[str, Value] | None = None

    @property
    def led(self) -> Description | None:
        """The experiment with the figure first that the card is about."""
        if self.description is None or self.lead is None:
            return self.description
        lead = self.lead
        others = (figure for figure in self.description.figures if figure.shows != lead.shows or figure.kind != lead.kind)
        return replace(self.description, figures=(lead, *others))

    @property
    def marked(self) -> list[str]:
        """The quantities that the hero can mark."""
        hero = next(iter(subjects(self.led, self.result, self.values or {})), None)
        return [name for name in (hero.figure.mark, *(one.name for one in hero.quantities)) if name] if hero else []

    @property
    def subjects(self) -> list[Subject]:
        """The figures; under a cover the hero alone, as it will stand."""
        found = subjects(self.led, self.result, self.values or {}, self.first)
        if self.cover is not None:
            return [replace(subject, values=self.cover, covered=True, guess=self.guess) for subject in found[:1]]
        return [against(replace(subject, guess=None if at else self.guess, ghost=self.pinned)) for at, subject in enumerate(found)]


class LabFigures(FlowContainer):
    """A figure that the run before had too only changes its rows: it keeps its place and its focus, and what is in view stays there."""

    DEFAULT_CSS = """
    LabFigures { height: auto; }
    LabFigures.-stale { opacity: 50%; }
    """

    def __init__(self, pens: Pens, *, id: str) -> None:
        super().__init__(id=id)
        self._pens = pens
        self.shown = Shown()
        self.widgets: dict[Key, FigureWidget] = {}
        self._everything = False  # all numbers, or those that matter
        self._longest = (0, 0)  # the width, and the most rows of the hero's sentence so far: what is below it stays where it is

    def clear(self, description: Description | None) -> None:
        """Another experiment, of which there is no run yet."""
        self.shown, self.widgets, self._longest = Shown(description), {}, (0, 0)
        replace_children(self, ())

    def change(self, **changes: Any) -> None:
        """Looks at the run in another way, or at another run."""
        shown = replace(self.shown, **changes)
        if shown != self.shown or "result" in changes:
            self.shown = shown
            self._draw()

    def _draw(self) -> None:
        if self.shown.result == Result():
            return
        wanted = self._wanted()
        covered = self.shown.cover is not None and wanted.keys() <= self.widgets.keys()  # the others come back
        staying = [key for key in self.widgets if key in wanted]
        if staying != [key for key in wanted if key in self.widgets]:
            staying = []  # another order
        for key in staying:
            self.widgets[key].update(*wanted[key][1])
        for key, widget in self.widgets.items():
            widget.display = key in wanted
        if not covered and list(wanted) != list(self.widgets):
            here = {key: self.widgets[key] for key in staying}
            self.widgets = {key: here.get(key) or widget(self._pens, *content) for key, (widget, content) in wanted.items()}
            replace_children(self, self.widgets.values())

    def _wanted(self) -> dict[Key, Wanted]:
        """What is to be drawn, by its keys; a figure with another sentence is the same."""
        found: dict[Key, Wanted] = {
            replace(subject.figure, caption=None): (FigureView, (subject, subject.figure.kind if at else HERO))
            for at, subject in enumerate(self.shown.subjects)
        }
        if any(subject.figure.caption for subject in self.shown.subjects[:1]):
            found = {"caption": (Block, (self._caption_rows,))} | found
        below = {} if self.shown.cover is not None else blocks(self.shown.result, self._number_rows)
        return found | {key: (Block, (draw,)) for key, draw in below.items()}

    @property
    def figure(self) -> FigureView | None:
        """The figure that has the focus, else the hero; none before the first run."""
        views = [view for view in self.widgets.values() if isinstance(view, FigureView)]
        return next((view for view in views if view.has_focus), views[0] if views else None)

    def turn_numbers(self) -> None:
        """All numbers, or only those that a slider moves and no figure shows."""
        self._everything = not self._everything
        if "numbers" in self.widgets:
            self.widgets["numbers"].redraw()

    def _caption_rows(self, width: int, pen: Pen) -> list[Row]:
        """The hero's sentence; of a covered one nothing, it would tell."""
        said = [subject.figure.caption for subject in self.shown.subjects[:1] if not subject.covered]
        rows = [row for caption in said if caption for row in paragraph(pen.words.label(caption), width, pen.look)]
        most = max(self._longest[1] if self._longest[0] == width else 0, len(rows))
        self._longest = width, most
        return [*rows, *([] for _ in range(most - len(rows)))]

    def _number_rows(self, width: int, pen: Pen) -> list[Row]:
        return numbers_rows(self.shown.description, self.shown.result, width, pen, everything=self._everything, key=NUMBERS_KEY)
