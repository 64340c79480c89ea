from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import platformdirs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.cards import Deck
from quiz import database
from quiz import progress as progress_module
from quiz.database import APPLICATION_ID, SCHEMA_VERSION, ProgressError
from quiz.days import Moment
from quiz.names import Key, earlier_names, renamings
from quiz.progress import Progress, default_path, open_progress
from quiz.reviews import Review, fuzz_key, replayed
from quiz.scheduler import Grade, intervals

ROOT = Path(__file__).parents[2]
DAY = datetime(2026, 11, 29).toordinal()
CARD: Key = ("attention", "why-divide-by-sqrt-dk")
OTHER: Key = ("attention", "causal-mask")


def on(day: int, minute: int = 0) -> Moment:
    return Moment((day * 1440 + minute) * 60_000, DAY + day, 60)


def graded(grade: Grade, day: int = 0, key: Key = CARD, minute: int = 0) -> Review:
    return Review.new(on(day, minute), key, grade)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "progress.sqlite3"


@pytest.fixture
def progress(path: Path) -> Iterator[Progress]:
    with closing(open_progress(path)) as opened:
        yield opened


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """What an independent connection sees."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


# --- grades ------------------------------------------------------------------------------------------------------------


def test_durable(progress: Progress, path: Path) -> None:
    """A grade is in the file when record() returns, and so is the memory that it gave."""
    review = graded(Grade.good)

    memory = progress.record(review)

    assert [(review.id,)] == rows(path, "SELECT id FROM review")
    with closing(open_progress(path)) as other:
        assert {CARD: memory} == other.memories()


def test_everything_is_kept(progress: Progress) -> None:
    """A review comes back as it was written, with all that was measured, and with nothing where nothing was."""
    full = Review.new(on(3), CARD, Grade.hard, confidence=2, prediction=30.0, measured=58.6, correct=False, points=(0, 2), seconds=41.5)
    bare = graded(Grade.again, 4, OTHER)

    for review in (full, bare):
        progress.record(review)

    assert [full, bare] == list(progress.reviews())
    assert [bare] == list(progress.reviews(since=DAY + 4))


def test_again_comes_back_exactly(progress: Progress) -> None:
    """The ten-minute wait is the same from record() and from the file, to the millisecond."""
    memory = progress.record(Review.new(Moment(1_795_985_752_363, DAY), CARD, Grade.again))

    assert memory.due_at is not None
    assert {CARD: memory} == progress.memories()


def test_button_is_promise(progress: Progress) -> None:
    """What the button showed before the grade is what the stored memory says after it."""
    memory = progress.record(graded(Grade.easy))
    shown = intervals(memory, on(8), fuzz_key(CARD))[Grade.good]

    after = progress.record(graded(Grade.good, 8))

    assert shown.days == after.due_day - after.last_day


def test_new_today(progress: Progress) -> None:
    """Cards graded for the first time today count once; older cards and grades taken back do not."""
    progress.record(graded(Grade.good, 0, OTHER))
    for grade in (Grade.again, Grade.good):
        progress.record(graded(grade, 1))
    progress.record(graded(Grade.good, 1, OTHER))
    third = graded(Grade.good, 1, ("bert", "cls"))
    progress.record(third)
    progress.undo(third.id, on(1))

    assert [1, 1, 0] == [progress.new_today(DAY + day) for day in (0, 1, 2)]


@pytest.mark.parametrize("wrong", [{"confidence": 4}, {"confidence": 0}])
def test_refused_whole(progress: Progress, wrong: dict[str, int]) -> None:
    """A review that the table refuses leaves nothing behind, and the next one works."""
    with pytest.raises(sqlite3.IntegrityError):
        progress.record(replace(graded(Grade.good), **wrong))  # type: ignore[arg-type]

    assert {} == progress.memories()
    assert 1 == progress.record(graded(Grade.good)).repetitions


def test_same_id_twice(progress: Progress) -> None:
    """The same review cannot be counted twice."""
    review = graded(Grade.good)
    memory = progress.record(review)

    with pytest.raises(sqlite3.IntegrityError):
        progress.record(review)

    assert {CARD: memory} == progress.memories()


@pytest.mark.parametrize("change", ["UPDATE review SET grade = 4", "DELETE FROM review"])
def test_append_only(progress: Progress, path: Path, change: str) -> None:
    """The log refuses to be changed, whoever asks."""
    progress.record(graded(Grade.good))

    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        rows(path, change)


# --- undo --------------------------------------------------------------------------------------------------------------


def test_undo_is_exact(progress: Progress) -> None:
    """Grade, undo is the state before; grade, undo, the same grade is the state after."""
    progress.record(graded(Grade.good, 0))
    before = progress.memories()
    first, second = graded(Grade.easy, 2), graded(Grade.easy, 2)

    after = progress.record(first)
    taken_back = progress.undo(first.id, on(2))

    assert first == taken_back
    assert before == progress.memories()
    assert after == progress.record(second)


def test_undo_walks_back(progress: Progress) -> None:
    """Several undos in a row walk back to a card never seen."""
    reviews = [graded(grade, n) for n, grade in enumerate((Grade.good, Grade.again, Grade.good))]
    states = []
    for review in reviews:
        states.append(progress.memories())
        progress.record(review)

    for review, state in zip(reversed(reviews), reversed(states), strict=True):
        progress.undo(review.id, on(3))
        assert state == progress.memories()

    assert [] == list(progress.reviews())


def test_undo_is_a_row(progress: Progress, path: Path) -> None:
    """Nothing is deleted: the log holds the grade and the undo that names it."""
    review = graded(Grade.good)
    progress.record(review)
    progress.undo(review.id, on(0, 1))

    assert [("grade", None), ("undo", review.id)] == rows(path, "SELECT kind, undoes FROM review ORDER BY clock")


def test_undo_of_nothing(progress: Progress) -> None:
    """A grade that does not exist, or was taken back already, cannot be taken back."""
    review = graded(Grade.good)
    progress.record(review)
    progress.undo(review.id, on(0))

    assert [None, None] == [progress.undo(review.id, on(0)), progress.undo("no such id", on(0))]


def test_undo_leaves_others(progress: Progress) -> None:
    """Taking back an earlier grade of a card keeps the later one, as if it had been the first."""
    first, second = graded(Grade.again, 0), graded(Grade.good, 1)
    for review in (first, second):
        progress.record(review)

    progress.undo(first.id, on(1))

    assert replayed([second], {}) == progress.memories()


# --- the log is the truth ----------------------------------------------------------------------------------------------

NAMES: list[Key] = [("a", "x"), ("a", "y"), ("b", "x")]
steps = st.one_of(
    st.tuples(st.just("grade"), st.sampled_from(NAMES), st.sampled_from(Grade), st.integers(-3, 30), st.integers(-3_000, 3_000)),
    st.tuples(st.just("undo"), st.integers(0, 30)),
    st.tuples(st.just("adopt"), st.permutations(NAMES), st.integers(0, 2)),
)


@given(st.lists(steps, max_size=25))
@settings(deadline=None)
def test_cache_is_replay(script: list[tuple[Any, ...]]) -> None:
    """After any grades, undos, renames and clock jumps, the memories are those of the grades that stand, in their order."""
    with closing(Progress.in_memory()) as progress:
        day, standing, renamed = 0, list[Review](), dict[Key, Key]()
        for step in script:
            match step:
                case ("grade", key, grade, int(days), int(minute)):
                    day += days
                    review = graded(grade, day, key, minute)
                    standing.append(review)
                    memory = progress.record(review)
                    assert memory == progress.memories()[renamed.get(review.key, review.key)]
                case ("undo", int(n)) if standing:
                    review = standing.pop(-1 - n % len(standing))
                    assert progress.undo(review.id, on(day)) is not None
                case ("adopt", [current, *old], int(count)):
                    names = {current: old[:count]}
                    renamed = renamings(renamed, names)
                    progress.adopt(names)

        assert replayed(standing, renamed) == progress.memories()
        assert [review.id for review in standing] == [review.id for review in progress.reviews()]
        assert () == progress.check()


def test_check_finds_a_wrong_memory(progress: Progress, path: Path) -> None:
    """A memory that the log does not add up to is named, and replay() puts it right."""
    memory = progress.record(graded(Grade.good))
    progress.record(graded(Grade.good, 0, OTHER))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memory SET due_day = due_day + 1 WHERE card = ?", (CARD[1],))
        connection.execute("DELETE FROM memory WHERE card = ?", (OTHER[1],))

    wrong = progress.check()
    progress.replay()

    assert 2 == len(wrong)
    assert "attention/why-divide-by-sqrt-dk" in " ".join(wrong)
    assert memory == progress.memories()[CARD]
    assert () == progress.check()


def test_other_rules(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories computed by an older scheduler are computed anew when the file is opened."""
    memory = progress.record(graded(Grade.good))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE memory SET due_day = 0")
    monkeypatch.setattr(progress_module, "RULES", 1_000)

    with closing(open_progress(path)) as opened:
        assert {CARD: memory} == opened.memories()


def test_unknown_kind(progress: Progress, path: Path) -> None:
    """A kind of row that a later version writes is passed over, not an error."""
    with closing(sqlite3.connect(path)) as connection, connection:
        columns = "id, clock, at_ms, offset_minutes, day, deck, card, kind, version"
        connection.execute(f"INSERT INTO review ({columns}) VALUES ('x', 1, 1, 0, 1, 'a', 'b', 'bury', '9')")

    assert [] == list(progress.reviews())
    assert () == progress.check()


# --- names -------------------------------------------------------------------------------------------------------------

NEW: Key = ("attention", "sqrt-dk")


def test_rename_keeps_progress(progress: Progress) -> None:
    """A card with a new id has the memory of its earlier one, its history included, and goes on from there."""
    memory = progress.record(graded(Grade.good))
    review = graded(Grade.good, 2, NEW)

    assert 1 == progress.adopt({NEW: [CARD]})
    assert {NEW: memory} == progress.memories()
    assert [memory, memory, None] == [progress.memory(key) for key in (NEW, CARD, OTHER)]
    assert 2 == progress.record(review).repetitions
    assert [NEW, NEW] == [review.key for review in progress.reviews()]


def test_rename_rewrites_nothing(progress: Progress, path: Path) -> None:
    """The log keeps the name of its time."""
    progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})

    assert [CARD] == rows(path, "SELECT deck, card FROM review")


def test_rename_of_both(progress: Progress) -> None:
    """When the new name has been graded too, both histories count, in the order in which they happened."""
    reviews = [graded(Grade.good, 0), graded(Grade.again, 3, NEW), graded(Grade.good, 5)]
    for review in reviews:
        progress.record(review)

    progress.adopt({NEW: [CARD]})

    assert replayed(reviews, {CARD: NEW}) == progress.memories()


def test_rename_twice(progress: Progress) -> None:
    """A second rename carries on what the first one carried, also when the deck has forgotten the oldest name."""
    memory = progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})

    progress.adopt({OTHER: [NEW]})

    assert {OTHER: memory} == progress.memories()


def test_back_to_an_old_deck(progress: Progress) -> None:
    """Whoever goes back to the old deck finds the old card with its history; and forward again, all of it."""
    memory = progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})
    progress.record(graded(Grade.good, 2, NEW))

    progress.adopt({CARD: []})
    assert memory == progress.memories()[CARD]

    progress.adopt({NEW: [CARD]})
    assert [NEW] == list(progress.memories())
    assert 2 == progress.memories()[NEW].repetitions


def test_adopt_nothing_new(progress: Progress, path: Path) -> None:
    """Telling the same names again changes nothing, and does not write."""
    progress.record(graded(Grade.good))
    progress.adopt({NEW: [CARD]})
    before = path.read_bytes()

    assert 0 == progress.adopt({NEW: [CARD]})
    assert before == path.read_bytes()


def test_undo_after_rename(progress: Progress) -> None:
    """A grade given under the earlier name can be taken back under the new one."""
    review = graded(Grade.good)
    progress.record(review)
    progress.adopt({NEW: [CARD]})

    assert replace(review, card=NEW[1]) == progress.undo(review.id, on(0))
    assert {} == progress.memories()


def test_earlier_names() -> None:
    """A card may have had any pair of its deck's and its own ids, present or former, but its present name."""
    card = {"id": "new", "formerly": ["old"], "question": "?", "answer": "!"}
    deck = Deck.model_validate({"deck": "now", "formerly": ["then"], "title": "T", "cards": [card]})

    assert {("now", "new"): (("now", "old"), ("then", "new"), ("then", "old"))} == earlier_names(deck)


# --- the file ----------------------------------------------------------------------------------------------------------


def test_default_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """QKV_DATA names the folder; without it, or empty, it is the system's place for a person's data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("QKV_DATA", str(tmp_path))
    chosen = default_path()
    monkeypatch.setenv("QKV_DATA", "")
    system = default_path()

    assert tmp_path / "progress.sqlite3" == chosen
    assert platformdirs.user_data_path("qkv", appauthor=False) / "progress.sqlite3" == system


def test_header(progress: Progress, path: Path) -> None:
    """The file says whose it is and which version, and is a single file without a write-ahead log."""
    progress.record(graded(Grade.good))

    assert [(APPLICATION_ID,)] == rows(path, "PRAGMA application_id")
    assert [(SCHEMA_VERSION,)] == rows(path, "PRAGMA user_version")
    assert [path.name] == [file.name for file in path.parent.iterdir()]
    assert {"journal_mode": "delete", "synchronous": 3, "foreign_keys": 1, "busy_timeout": 5000} == {
        name: progress._connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    }


def a_database(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def refused(path: Path, reason: str) -> None:
    """Opening gives the reason in a sentence with the path, and leaves every byte as it was."""
    before = path.read_bytes()

    with pytest.raises(ProgressError) as caught:
        open_progress(path)

    assert reason == caught.value.reason
    assert str(path) in str(caught.value)
    assert before == path.read_bytes()
    assert [path.name] == [file.name for file in path.parent.iterdir()]


@pytest.mark.parametrize("content", [b"deck: attention\n" * 100, random.Random(0).randbytes(5_000)])
def test_not_a_database(tmp_path: Path, content: bytes) -> None:
    """A file of another kind is refused and kept."""
    (tmp_path / "p.sqlite3").write_bytes(content)

    refused(tmp_path / "p.sqlite3", "not-a-database")


@pytest.mark.parametrize("statement", ["CREATE TABLE theirs (x)", "PRAGMA user_version = 1", "PRAGMA application_id = 7"])
def test_foreign(tmp_path: Path, statement: str) -> None:
    """A database of another program is refused and kept, also one without an application id."""
    a_database(tmp_path / "p.sqlite3", statement)

    refused(tmp_path / "p.sqlite3", "foreign")


def test_newer(progress: Progress, path: Path) -> None:
    """A file of a newer version is refused and kept."""
    progress.close()
    a_database(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")

    refused(path, "newer")


def test_missing_table(progress: Progress, path: Path) -> None:
    """A file of ours without one of its tables is damaged, not new."""
    progress.close()
    a_database(path, "DROP TABLE memory")

    refused(path, "damaged")


def complaint(path: Path) -> str:
    """What a person is told who opens the file and checks it."""
    try:
        with closing(open_progress(path)) as opened:
            return " ".join(opened.check())
    except ProgressError as error:
        return str(error)


def test_damaged_pages(progress: Progress, path: Path) -> None:
    """Pages overwritten with noise are an error in a sentence, or found by check(); never silence."""
    for n in range(60):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))
    progress.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = random.Random(0).randbytes(len(content) - len(content) // 2)
    path.write_bytes(content)

    assert "damaged" in complaint(path) or "malformed" in complaint(path)
    assert content == path.read_bytes()


def test_folder_in_the_way(tmp_path: Path) -> None:
    """A folder where the file should be, or a file where the folder should be, is a sentence."""
    (tmp_path / "file").touch()

    for path in (tmp_path, tmp_path / "file" / "progress.sqlite3"):
        with pytest.raises(ProgressError) as caught:
            open_progress(path)
        assert "unreachable" == caught.value.reason


def test_empty_file(tmp_path: Path) -> None:
    """A file of no bytes, as a crash at the first start leaves it, is a new file."""
    (tmp_path / "p.sqlite3").touch()

    with closing(open_progress(tmp_path / "p.sqlite3")) as opened:
        opened.record(graded(Grade.good))
        assert () == opened.check()


def test_made_meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When another process makes the file between our look and our lock, it is used, not made again."""
    original = database.transaction

    def late(connection: sqlite3.Connection, mode: Literal["IMMEDIATE", "DEFERRED"]) -> AbstractContextManager[None]:
        monkeypatch.undo()
        with closing(open_progress(path)) as faster:
            faster.record(graded(Grade.good))
        return original(connection, mode)

    monkeypatch.setattr(database, "transaction", late)

    with closing(open_progress(path)) as progress:
        assert [CARD] == list(progress.memories())


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_not_writable(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch, locked: str) -> None:
    """A file or folder that may only be read is refused at the start, not at the first grade."""
    progress.close()
    closed = path if locked == "file" else path.parent
    monkeypatch.setattr(os, "access", lambda asked, _: Path(asked) != closed)  # root may write everything

    refused(path, "read-only")


def test_read_only_later(progress: Progress) -> None:
    """A disk that becomes read-only is a sentence, and what was learned can still be read."""
    memory = progress.record(graded(Grade.good))
    progress._connection.execute("PRAGMA query_only = ON")

    with pytest.raises(ProgressError) as caught:
        progress.record(graded(Grade.good, 1))

    assert "read-only" == caught.value.reason
    assert {CARD: memory} == progress.memories()


def fill(progress: Progress) -> None:
    for n in range(10_000):
        progress.record(graded(Grade.good, n, ("deck", f"card-{n}")))


def test_full_disk(progress: Progress) -> None:
    """A full disk saves nothing of the grade that did not fit, says so, and grading goes on when there is room."""
    pages = progress._connection.execute("PRAGMA page_count").fetchone()[0]
    progress._connection.execute(f"PRAGMA max_page_count = {pages + 1}")

    with pytest.raises(ProgressError) as caught:
        fill(progress)

    kept = [review.key for review in progress.reviews()]
    assert "full" == caught.value.reason
    assert kept
    assert set(kept) == set(progress.memories())
    assert () == progress.check()
    progress._connection.execute("PRAGMA max_page_count = 1000000")
    assert 1 == progress.record(graded(Grade.good)).repetitions


def test_locked(progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another program holds the file, opening and grading are sentences; afterwards grading works."""
    monkeypatch.setattr(database, "PATIENCE", 0.0)
    progress._connection.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        for attempt in (lambda: progress.record(graded(Grade.good)), lambda: open_progress(path)):
            with pytest.raises(ProgressError) as caught:
                attempt()
            assert "locked" == caught.value.reason

    assert 1 == progress.record(graded(Grade.good)).repetitions


def test_reader_in_the_way(progress: Progress, path: Path) -> None:
    """A reader that lasts longer than our patience makes the commit fail whole, and the next one works."""
    progress._connection.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM review").fetchone()
        with pytest.raises(ProgressError) as caught:
            progress.record(graded(Grade.good))

    assert "locked" == caught.value.reason
    assert {} == progress.memories()
    assert 1 == progress.record(graded(Grade.good)).repetitions


@pytest.mark.parametrize(("code", "reason"), [(sqlite3.SQLITE_IOERR_FSYNC, "unreachable"), (sqlite3.SQLITE_READONLY_DBMOVED, "read-only")])
def test_detailed_codes(code: int, reason: str) -> None:
    """SQLite's more detailed codes count as the plain ones."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code

    with pytest.raises(ProgressError) as caught, database.explained("p.sqlite3"):
        raise error

    assert reason == caught.value.reason


def test_in_memory() -> None:
    """Without a file everything works, and nothing is written."""
    with closing(Progress.in_memory()) as progress:
        memory = progress.record(graded(Grade.good))
        assert {CARD: memory} == progress.memories()


# --- several at once ---------------------------------------------------------------------------------------------------


def test_threads(progress: Progress) -> None:
    """Grades from several threads are all kept, on one card."""
    threads = [threading.Thread(target=lambda: [progress.record(graded(Grade.again, minute=n)) for n in range(20)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 80 == progress.memories()[CARD].repetitions
    assert () == progress.check()


def writer(path: Path, seed: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, str(Path(__file__).with_name("crash_writer.py")), str(path), str(seed), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})


def said(lines: list[str], what: str) -> set[str]:
    """The ids of the complete lines."""
    return {line.split()[1] for line in lines if line.startswith(f"{what} ") and line.endswith("\n")}


def test_two_processes(path: Path) -> None:
    """Two that make the file and grade the same cards at once lose nothing, and the memories are what the log adds up to."""
    processes = [writer(path, seed, 60) for seed in (1, 2)]
    printed = [line for process in processes for line in process.communicate()[0].splitlines(keepends=True)]

    with closing(open_progress(path)) as progress:
        assert [0, 0] == [process.returncode for process in processes]
        assert 120 == len(said(printed, "grade"))
        assert said(printed, "grade") - said(printed, "undo") == {review.id for review in progress.reviews()}
        assert () == progress.check()


def test_kill(path: Path) -> None:
    """Whenever a process is killed, every grade and undo that it was told is durable is in the log, and log and memories agree."""
    chance, graded_ids, undone_ids = random.Random(), set[str](), set[str]()
    for n in range(int(os.environ.get("QKV_KILLS", "15"))):
        process = writer(path, n, 0)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(chance.randint(1, 20))]
        threading.Event().wait(chance.random() * 0.01)  # anywhere inside a transaction
        process.send_signal(signal.SIGKILL)
        lines += process.communicate()[0].splitlines(keepends=True)
        graded_ids |= said(lines, "grade")
        undone_ids |= said(lines, "undo")

        with closing(open_progress(path)) as progress:
            standing = {review.id for review in progress.reviews()}
            assert graded_ids <= {str(row[0]) for row in rows(path, "SELECT id FROM review")}
            assert not undone_ids & standing
            assert () == progress.check()
            assert process.returncode == -signal.SIGKILL
