"""Commands that are given, or find, something that is no file: they say so at once, read nothing of it and leave it as it is."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from content.deck import cache
from quiz.card.deck_paths import all_deck_paths, user_deck_folder
from quiz.cli import qkv
from quiz.commands import doctor
from quiz.commands.schema import refresh_schema, schema_path, text
from quiz.memory.scheduler import Grade
from quiz.progress import backups
from quiz.progress.errors import ProgressError
from quiz.progress.progress import default_path, open_progress
from quiz.progress.restore import restore_backup
from quiz.words.i18n import Words
from tests.not_files import KINDS, in_time, put
from tests.quiz.learning import graded

pytestmark = pytest.mark.usefixtures("shelf")
ODD = [kind for kind in KINDS if kind not in ("folder", "loop")]


def run(*arguments: str) -> tuple[int, str]:
    """A command's exit code and what it said, within a time in which nothing was waited for."""
    with in_time():
        done = CliRunner().invoke(qkv, arguments, input="q\n")

    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def mode(path: Path) -> tuple[int, int]:
    """What stands under a name, and which."""
    found = os.lstat(path)
    return stat.S_IFMT(found.st_mode), found.st_ino


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "command",
    [
        ("check", "--no-run", "{}"),
        ("quiz", "--plain", "{}"),
        ("new", "{}"),
        ("new", "{}", "--card", "one"),
        ("import", "{}"),
        ("restore", "{}"),
        ("backup", "{}"),
        ("export", "--progress", "{}"),
        ("schema", "{}"),
        ("lab", "attention_steps", "--svg", "{}"),
    ],
    ids=" ".join,
)
def test_a_name_given_to_a_command(tmp_path: Path, kind: str, command: tuple[str, ...]) -> None:
    """A sentence and an exit code, at once; what was there is still there."""
    named = put(kind, tmp_path / "named.yaml")
    before = mode(named)
    code, told = run(*(word.format(named) for word in command))

    assert code in ((0, 1, 2, 3) if kind == "folder" and command[0] in ("check", "quiz") else (1, 2, 3))
    assert "named.yaml" in told
    assert before == mode(named)


@pytest.mark.parametrize("kind", KINDS)
def test_a_name_in_the_folder_of_decks(own_data: Path, kind: str) -> None:
    """A pipe among one's own decks keeps nobody from the other decks: neither by id, nor all of them."""
    put(kind, user_deck_folder() / "odd.yaml")

    assert (1 if kind == "folder" else 2) == len(all_deck_paths())  # a folder is looked into, and this one is empty
    assert "[1/3]" in run("quiz", "own", "--plain", "--lang", "en")[1]
    assert 0 == run("cards")[0]


@pytest.mark.parametrize("kind", ODD)
def test_the_schema_and_the_cache(own_data: Path, kind: str) -> None:
    """What the program itself laid down is read with the same care: the copy of the schema, and the decks of the last start."""
    put(kind, schema_path())
    before = mode(schema_path())
    entry = put(kind, own_data / "entry.json") if kind != "link to a pipe" else own_data / "none"
    with in_time():
        refresh_schema(())
        assert cache.recall(entry, own_data) is None

    assert before == mode(schema_path())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "command", [("stats",), ("backup",), ("export", "--progress"), ("quiz", "--plain"), ("plan", "--clear")], ids=" ".join
)
def test_a_progress_file_that_is_none(own_data: Path, kind: str, command: tuple[str, ...]) -> None:
    """It is said that it cannot be opened; a pipe is not waited for, and /dev/zero is no empty file."""
    put(kind, default_path())
    code, told = run(*command, "--lang", "en")

    assert 0 != code
    assert "cannot be opened" in told
    assert ["problem"] == [found.state for found in doctor.progress(Words.of("en"))]


@pytest.mark.parametrize("kind", ["zero", "pipe", "folder"])
def test_restore_does_not_copy_what_never_ends(own_data: Path, tmp_path: Path, kind: str) -> None:
    """Where the progress file is a link to /dev/zero, nothing is set aside byte by byte until the disk is full: 9.9 GB were."""
    good = tmp_path / "good.sqlite3"
    with closing(open_progress(good)) as progress:
        progress.record(graded(Grade.good))
    put(kind, default_path())
    with in_time(), pytest.raises(ProgressError) as refused:
        restore_backup(good, default_path(), datetime(2026, 11, 29))

    assert "unreachable" == refused.value.reason
    assert [] == list(own_data.glob(f"{backups.FOLDER}/*"))


@pytest.mark.parametrize("there", ["mine", "", "<svg>an older picture</svg>"])
def test_a_picture_overwrites_nothing(tmp_path: Path, there: str) -> None:
    """A file that exists is said before anything is computed, and is left as it is."""
    (tmp_path / "mine.svg").write_text(there, encoding="utf-8")
    code, told = run("lab", "attention_steps", "--svg", str(tmp_path / "mine.svg"), "--lang", "en")

    assert (2, True, False) == (code, "exists and is left as it is" in told, "softmax" in told)
    assert there == (tmp_path / "mine.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["no-such-folder/a.svg", "", "x" * 300 + ".svg", "file/a.svg"])
def test_a_picture_that_cannot_be_written_is_said_before_the_figures(tmp_path: Path, name: str) -> None:
    """A folder that is not there, a name that is too long: nothing is computed for it."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    code, told = run("lab", "attention_steps", "--svg", f"{tmp_path}/{name}", "--lang", "en")

    assert (2, False) == (code, "softmax" in told)
    assert ["data", "file"] == sorted(each.name for each in tmp_path.iterdir())


def test_a_run_that_fails_leaves_no_picture(tmp_path: Path) -> None:
    """Neither an empty file under the name nor one beside it."""
    code, _ = run("lab", "attention_steps", "--set", "n=many", "--svg", str(tmp_path / "new.svg"))

    assert 2 == code
    assert ["data"] == [each.name for each in tmp_path.iterdir()]


@pytest.mark.parametrize("more", [(), ("attention_steps", "--json"), ("attention_steps", "--names"), ("attention_steps", "--source")])
def test_a_picture_that_nobody_would_draw_is_refused(tmp_path: Path, more: tuple[str, ...]) -> None:
    """`--svg` beside what prints no figures was taken and forgotten."""
    assert (2, False) == (run("lab", *more, "--svg", str(tmp_path / "a.svg"))[0], (tmp_path / "a.svg").exists())


@pytest.mark.parametrize("there", ["notes", "{}", '{"$id": "urn:other"}', "[" * 100_000])
def test_the_schema_replaces_no_file_but_a_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str) -> None:
    """A schema of an earlier version is replaced by `qkv schema FILE`, anything else is left as it is."""
    monkeypatch.setattr("quiz.commands.schema._made", lambda: text(()))
    file = tmp_path / "file.json"
    file.write_text(there, encoding="utf-8")
    assert 2 == run("schema", str(file))[0]
    assert there == file.read_text(encoding="utf-8")
    file.write_text('{"$id": "urn:qkv:schema:deck"}', encoding="utf-8")

    assert 0 == run("schema", str(file))[0]
    assert "experiment" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beside", ["-journal", "-wal"])
def test_a_journal_that_is_none(own_data: Path, kind: str, beside: str) -> None:
    """SQLite would read the first page of a pipe that has the name of its journal, and wait."""
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
    put(kind, Path(f"{default_path()}{beside}"))
    code, told = run("stats", "--lang", "en")

    assert (1, True) == (code, f"progress.sqlite3{beside} cannot be opened" in " ".join(told.split()))


def test_a_link_in_the_place_of_the_schema_is_not_written_through(own_data: Path, tmp_path: Path) -> None:
    """The program's own name may be brought up to date, not whatever it leads to."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    schema_path().symlink_to(tmp_path / "notes.txt")
    refresh_schema(())

    assert "mine" == (tmp_path / "notes.txt").read_text(encoding="utf-8")
