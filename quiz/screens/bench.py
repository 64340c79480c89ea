"""A card beside its lab: the screen that asks the engine for the card's run, and for the learner's own when a slider moves."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from content.deck.cards import Card, Verification
from content.text.formula import display
from engine import Description, ExperimentError, Superseded
from quiz.bindings import bind
from quiz.card.card_run import CardRun, run_parameters
from quiz.editing import Spot, edit
from quiz.screens.owner import LabOwner
from quiz.widgets.actions import Actions
from quiz.widgets.card import CardView
from quiz.widgets.lab import Lab


class BenchScreen(LabOwner):
    """Subclasses put a Bench on the table, and draw. Below 110 columns tab turns between the two."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tab,shift+tab", "turn_page", "session.lab", priority=True),
        bind("o", "edit", "bench.edit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.bench: CardRun | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="head"):
            yield Static(id="place", markup=False)
            yield Static(id="marks", markup=False)
        with Horizontal(id="table"):
            yield CardView(id="card")
            yield Lab(self.say, display, language=self.app.language, id="lab")
        yield Actions(id="actions")
        yield Actions(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)

    async def draw(self) -> None:
        """Draws the card from the bench and whatever the subclass knows."""
        raise NotImplementedError

    async def offer(self) -> None:
        """Shows what can be done now."""
        raise NotImplementedError

    def spot(self) -> Spot | None:
        """Where the card stands in its file."""
        raise NotImplementedError

    async def edited(self) -> None:
        """The file was opened, and its editor has ended."""

    def marks(self, card: Card) -> str:
        """How hard a card is and how often it is asked."""
        asked = f"  {'◆' * card.asked}{'◇' * (5 - card.asked)} {self.say(f'session.asked.{card.asked}')}" if card.asked else ""
        return f"{self.say(f'session.level.{card.level}')}{asked}"

    def state(self, bench: CardRun) -> str:
        """A sentence while there are no numbers, or why there will be none."""
        if bench.failure:
            return self.say("reveal.not_computed", reason=self.label(bench.failure))
        if bench.result:
            return ""
        return self.say("reveal.computing" if bench.description else "reveal.warming")

    @property
    def experiment(self) -> Description | None:
        return self.bench.description if self.bench and self.has_class("-revealed") else None

    async def speak(self) -> None:
        """The language was switched."""
        await self.draw()
        self.query_one(Lab).language = self.app.language

    @work(exclusive=True, group="engine")
    async def compute(self) -> None:
        """Runs the card's experiment, or the learner's version of it, and draws what it says."""
        bench = self.bench
        verify = bench.card.verify if bench else None
        if bench is None or verify is None or not self.stands:
            return
        lab = self.query_one(Lab)
        try:
            bench = await self._described(bench, verify)
            values = bench.values if bench.moved is None else bench.moved
            result = await self.app.compute(verify.experiment, values, self.report)
        except Superseded:
            return
        except ExperimentError as error:
            self.bench = replace(bench, failure=error.label)
            await lab.fail(self.label(error.label))
        else:
            self.bench = bench.computed(result)
            await lab.show(result)
        await self.draw()

    async def _described(self, bench: CardRun, verify: Verification) -> CardRun:
        if bench.description:
            return bench
        description = await self.app.describe(verify.experiment)
        bench = replace(bench, description=description, values=run_parameters(verify, description))
        self.bench = bench
        await self.query_one(Lab).describe(description, bench.values)
        await self.draw()
        return bench

    @on(Lab.Changed)
    def try_values(self, event: Lab.Changed) -> None:
        """A slider moved: the claims are held against the learner's own run."""
        if self.bench and self.bench.result:
            self.bench = self.bench.moved_to(event.values)
            self.compute()

    async def action_edit(self) -> None:
        """Opens the card in the person's editor, at its line."""
        spot = self.spot()
        if spot and edit(self.app, spot):
            await self.edited()

    async def action_move(self, by: int) -> None:
        """Up and down scroll the card."""
        self.query_one(CardView).scroll_relative(y=by, animate=False)

    async def action_turn_page(self) -> None:
        """Tab goes to the lab and back; on a narrow screen the page turns. Before the reveal there is no lab."""
        if not self.has_class("-revealed"):
            return
        self.toggle_class("-lab")
        if self.has_class("-lab"):
            self.query_one(Lab).take_focus()
        else:
            self.set_focus(self.query_one(CardView))
        await self.offer()


def write(place: Static, text: str) -> None:
    """Writes a text where it is not written yet: Static asks for a new layout each time."""
    if place.content != Content(text):
        place.update(Content(text))
