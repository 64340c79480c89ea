"""A card beside its lab: the screen that asks the engine for the card's run, and for the learner's own when a slider moves."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from content.deck.cards import Card, Verification
from engine import Description, ExperimentError, Superseded
from quiz.card.card_location import CardLocation
from quiz.card.card_run import CardRun, run_parameters
from quiz.tui.bindings import bind
from quiz.tui.editor import edit_card
from quiz.tui.lab_engine import LabEngine
from quiz.tui.screens.screen_with_lab import ScreenWithLab, as_art
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.lab import Lab


class CardScreen(ScreenWithLab):
    """Subclasses choose the card and draw. Below 110 columns tab turns between the two."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("tab,shift+tab", "turn_page", "session.lab", priority=True),
        bind("o", "edit", "bench.edit"),
    ]

    def __init__(self, engine: LabEngine) -> None:
        super().__init__(engine)
        self.card_run: CardRun | None = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="head"):
            yield Static(id="place", markup=False)
            yield Static(id="marks", markup=False)
        with Horizontal(id="table"):
            yield CardView(id="card")
            yield Lab(self.app.words, as_art, id="lab")
        yield ActionRow(id="actions")
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)

    async def draw(self) -> None:
        """Draws the card from the card_run and whatever the subclass knows."""
        raise NotImplementedError

    async def offer(self) -> None:
        """Shows what can be done now."""
        raise NotImplementedError

    def spot(self) -> CardLocation | None:
        """Where the card stands in its file."""
        raise NotImplementedError

    async def edited(self) -> None:
        """The file was opened, and its editor has ended."""

    def marks(self, card: Card) -> str:
        """How hard a card is and how often it is asked."""
        asked = f"  {'◆' * card.asked}{'◇' * (5 - card.asked)} {self.say(f'session.asked.{card.asked}')}" if card.asked else ""
        return f"{self.say(f'session.level.{card.level}')}{asked}"

    def state(self, card_run: CardRun) -> str:
        """A sentence while there are no numbers, or why there will be none."""
        if card_run.failure:
            return self.say("reveal.not_computed", reason=self.label(card_run.failure))
        if card_run.result:
            return ""
        return self.say("reveal.computing" if card_run.description else "reveal.warming")

    @property
    def experiment(self) -> Description | None:
        return self.card_run.description if self.card_run and self.has_class("-revealed") else None

    async def speak(self) -> None:
        """The language was switched."""
        await self.draw()
        self.query_one(Lab).words = self.app.words

    @work(exclusive=True, group="engine")
    async def compute(self) -> None:
        """Runs the card's experiment, or the learner's version of it, and draws what it says."""
        card_run = self.card_run
        verify = card_run.card.verify if card_run else None
        if card_run is None or verify is None or not self.stands:
            return
        lab = self.query_one(Lab)
        try:
            card_run = await self._described(card_run, verify)
            values = card_run.values if card_run.moved is None else card_run.moved
            result = await self.engine.compute(verify.experiment, values, self.report)
        except Superseded:
            return
        except ExperimentError as error:
            self.card_run = replace(card_run, failure=error.label)
            await lab.fail(self.label(error.label))
        else:
            self.card_run = card_run.computed(result)
            await lab.show(result)
        await self.draw()

    async def _described(self, card_run: CardRun, verify: Verification) -> CardRun:
        if card_run.description:
            return card_run
        description = await self.engine.describe(verify.experiment)
        values = await asyncio.to_thread(run_parameters, verify, description, card_run.beside)
        card_run = replace(card_run, description=description, values=values)
        self.card_run = card_run
        await self.query_one(Lab).describe(description, card_run.values)
        await self.draw()
        return card_run

    @on(Lab.Changed)
    def try_values(self, event: Lab.Changed) -> None:
        """A slider moved: the claims are held against the learner's own run."""
        if self.card_run and self.card_run.result:
            self.card_run = self.card_run.moved_to(event.values)
            self.compute()

    async def action_edit(self) -> None:
        """Opens the card in the person's editor, at its line."""
        spot = self.spot()
        if spot and edit_card(self.app, spot):
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
