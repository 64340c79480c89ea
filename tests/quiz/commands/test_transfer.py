"""`qkv backup`, `qkv restore`, `qkv export --progress`, `qkv import`, as a person types them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from quiz.cli import qkv
from quiz.memory.scheduler import Grade
from quiz.progress import backups, database
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, default_path, open_progress
from tests.quiz.learning import CARD, OTHER, a_database, graded


def run(*arguments: str, code: int = 0, stdin: str | bytes = "") -> str:
    """A command's stdout and stderr; its exit code must be the one expected."""
    done = CliRunner().invoke(qkv, arguments, input=stdin)

    assert code == done.exit_code, done.output
    return done.output


@pytest.fixture
def learned() -> Path:
    """The person's own progress file, with one card."""
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
    return default_path()


def cards() -> list[tuple[str, str]]:
    with closing(open_progress()) as progress:
        assert () == progress.check()
        return sorted(progress.memories())


def learn_more() -> None:
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good, 1, OTHER))


def test_backup_and_restore(learned: Path) -> None:
    """A backup is named when it is made; restoring it goes back, and says where the later state is."""
    told = run("backup")
    made = backups.newest_backup(learned)
    learn_more()

    assert made is not None
    assert str(made) in told
    assert "is kept as" in run("restore", str(made))
    assert [CARD] == cards()
    assert 2 == len(list(backups.backup_folder(learned).iterdir()))


def test_backup_to_a_file(learned: Path, tmp_path: Path) -> None:
    """A backup goes where one wants it, and never over a file."""
    target = tmp_path / "usb" / "mine.sqlite3"

    run("backup", str(target))
    before = target.read_bytes()
    assert "exists and is left as it is" in run("backup", str(target), code=1)

    assert before == target.read_bytes()
    learn_more()
    run("restore", str(target))
    assert [CARD] == cards()


def test_nothing_to_back_up(own_data: Path) -> None:
    """Without progress there is no backup, and nothing is made."""
    assert "does not exist" in run("backup", code=1)
    assert not own_data.exists()


def test_a_backup_that_fails(learned: Path, tmp_path: Path) -> None:
    """A folder that cannot be written is exit code 3 and a sentence."""
    (tmp_path / "file").touch()

    assert "No backup was made" in run("backup", str(tmp_path / "file" / "b.sqlite3"), code=3)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_restore(learned: Path, tmp_path: Path, language: str) -> None:
    """What is not a backup is exit code 3, a sentence in the person's language, and no change."""
    (tmp_path / "other").write_bytes(b"deck: attention\n" * 100)
    before = learned.read_bytes()

    told = run("restore", str(tmp_path / "other"), "--lang", language, code=3)

    assert str(tmp_path / "other") in told
    assert "qkv restore" not in told
    assert before == learned.read_bytes()


def test_export_and_import(learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second machine takes the first one's file, learns, and gives it back; then both are the same."""
    there, back = tmp_path / "there.jsonl", tmp_path / "back.jsonl"
    run("export", "--progress", str(there))
    monkeypatch.setenv("QKV_DATA", str(tmp_path / "second"))
    assert "1 rows; 1 was new here" in run("import", str(there))
    learn_more()
    run("export", "--progress", str(back))
    second = cards()
    monkeypatch.setenv("QKV_DATA", str(learned.parent))

    assert "2 rows; 1 was new here" in run("import", str(back))
    assert "2 rows; 0 were new here" in run("import", str(back))
    assert second == cards() == sorted([CARD, OTHER])


def test_through_a_pipe(learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a file the export is stdout, and - imports stdin."""
    text = run("export", "--progress")
    assert {"format": "qkv-progress", "version": 1, "rows": 1} == json.loads(text.splitlines()[0])
    assert text == run("export", "--progress", "-")
    monkeypatch.setenv("QKV_DATA", str(tmp_path / "second"))

    run("import", "-", stdin=text)

    assert [CARD] == cards()


def test_export_says_what(learned: Path) -> None:
    """`qkv export` alone asks what to export."""
    assert "--progress" in run("export", code=2)


def test_export_never_over_a_file(learned: Path, tmp_path: Path) -> None:
    """An export never replaces a file."""
    (tmp_path / "x").write_text("mine", encoding="utf-8")

    run("export", "--progress", str(tmp_path / "x"), code=1)

    assert "mine" == (tmp_path / "x").read_text(encoding="utf-8")


def test_import_backs_up_first(learned: Path, tmp_path: Path) -> None:
    """What was here before an import can be restored."""
    run("export", "--progress", str(tmp_path / "x"))
    learn_more()

    run("import", str(tmp_path / "x"))

    made = backups.newest_backup(learned)
    assert made is not None
    with closing(open_progress(made)) as before:
        assert sorted([CARD, OTHER]) == sorted(before.memories())


@pytest.fixture
def ruined(learned: Path, tmp_path: Path) -> Iterator[Path]:
    """An export whose third line was changed by hand; the progress stays as it was."""
    learn_more()
    run("export", "--progress", str(tmp_path / "x"))
    lines = (tmp_path / "x").read_text(encoding="utf-8").splitlines()
    lines[2] = lines[2].replace('"grade": 3', '"grade": 4')
    (tmp_path / "x").write_text("\n".join(lines), encoding="utf-8")
    before = cards()
    yield tmp_path / "x"
    assert before == cards()


@pytest.mark.parametrize(("language", "words"), [("en", "line 3: the row"), ("zh", "第 3 行：这里也有记录")])
def test_a_changed_line(ruined: Path, language: str, words: str) -> None:
    """A file that was changed by hand is refused with its line, in the person's language."""
    told = run("import", str(ruined), "--lang", language, code=1)

    assert words in told


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"x" * 300_000, b"[" * 100_000, b'{"format": "qkv-progress", "version": 1, "rows": 9}']
)
def test_noise(learned: Path, tmp_path: Path, content: bytes) -> None:
    """Noise is a sentence of one line."""
    (tmp_path / "x").write_bytes(content)

    told = run("import", str(tmp_path / "x"), code=1)

    assert "Nothing was imported" in told
    assert 1 == len(told.splitlines())


def test_an_import_that_cannot_be_saved(learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another program holds the file, importing is exit code 3."""
    run("export", "--progress", str(tmp_path / "x"))
    for module in (backups, database):
        monkeypatch.setattr(module, "PATIENCE", 0.05)
    with closing(sqlite3.connect(learned, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        told = run("import", str(tmp_path / "x"), code=3)

    assert "Another program" in told


def test_export_of_what_is_not_ours(learned: Path) -> None:
    """A file of another program is not exported."""
    a_database(learned, "PRAGMA application_id = 7")

    assert "another program" in run("export", "--progress", code=1)


def test_an_import_is_done_before_the_names_are(learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that fills up after the rows have been added does not make a lie of the import: it is said to be done."""

    def full(*_: object) -> int:
        raise ProgressError("full", str(learned))

    run("export", "--progress", str(tmp_path / "log"))
    learned.unlink()
    monkeypatch.setattr(Progress, "adopt", full)

    assert "1 was new here" in run("import", str(tmp_path / "log"))
    assert [CARD] == cards()


def test_a_file_that_notepad_has_saved(learned: Path, tmp_path: Path) -> None:
    """The mark that some programs put before a text is none of it."""
    (tmp_path / "log").write_bytes(b"\xef\xbb\xbf" + run("export", "--progress").encode())

    assert "0 were new here" in run("import", str(tmp_path / "log"))


@pytest.mark.parametrize("file", ["-", "log"])
@pytest.mark.parametrize(
    "content",
    [
        b'{"format": "qkv-progress", "version": 1, "rows": 1}\n\xff\n',
        b'{"format": "qkv-progress", "version": 1, "rows": 1}\n{"id": "\xe9"}\n',
        b'{"format": "qkv-progress", "version": 1, "rows": 1}\n' + "{}\n".encode("utf-16"),
        b'\xef\xbb\xbf{"format": "qkv-progress", "version": 1, "rows": 1}\r\n\xed\xa0\x80\r\n',
        b'{"format": "qkv-progress", "version": 1, "rows": 1}\n{"id": "a\x00b"}',
    ],
)
def test_a_broken_byte(learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, content: bytes) -> None:
    """A byte that is no text is a mistake of its line, from a file and from stdin alike: the progress here is not blamed."""
    monkeypatch.chdir(tmp_path)
    Path("log").write_bytes(content)
    told = run("import", file, "--lang", "en", code=1, stdin=content if file == "-" else b"")

    assert "line 2: " in told
    assert str(learned) not in told
    assert [CARD] == cards()


def test_a_mark_before_a_stream(learned: Path) -> None:
    """A byte order mark before what comes through a pipe is none of it."""
    text = run("export", "--progress")

    assert "0 were new here" in run("import", "-", stdin=b"\xef\xbb\xbf" + text.encode())


def test_a_log_of_any_length(learned: Path, tmp_path: Path) -> None:
    """A header may promise as many rows as a log can have: what export writes, import reads."""
    (tmp_path / "log").write_text('{"format": "qkv-progress", "version": 1, "rows": 30000000}\n', encoding="utf-8")

    assert "before the 30,000,000 rows" in run("import", str(tmp_path / "log"), code=1)


def test_a_name_with_escapes_in_it(learned: Path, tmp_path: Path) -> None:
    """Where a backup went is said without sending the name's control characters to the terminal."""
    assert "\x1b" not in run("backup", str(tmp_path / "\x1b[31mred.sqlite3"))


def test_a_backup_that_is_none(learned: Path, tmp_path: Path) -> None:
    """A ruined backup is said to be that, without the advice that is for a ruined progress file."""
    (tmp_path / "noise").write_bytes(b"noise" * 2000)
    told = run("restore", str(tmp_path / "noise"), "--lang", "en", code=3)

    assert "Name another backup." in told
    assert "QKV_DATA" not in told
