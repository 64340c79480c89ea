"""Every screen beside home and card, drawn: a small library and three weeks of learning, at two sizes, in both languages.

The pictures are in golden/. Where a change is meant: QKV_GOLDEN=write and this file, then look at the difference.
"""

from __future__ import annotations

import os
import re
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from quiz.progress.reviews import Review
from tests.quiz.driving import NOON, Running, press, screen_text

GOLDEN = Path(__file__).parent / "golden"
FOLDER = re.compile(r"/\S*pytest-\S*")  # where the settings of this test are
CARDS = ("scaling", "pick", "sort", "line", "count")
SCREENS = {  # the keys that lead there from home
    "browse": ("b",),
    "browse-found": ("b", "slash", "s", "u", "m"),
    "browsed-card": ("b", "enter"),
    "lab-list": ("e",),
    "lab": ("e", "tab"),
    "source": ("e", "s"),
    "statistics": ("s",),
    "settings": ("comma",),
    "help": ("question_mark",),
    "session": ("enter",),
    "session-help": ("enter", "question_mark"),
    "flag": ("enter", "exclamation_mark"),
    "session-answer": ("enter", "a", "3"),
    "summary": ("enter", "a", "3", "3"),
}


@pytest.fixture
def learned(own_data: Path) -> None:
    """Each card was met four times, one of them failing every other time."""
    with closing(open_progress()) as store:
        for place, card in enumerate(CARDS):
            for turn, days in enumerate((20 - place, 11, 6 - place % 2, 3)):
                grade = Grade.again if place == 1 and turn % 2 else Grade.good
                store.record(Review.new(Moment.of(NOON - timedelta(days=days)), ("sample", card), grade, confidence=2))


@pytest.fixture(autouse=True)
def no_bundled_decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statistics are of every deck there is: here of one."""
    monkeypatch.setattr("content.deck.deck_files.BUNDLED", tmp_path / "none")


@pytest.fixture(autouse=True)
def no_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of a test come as fast as they are pressed."""
    monkeypatch.setattr("quiz.tui.screens.turn_screen.HOLD", 0.0)


@pytest.mark.usefixtures("learned")
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("screen", SCREENS)
async def test_each_screen(running: Running, screen: str, size: tuple[int, int], language: str) -> None:
    """Nothing cut, nothing in the other language, as it was looked at."""
    async with running(size=size, language=language) as pilot:
        pilot.app.animation_level = "none"
        await press(pilot, *SCREENS[screen])
        shown = FOLDER.sub("/home/you", screen_text(pilot)) + "\n"

    golden = GOLDEN / f"{screen}-{size[0]}x{size[1]}-{language}.txt"
    if os.environ.get("QKV_GOLDEN") == "write":
        golden.write_text(shown, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == shown
