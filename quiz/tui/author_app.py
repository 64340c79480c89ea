"""The application for an author: one deck file beside its editor. No schedule, no progress."""

from __future__ import annotations

import sys
from pathlib import Path

from textual.screen import Screen

from content.deck.library import Library
from engine import Worker
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.preview import PreviewScreen


class AuthorApp(QkvApp):
    """Opens the file's preview instead of the decks."""

    def __init__(self, path: Path, language: str = "", worker: Worker | None = None) -> None:
        super().__init__(Start(Library, language), worker)
        self.path = path

    def get_default_screen(self) -> Screen[None]:
        """An empty one: there is no home, and the preview is left like any other screen."""
        return Screen()

    async def on_mount(self) -> None:  # type: ignore[override]  # Textual calls both
        await self.push_screen(PreviewScreen(self.path, self.engine))

    def begin(self) -> None:
        self.engine.start()


def run(path: Path, language: str) -> None:
    """Shows the preview until it is left, then exits."""
    app = AuthorApp(path, language)
    app.run()
    sys.exit(app.exit_code)
