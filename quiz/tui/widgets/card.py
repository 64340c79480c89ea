"""The card: its parts from top to bottom, scrolled, with an input where a number is asked for."""

from __future__ import annotations

import unicodedata
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from quiz.card.card_parts import Part
from quiz.tui.bindings import bind
from quiz.tui.widgets.text_part import Pick, TextPart
from quiz.words.i18n import Words
from quiz.words.numbers import read_number

NUMERIC = frozenset("0123456789.,+-−eE%×^")


class Guess(Input):
    """The number's input. Space and enter hand it over; on an empty one enter goes on without a guess, and space shows the answer.

    Keys that no number has stay commands.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("space", "space", "guess.submit"),
        bind("escape", "leave", "guess.leave"),
    ]

    class Given(Message):
        """The learner is done with the input; None is no guess."""

        def __init__(self, number: float | None) -> None:
            super().__init__()
            self.number = number

    class Refused(Message):
        """What was typed is not a number."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, placeholder: str, number: float | None) -> None:
        super().__init__("" if number is None else f"{number:g}", placeholder=placeholder, compact=True, select_on_focus=False)

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return character is not None and unicodedata.normalize("NFKC", character) in NUMERIC

    def on_key(self, event: Key) -> None:
        if event.is_printable and not self.check_consume_key(event.key, event.character):
            event.prevent_default()  # Input's own handler would type it

    def action_leave(self) -> None:
        self.screen.set_focus(self.screen.query_one(CardView))

    async def action_space(self) -> None:
        """What space does everywhere before the reveal, unless there is a number to hand over first."""
        if self.value.strip():
            await self.action_submit()
        else:
            await self.screen.run_action("proceed")

    async def action_submit(self) -> None:
        """Hands over and gives up the focus before the next key arrives: that one is a command."""
        number = read_number(self.value)
        if self.value.strip() and number is None:
            self.post_message(self.Refused(self.value.strip()))
        else:
            self.action_leave()
            self.post_message(self.Given(number))


class CardView(VerticalScroll, can_focus=True):
    """Parts are updated in place where the layout stays the same, so that a tick neither flickers nor scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("up,k", "screen.move(-1)", "card.up"),
        bind("down,j", "screen.move(1)", "card.down"),
    ]
    DEFAULT_CSS = """
    CardView { width: 1fr; height: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    CardView > .role-question { text-style: bold; margin-bottom: 1; }
    CardView > .role-heading { margin-top: 1; }
    CardView > .role-judgement { margin-bottom: 0; }
    CardView > .role-instruction { margin-top: 1; }
    CardView > .role-leech, CardView > .role-detail { margin-bottom: 1; }
    CardView > .sorry { color: $key; }
    CardView > Guess { width: 24; height: 1; margin-top: 1; background: $panel; padding: 0 1; border: none; }
    CardView > Guess:focus { background: $block-cursor-background; }
    """

    async def show(self, parts: list[Part], guess: float | None = None, asks: str = "") -> None:
        """Shows the parts; with `asks` (a placeholder), a number's input below them."""
        old = [child for child in self.children if isinstance(child, TextPart)]
        same = len(old) == len(parts) and all((a.part.role, a.part.index) == (b.role, b.index) for a, b in zip(old, parts, strict=True))
        if same and bool(asks) == bool(self.query(Guess)):
            for widget, part in zip(old, parts, strict=True):
                widget.show(part)
            for field in self.query(Guess):
                field.placeholder = asks
            return
        widgets: list[Widget] = [_widget(part) for part in parts]
        if asks:
            widgets.append(Guess(asks, guess))
        with self.app.batch_update():
            await self.remove_children()
            await self.mount(*widgets)
            self.scroll_home(animate=False)

    def refuse(self, text: str, words: Words) -> None:
        """Says below the input that a text is not a number."""
        sentence = Content(words("ask.not_a_number", text=text[:40]))
        shown = self.query(".sorry").results(Static)
        first = next(shown, None)
        if first:
            first.update(sentence)
        else:
            self.mount(Static(sentence, classes="sorry", markup=False))


def _widget(part: Part) -> TextPart:
    classes = f"role-{part.role}" if part.role else ""
    return Pick(part, classes=classes) if part.index is not None else TextPart(part, classes=classes)
