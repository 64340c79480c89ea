"""All experiments, to play with: a list at the left, the chosen one's sliders and figures at the right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine import Description, ExperimentError, Label, Superseded, Survey, Value
from quiz.tui import actions
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.requests import GoHome
from quiz.tui.screens.screen_with_lab import STOP, ScreenWithLab, as_art
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.lab import Lab


class LabScreen(ScreenWithLab):
    """Below 110 columns list and lab are two pages that tab turns."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tab,shift+tab", "turn_page", "lab.turn", priority=True),
        bind("q", "leave", "lab.leave"),
        STOP,
    ]

    def __init__(self, engine: LabEngine) -> None:
        super().__init__(engine)
        self.survey: Survey | None = None
        self.failure: Label | None = None  # why there is none
        self.chosen: Description | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="place", markup=False)
        with Horizontal(id="table"):
            yield OptionList(id="experiments", markup=False, compact=True)
            yield Lab(self.app.words, as_art, id="lab")
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)
        self.speak()
        self._survey()

    @property
    def experiment(self) -> Description | None:
        return self.chosen

    @work(exclusive=True, group="survey")
    async def _survey(self) -> None:
        try:
            self.survey, self.failure = await self.engine.survey(), None
        except ExperimentError as error:
            self.failure = error.label
        self.speak()
        if self.survey and self.stands:
            self.query_one("#experiments", OptionList).focus()

    def action_reset(self) -> None:
        """The sliders back; or once more, where the experiments could not be found."""
        if self.survey:
            super().action_reset()
        else:
            self.failure = None
            self.speak()
            self._survey()

    def speak(self) -> None:
        """Writes every word in the language of the interface."""
        if not self.stands:
            return
        options = self.query_one("#experiments", OptionList)
        here = options.highlighted or 0
        found = list(self.survey.found.values()) if self.survey else []
        options.clear_options()
        options.add_options([Option(Content(f" {self.label(one.title)}")) for one in found])
        options.highlighted = here if found else None
        title = (
            self.label(self.failure)
            if self.failure
            else self.say("lab.count", count=len(found))
            if self.survey
            else self.say("reveal.warming")
        )
        self.query_one("#place", Static).update(Content(title))
        self.query_one(Lab).words = self.app.words
        self._offer()

    def _offer(self) -> None:
        on_lab = self.has_class("-lab")
        self.query_one("#keys", ActionRow).offer(actions.in_the_lab(self.app.words, chosen=self.chosen is not None, on_lab=on_lab))

    @on(OptionList.OptionHighlighted)
    def highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Shows the experiment under the cursor: moving through the list is looking at them."""
        found = list(self.survey.found.values()) if self.survey else []
        if event.option_index < len(found) and found[event.option_index] != self.chosen:
            self.chosen = found[event.option_index]
            values = {parameter.name: parameter.default for parameter in self.chosen.parameters}
            self.query_one(Lab).describe(self.chosen, values)
            self._offer()
            self.compute(values)

    @on(OptionList.OptionSelected)
    async def selected(self) -> None:
        await self.action_turn_page()

    @on(Lab.Changed)
    def changed(self, event: Lab.Changed) -> None:
        if event.description is self.chosen:
            self.compute(event.values)

    @work(exclusive=True, group="engine")
    async def compute(self, values: Mapping[str, Value]) -> None:
        """Another experiment or other values begin it anew."""
        if self.chosen is None:
            return
        try:
            result = await self.measure(self.chosen.name, values)
        except Superseded:
            return
        except ExperimentError as error:
            if self.stands:
                self.query_one(Lab).fail(self.label(error.label))
        else:
            if self.stands:
                self.query_one(Lab).show(result)

    def does_nothing(self, binding: str) -> bool:
        if self.chosen is None and binding in ("lab.turn", "session.source", "lab.numbers"):
            return True
        return super().does_nothing(binding)

    async def action_turn_page(self) -> None:
        if self.chosen is None:
            return
        self.toggle_class("-lab")
        if self.has_class("-lab"):
            self.query_one(Lab).take_focus()
        else:
            self.query_one("#experiments", OptionList).focus()
        self._offer()

    async def action_leave(self) -> None:
        self.ask(GoHome())
