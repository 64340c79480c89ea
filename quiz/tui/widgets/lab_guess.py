"""Above the hero of a lab: the number that somebody expects before the sliders move, and then how far it was off."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from quiz.card.card_parts import Part, text_lines
from quiz.card.expectation import Expectation, gap_parts, question_parts
from quiz.card.typeset import Span
from quiz.tui.bindings import bind
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.text_part import TextPart
from quiz.words.i18n import Words


class LabGuessInput(Guess):
    """Enter hands the number over, or nothing; Esc leaves the sliders where they are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "submit", "expect.submit"),
        bind("space", "submit", "expect.space"),
        bind("escape", "withdraw", "expect.withdraw"),
    ]

    class Withdrawn(Message):
        """Nothing is guessed, and nothing is to move."""

    async def action_submit(self) -> None:
        """Without a number one only sees."""
        if self.value.strip():
            await super().action_submit()
        else:
            self.hand_over()

    def give_up_focus(self) -> None:
        """Who asked for the number knows where the focus was before."""

    def action_withdraw(self) -> None:
        self.post_message(self.Withdrawn())


class LabGuess(Vertical):
    """Empty until something is asked. It posts `Guess.Given` and `LabGuessInput.Withdrawn`, and says itself what is wrong with the text."""

    DEFAULT_CSS = """
    LabGuess { height: auto; }
    LabGuess > LabGuessInput { width: 24; height: 1; background: $panel; padding: 0 1; border: none; }
    LabGuess > LabGuessInput:focus { background: $block-cursor-background; }
    """

    class Typed(Message):
        """Another number than before is typed, or none."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._words = Words("en")
        self._expected: Expectation | None = None
        self._measured: float | None = None
        self._remark = ""
        self._texts: list[TextPart] = []
        self.input: LabGuessInput | None = None

    def show(self, expected: Expectation | None, measured: float | None, words: Words) -> None:
        """The question while there is no answer, then the gap to what was measured; a number that is being typed stays."""
        before, self._expected = self._expected, expected
        self._measured, self._words = measured, words
        asked = expected is not None and not expected.is_given
        if asked and self.input and before and expected and before.name == expected.name and before.values == expected.values:
            self.input.placeholder = words("ask.placeholder")
        else:
            self._remark = ""
            unit = expected.now.unit if expected else ""
            self.input = LabGuessInput(words("ask.placeholder"), None, unit) if asked else None
        self._draw()

    def _parts(self) -> list[Part]:
        if self._expected is None:
            return []
        if self.input:
            return [*question_parts(self._expected, self._words), *([text_lines((Span(self._remark, "bad"),))] if self._remark else [])]
        return gap_parts(self._expected, self._measured, self._words) if self._measured is not None else []

    def _draw(self) -> None:
        parts = self._parts()
        if len(parts) == len(self._texts) and (self.input is None or self.input in self.children):
            for widget, part in zip(self._texts, parts, strict=True):
                widget.show(part)
            return
        self._texts = [TextPart(part) for part in parts]
        replace_children(self, [*self._texts, *([self.input] if self.input else [])])

    @property
    def number(self) -> float | None:
        """What can be read by now of what is typed."""
        return self.input.number if self.input else None

    @on(Guess.Remarked)
    def remarked(self, event: Guess.Remarked) -> None:
        event.stop()
        self._remark = self._words(event.key, text=event.text) if event.key else ""
        self._draw()
        self.post_message(self.Typed())

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        event.stop()
