"""The code behind the figures: what the experiment ran, from the textbook itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from engine import Source
from quiz.tui.base import Reader
from quiz.tui.bindings import bind
from quiz.tui.widgets.code_text import CodeText


class SourceScreen(Reader):
    """One function below the other, each with its file and line."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("escape,q,s,space,enter", "close", "source.close")]

    def __init__(self, sources: Iterable[Source]) -> None:
        super().__init__()
        self._sources = tuple(sources)

    def compose(self) -> ComposeResult:
        words = self.app.words
        with Vertical(id="source"):
            yield Static(Content(words("source.title")), id="source-title", markup=False)
            with VerticalScroll(can_focus=True):
                for source in self._sources:
                    yield Static(Content(f"{source.file}:{source.line}"), classes="source-place", markup=False)
                    yield CodeText(source.code, classes="source-code")
