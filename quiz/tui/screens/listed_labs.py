"""The list of experiments at the left of the lab: in groups, searched, with what was used and pinned; remembered for the next time."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from engine import Description, ExperimentError, Label, Survey
from quiz.card.lab_history import LabHistory, read_history, write_history
from quiz.card.lab_list import found_rows, index_labs, lab_rows
from quiz.card.text_search import Folded
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.screens.screen_with_lab import ScreenWithLab
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.lab_list import LabList


class ListedLabs(ScreenWithLab):
    """Subclasses compose the list and the search, and show the experiment that is chosen. `start` is the one to begin with."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("slash", "search", "lab.search"),
        bind("asterisk", "pin", "lab.pin"),
        bind("up,k", "walk(-1)", "lab.list.up"),
        bind("down,j", "walk(1)", "lab.list.down"),
        bind("enter", "enter", "lab.open"),
    ]

    def __init__(self, engine: LabEngine, start: str = "") -> None:
        super().__init__(engine)
        self.survey: Survey | None = None
        self.failure: Label | None = None  # why there is none
        self.chosen: Description | None = None
        self.history = LabHistory()
        self.start = start
        self._texts: dict[str, Folded] = {}

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)
        self.speak()
        self.look()

    def open(self, name: str) -> None:
        """An experiment by its name, on the page of the lab."""
        raise NotImplementedError

    @property
    def listed(self) -> LabList:
        return self.query_one("#experiments", LabList)

    @property
    def search(self) -> Input:
        return self.query_one("#search", Input)

    @work(exclusive=True, group="survey")
    async def look(self) -> None:
        """Which experiments there are."""
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
            self.listed.catch_up()

    def speak(self) -> None:
        """Writes every word in the language of the interface."""
        if not self.stands:
            return
        self.search.placeholder = self.say("lab.placeholder")
        self.query_one(Lab).words = self.app.words
        self.fill()

    def fill(self) -> None:
        """The list: what is searched, or everything."""
        query, found = self.search.value, self.survey.found if self.survey else {}
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

    @on(Input.Changed, "#search")
    def typed(self, event: Input.Changed) -> None:
        event.stop()
        self.fill()

    @on(Input.Submitted, "#search")
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.listed.chosen:
            self.face_lab()

    def remember(self, history: LabHistory) -> None:
        """What was used and pinned, also for the next time."""
        self.history = history
        self.run_worker(lambda: write_history(history), thread=True, group="history")

    def action_pin(self) -> None:
        """The experiment to the top of the list, or back to its group alone."""
        if self.chosen:
            self.remember(self.history.with_pin_turned(self.chosen.name))
            self.fill()

    def action_search(self) -> None:
        """To the search, from the lab too."""
        self.remove_class("-lab")
        self.search.focus()

    def action_walk(self, by: int) -> None:
        """Up and down where one is: from slider to slider in the lab, else through the list, also while one types."""
        lab = self.query_one(Lab)
        if lab.has_focus or lab.has_focus_within:
            lab.action_walk(by)
        elif by > 0:
            self.listed.action_cursor_down()
        else:
            self.listed.action_cursor_up()

    def action_enter(self) -> None:
        """The list has the key itself, once it has the focus."""
        lab = self.query_one(Lab)
        if not (lab.has_focus or lab.has_focus_within):
            self.listed.action_select()

    def does_nothing(self, binding: str) -> bool:
        return (binding == "lab.open" and self.has_class("-lab")) or super().does_nothing(binding)

    def action_cancel(self) -> None:
        """Out of the search first; else the running computation stops."""
        if self.focused is self.search:
            self.search.value = ""
            self.listed.focus()
        else:
            super().action_cancel()
