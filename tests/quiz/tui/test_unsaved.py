"""What a person sees when the progress cannot be saved: in the screens, line by line, and in the exit code."""

from __future__ import annotations

import io
import os
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Literal, cast

import pytest
from textual.pilot import Pilot

from quiz.commands import plain_session
from quiz.memory.scheduler import Grade
from quiz.progress import backups
from quiz.progress.database import PATIENCE
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, default_path, open_progress
from quiz.progress.resilient import ResilientProgress
from quiz.progress.restore import restore_backup
from quiz.study.filter import Filter
from quiz.tui.app import QkvApp
from quiz.tui.screens.session import SessionScreen
from quiz.tui.screens.summary import SummaryScreen
from tests.quiz.driving import Running, press, screen_text
from tests.quiz.learning import graded

FIRST = ("enter", "8", "enter", "3", "3")  # the first card of the sample deck, from home to its grade


def app(pilot: Pilot[None]) -> QkvApp:
    return cast(QkvApp, pilot.app)


def file_of(pilot: Pilot[None]) -> ResilientProgress:
    store = app(pilot).files.store
    assert isinstance(store, ResilientProgress)
    return store


def set_writable(store: ResilientProgress, how: Literal["ON", "OFF"]) -> None:
    """Whether the file can be written from now on."""
    assert store._file is not None
    store._file.execute(f"PRAGMA query_only = {'OFF' if how == 'ON' else 'ON'}")


def words(pilot: Pilot[None]) -> str:
    """The screen's text on one line: sentences wrap."""
    return " ".join(screen_text(pilot).split())


def notices(pilot: Pilot[None]) -> str:
    """What popped up in a corner of the screen."""
    return " ".join(str(notice.message) for notice in pilot.app._notifications)


@pytest.fixture
def ruined(own_data: Path) -> bytes:
    """A progress file that is none."""
    own_data.mkdir()
    default_path().write_bytes(b"deck: attention\n" * 100)
    return default_path().read_bytes()


async def test_home_survives_a_reading_that_fails(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that another program holds for a moment is a sentence on the home screen, not the end of the program."""

    def locked(store: Progress) -> None:
        raise ProgressError("locked", store.path)

    async with running() as pilot:
        monkeypatch.setattr("quiz.study.learner.LearnerState.of", locked)
        await press(pilot, "l")
        assert "占用" in words(pilot) or "Another program holds" in words(pilot)
        monkeypatch.undo()
        await press(pilot, "l", "enter")

        assert isinstance(pilot.app.screen, SessionScreen)


def test_a_plain_session_whose_file_cannot_be_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same in plain mode: a sentence on stderr and exit code 1."""

    def locked(store: Progress) -> None:
        raise ProgressError("locked", store.path)

    monkeypatch.setattr("quiz.study.study.LearnerState.of", locked)

    assert 1 == plain_session.run((), Filter(), practise=False, language="en")
    assert "Another program holds" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "sentence"), [("en", "is not a progress file"), ("zh", "不是进度文件")])
async def test_home_says_it(running: Running, ruined: bytes, language: str, sentence: str) -> None:
    """A file that cannot be used is said on the home screen as long as it stands, and the session works in memory."""
    async with running(language=language) as pilot:
        assert sentence in words(pilot)
        await press(pilot, *FIRST)
        await press(pilot, "q")
        assert isinstance(pilot.app.screen, SummaryScreen)
        assert ("not saved" if language == "en" else "没有保存") in words(pilot)
        await press(pilot, "q")
        assert sentence in words(pilot)

    assert app(pilot).files.unsaved
    assert str(default_path()) in app(pilot).files.loss
    assert ruined == default_path().read_bytes()


async def test_the_disk_fills_up(running: Running, own_data: Path) -> None:
    """A file that fails in the middle stops nobody: the next card comes, the summary and the last line say what is not saved."""
    async with running() as pilot:
        set_writable(file_of(pilot), "OFF")
        await press(pilot, *FIRST)
        assert "2 of 5" in words(pilot)
        assert "kept in memory" in notices(pilot)
        await press(pilot, "q")
        assert "In memory only: not saved." in words(pilot)

    assert app(pilot).files.unsaved
    assert "Not everything of this session was saved." in app(pilot).files.loss
    with closing(open_progress()) as progress:
        assert [] == list(progress.reviews())


async def test_there_is_room_again(running: Running, own_data: Path) -> None:
    """When the file works again before the end, everything is saved and nothing is said at the end."""
    async with running() as pilot:
        set_writable(file_of(pilot), "OFF")
        await press(pilot, *FIRST)
        set_writable(file_of(pilot), "ON")

    assert not app(pilot).files.unsaved
    with closing(open_progress()) as progress:
        assert ["scaling"] == [review.card for review in progress.reviews()]


@pytest.mark.parametrize("happens", ["emptied", "cut", "deleted", "replaced"])
async def test_the_file_in_the_middle_and_at_the_end(running: Running, own_data: Path, happens: str) -> None:
    """Whatever happens to the file, between two grades or after the last: the screens go on, and the summary says only what is so."""
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
    made = backups.make_backup(default_path(), backups.backup_folder(default_path()) / "progress-2026-11-01-120000.sqlite3")

    def happen() -> None:
        if happens in ("emptied", "cut"):
            os.truncate(default_path(), 0 if happens == "emptied" else 20_000)
        elif happens == "deleted":
            default_path().unlink()
        else:
            shutil.copyfile(made, default_path().with_name("incoming"))
            default_path().with_name("incoming").replace(default_path())

    async with running(size=(100, 40)) as pilot:
        await press(pilot, *FIRST)
        happen()
        await press(pilot, "q")
        healed = happens in ("deleted", "replaced")
        assert ("Everything is saved." in words(pilot)) == healed
        assert ("In memory only: not saved." in words(pilot)) != healed
        await press(pilot, "u", "3")
        happen()
        await press(pilot, "q", "q")
        assert healed or f"qkv restore {made}" in notices(pilot)
        if not healed:
            restore_backup(made, default_path(), datetime(2026, 11, 30))

    assert not app(pilot).files.unsaved
    with closing(open_progress()) as progress:
        assert ["why-divide-by-sqrt-dk", "scaling"] == [review.card for review in progress.reviews()]


async def test_held_by_another_program(running: Running, own_data: Path) -> None:
    """Another program that writes for long: the next card comes at once, with a word, and all is saved when it lets go."""
    async with running() as pilot:
        with closing(sqlite3.connect(default_path(), isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            await press(pilot, *FIRST)
            assert "2 of 5" in words(pilot)
            assert time.monotonic() - began < PATIENCE
            assert "Another program holds" in notices(pilot)
            holder.execute("ROLLBACK")
        await press(pilot, "q")
        assert "Everything is saved." in words(pilot)

    assert not app(pilot).files.unsaved


async def test_a_backup_at_the_start(running: Running, own_data: Path) -> None:
    """The first start of a day keeps what the days before brought; nothing is made where there is nothing."""
    async with running():
        pass
    assert [] == backups.all_backups(default_path())
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))

    for _ in range(2):
        async with running():
            pass

    assert 1 == len(backups.all_backups(default_path()))


async def test_a_backup_finds_damage(running: Running, own_data: Path) -> None:
    """A page that is damaged where nobody has looked yet is said after the start, with the newest backup."""
    with closing(open_progress()) as progress:
        for n in range(200):
            progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))
    made = backups.make_backup(default_path(), backups.backup_folder(default_path()) / "progress-2026-11-01-120000.sqlite3")
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good, 201))
        (page,) = progress._connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'review_card'").fetchone()
    content = bytearray(default_path().read_bytes())
    content[(page - 1) * 4096 + 8 : page * 4096] = b"\xff" * 4088
    default_path().write_bytes(content)

    async with running(size=(100, 40)) as pilot:
        assert "is damaged. It is left as it is; put an earlier copy of it in its place. The newest backup is of" in notices(pilot)
        assert str(made) in notices(pilot)
        await press(pilot, "enter", "q")
        assert "is damaged" in words(pilot)


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Which threads have read a backup from end to end."""
    found: list[threading.Thread] = []
    original = backups.check_backup

    def noted(backup: Path) -> None:
        found.append(threading.current_thread())
        original(backup)

    monkeypatch.setattr(backups, "check_backup", noted)
    return found


@pytest.mark.parametrize("happens", ["deleted", "ruined", "emptied in the middle", "damaged for a reader"])
async def test_backups_are_read_off_the_event_loop(
    running: Running, own_data: Path, readers: list[threading.Thread], monkeypatch: pytest.MonkeyPatch, happens: str
) -> None:
    """The sentence that names the newest sound backup is said again with every drawing; who draws never reads a backup."""
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
    made = backups.make_backup(default_path(), backups.backup_folder(default_path()) / "progress-2026-11-01-120000.sqlite3")
    if happens == "deleted":
        default_path().unlink()
    elif happens == "ruined":
        default_path().write_bytes(b"deck: attention\n" * 100)

    async with running(size=(100, 40)) as pilot:
        if happens == "emptied in the middle":
            await press(pilot, *FIRST[:-1])
            os.truncate(default_path(), 0)
            await press(pilot, FIRST[-1], "q")
        elif happens == "damaged for a reader":

            def damaged(store: Progress) -> None:
                raise ProgressError("damaged", store.path)

            monkeypatch.setattr("quiz.study.learner.LearnerState.of", damaged)
            monkeypatch.setattr("quiz.tui.screens.stats.read_log", damaged)
            await press(pilot, "s", "l", "l", "escape")
        await press(pilot, "l", "l")
        said = notices(pilot) if "middle" in happens else words(pilot)
        assert f"qkvrestore{made}" in said.replace(" ", "")  # a long path wraps
        found = list(readers)

    assert found
    assert threading.main_thread() not in found


# --- line by line -------------------------------------------------------------------------------------------------------


def spoken(deck: Path, monkeypatch: pytest.MonkeyPatch, *answers: str) -> int:
    """A session of one card in plain mode; the exit code."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    return plain_session.run((str(deck),), Filter(kind="number", limit=1), practise=False, language="en")


def test_plain_saves(deck: Path, monkeypatch: pytest.MonkeyPatch, own_data: Path) -> None:
    """A session whose grades are saved is exit code 0, and leaves a backup behind."""
    assert 0 == spoken(deck, monkeypatch, "42", "3", "3")
    with closing(open_progress()) as progress:
        assert ["count"] == [review.card for review in progress.reviews()]
    assert 1 == len(backups.all_backups(default_path()))


def test_plain_in_memory(deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], ruined: bytes) -> None:
    """A file that cannot be used is said on stderr before the first question; exit code 3."""
    assert 3 == spoken(deck, monkeypatch, "42", "3", "3")
    told = capsys.readouterr()

    assert "This session goes on in memory, and is saved as soon as the file can be used." in told.err
    assert "In memory only: not saved." in told.out
    assert ruined == default_path().read_bytes()


@pytest.mark.parametrize("happens", ["emptied", "deleted"])
def test_plain_whose_file_goes(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_data: Path, happens: str
) -> None:
    """A file that goes while the question is on the table: a sentence, and the summary and the exit code say what is so."""
    original = plain_session._revealed

    def late(*arguments: object) -> None:
        os.truncate(default_path(), 0) if happens == "emptied" else default_path().unlink()
        original(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(plain_session, "_revealed", late)

    assert (3 if happens == "emptied" else 0) == spoken(deck, monkeypatch, "42", "3", "3")
    told = capsys.readouterr()
    assert ("In memory only" if happens == "emptied" else "Everything is saved.") in told.out
    assert ("is damaged" if happens == "emptied" else "was replaced or removed") in told.err


def test_plain_fails_in_the_middle(deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], own_data: Path) -> None:
    """A file that fails while grading is said on stderr, and is exit code 3."""
    original = ResilientProgress.open

    def failing(*arguments: object) -> ResilientProgress:
        store = original(*arguments)  # type: ignore[arg-type]
        set_writable(store, "OFF")
        return store

    monkeypatch.setattr(ResilientProgress, "open", failing)

    assert 3 == spoken(deck, monkeypatch, "42", "3", "3")
    assert "cannot be written" in capsys.readouterr().err
