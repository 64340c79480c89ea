"""Going back to a backup: what is refused, what is kept, and what other windows see of it."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from quiz.memory.scheduler import Grade, Memory
from quiz.progress import backups, database, restore
from quiz.progress.database import SCHEMA_VERSION
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress
from quiz.progress.restore import restore_backup
from tests.quiz.learning import CARD, OTHER, a_database, graded, rows

NOW = datetime(2026, 11, 29, 21, 30)


@pytest.fixture
def backup(progress: Progress, path: Path) -> Path:
    """A backup with one card; since then another was graded."""
    progress.record(graded(Grade.good))
    made = backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-28-120000.sqlite3")
    progress.record(graded(Grade.good, 1, OTHER))
    return made


def cards(path: Path) -> list[tuple[str, str]]:
    with closing(open_progress(path)) as opened:
        assert () == opened.check()
        return sorted(opened.memories())


def damage(path: Path) -> bytes:
    content = bytearray(path.read_bytes())
    content[4096:12_288] = random.Random(0).randbytes(8192)
    path.write_bytes(content)
    return bytes(content)


def test_restored(backup: Path, progress: Progress, path: Path) -> None:
    """The progress is the backup's; what it was before is kept beside the backups; and an open window sees it and goes on."""
    before = restore_backup(backup, path, NOW)

    assert [CARD] == sorted(progress.memories())
    assert path.parent / "backups" / "replaced-2026-11-29-213000.sqlite3" == before
    assert before is not None
    assert sorted([CARD, OTHER]) == cards(before)
    assert 1 == progress.record(graded(Grade.good, 2, OTHER)).repetitions
    assert sorted([CARD, OTHER]) == cards(path)
    assert [CARD] == cards(backup)


def test_there_and_back(backup: Path, progress: Progress, path: Path) -> None:
    """Restoring what was kept undoes a restore."""
    progress.close()
    before = restore_backup(backup, path, NOW)
    assert before is not None
    again = restore_backup(before, path, NOW)

    assert sorted([CARD, OTHER]) == cards(path)
    assert before != again


def test_what_was_replaced_is_not_rotated_away(backup: Path, progress: Progress, path: Path) -> None:
    """Backups of the same day do not take the place of what a restore kept: nothing else may hold it."""
    before = restore_backup(backup, path, NOW)
    for hour in (22, 23):
        backups.make_backup(path, backups.backup_folder(path) / NOW.replace(hour=hour).strftime(backups.STAMP))
    backups.remove_old(path)

    assert before is not None
    assert sorted([CARD, OTHER]) == cards(before)


def test_no_file(backup: Path, progress: Progress, path: Path) -> None:
    """Where there is no progress file, the backup becomes it."""
    progress.close()
    path.unlink()

    assert None is restore_backup(backup, path, NOW)
    assert [CARD] == cards(path)


@pytest.mark.parametrize("content", [None, b"", b"noise" * 2000])
def test_a_ruined_file(backup: Path, progress: Progress, path: Path, content: bytes | None) -> None:
    """A damaged file, an empty one and one of noise are kept byte by byte, and the backup takes their place."""
    progress.close()
    ruined = damage(path) if content is None else content
    path.write_bytes(ruined)
    path.with_name(f"{path.name}-journal").write_bytes(b"old journal")

    before = restore_backup(backup, path, NOW)

    assert [CARD] == cards(path)
    assert before is not None
    assert ruined == before.read_bytes()
    assert ["backups", path.name] == sorted(file.name for file in path.parent.iterdir())


def refused(backup: Path, path: Path, reason: str, about: Path) -> None:
    before = path.read_bytes()

    with pytest.raises(ProgressError) as caught:
        restore_backup(backup, path, NOW)

    assert (reason, str(about)) == (caught.value.reason, caught.value.path)
    assert before == path.read_bytes()


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("PRAGMA application_id = 7", "foreign"),
        (f"PRAGMA user_version = {SCHEMA_VERSION + 1}", "newer"),
        ("DROP TABLE meta", "damaged"),
    ],
)
def test_a_backup_of_another_kind(backup: Path, path: Path, statement: str, reason: str) -> None:
    """A backup of another program, a newer version or without a table is refused, and the progress stays."""
    a_database(backup, statement)

    refused(backup, path, reason, backup)


def test_a_damaged_backup(backup: Path, path: Path) -> None:
    """A damaged backup is refused, and the progress stays."""
    damage(backup)

    refused(backup, path, "damaged", backup)


@pytest.mark.parametrize("content", [b"", b"deck: attention\n" * 100])
def test_not_a_backup(tmp_path: Path, progress: Progress, path: Path, content: bytes) -> None:
    """A file of another kind is refused."""
    (tmp_path / "other").write_bytes(content)

    refused(tmp_path / "other", path, "not-a-database", tmp_path / "other")


@pytest.mark.parametrize(("statement", "reason"), [("PRAGMA application_id = 7", "foreign"), ("PRAGMA user_version = 99", "newer")])
def test_what_is_not_ours_to_replace(backup: Path, progress: Progress, path: Path, statement: str, reason: str) -> None:
    """A file of another program or a newer version is not replaced."""
    progress.close()
    a_database(path, statement)

    refused(backup, path, reason, path)


def test_itself(backup: Path, path: Path) -> None:
    """The progress file is no backup of itself."""
    refused(path, path, "same", path)


@pytest.mark.parametrize("ruined", [False, True])
def test_while_another_writes(backup: Path, progress: Progress, path: Path, monkeypatch: pytest.MonkeyPatch, ruined: bool) -> None:
    """While another process holds the file nothing is restored, and nothing is lost."""
    progress.close()
    for module in (backups, database, restore):
        monkeypatch.setattr(module, "PATIENCE", 0.05)
    if ruined:
        monkeypatch.setattr(restore, "_is_writable", lambda _: False)
    with closing(sqlite3.connect(path, isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        refused(backup, path, "locked", path)
        holder.execute("ROLLBACK")

    assert sorted([CARD, OTHER]) == cards(path)


def test_older_rules(backup: Path, progress: Progress, path: Path) -> None:
    """Memories of an older scheduler in a backup are computed anew when it is opened."""
    expected: Memory = progress.memories()[CARD]
    progress.close()
    a_database(backup, "UPDATE memory SET due_day = last_day", "UPDATE meta SET value = 'older'")

    restore_backup(backup, path, NOW)

    with closing(open_progress(path)) as opened:
        assert {CARD: expected} == opened.memories()


STRANGE = [
    "CREATE TRIGGER lie AFTER INSERT ON review BEGIN UPDATE memory SET due_day = 800000; END",
    "CREATE TRIGGER refuse BEFORE INSERT ON review BEGIN SELECT RAISE(ABORT, 'no'); END",
    "CREATE TRIGGER memory_stays BEFORE DELETE ON memory BEGIN SELECT RAISE(IGNORE); END",
    "CREATE UNIQUE INDEX one ON review (deck)",
    'CREATE UNIQUE INDEX "two words ""quoted""" ON memory (last_day)',
    "DROP TRIGGER review_stays; CREATE TRIGGER review_stays BEFORE UPDATE ON review BEGIN SELECT 1; END",
    "DROP INDEX review_card; CREATE UNIQUE INDEX review_card ON review (deck)",
]


@pytest.mark.parametrize("statements", STRANGE)
@pytest.mark.parametrize("there", ["open", "missing"])
def test_what_acts_by_itself_is_not_restored(backup: Path, progress: Progress, path: Path, statements: str, there: str) -> None:
    """Triggers and indexes that a backup did not have from us stay out: they would act on the grades to come, also in an open window."""
    with closing(sqlite3.connect(backup)) as connection:
        connection.executescript(statements)
    if there == "missing":
        path.unlink()
    restore_backup(backup, path, NOW)
    with closing(open_progress(path)) as window:
        (progress if there == "open" else window).record(graded(Grade.good, 2, OTHER))

    assert sorted([CARD, OTHER]) == cards(path)
    assert SOUND == parts(path)


@pytest.mark.parametrize("statements", STRANGE)
def test_what_acts_by_itself_goes_when_a_file_is_opened(progress: Progress, path: Path, statements: str) -> None:
    """The same for a file that was put in the place of the progress by hand, and for a copy of one that may only be read."""
    progress.record(graded(Grade.good))
    progress.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statements)
    with closing(Progress.copied(str(path))) as copy:
        copy.record(graded(Grade.good, 2, OTHER))
        assert () == copy.check()
    with closing(open_progress(path)) as opened:
        opened.record(graded(Grade.good, 2, OTHER))

    assert sorted([CARD, OTHER]) == cards(path)
    assert SOUND == parts(path)


def test_a_view_of_ones_own_stays(progress: Progress, path: Path) -> None:
    """What does not act by itself may be in the file: somebody looks at their progress with it."""
    progress.close()
    a_database(path, "CREATE VIEW mine AS SELECT deck, count(*) FROM review GROUP BY deck")
    open_progress(path).close()

    assert [("mine",)] == rows(path, "SELECT name FROM sqlite_schema WHERE type = 'view'")


def parts(path: Path) -> set[tuple[object, ...]]:
    return set(rows(path, "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"))


def _sound() -> set[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as model:
        for statement in database.SCHEMA:
            model.execute(statement)
        found = model.execute("SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'index') AND sql IS NOT NULL")
        return set(found.fetchall())


SOUND = _sound()
