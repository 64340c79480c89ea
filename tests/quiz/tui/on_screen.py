"""The session on the screen, the card that is on, and what was written of it."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from quiz.progress.progress import open_progress
from quiz.study.session import Session
from quiz.study.turn import Turn
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from tests.quiz.driving import screen_text


def session(pilot: Pilot[None]) -> Session:
    screen = pilot.app.screen
    assert isinstance(screen, SessionScreen | SummaryScreen)
    return screen.study.session


def turn_of(pilot: Pilot[None]) -> Turn:
    turn = session(pilot).turn
    assert turn is not None
    return turn


def keys_of(pilot: Pilot[None]) -> str:
    """The row below the card."""
    return screen_text(pilot).split("\n")[-2].rstrip()


def grades(data: Path) -> list[tuple[str, int, int | None]]:
    """What the store holds: card, grade, confidence."""
    store = open_progress(data / "progress.sqlite3")
    found = [(review.card, int(review.grade), review.confidence) for review in store.reviews()]
    store.close()
    return found
