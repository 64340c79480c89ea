"""A card that another one leads to, looked at above it: its question, then its answer. Nothing is graded, and no schedule moves."""

from __future__ import annotations

from typing import ClassVar, Literal

from textual import on
from textual.binding import BindingType

from quiz.study.card_steps import reveal
from quiz.study.session import Session
from quiz.study.study import Study
from quiz.study.turn import Confidence, Turn
from quiz.tui import card_actions, lab_actions
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.screens.turn_screen import TurnScreen
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.lab import Lab


class FollowUpScreen(TurnScreen):
    """Esc goes back to the card where one was, which is as it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("escape,q", "leave", "follow_up.leave")]

    def __init__(self, study: Study, engine: LabEngine, files: LearnerFiles, back_to: Literal["card", "browse", "screen"] = "card") -> None:
        super().__init__(study, engine, files)
        self.back_to = back_to

    def draw_head(self, turn: Turn) -> None:
        place = self.say("follow_up.place" if self.back_to == "card" else "browse.place")
        self.write_head(self.deck_title(turn.item), place, turn.card.id)

    def offer(self) -> None:
        turn, words = self.turn, self.app.words
        if turn is None or not self.stands:
            return
        helps = card_actions.helping(words, hint=self.hint_key, follow=self.follow_key)
        on = card_actions.looking(words, asking=turn.stage == "ask", below=self.below, back_to=self.back_to)
        first = self.query_one("#actions", ActionRow)
        if self.expecting:
            first.offer(lab_actions.expecting(words), self.say("ask.typing"))
        elif self.typing:
            first.offer([*card_actions.typing(words, empty=self.query_one(CardView).is_guess_empty), *helps], self.typing_prompt)
        else:
            first.offer([*on, *helps])
        lab, moved = self.revealed, bool(self.card_run and self.card_run.moved is not None)
        kept = self.query_one(Lab).pinned is not None
        row = lab_actions.beside_the_lab(words, lab=lab, on_lab=self.has_class("-lab"), seen=self.sees_lab, moved=moved, kept=kept)
        self.query_one("#keys", ActionRow).offer([*row, *card_actions.flagging(words), *card_actions.back_again(words, self.back_to)])

    def next_step(self, confidence: Confidence | None) -> Session:
        """The answer: what one said of the key points is noted nowhere here."""
        return reveal(self.study.session, confidence)

    async def action_proceed(self) -> None:
        """Space shows the answer; then it goes back."""
        if self.turn is None or not self.steady or self.page():
            return
        if self.turn.stage == "ask":
            self.step(None)
        else:
            await self.action_leave()

    @on(Guess.Given)
    def see(self, event: Guess.Given) -> None:
        """The number is in: how sure one is of it is not asked here. Textual has told the superclass first."""
        if event.number is not None and self.turn and self.turn.stage == "ask" and not self.turn.is_unpicked:
            self.step(None)

    @on(Guess.Left)
    async def leave_from_the_number(self) -> None:
        """As the row of keys says, also while a number is asked for."""
        await self.action_leave()

    async def action_leave(self) -> None:
        """Once: a second key may be typed before the card is gone."""
        if self.is_active and self.stands:
            self.dismiss(None)
