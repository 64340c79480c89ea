"""What the settings ask for: a text to type, or a key to press."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from content.yaml.clean import clean
from quiz.tui.base import BaseApp
from quiz.tui.bindings import bind

LONGEST = 40  # characters of a number or a date


class TextEntry(ModalScreen[str | None]):
    """Enter takes what is typed, Esc leaves the setting as it is. What was `refused` before can be mended."""

    app: BaseApp

    BINDINGS: ClassVar[list[BindingType]] = [bind("escape", "close", "settings.close")]

    def __init__(self, name: str, allowed: str, text: str, refused: str = "") -> None:
        super().__init__()
        self._name, self._allowed, self._text, self._refused = name, allowed, text, refused

    def compose(self) -> ComposeResult:
        words = self.app.words
        with Vertical(classes="entry"):
            yield Static(Content(words("settings.type", name=self._name, allowed=self._allowed)), markup=False)
            yield Input(clean(self._text), max_length=LONGEST, compact=True)
            if self._refused:
                yield Static(Content(clean(self._refused)), classes="entry-refused", markup=False)
            yield Static(Content(words("settings.enter.about")), classes="entry-about", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.is_active:
            self.dismiss(event.value.strip())

    def action_close(self) -> None:
        if self.is_active:
            self.dismiss(None)


class KeyEntry(ModalScreen[str | None]):
    """The next key is the one; Esc leaves the binding as it is, and so cannot be given this way."""

    app: BaseApp

    def __init__(self, asked: str) -> None:
        super().__init__()
        self._asked = asked

    def compose(self) -> ComposeResult:
        with Vertical(classes="entry"):
            yield Static(Content(self._asked), markup=False)
            yield Static(Content(self.app.words("settings.press.about")), classes="entry-about", markup=False)

    def on_key(self, event: Key) -> None:
        event.stop()
        event.prevent_default()
        if self.is_active:
            self.dismiss(None if event.key == "escape" else event.key)
