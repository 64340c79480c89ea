"""All experiments, to play with: a list at the left, the chosen one's sliders and figures at the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, OptionList, Static

from engine import Description, ExperimentError, Label, Superseded, Value
from quiz.card.hero import Trial, preset_trials
from quiz.tui import lab_actions
from quiz.tui.bindings import bind
from quiz.tui.requests import GoHome
from quiz.tui.screens.listed_labs import ListedLabs
from quiz.tui.screens.screen_with_lab import STOP, as_art
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.lab_list import LabList
from quiz.tui.widgets.slider import Slider


class LabScreen(ListedLabs):
    """Below 110 columns list and lab are two pages that tab turns."""

    AUTO_FOCUS = "#experiments"  # not the search, which would take the keys for text

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tab,shift+tab", "turn_page", "lab.turn", priority=True),
        bind("q", "leave", "lab.leave"),
        STOP,
    ]

    def compose(self) -> ComposeResult:
        yield Static(id="place", markup=False)
        with Horizontal(id="table"):
            with Vertical(id="contents"):
                yield Input(id="search", compact=True, select_on_focus=False)
                yield LabList(id="experiments")
            yield Lab(self.app.words, as_art, id="lab")
        yield ActionRow(id="tries")
        yield ActionRow(id="keys")

    @property
    def experiment(self) -> Description | None:
        return self.chosen

    @property
    def trials(self) -> Sequence[Trial]:
        """On the list's page there is nothing in sight that they would move."""
        return preset_trials(self.chosen) if self.chosen and self.sees_lab else ()

    @property
    def sees_lab(self) -> bool:
        """Whether the lab is on the screen: beside the list, or in its place."""
        return self.has_class("-wide") or self.has_class("-lab")

    def _lead(self, values: Mapping[str, Value]) -> None:
        """Where a setting was tried, its sentence stands below the figure in which it is seen."""
        there = next((trial for trial in self.trials if dict(trial.values) == dict(values)), None)
        first = next(iter(self.chosen.figures), None) if self.chosen else None
        figure = there.figure or first if there else first
        watch = there.watch if there and isinstance(there.watch, Label) else None
        self.query_one(Lab).lead(replace(figure, caption=watch) if figure and watch else figure)

    def open(self, name: str) -> None:
        """An experiment by its name, on the page of the lab."""
        self.start = name
        if self.survey and name in self.survey.found and self.stands:
            self.search.value = ""
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
            self.look()

    def offer(self) -> None:
        self.offer_trials()
        words, on_lab = self.app.words, self.has_class("-lab")
        if self.expecting:
            self.query_one("#keys", ActionRow).offer(lab_actions.expecting(words), self.say("ask.typing"))
            return
        if self.focused is self.search:
            row = lab_actions.searching_labs(words)
        else:
            pinned = self.chosen is not None and self.chosen.name in self.history.pinned
            slider, kept = isinstance(self.focused, Slider), self.query_one(Lab).pinned is not None
            chosen = self.chosen is not None
            row = lab_actions.in_the_lab(words, chosen=chosen, on_lab=on_lab, seen=self.sees_lab, slider=slider, pinned=pinned, kept=kept)
        self.query_one("#keys", ActionRow).offer(row)

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
            self.remember(self.history.with_use(self.chosen.name))

    async def action_leave(self) -> None:
        """Where list and lab are two pages, out of the lab leads to the list, but for who came to this lab by its name."""
        if self.has_class("-lab") and not self.has_class("-wide") and not self.start:
            await self.action_turn_page()
        else:
            self.ask(GoHome())
