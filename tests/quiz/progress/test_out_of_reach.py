"""A data folder that may not be looked into, and one that may only be read: every command says it in a sentence."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from quiz.cli import qkv
from quiz.memory.scheduler import Grade
from quiz.progress.decisions import Decision, Plan
from quiz.progress.progress import default_path, open_progress
from tests.quiz.learning import CARD, graded, on

READING = [
    ("stats", "--json"),
    ("plan", "--json"),
    ("cards", "--suspended"),
    ("export", "--progress"),
]
WRITING = [("plan", "--clear"), ("suspend", CARD[1]), ("quiz", "--plain", "--limit", "1")]


def run(*arguments: str) -> tuple[int, str]:
    """A command's exit code, with what it said; it must not end in an exception."""
    done = CliRunner().invoke(qkv, arguments, input="q\n")

    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.fixture
def unreachable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder about which the system answers every question with an error, also to root."""
    folder = tmp_path / ("x" * 300)
    monkeypatch.setenv("QKV_DATA", str(folder))
    return folder


@pytest.mark.parametrize("arguments", READING)
def test_reading_a_folder_that_cannot_be_looked_into(unreachable: Path, arguments: tuple[str, ...]) -> None:
    """What reads the progress says that it cannot be opened: it does not take the file for missing, and does not fall over."""
    code, told = run(*arguments)

    assert (1, True) == (code, "cannot be opened" in told)


@pytest.mark.parametrize("arguments", WRITING)
def test_writing_to_a_folder_that_cannot_be_looked_into(unreachable: Path, arguments: tuple[str, ...]) -> None:
    """What changes the progress says the same, with the exit code of what was not saved."""
    code, told = run(*arguments)

    assert (3, True) == (code, "cannot be opened" in told)


def test_backup_and_restore_in_such_a_folder(unreachable: Path, tmp_path: Path) -> None:
    """Neither finds a file there to begin with, and both say so."""
    sound = tmp_path / "sound.sqlite3"
    open_progress(sound).close()

    assert [3, 3] == [run("backup")[0], run("restore", str(sound))[0]]


@pytest.fixture
def read_only(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Progress with a suspended card and a plan, in a file that may only be read."""
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
        progress.decide(Decision.new("suspend", CARD, on(0)))
        progress.decide(Decision.plan(Plan(on(0).day + 300, on(0).day + 290), on(0)))
    before = default_path().read_bytes()
    monkeypatch.setattr(os, "access", lambda asked, _: Path(asked) != default_path())  # root may write everything
    return before


@pytest.mark.parametrize("arguments", READING)
def test_reading_needs_no_writing(read_only: bytes, arguments: tuple[str, ...]) -> None:
    """Statistics, plan, lists and exports can be had from a file that may only be read."""
    code, told = run(*arguments)

    assert 0 == code, told
    assert "cannot be written" not in told
    assert read_only == default_path().read_bytes()


def test_backing_up_needs_no_writing(read_only: bytes, tmp_path: Path) -> None:
    """A file that may only be read can be backed up elsewhere."""
    code, told = run("backup", str(tmp_path / "copy.sqlite3"))

    assert 0 == code, told
    assert read_only == default_path().read_bytes()


def test_a_tilde_that_no_shell_has_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """QKV_DATA=~/notes is a folder at home, not one that is called ~."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("QKV_DATA", "~/notes")

    assert tmp_path / "notes" / "progress.sqlite3" == default_path()


def test_a_file_that_was_cut_to_nothing(own_data: Path) -> None:
    """An empty file with backups beside it is not a first start: nothing is begun anew, and the newest backup is named."""
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good))
    assert 0 == run("backup")[0]
    default_path().write_bytes(b"")

    told = [run(*arguments) for arguments in (("stats",), ("plan", "--clear"), ("quiz", "--plain", "--limit", "1"))]

    assert [(1, True), (3, True), (3, True)] == [(code, "qkv restore" in text) for code, text in told]
    assert b"" == default_path().read_bytes()


def test_an_empty_file_of_a_first_start(own_data: Path) -> None:
    """Without a backup an empty file is a first start that was interrupted, and is gone on with."""
    own_data.mkdir()
    default_path().write_bytes(b"")

    assert 0 == run("plan", "--clear")[0]
