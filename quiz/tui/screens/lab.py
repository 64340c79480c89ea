"""All experiments, to play with: a list at the left, the chosen one's sliders and figures at the right."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from engine import Description, ExperimentError, Label, Superseded, Survey, Value
from quiz.card.hero import Trial, preset_trials
from quiz.card.lab_history import LabHistory, read_history, write_history
from quiz.card.lab_list import found_rows, index_labs, lab_rows
from quiz.card.text_search import Folded
from quiz.tui import actions
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.requests import GoHome
from quiz.tui.screens.screen_with_lab import STOP, ScreenWithLab, as_art
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.lab_list import LabList


class LabScreen(ScreenWithLab):
    """Below 110 columns list and lab are two pages that tab turns. `start` is the experiment to begin with."""

    AUTO_FOCUS = "#experiments"  # not the search, which would take the keys for text

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tab,shift+tab", "turn_page", "lab.turn", priority=True),
        bind("slash", "search", "lab.search"),
        bind("asterisk", "pin", "lab.pin"),
        bind("up,k", "walk(-1)", "lab.list.up"),
        bind("down,j", "walk(1)", "lab.list.down"),
        bind("q", "leave", "lab.leave"),
        STOP,
    ]

    def __init__(self, engine: LabEngine, start: str = "") -> None:
        super().__init__(engine)
        self.survey: Survey | None = None
        self.failure: Label | None = None  # why there is none
        self.chosen: Description | None = None
        self.history = LabHistory()
        self.start = start
        self._texts: dict[str, Folded] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="place", markup=False)
        with Horizontal(id="table"):
            with Vertical(id="contents"):
                yield Input(id="search", compact=True, select_on_focus=False)
                yield LabList(id="experiments")
            yield Lab(self.app.words, as_art, id="lab")
        yield ActionRow(id="tries")
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)
        self.speak()
        self._survey()

    @property
    def experiment(self) -> Description | None:
        return self.chosen

    @property
    def listed(self) -> LabList:
        return self.query_one("#experiments", LabList)

    @property
    def trials(self) -> Sequence[Trial]:
        return preset_trials(self.chosen) if self.chosen else ()

    def _lead(self, values: Mapping[str, Value]) -> None:
        """Where a setting was tried, its sentence stands below the figure in which it is seen."""
        there = next((trial for trial in self.trials if dict(trial.values) == dict(values)), None)
        first = next(iter(self.chosen.figures), None) if self.chosen else None
        figure = there.figure or first if there else first
        watch = there.watch if there and isinstance(there.watch, Label) else None
        self.query_one(Lab).lead(replace(figure, caption=watch) if figure and watch else figure)

    @work(exclusive=True, group="survey")
    async def _survey(self) -> None:
        self.history = await asyncio.to_thread(read_history)
        try:
            survey = await self.engine.survey()
            self._texts = await asyncio.to_thread(index_labs, survey.found)
            self.survey, self.failure = survey, None
            self.history = self.history.with_names({old: one.name for one in survey.found.values() for old in one.formerly})
        except ExperimentError as error:
            self.failure = error.label
        self.speak()
        if self.survey and self.stands:
            self.open(self.start) if self.start else self.listed.focus()

    def open(self, name: str) -> None:
        """An experiment by its name, on the page of the lab."""
        self.start = name
        if self.survey and name in self.survey.found and self.stands:
            self.query_one("#search", Input).value = ""
            self.listed.go_to(name)
            self._choose(name)
            self._to_lab()

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
        self.query_one("#search", Input).placeholder = self.say("lab.placeholder")
        self.query_one(Lab).words = self.app.words
        self.fill()

    def fill(self) -> None:
        """The list: what is searched, or everything."""
        query, found = self.query_one("#search", Input).value, self.survey.found if self.survey else {}
        rows = found_rows(self._texts, query) if query.strip() else lab_rows(found, self.history, self.app.words)
        self.listed.show(rows, {name: self.label(one.title) for name, one in found.items()}, top=bool(query.strip()))
        title = (
            self.label(self.failure)
            if self.failure
            else self.say("lab.count", count=len(found))
            if self.survey and not query.strip()
            else self.say("lab.found" if rows else "lab.none", count=len(rows), total=len(found))
            if self.survey
            else self.say("reveal.warming")
        )
        self.query_one("#place", Static).update(Content(title))
        self.offer()

    def offer(self) -> None:
        self.offer_trials()
        words, on_lab = self.app.words, self.has_class("-lab")
        if self.expecting:
            self.query_one("#keys", ActionRow).offer(actions.expecting(words), self.say("ask.typing"))
            return
        if self.focused is self.query_one("#search"):
            row = actions.searching_labs(words)
        else:
            pinned = self.chosen is not None and self.chosen.name in self.history.pinned
            row = actions.in_the_lab(words, chosen=self.chosen is not None, on_lab=on_lab, pinned=pinned)
        self.query_one("#keys", ActionRow).offer(row)

    @on(Input.Changed, "#search")
    def typed(self, event: Input.Changed) -> None:
        event.stop()
        self.fill()

    @on(Input.Submitted, "#search")
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.listed.chosen:
            self._to_lab()

    @on(OptionList.OptionHighlighted)
    def highlighted(self) -> None:
        """Shows the experiment under the cursor: moving through the list is looking at them."""
        if (name := self.listed.chosen) and (self.chosen is None or self.chosen.name != name):
            self._choose(name)

    def _choose(self, name: str) -> None:
        if self.survey is None or name not in self.survey.found or (self.chosen and self.chosen.name == name):
            return
        self.chosen = self.survey.found[name]
        values = {parameter.name: parameter.default for parameter in self.chosen.parameters}
        self.query_one(Lab).describe(self.chosen, values)
        self.offer()
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
                self._lead(values)
                self.query_one(Lab).show(result)

    def does_nothing(self, binding: str) -> bool:
        if self.chosen is None and binding in ("lab.turn", "session.source", "lab.numbers"):
            return True
        return super().does_nothing(binding)

    async def action_turn_page(self) -> None:
        if self.chosen is None:
            return
        if self.has_class("-lab"):
            self.remove_class("-lab")
            self.listed.focus()
        else:
            self._to_lab()
        self.offer()

    def face_lab(self) -> None:
        if not self.has_class("-lab"):
            self._to_lab()

    def _to_lab(self) -> None:
        """The focus to the sliders: who goes there uses the experiment."""
        self.add_class("-lab")
        self.query_one(Lab).take_focus()
        if self.chosen and self.history.used[:1] != (self.chosen.name,):
            self._remember(self.history.with_use(self.chosen.name))

    def _remember(self, history: LabHistory) -> None:
        self.history = history
        self.run_worker(lambda: write_history(history), thread=True, group="history")

    def action_pin(self) -> None:
        """The experiment to the top of the list, or back to its group alone."""
        if self.chosen:
            self._remember(self.history.with_pin_turned(self.chosen.name))
            self.fill()

    def action_search(self) -> None:
        """To the search, from the lab too."""
        self.remove_class("-lab")
        self.query_one("#search", Input).focus()

    def action_walk(self, by: int) -> None:
        """Up and down while one types; the list has arrows of its own."""
        self.listed.action_cursor_down() if by > 0 else self.listed.action_cursor_up()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The list is walked from where it is looked at: in the lab the keys move a slider's focus."""
        if action == "walk":
            return self.stands and not (self.query_one(Lab).has_focus or self.query_one(Lab).has_focus_within)
        return super().check_action(action, parameters)

    def action_cancel(self) -> None:
        """Out of the search first; else the running computation stops."""
        if self.focused is self.query_one("#search", Input):
            self.query_one("#search", Input).value = ""
            self.listed.focus()
        else:
            super().action_cancel()

    async def action_leave(self) -> None:
        self.ask(GoHome())
