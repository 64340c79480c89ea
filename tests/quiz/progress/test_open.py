"""A session begins whatever state the progress is in, and goes on when the file fails in the middle of it."""

from __future__ import annotations

import os
import random
from contextlib import closing, suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import pytest

from quiz.card.progress_sentences import error_advice, error_sentence, opening_warning, waiting_warning
from quiz.memory.scheduler import Grade, Memory
from quiz.progress import backups
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError, Reason
from quiz.progress.open import Opened, open_for_session
from quiz.progress.progress import Progress, default_path, open_progress
from quiz.words.i18n import Words
from tests.quiz.learning import CARD, NEW, OTHER, a_database, graded, on


@pytest.fixture
def memory() -> Memory:
    """The person's own progress file holds one card with this memory."""
    with closing(open_progress()) as progress:
        return progress.record(graded(Grade.good))


def begin() -> Opened:
    return open_for_session({}, lambda _: None)


# --- at the start -------------------------------------------------------------------------------------------------------


def test_all_well(memory: Memory) -> None:
    """A sound file is opened, the cards' new names are known, and there is nothing to say."""
    found = open_for_session({NEW: [CARD]}, lambda _: None)

    with closing(found.store):
        assert {NEW: memory} == found.store.memories()
        assert found.store.keeps
        assert "" == opening_warning(found, Words("en"))


def test_the_file_is_gone(memory: Memory) -> None:
    """Whoever deletes the file by mistake is told of the newest backup and how to get it back, instead of beginning anew without a word."""
    made = backups.make_daily(default_path(), datetime(2026, 11, 29, 9, 30))
    default_path().unlink()
    found = begin()

    with closing(found.store):
        assert found.store.keeps
        assert {} == found.store.memories()
        assert f"`qkv restore {made}`" in opening_warning(found, Words("en"))


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_read_only(memory: Memory, monkeypatch: pytest.MonkeyPatch, locked: str) -> None:
    """Where the file may only be read, the schedule is there, grades are kept in memory, and not a byte changes."""
    path = default_path()
    closed = path if locked == "file" else path.parent
    monkeypatch.setattr(os, "access", lambda asked, _: Path(asked) != closed)  # root may write everything
    before = path.read_bytes()

    found = begin()
    again = found.store.record(graded(Grade.good, 3))

    assert (2, "read-only", True) == (again.repetitions, found.failure and found.failure.reason, found.remembers)
    assert not found.store.keeps
    assert before == path.read_bytes()
    assert [path.name] == [file.name for file in path.parent.iterdir()]
    assert "in memory with your schedule as it was" in opening_warning(found, Words("en"))


def test_read_only_and_nothing_there(monkeypatch: pytest.MonkeyPatch, own_data: Path) -> None:
    """A folder that may only be read and has no progress yet: the session is in memory, and nothing is made."""
    own_data.mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)

    found = begin()

    assert ("read-only", False) == (found.failure and found.failure.reason, found.remembers)
    assert {} == found.store.memories()
    assert [] == list(own_data.iterdir())


def test_read_only_after_a_crash(memory: Memory, tmp_path: Path) -> None:
    """A copy of a file that is read only can be had although a crashed writer left its journal."""
    path = default_path()
    path.with_name(f"{path.name}-journal").write_bytes(random.Random(0).randbytes(600))

    with closing(Progress.copied(str(path))) as copy:
        assert {CARD: memory} == copy.memories()


@pytest.mark.parametrize("content", [b"deck: attention\n" * 100, random.Random(0).randbytes(5_000)])
def test_ruined(memory: Memory, content: bytes) -> None:
    """A file that is none any more is left as it is; the session is in memory; the newest backup is named with the command."""
    path = default_path()
    for day in (27, 28):
        backups.make_backup(path, backups.backup_folder(path) / datetime(2026, 11, day, 9, 5).strftime(backups.STAMP))
    path.write_bytes(content)

    found = begin()

    assert {} == found.store.memories()
    assert content == path.read_bytes()
    assert f"newest backup is of 2026-11-28 09:05. To take it: `qkv restore {backups.newest_backup(path)}`." in opening_warning(
        found, Words("en")
    )
    assert f"qkv restore {backups.newest_backup(path)}" in opening_warning(found, Words("zh"))


def test_no_backup(memory: Memory) -> None:
    """Without a backup, that is said instead of a command."""
    assert "There is no backup of it." == error_advice(str(default_path()), Words("en"))


@pytest.mark.parametrize(
    ("statement", "reason"),
    [("PRAGMA application_id = 7", "foreign"), ("PRAGMA user_version = 99", "newer"), ("DROP TABLE renamed", "damaged")],
)
def test_not_for_us(memory: Memory, statement: str, reason: str) -> None:
    """A foreign, a newer and a mutilated file are left as they are, and the session is in memory."""
    path = default_path()
    a_database(path, statement)
    before = path.read_bytes()

    found = begin()
    found.store.record(graded(Grade.good))

    assert reason == (found.failure and found.failure.reason)
    assert before == path.read_bytes()


def test_a_folder_in_its_place(own_data: Path) -> None:
    """A folder where the file should be is a sentence, and stays."""
    default_path().mkdir(parents=True)

    found = begin()

    assert "unreachable" == (found.failure and found.failure.reason)
    assert default_path().is_dir()


def test_a_full_disk_at_the_start(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the new names cannot be written, the file is used all the same: the next start will write them."""

    def full(*_: object) -> int:
        raise ProgressError("full", str(default_path()))

    monkeypatch.setattr(Progress, "adopt", full)

    with closing(begin().store) as store:
        assert store.keeps
        assert {CARD: memory} == store.memories()


@cache
def a_file() -> bytes:
    """A progress file with a row of every kind."""
    with TemporaryDirectory() as folder, closing(open_progress(Path(folder) / "p.sqlite3")) as progress:
        for n in range(30):
            progress.record(graded(Grade(n % 4 + 1), n // 3, ("deck", f"card-{n % 7}")))
        progress.adopt({NEW: [("deck", "card-1")]}, on(11))
        progress.decide(Decision.new("suspend", ("deck", "card-2"), on(11)))
        return Path(progress.path).read_bytes()


def a_session(store: Progress) -> None:
    """Reads and writes everything that a session does."""
    list(store.reviews())
    store.confident_errors()
    store.decisions()
    for key in (*store.memories(), OTHER):
        review = graded(Grade.good, 12, key)
        store.record(review)
        store.undo(review.id, on(12))
    store.check()


@pytest.mark.parametrize("seed", range(int(os.environ.get("QKV_FLIPS", "40"))))
def test_flipped_bits(own_data: Path, seed: int) -> None:
    """With any few bits of the file flipped, a whole session is one sentence or goes through: never a traceback."""
    chance, content = random.Random(seed), bytearray(a_file())
    for _ in range(chance.randint(1, 40)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    own_data.mkdir()
    default_path().write_bytes(content)

    found = begin()
    with closing(found.store) as store:
        assert found.failure is None or opening_warning(found, Words("en"))
        with suppress(ProgressError):
            a_session(store)


# --- in the middle ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_reason_has_its_words(language: str) -> None:
    """Whatever happens to a file is said in both languages, with the file's name."""
    sentences = {error_sentence(ProgressError(reason, "p.sqlite3"), Words(language)) for reason in get_args(Reason)}

    assert len(get_args(Reason)) == len(sentences)
    assert waiting_warning(None, Words(language)) != waiting_warning(ProgressError("full", "p"), Words(language))
