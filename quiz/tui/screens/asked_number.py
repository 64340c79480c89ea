"""The number that a card asks for, while it is typed: what the empty input says, which keys are its own, and what of it counts by now."""

from __future__ import annotations

from dataclasses import replace

from textual import on
from textual.events import Key

from quiz.card import card_parts
from quiz.study import card_steps
from quiz.study.turn import Response, Turn
from quiz.tui.screens.turn_asides import TurnAsides
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.guess import Guess

UNBOUND_DIGITS = frozenset("056789.")  # what of a number means nothing else at the question


class AskedNumber(TurnAsides):
    """Subclasses put a Guess into the CardView of a card that asks for a number, and take the number along when the question is left."""

    def placeholder(self, unit: str) -> str:
        """What stands in the empty input: of 0.39 % one types 0.39."""
        return self.say("ask.placeholder.unit", unit=unit.strip()) if unit.strip() else self.say("ask.placeholder")

    def typed_number(self, turn: Turn) -> float | None:
        """What is predicted by now: while it is typed, what can be read of it."""
        guess = self.query_one(CardView).guess
        return guess.number if guess and turn.stage == "ask" else turn.response.number

    @property
    def typing(self) -> bool:
        """Whether the keys are a number's."""
        guess = self.query_one(CardView).guess
        return guess is not None and self.focused is guess

    @property
    def typing_prompt(self) -> str:
        """What is typed: where something is picked too, its letters come first."""
        last = card_parts.LETTERS[card_steps.letters(self.turn) - 1] if self.turn and card_steps.letters(self.turn) else ""
        return self.say("ask.typing.picked", last=last) if last else self.say("ask.typing")

    def respond(self, response: Response) -> None:
        if not self._writing:
            self.study.session = card_steps.respond(self.study.session, response)

    def on_key(self, event: Key) -> None:
        """Backspace goes back to the number, and so do its keys where they mean nothing else."""
        guess = self.query_one(CardView).guess if self.stands else None
        at_question = self.turn is not None and self.turn.stage == "ask" and isinstance(self.focused, CardView | None)
        if guess and at_question and (event.key == "backspace" or event.character in UNBOUND_DIGITS):
            event.stop()
            event.prevent_default()
            self.edit_number(event.character if event.is_printable and event.character else "")

    def edit_number(self, text: str) -> None:
        """Goes on with the number that is asked for: what is typed is put behind it, and without that its last character goes."""
        if guess := self.query_one(CardView).guess:
            self.set_focus(guess)
            guess.cursor_position = len(guess.value)
            if text:
                guess.insert_text_at_cursor(text)
            else:
                guess.action_delete_left()

    @on(Guess.Given)
    def guessed(self, event: Guess.Given) -> None:
        """The number is in: the keys are for the confidence now."""
        if self.turn:
            self.respond(replace(self.turn.response, number=event.number))
            self.offer()

    @on(Guess.Remarked)
    def remarked(self, event: Guess.Remarked) -> None:
        if event.key == "ask.empty" and not self.steady:
            return  # it was typed for what was on the screen before
        view = self.query_one(CardView)
        view.remark(self.say(event.key, text=event.text) if event.key else "")
        if view.guess and view.guess.value and self.typing:
            view.scroll_to_widget(view.guess, animate=False)  # on a small screen it may be below the question
        if self.turn and self.turn.stage == "ask":
            self.draw_picture(self.typed_number(self.turn), covered=True)
        self.offer()
