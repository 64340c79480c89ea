"""A card on the screen from its question to its answer, with its lab. What comes after the answer is a subclass's."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.widgets import Static

from quiz.card import card_parts
from quiz.card.answer_parts import answer_parts
from quiz.card.card_location import CardLocation
from quiz.card.card_run import CardRun
from quiz.card.follow_ups import follow_ups
from quiz.study import card_steps
from quiz.study.session import Session
from quiz.study.study import Study
from quiz.study.turn import Confidence, Item, Turn
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.screens.asked_number import AskedNumber
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.text_part import Pick
from quiz.tui.widgets.written import write

HOLD = 0.25  # seconds; a key pressed twice must not reveal and grade, nor grade and reveal the next
OVERLAP = 2  # lines that stay when a page is turned


class TurnScreen(AskedNumber):
    """Subclasses say what is on the table, draw the head, and end the turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("space", "proceed", "session.proceed"),
        bind("enter", "enter", "session.enter"),
    ]

    def __init__(self, study: Study, engine: LabEngine, files: LearnerFiles) -> None:
        super().__init__(study, engine, files)
        self._steady = self._steady_for_grades = math.inf  # the moments from which keys count

    def on_mount(self) -> None:  # Textual calls the one of the superclass too
        self.deal()

    def deal(self) -> None:
        """Puts the session's card on the table and starts its run."""
        if (turn := self.turn) is None or not self.stands:
            return
        card_run = CardRun(turn.card, beside=self.files.folder_of(turn.item.deck), language=self.app.language)
        self.put(card_run)
        self.links = follow_ups(turn.item, self.files.decks_at_hand)
        if any(link.item is None for link in self.links):
            self.look_further(turn.item)
        self.hold()
        self.remove_class("-lab")
        view = self.query_one(CardView)
        view.forget()
        self.draw_turn(turn, card_run)
        self.set_focus(view.guess if view.guess and turn.stage == "ask" else view)
        self.offer()  # a number is to be typed now
        self.call_after_refresh(self.compute)  # one reads the question first

    @work(exclusive=True, group="links")
    async def look_further(self, item: Item) -> None:
        """Looks for the linked cards in the decks that the session is not about."""
        await asyncio.to_thread(self.files.read_shelf)
        if self.turn and self.turn.item == item:
            self.links = follow_ups(item, self.files.decks_at_hand)
            self.draw()

    def draw_head(self, turn: Turn) -> None:
        """Writes the line above the card."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draws everything from the session and the card_run. While a grade is written, the session is another thread's."""
        turn, card_run = self.turn, self.card_run
        if turn is None or card_run is None or card_run.card is not turn.card or self._writing or not self.stands:
            return
        self.draw_turn(turn, card_run)
        self.offer()

    def draw_turn(self, turn: Turn, card_run: CardRun) -> None:
        """All but what there is to do now."""
        self.study.session = card_steps.set_measured(self.study.session, card_run.measured())
        turn = self.turn or turn
        self.draw_head(turn)
        view, words = self.query_one(CardView), self.app.words
        if turn.stage == "ask":
            asked = turn.card.number or turn.card.predict
            guess = Guess(self.placeholder(asked.unit), turn.response.number, asked.unit) if asked else None
            if guess:
                guess.letters = card_parts.LETTERS[: card_steps.letters(turn)]
            view.show(card_parts.question_parts(turn, words, card_run.names, self.study.failed), guess)
        elif turn.stage == "recall":
            view.show(card_parts.recall_parts(turn, words, card_run.names))
        else:
            moved, state, verdicts = card_run.moved is not None, self.state(card_run), card_run.verdicts()
            view.show(answer_parts(turn, words, card_run.names, verdicts, state, moved, self.links))
            self.query_one(Lab).judge(verdicts)
        self.draw_picture(self.typed_number(turn), covered=turn.stage != "reveal")
        self.lay_out(pictured=turn.stage != "reveal", revealed=turn.stage == "reveal" or self.study.failed > 0)
        self.offer_trials()

    def deck_title(self, item: Item) -> str:
        """The title of a card's deck, in the language of the interface."""
        titles = {deck.deck: deck.title for deck in self.files.decks_at_hand}
        return titles[item.deck].said(self.app.language) if item.deck in titles else item.deck

    def write_head(self, *place: str) -> None:
        """Writes where the card stands, and how hard it is."""
        write(self.query_one("#place", Static), " · ".join(place))
        write(self.query_one("#marks", Static), self.marks(self.turn.card) if self.turn else "")

    def next_step(self, confidence: Confidence | None) -> Session:
        """The session with the card one step on."""
        return card_steps.proceed(self.study.session, confidence)

    def step(self, confidence: Confidence | None) -> None:
        """From the question to the key points, and to the answer."""
        if self._writing:
            return
        guess = self.query_one(CardView).guess
        if guess and not guess.is_readable:
            guess.refuse()
            self.set_focus(guess)
            return
        if guess and self.turn:
            self.respond(replace(self.turn.response, number=guess.number))
        self.study.session = self.next_step(confidence)
        self.hold()
        self.draw()
        self.set_focus(self.query_one(CardView))

    @property
    def below(self) -> int:
        """How many lines of the key points or of the answer are still below the screen."""
        return self.query_one(CardView).below if self.turn and self.turn.stage != "ask" else 0

    def page(self) -> bool:
        """Shows what is below, where there is something; a key pressed twice goes no farther than to the end."""
        if not self.below:
            return False
        view = self.query_one(CardView)
        view.scroll_relative(y=max(view.size.height - OVERLAP, 1), animate=False)
        self.hold()
        return True

    def face_lab(self) -> None:
        """Digits that follow at once are the number's, and grade nothing."""
        self.hold()
        super().face_lab()

    def draw_expecting(self) -> None:
        """An Enter too much was for the number, and grades nothing."""
        self.hold()
        super().draw_expecting()

    def hold(self) -> None:
        """Keys typed before the new state has been on the screen for a moment neither reveal nor grade it."""
        self._steady = self._steady_for_grades = math.inf
        self.call_after_refresh(self._release)

    def _release(self) -> None:
        now = self.app.now
        self._steady, self._steady_for_grades = now + HOLD, now + 2 * HOLD

    @property
    def steady(self) -> bool:
        """Whether the key that is answered now was typed for what is on the screen."""
        return self.app.typed >= self._steady

    @property
    def steady_for_grades(self) -> bool:
        """The same for a digit: one that says how sure one was, a moment too late, must not grade. It counts after twice the time."""
        return self.app.typed >= self._steady_for_grades

    async def action_enter(self) -> None:
        await self.run_action("proceed")

    @on(Pick.Picked)
    async def picked(self, event: Pick.Picked) -> None:
        self.become(card_steps.pick(self.study.session, event.index))

    async def action_move(self, by: int) -> None:
        """Up and down move the code's cursor before the reveal, and scroll everywhere else."""
        moved = card_steps.move_cursor(self.study.session, by)
        if moved is self.study.session:
            await super().action_move(by)
        else:
            self.become(moved)

    async def edited(self) -> None:
        """The session goes on with the card as it was asked."""
        await asyncio.to_thread(self.files.reread)
        self.app.tell(self.say("editor.later"))

    def spot(self) -> CardLocation | None:
        return self.files.locate(self.turn.item.key) if self.turn else None
