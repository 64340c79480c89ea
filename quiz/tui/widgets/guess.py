"""The input for a number that the learner guesses or answers with."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.events import Key, Paste
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from content.yaml.clean import clean
from quiz.tui.base import BaseApp, BaseScreen
from quiz.tui.bindings import bind
from quiz.tui.half_width_keys import half_width_key
from quiz.words.half_width import half_width
from quiz.words.numbers import read_number, spell_number, typed_as_ascii

NUMERIC = frozenset("0123456789.,+-eE% ")
BREAK = " ⏎ "  # a line break of a pasted text, which no number has


class Guess(Input):
    """Enter hands the number over; on an empty input it asks for one, and space shows the answer without.

    While it is empty, keys that no number has stay commands. Once something is typed they are text, seen and refused: a key that
    is dropped makes another number. The application's own keys remain: they change nothing that was typed.
    """

    app: BaseApp

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter", "submit", "guess.submit"),
        bind("space", "space", "guess.space"),
        bind("escape", "leave", "guess.leave"),
    ]

    class Given(Message):
        """The learner is done with the input; None is no guess."""

        def __init__(self, number: float | None) -> None:
            super().__init__()
            self.number = number

    class Left(Message):
        """Esc, where nothing is typed."""

    class Remarked(Message):
        """What is to be said of the text typed so far, by the name of its sentence; nothing without a name."""

        def __init__(self, key: str, text: str) -> None:
            super().__init__()
            self.key = key
            self.text = clean(text)[:40]

    def __init__(self, placeholder: str, number: float | None, unit: str) -> None:
        text = "" if number is None else spell_number(number)
        super().__init__(text, placeholder=placeholder, compact=True, select_on_focus=False)
        self.unit = unit
        self.letters = ""  # of what can be picked beside the number: never text, but for the e of 2e-3
        self._spaced = False  # whether a blank was typed at the end

    @property
    def number(self) -> float | None:
        """The number that is typed, if it is certain which."""
        return read_number(self.value, self.unit)

    @property
    def is_readable(self) -> bool:
        """Whether nothing or a number is typed."""
        return not self.value.strip() or self.number is not None

    def check_consume_key(self, key: str, character: str | None) -> bool:
        if character is None or not character.isprintable():
            return False
        if character in self.letters and not (self.value and character == "e"):
            return False
        if not self.value:
            return character != " " and typed_as_ascii(character) in NUMERIC - {" "}
        return half_width_key(key) not in self.app.own_keys

    async def on_key(self, event: Key) -> None:
        if half_width_key(event.key) == "space" and self.value:
            event.stop()
            event.prevent_default()
            await self._space()
        elif (
            event.is_printable
            and not self.check_consume_key(event.key, event.character)
            and self._is_command(half_width_key(event.key))  # any other key is text, also the first
        ):
            event.prevent_default()  # Input's own handler would type it
        elif self._spaced and event.is_printable:
            self.insert_text_at_cursor(" ")  # it is seen between two digits, and nowhere else

    def _is_command(self, key: str) -> bool:
        """Whether a key does something now: a letter of nothing on the card does not, and would be lost without a word."""
        bound, screen = self.screen.active_bindings.get(key), self.screen
        return bound is not None and not (isinstance(screen, BaseScreen) and screen.does_nothing(bound.binding.id or ""))

    async def _space(self) -> None:
        """A blank at the end of a number would not be seen: it stands there once something follows. Twice hands the number over."""
        if self._spaced or not self.is_readable:
            await self.action_submit()
        elif self.cursor_position == len(self.value):
            self._spaced = True
            self.post_message(self.Remarked("ask.enter", self.value))
        else:
            self.insert_text_at_cursor(" ")

    def on_paste(self, event: Paste) -> None:
        """Takes all lines, not only the first: what cannot be a number is seen and refused."""
        event.prevent_default()
        event.stop()
        self.replace(BREAK.join(clean(event.text.strip()).splitlines()), *self.selection)

    def on_input_changed(self, event: Input.Changed) -> None:
        """What is wrong is said while it is typed; of what is right so far nothing."""
        event.stop()
        self._spaced = False
        foreign = set(typed_as_ascii(self.value)) - NUMERIC - set(half_width(self.unit))
        self.post_message(self.Remarked("ask.not_numeric" if foreign else "", self.value.strip()))

    def refuse(self) -> None:
        """Says that what is typed is not a number."""
        self.post_message(self.Remarked("ask.not_a_number", self.value.strip()))

    def action_leave(self) -> None:
        """Takes back what is typed; where nothing is, the keys are commands again."""
        if self.value:
            self.value = ""
            self.post_message(self.Given(None))
        else:
            self.post_message(self.Remarked("", ""))
            self.post_message(self.Left())
            self.give_up_focus()

    def give_up_focus(self) -> None:
        self.screen.set_focus(self.parent if isinstance(self.parent, Widget) else None)

    async def action_space(self) -> None:
        """On an empty input, what space does everywhere before the reveal."""
        await self.screen.run_action("proceed")

    async def action_submit(self) -> None:
        """Hands the number over, if there is one."""
        if not self.value.strip():
            self.post_message(self.Remarked("ask.empty", ""))
        elif not self.is_readable:
            self.refuse()
        else:
            self.hand_over()

    def hand_over(self) -> None:
        """Gives up the focus before the next key arrives: that one is a command. The input shows what was read."""
        number = self.number
        with self.prevent(Input.Changed):
            self.value = "" if number is None else spell_number(number)
        self._spaced = False
        self.give_up_focus()
        self.post_message(self.Remarked("", ""))
        self.post_message(self.Given(number))
