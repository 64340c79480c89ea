"""A session on the screen: card after card, each graded and then scheduled. What happens is decided in quiz.study."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal, cast

from textual.binding import BindingType

from quiz.card.summary_parts import undo_sentence
from quiz.memory.scheduler import Grade
from quiz.progress.errors import ProgressError
from quiz.study.turn import Confidence, Turn, suggested_grade
from quiz.tui import actions
from quiz.tui.bindings import bind
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import FinishSession, NotSaved
from quiz.tui.screens.screen_with_lab import STOP
from quiz.tui.screens.turn_screen import TurnScreen
from quiz.tui.widgets.action_row import ActionRow


class SessionScreen(TurnScreen):
    """One card after the other, from its question to its grade."""

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
        place = [turn.item.deck, self.say("session.position", position=session.position, total=session.total), turn.card.id]
        self.write_head(*place, *([self.say("session.practice")] if self.study.progress is None else []))

    def offer(self) -> None:
        turn = self.turn
        if turn is None:
            return
        first, helps = self.query_one("#actions", ActionRow), actions.helping(self.app.words, hint=self.hint_key, follow=self.follow_key)
        if turn.stage == "reveal":
            first.offer([*actions.grading(self.app.words, self.study.intervals(), suggested_grade(turn)), *helps])
        else:
            first.offer([*actions.asking(self.app.words), *helps], self.say("confidence.prompt"))
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
        if self.turn is None or not self.steady:
            return
        if self.turn.stage == "reveal":
            await self.grade(Grade(digit))
        elif digit in (1, 2, 3):
            self.reveal(cast(Confidence, digit))

    async def action_proceed(self) -> None:
        if self.turn is None or not self.steady:
            return
        if self.turn.stage == "reveal":
            await self.grade(suggested_grade(self.turn))
        else:
            self.reveal(None)

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
        if not self.steady:
            return  # it was typed for the card before
        if (turn := self.turn) is None or self.study.progress is None:
            self.app.tell(self.say("aside.practice"))
        elif await self._write(partial(self.study.set_aside, kind)):
            self.app.tell(self.say(f"aside.{kind}", card=turn.card.id))
            self.deal()

    async def action_leave(self) -> None:
        self.ask(FinishSession(self.study))
