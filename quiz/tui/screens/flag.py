"""What is wrong with a card: a line to write, which is kept for whoever mends the deck."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Paste
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from content.yaml.clean import clean
from quiz.progress.decisions import LONGEST_NOTE
from quiz.tui.base import BaseApp
from quiz.tui.bindings import bind


class Note(Input):
    """One line; a text of several is pasted as one."""

    def on_paste(self, event: Paste) -> None:
        event.prevent_default()
        event.stop()
        start, end = sorted(self.selection)
        room = LONGEST_NOTE - len(self.value) + end - start  # of a text that is too long the beginning
        self.replace(" ".join(clean(event.text.strip()).split())[:room], start, end)


class FlagScreen(ModalScreen[str | None]):
    """Enter keeps the note, an empty one says that nothing is wrong any more, Esc leaves everything as it was."""

    app: BaseApp

    BINDINGS: ClassVar[list[BindingType]] = [bind("escape", "close", "flag.close")]

    def __init__(self, card: str, note: str) -> None:
        super().__init__()
        self.card = card
        self.note = note

    def compose(self) -> ComposeResult:
        words = self.app.words
        with Vertical(id="flag"):
            yield Static(Content(words("flag.title", card=self.card)), id="flag-title", markup=False)
            yield Note(self.note, placeholder=words("flag.placeholder"), max_length=LONGEST_NOTE, compact=True, select_on_focus=False)
            yield Static(Content(words("flag.change" if self.note else "flag.about")), id="flag-about", markup=False)

    @on(Input.Submitted)
    def submitted(self, event: Input.Submitted) -> None:
        """Once: a second Enter may be typed before the page is gone."""
        event.stop()
        if self.is_active:
            self.dismiss(clean(event.value).strip())

    def action_close(self) -> None:
        if self.is_active:
            self.dismiss(None)
