"""The session on the screen, and what it has written."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from quiz.progress.progress import open_progress
from quiz.study.session import Session
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen


def session(pilot: Pilot[None]) -> Session:
    screen = pilot.app.screen
    assert isinstance(screen, SessionScreen | SummaryScreen)
    return screen.study.session


def grades(data: Path) -> list[tuple[str, int, int | None]]:
    """What the store holds: card, grade, confidence."""
    store = open_progress(data / "progress.sqlite3")
    found = [(review.card, int(review.grade), review.confidence) for review in store.reviews()]
    store.close()
    return found
