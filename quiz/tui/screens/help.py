"""What the keys do on the screen below: read from its bindings, so that it cannot drift from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import ActiveBinding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from quiz.tui.base import Reader
from quiz.tui.bindings import bind, help_panels


class HelpScreen(Reader):
    """A row a binding, by panel: its keys, and what it does in the language of the interface."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape,q,question_mark,space,enter", "close", "help.close"),
    ]

    def __init__(self, bindings: Iterable[ActiveBinding]) -> None:
        super().__init__()
        self._bindings_below = list(bindings)

    def compose(self) -> ComposeResult:
        words = self.app.words
        with Vertical(id="help"):
            yield Static(Content(words("help.title")), id="help-title", markup=False)
            with VerticalScroll(can_focus=True):
                for title, rows in help_panels(self._bindings_below, words, self.app.get_key_display):
                    yield Static(Content(title), classes="help-panel", markup=False)
                    for keys, does in rows:
                        with Horizontal(classes="help-row"):
                            yield Static(Content(keys), classes="help-keys", markup=False)
                            yield Static(Content(does), classes="help-text", markup=False)
            yield Static(Content(words("help.about")), id="help-about", markup=False)
