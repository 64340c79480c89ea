"""A session on the screen: card after card, each graded and then scheduled. What happens is decided in quiz.study."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Literal, cast

from textual.binding import BindingType

from quiz.card.summary_parts import undo_sentence
from quiz.memory.scheduler import Grade
from quiz.study import card_steps
from quiz.study.session import FlagStep
from quiz.study.turn import Confidence, Turn, suggested_grade
from quiz.tui import card_actions, lab_actions
from quiz.tui.bindings import bind
from quiz.tui.requests import FinishSession
from quiz.tui.screens.screen_with_lab import STOP
from quiz.tui.screens.turn_screen import TurnScreen
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.lab import Lab


class SessionScreen(TurnScreen):
    """One card after the other, from its question to its grade."""

    is_session = True

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bind(str(n), f"digit({n})", f"session.digit.{n}") for n in range(1, 5)),
        bind("u", "undo", "session.undo"),
        bind("t,minus", "set_aside('bury')", "session.bury"),  # in a number's input the minus is a sign
        bind("at", "set_aside('suspend')", "session.suspend"),
        bind("q", "leave", "session.leave"),
        STOP,
    ]

    def deal(self) -> None:
        if self.turn is None:
            self.ask(FinishSession(self.study))
        super().deal()

    def draw_head(self, turn: Turn) -> None:
        session = self.study.session
        practice = [self.say("session.practice")] if self.study.progress is None else []  # first: what is cut off is the end
        position = self.say("session.position", position=session.position, total=session.total)
        self.write_head(*practice, self.deck_title(turn.item), position, turn.card.id)

    def offer(self) -> None:
        turn = self.turn
        if turn is None or self._writing or not self.stands:
            return
        first, words = self.query_one("#actions", ActionRow), self.app.words
        helps = card_actions.helping(words, hint=self.hint_key, follow=self.follow_key)
        if self.expecting:
            first.offer(lab_actions.expecting(words), self.say("ask.typing"))
        elif self.typing:
            first.offer([*card_actions.typing(words, empty=self.query_one(CardView).is_guess_empty), *helps], self.typing_prompt)
        elif turn.stage == "ask":
            prompt = "confidence.prompt" if turn.has_answer else f"ask.first.{turn.card.kind}"
            first.offer([*card_actions.asking(words, answered=turn.has_answer), *helps], self.say(prompt))
        else:
            suggested = suggested_grade(turn) if turn.stage == "reveal" else None
            on = card_actions.going_on(words, below=self.below, recalling=turn.stage == "recall")
            first.offer([*on, *card_actions.grading(words, self.study.promises(), suggested), *helps])
        row = card_actions.moving(
            self.app.words,
            undo=bool(self.study.session.steps),
            lab=self.revealed,
            on_lab=self.has_class("-lab"),
            seen=self.sees_lab,
            moved=bool(self.card_run and self.card_run.moved is not None),
            aside=self.study.progress is not None,
            kept=self.query_one(Lab).pinned is not None,
        )
        self.query_one("#keys", ActionRow).offer(row)

    def does_nothing(self, binding: str) -> bool:
        name, _, digit = binding.rpartition(".")
        if name == "session.digit":
            return digit == "4" and (self.turn is None or self.turn.stage == "ask")
        if binding == "session.undo":
            return not self.study.session.steps
        return super().does_nothing(binding)

    async def action_digit(self, digit: int) -> None:
        """1-3 say how sure one is of the answer, and leave the question; after that 1-4 grade, also at the key points."""
        if self.turn is None or not self.steady:
            return
        if self.turn.stage != "ask":
            if self.steady_for_grades:
                await self.grade(Grade(digit))
        elif (digit == 4 or not self.turn.has_answer) and self.query_one(CardView).guess:
            self.edit_number(str(digit))
        elif digit in (1, 2, 3):
            self.step(cast(Confidence, digit))

    async def action_proceed(self) -> None:
        """The next page, the next step, and at the end the suggested grade."""
        if self.turn is None or not self.steady or self.page():
            return
        if self.turn.stage == "reveal":
            await self.grade(suggested_grade(self.turn))
        else:
            self.step(None)

    async def action_enter(self) -> None:
        """At the question it hands over an answer, and never skips how sure one is: space does."""
        turn = self.turn
        if turn is None or turn.stage != "ask":
            await self.action_proceed()
        elif self.steady and turn.has_answer:
            self.app.tell(self.say("confidence.first"))
        elif self.steady:
            if guess := self.query_one(CardView).guess:
                self.set_focus(guess)
            self.become(card_steps.ask_for_answer(self.study.session))

    async def grade(self, grade: Grade) -> None:
        """Writes the grade, then deals the next card."""
        if await self.write(partial(self.study.grade, grade)):
            self.deal()

    async def action_undo(self) -> None:
        steps = self.study.session.steps
        if steps and await self.write(self.study.undo):
            self.app.tell(undo_sentence(steps[-1], self.app.words))
            if not isinstance(steps[-1], FlagStep):  # the card stays as it is
                self.deal()

    async def action_set_aside(self, kind: Literal["suspend", "bury"]) -> None:
        """Takes the card away, until tomorrow or for good; undo brings it back."""
        if not self.steady:
            return  # it was typed for the card before
        if (turn := self.turn) is None or self.study.progress is None:
            self.app.tell(self.say("aside.practice"))
        elif await self.write(partial(self.study.set_aside, kind)):
            self.app.tell(self.say(f"aside.{kind}", card=turn.card.id))
            self.deal()

    async def action_leave(self) -> None:
        self.ask(FinishSession(self.study))
