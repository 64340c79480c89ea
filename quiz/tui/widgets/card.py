"""The card: its parts from top to bottom, scrolled, with an input where a number is asked for."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from quiz.card.card_parts import Part
from quiz.tui.bindings import bind
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.text_part import Pick, TextPart


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

    async def show(self, parts: list[Part], guess: Guess | None = None) -> None:
        """Shows the parts, and below them a number's input; one that is there already stays, with what is typed in it."""
        old = [child for child in self.children if isinstance(child, TextPart)]
        field = next(iter(self.query(Guess)), None)
        same = len(old) == len(parts) and all((a.part.role, a.part.index) == (b.role, b.index) for a, b in zip(old, parts, strict=True))
        if field and guess:
            field.placeholder, field.unit = guess.placeholder, guess.unit
        if same and bool(guess) == bool(field):
            for widget, part in zip(old, parts, strict=True):
                widget.show(part)
            return
        widgets: list[Widget] = [_widget(part) for part in parts]
        with self.app.batch_update():
            if field and guess:  # it keeps the focus: the next key may be a digit of it
                await self.remove_children("TextPart, .sorry")
                await self.mount(*widgets, before=field)
            else:
                await self.remove_children()
                await self.mount(*widgets, *([guess] if guess else []))
            self.scroll_home(animate=False)

    def remark(self, sentence: str) -> None:
        """Says something below the input; an empty sentence takes the one before away."""
        shown = next(iter(self.query(".sorry").results(Static)), None)
        if shown:
            shown.update(Content(sentence))
            shown.display = bool(sentence)
        elif sentence:
            self.mount(Static(Content(sentence), classes="sorry", markup=False))


def _widget(part: Part) -> TextPart:
    classes = f"role-{part.role}" if part.role else ""
    return Pick(part, classes=classes) if part.index is not None else TextPart(part, classes=classes)
