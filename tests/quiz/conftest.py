"""An app in a test: a store of its own, a clock that stands still, and nothing of the person who runs it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, cast

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.pilot import Pilot

import quiz.commands.side_by_side
import quiz.tui.screens.live_screen
import quiz.tui.screens.turn_screen
from engine import Worker
from quiz.card.deck_paths import resolve_decks
from quiz.memory.study_day import Moment
from quiz.progress.progress import Progress, open_progress
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.tui.screens.live_screen import LiveScreen
from tests.quiz.driving import DECK, NOON, FakeEngine, Running, settled


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test sees the progress of the person who runs it, nor their terminal's settings."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "QKV_LANG", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QKV_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(quiz.tui.screens.turn_screen, "HOLD", 0.0)
    monkeypatch.setattr(LiveScreen, "play", lambda _: None)  # what a test looks at stands still
    return tmp_path / "data"


OWN_ENGINE = Worker.__enter__
PLAY = LiveScreen.play


@pytest.fixture(scope="session", autouse=True)
def _styles_are_read_once() -> Iterator[None]:
    """Textual reads the styles of all widgets for every application: a fifth of what one costs. They are the same for all."""
    read, known = Stylesheet._parse_rules, dict[object, list[RuleSet]]()

    def once(sheet: Stylesheet, *asked: Any, **named: Any) -> list[RuleSet]:
        key = (asked, tuple(named.items()), tuple(sheet._variables.items()))
        if key not in known:
            known[key] = read(sheet, *asked, **named)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", once)
        yield


@pytest.fixture
def playing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the figure of the home screen is what is looked at: it plays as fast as it can."""
    monkeypatch.setattr(LiveScreen, "play", PLAY)
    monkeypatch.setattr(quiz.tui.screens.live_screen, "PACE", 0.0)


@pytest.fixture(autouse=True)
def _shared_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands begin with `with Worker() as worker`: it is the one that all tests share, started when the first of them asks for it, and
    `qkv check` makes no second one."""
    monkeypatch.setattr(quiz.commands.side_by_side, "MOST", 1)
    monkeypatch.setattr(Worker, "__enter__", lambda _: request.getfixturevalue("worker"))


@pytest.fixture
def own_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the start is what is tested."""
    monkeypatch.setattr(Worker, "__enter__", OWN_ENGINE)


@pytest.fixture
def open_worker(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Worker:
    """The shared engine for an application, which closes its own when it ends."""
    monkeypatch.setattr(worker, "close", lambda: None)
    return worker


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "sample.yaml"
    path.write_text(DECK, encoding="utf-8")
    return path


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def running(deck: Path, engine: FakeEngine) -> Running:
    """`async with running() as pilot`: the app at its home screen with the decks read."""

    @asynccontextmanager
    async def run(
        size: tuple[int, int] = (80, 24), language: str = "en", decks: tuple[str, ...] = (), **start: Any
    ) -> AsyncIterator[Pilot[None]]:
        asked = Start(resolve_decks(decks or (str(deck),)), language, **start)
        app = QkvApp(asked, cast(Worker, engine), lambda: Moment.of(NOON))
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            yield pilot

    return run


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a progress file would be."""
    return tmp_path / "data" / "progress.sqlite3"


@pytest.fixture
def progress(path: Path) -> Iterator[Progress]:
    """A new progress file, open."""
    with closing(open_progress(path)) as opened:
        yield opened
