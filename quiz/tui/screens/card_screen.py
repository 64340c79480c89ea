"""A card beside its lab: the screen that asks the engine for the card's run, and for the learner's own when a slider moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import Static

from content.deck.cards import Card, Verification
from engine import Description, ExperimentError, Progress, Superseded
from quiz.card.card_location import CardLocation
from quiz.card.card_run import CardRun
from quiz.card.hero import Trial
from quiz.card.planned_run import asked_experiment, plan_runs
from quiz.charts.as_text import WIDTH, as_plain
from quiz.charts.card_picture import card_picture, guess_of, lead, offered_trials, sliders_that_matter
from quiz.charts.style import Pen
from quiz.study.turn import asked_quantity
from quiz.tui.bindings import bind
from quiz.tui.editor import edit_card
from quiz.tui.lab_engine import LabEngine
from quiz.tui.screens.copy_menu import Copyable
from quiz.tui.screens.screen_with_lab import ScreenWithLab, as_art
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.figure import style_of_app
from quiz.tui.widgets.hero import Hero, HeroBeside
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
        self.revealed = False  # whether the card's experiment may be seen

    def compose(self) -> ComposeResult:
        hero, lab = HeroBeside(self.pen, id="hero"), Lab(self.app.words, as_art, id="lab")
        hero.styles.display = lab.styles.display = "none"
        with Horizontal(id="head"):
            yield Static(id="place", markup=False)
            yield Static(id="marks", markup=False)
        with Horizontal(id="table"):
            yield CardView(self.pen, id="card")
            yield hero
            yield lab
        yield ActionRow(id="tries")
        yield ActionRow(id="actions")
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self.watch(self.app, "language", self.speak, init=False)

    def pen(self) -> Pen:
        return Pen(style_of_app(self.app), self.app.words, as_art)

    def draw(self) -> None:
        """Draws the card from the card_run and whatever the subclass knows."""
        raise NotImplementedError

    @on(CardView.Scrolled)
    def scrolled(self) -> None:
        """More or less is to be seen: other actions make sense."""
        if self.stands:
            self.offer()

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
        if card_run.complete:
            return ""
        return self.say("reveal.computing" if card_run.description else "reveal.warming")

    @property
    def experiment(self) -> Description | None:
        return self.card_run.description if self.card_run and self.revealed else None

    @property
    def trials(self) -> Sequence[Trial]:
        return offered_trials(self.card_run) if self.card_run and self.experiment else ()

    def draw_picture(self, guess: float | None, *, covered: bool) -> None:
        """The card's picture with what was predicted: on the card, beside it where there is room, and first in its lab."""
        if (card_run := self.card_run) is None or not self.stands:
            return
        picture = card_picture(card_run, guess, covered=covered)
        self.query_one(CardView).picture(picture, coming=card_run.failure is None and card_run.shown is None)
        self.query_one(HeroBeside).update(picture if covered else None)
        self.query_one(Lab).lead(lead(card_run), guess_of(card_run, guess))

    def lay_out(self, *, pictured: bool, revealed: bool) -> None:
        """Whether there is something in the place of the covered picture, and in the lab's. No class says so: each change of one goes over
        the styles of every widget below."""
        proved = self.card_run is not None and bool(self.card_run.card.verify)
        self.revealed = revealed and proved
        self.query_one(HeroBeside).styles.display = None if pictured and proved and not self.revealed else "none"
        self.query_one(Lab).styles.display = None if self.revealed else "none"

    @property
    def sees_lab(self) -> bool:
        """Whether the lab is on the screen: beside the card, or in its place."""
        return self.revealed and (self.has_class("-wide") or self.has_class("-lab"))

    @property
    def asked_first(self) -> Sequence[str]:
        """The number that the card itself asks for."""
        name = asked_quantity(self.card_run.card) if self.card_run else None
        return (name,) if name else ()

    def face_lab(self) -> None:
        if not self.sees_lab:
            self.add_class("-lab")
            self.query_one(Lab).take_focus()

    def put(self, card_run: CardRun) -> None:
        """Another card on the table: nothing is known of its run, and the lab of the card before is not its."""
        self.card_run = card_run
        if self.stands:
            self.query_one(Lab).clear()

    def speak(self) -> None:
        """The language was switched; a card whose examples are set by language runs anew with the reader's."""
        if not self.stands:
            return
        if self.card_run and self.card_run.language != self.app.language:
            spoken = replace(self.card_run, language=self.app.language)
            if spoken.settings == self.card_run.settings:
                self.card_run = spoken
            else:
                self.put(CardRun(spoken.card, beside=spoken.beside, language=spoken.language))
                self.compute()
        self.draw()
        for picture in self.query(Hero):
            picture.redraw()  # the same numbers in other words
        self.query_one(Lab).words = self.app.words

    @work(exclusive=True, group="engine")
    async def compute(self) -> None:
        """Runs the card's experiments and the learner's version of its own, and draws what they say. Another card, or values, begin it
        anew."""
        asked = self.card_run
        verify = asked.card.verify if asked else None
        if asked is None or verify is None or not self.stands:
            return
        try:
            if asked.description is None:
                await self._describe(asked, verify)
            for planned in self.card_run.due if self.card_run else ():
                result = await self.measure(planned.experiment, planned.values)
                self._take(asked, partial(CardRun.computed, result=result))
            for planned in self.card_run.due_further if self.card_run else ():
                result = await self.engine.compute(planned.experiment, planned.values, _unseen)
                self._take(asked, partial(CardRun.computed_further, result=result))
        except Superseded:
            return
        except ExperimentError as error:
            self._take(asked, partial(CardRun.failed, reason=error.label))

    async def _describe(self, asked: CardRun, verify: Verification) -> None:
        """Raises ParameterError."""
        experiments = await asyncio.to_thread(lambda: [asked_experiment(run) for run in verify.every_run.values()])
        descriptions = [await self.engine.describe(experiment) for experiment in experiments]
        plan = await asyncio.to_thread(plan_runs, verify, descriptions, asked.beside, asked.language)
        if self.stands:
            self.query_one(Lab).describe(plan[0].description, plan[0].values, sliders_that_matter(replace(asked, plan=plan)))
        self._take(asked, lambda card_run: replace(card_run, plan=plan))

    def _take(self, asked: CardRun, change: Callable[[CardRun], CardRun]) -> None:
        """Changes what is known of the run by now, and draws card and lab from it; what belongs to another card comes too late."""
        if self.card_run is None or not self.card_run.is_of(asked.card) or self.card_run.settings != asked.settings:
            return
        self.card_run = card_run = change(self.card_run)
        if not self.stands:
            return
        if card_run.failure:
            self.query_one(Lab).fail(self.label(card_run.failure))
        elif card_run.shown:
            self.query_one(Lab).show(card_run.shown)
        self.draw()

    @on(Lab.Changed)
    def try_values(self, event: Lab.Changed) -> None:
        """A slider moved: the claims are held against the learner's own run. After a failure it is how one tries once more."""
        if self.card_run is None or event.description is not self.card_run.description:
            return
        self.card_run = self.card_run.moved_to(event.values)
        if self.card_run.result and self.card_run.moved is None:
            self.query_one(Lab).show(self.card_run.result)
            self.draw()
        self.compute()

    async def action_edit(self) -> None:
        """Opens the card in the person's editor, at its line."""
        spot = self.spot()
        if spot and edit_card(self.app, spot):
            await self.edited()

    def copyables(self) -> list[Copyable]:
        """The card as it is on the screen comes first."""

        async def text() -> str:
            return as_plain(self.query_one(CardView).lines(WIDTH))

        return [Copyable("card", text), *super().copyables()]

    async def action_move(self, by: int) -> None:
        """Up and down scroll the card."""
        self.query_one(CardView).scroll_relative(y=by, animate=False)

    async def action_turn_page(self) -> None:
        """Tab goes to the lab and back; on a narrow screen the page turns. Before the reveal there is no lab."""
        if not self.revealed:
            if self.card_run and self.card_run.card.verify:
                self.app.tell(self.say("keys.lab.later"))
            return
        self.toggle_class("-lab")
        if self.has_class("-lab"):
            self.query_one(Lab).take_focus()
        else:
            self.set_focus(self.query_one(CardView))
        self.offer()


def _unseen(progress: Progress) -> None:
    """The lab shows the card's own run; how far the others are is shown nowhere."""
