"""A session on the screen: a card, its lab, and what can be done now. What happens is decided in quiz.study."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal, cast

from textual import on
from textual.binding import BindingType
from textual.widgets import Static

from quiz.card import card_parts
from quiz.card.answer_parts import answer_parts
from quiz.card.card_location import CardLocation, deck_folder, locate_card
from quiz.card.card_run import CardRun
from quiz.card.summary_parts import undo_sentence
from quiz.memory.scheduler import Grade
from quiz.progress.errors import ProgressError
from quiz.study import session as sessions
from quiz.study.study import Study
from quiz.study.turn import Confidence, Response, Turn, suggested_grade
from quiz.tui import actions
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import FinishSession, NotSaved
from quiz.tui.screens.card_screen import CardScreen, write
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.text_part import Pick

HOLD = 0.25  # seconds; a key pressed twice must not reveal and grade, nor grade and reveal the next


class SessionScreen(CardScreen):
    """One card after the other, from its question to its grade."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("space,enter", "proceed", "session.proceed"),
        *(bind(str(n), f"digit({n})", f"session.digit.{n}") for n in range(1, 5)),
        *(bind(letter, f"letter({i})", f"session.letter.{letter}") for i, letter in enumerate(card_parts.LETTERS)),
        bind("u", "undo", "session.undo"),
        bind("t,minus", "set_aside('bury')", "session.bury"),  # in a number's input the minus is a sign
        bind("at", "set_aside('suspend')", "session.suspend"),
        bind("q", "leave", "session.leave"),
    ]

    def __init__(self, study: Study, engine: LabEngine, files: LearnerFiles) -> None:
        super().__init__(engine)
        self.files = files
        self.study = study
        self._steady = math.inf  # the moment from which keys count
        self._writing = False

    def on_mount(self) -> None:  # Textual calls the one of the superclass too
        self.deal()

    @property
    def turn(self) -> Turn | None:
        return self.study.session.turn

    def deal(self) -> None:
        """Puts the session's card on the table and starts its run."""
        if (turn := self.turn) is None:
            self.ask(FinishSession(self.study))
            return
        if not self.stands:
            return
        self.put(CardRun(turn.card, beside=deck_folder(self.files.library, turn.item.deck), language=self.app.language))
        self._hold()
        self.remove_class("-lab")
        view = self.query_one(CardView)
        view.clear()
        self.draw()
        self.set_focus(view.guess if view.guess and turn.stage == "ask" else view)
        self.compute()

    def draw(self) -> None:
        """Draws everything from the session and the card_run. While a grade is written, the session is another thread's."""
        turn, card_run = self.turn, self.card_run
        if turn is None or card_run is None or card_run.card is not turn.card or self._writing or not self.stands:
            return
        self.study.session = sessions.set_measured(self.study.session, card_run.measured())
        turn = self.turn or turn
        self._draw_head(turn)
        view, words = self.query_one(CardView), self.app.words
        if turn.stage == "ask":
            asked = turn.card.number or turn.card.predict
            guess = Guess(words("ask.placeholder"), turn.response.number, asked.unit) if asked else None
            view.show(card_parts.question_parts(turn, words, card_run.names, self.study.failed), guess)
        else:
            parts = answer_parts(turn, words, card_run.names, card_run.verdicts(), self.state(card_run), card_run.moved is not None)
            view.show(parts)
        open_ = turn.stage == "reveal" or self.study.failed > 0
        self.set_class(open_ and bool(turn.card.verify), "-revealed")
        self.offer()

    def _draw_head(self, turn: Turn) -> None:
        session, card = self.study.session, turn.card
        place = [turn.item.deck, self.say("session.position", position=session.position, total=session.total), card.id]
        place += [self.say("session.practice")] if self.study.progress is None else []
        write(self.query_one("#place", Static), " · ".join(place))
        write(self.query_one("#marks", Static), self.marks(card))

    def offer(self) -> None:
        turn = self.turn
        if turn is None:
            return
        if turn.stage == "reveal":
            self.query_one("#actions", ActionRow).offer(actions.grading(self.app.words, self.study.intervals(), suggested_grade(turn)))
        else:
            self.query_one("#actions", ActionRow).offer(actions.asking(self.app.words), self.say("confidence.prompt"))
        row = actions.moving(
            self.app.words,
            undo=bool(self.study.session.steps),
            lab=self.has_class("-revealed"),
            on_lab=self.has_class("-lab"),
            moved=bool(self.card_run and self.card_run.moved is not None),
            aside=self.study.progress is not None,
        )
        self.query_one("#keys", ActionRow).offer(row)

    async def action_digit(self, digit: int) -> None:
        """1-3 say how sure one is and show the answer; after that 1-4 grade."""
        if self.turn is None or self.app.typed < self._steady:
            return
        if self.turn.stage == "reveal":
            await self.grade(Grade(digit))
        elif digit in (1, 2, 3):
            self.reveal(cast(Confidence, digit))

    async def action_proceed(self) -> None:
        if self.turn is None or self.app.typed < self._steady:
            return
        if self.turn.stage == "reveal":
            await self.grade(suggested_grade(self.turn))
        else:
            self.reveal(None)

    def reveal(self, confidence: Confidence | None) -> None:
        if self._writing:
            return
        guess = self.query_one(CardView).guess
        if guess and not guess.is_readable:
            guess.refuse()
            self.set_focus(guess)
            return
        if guess and self.turn:
            self.respond(replace(self.turn.response, number=guess.number))
        self.study.session = sessions.reveal(self.study.session, confidence)
        self._hold()
        self.draw()
        self.set_focus(self.query_one(CardView))

    def _hold(self) -> None:
        """Keys typed before the new state has been on the screen for a moment neither reveal nor grade it."""
        self._steady = math.inf
        self.call_after_refresh(self._release)

    def _release(self) -> None:
        self._steady = self.app.now + HOLD

    def respond(self, response: Response) -> None:
        if not self._writing:
            self.study.session = sessions.respond(self.study.session, response)

    async def grade(self, grade: Grade) -> None:
        """Writes the grade, then deals the next card."""
        if await self._write(partial(self.study.grade, grade)):
            self.deal()

    async def _write(self, change: Callable[[], object]) -> bool:
        """Runs a change of the store off the event loop; while it is being written, further keys do nothing. False when it failed."""
        if self._writing:
            return False
        self._writing = True
        try:
            await off_loop(change)
        except ProgressError as error:
            self.ask(NotSaved(error))
            return False
        finally:
            self._writing = False
            self.draw()  # what was measured meanwhile
        return True

    async def action_undo(self) -> None:
        steps = self.study.session.steps
        if steps and await self._write(self.study.undo):
            self.app.tell(undo_sentence(steps[-1], self.app.words))
            self.deal()

    async def action_set_aside(self, kind: Literal["suspend", "bury"]) -> None:
        """Takes the card away, until tomorrow or for good; undo brings it back."""
        if self.app.typed < self._steady:
            return  # it was typed for the card before
        if (turn := self.turn) is None or self.study.progress is None:
            self.app.tell(self.say("aside.practice"))
        elif await self._write(partial(self.study.set_aside, kind)):
            self.app.tell(self.say(f"aside.{kind}", card=turn.card.id))
            self.deal()

    async def action_letter(self, place: int) -> None:
        """A letter picks an option or an order item before the reveal, and ticks a key point after it."""
        self.become(sessions.pick_letter(self.study.session, place))

    @on(Pick.Picked)
    async def picked(self, event: Pick.Picked) -> None:
        self.become(sessions.pick(self.study.session, event.index))

    async def action_move(self, by: int) -> None:
        """Up and down move the code's cursor before the reveal, and scroll everywhere else."""
        moved = sessions.move_cursor(self.study.session, by)
        if moved is self.study.session:
            await super().action_move(by)
        else:
            self.become(moved)

    def become(self, session: sessions.Session) -> None:
        """Takes the session's new state and draws it."""
        if not self._writing:
            self.study.session = session
            self.draw()

    @on(Guess.Given)
    def guessed(self, event: Guess.Given) -> None:
        """The number is in: the keys are for the confidence now."""
        if self.turn:
            self.respond(replace(self.turn.response, number=event.number))

    @on(Guess.Remarked)
    def remarked(self, event: Guess.Remarked) -> None:
        self.query_one(CardView).remark(self.say(event.key, text=event.text) if event.key else "")

    async def edited(self) -> None:
        """The session goes on with the card as it was asked."""
        await asyncio.to_thread(self.files.reread)
        self.app.tell(self.say("editor.later"))

    def spot(self) -> CardLocation | None:
        return locate_card(self.files.library, self.turn.item.key) if self.files.library and self.turn else None

    async def action_leave(self) -> None:
        self.ask(FinishSession(self.study))
