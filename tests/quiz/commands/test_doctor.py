"""What `qkv doctor` finds, and that it changes nothing but a schedule that was wrong."""

from __future__ import annotations

import json
import random
import re
import shlex
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine import BrokenExperiment, ExperimentError, Survey
from quiz.cli import qkv
from quiz.commands import doctor, finding
from quiz.commands.finding import Finding
from quiz.commands.sync_folders import network_system, sync_program
from quiz.memory.scheduler import Grade
from quiz.progress import backups
from quiz.progress.progress import Progress, default_path, open_progress
from quiz.words.i18n import Words
from tests.quiz.learning import a_database, graded


@pytest.fixture
def path() -> Path:
    """The person's own progress file, with thirty reviews."""
    with closing(open_progress()) as progress:
        for n in range(30):
            progress.record(graded(Grade.good, n - 30, ("deck", f"card-{n}")))
    return default_path()


def states(found: Iterable[Finding]) -> dict[str, str]:
    return {finding.about: finding.state for finding in found}


def says(found: Iterable[Finding]) -> str:
    return " ".join(finding.says for finding in found)


def follow(sentence: str) -> None:
    """Does what is between the backticks of a sentence."""
    command = shlex.split(re.findall("`qkv (.*?)`", sentence)[-1])
    assert 0 == CliRunner().invoke(qkv, command).exit_code


# --- progress -----------------------------------------------------------------------------------------------------------


def test_nothing_yet(own_data: Path) -> None:
    """Before the first start there is nothing to complain of, and looking makes no file."""
    assert {"progress": "ok"} == states(doctor.progress(Words("en")))
    assert [] == list(doctor.kept(Words("en"), datetime.now()))
    assert not own_data.exists()


def test_sound(path: Path) -> None:
    """A sound file is said to be, with its size, and not a byte of it changes."""
    before = path.read_bytes()

    assert {"progress": "ok"} == states(doctor.progress(Words("en")))
    assert "30 reviews" in says(doctor.progress(Words("en")))
    assert before == path.read_bytes()


def test_a_wrong_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories that the log does not add up to are computed anew, which is said once. Only then is the file read a second time."""
    a_database(path, "UPDATE memory SET due_day = due_day + 1 WHERE card IN ('card-3', 'card-4')")
    found: list[tuple[str, ...]] = []
    original = Progress.check

    def noted(opened: Progress) -> tuple[str, ...]:
        found.append(original(opened))
        return found[-1]

    monkeypatch.setattr(Progress, "check", noted)

    assert {"schedule": "warning", "progress": "ok"} == states(doctor.progress(Words("en")))
    assert {"progress": "ok"} == states(doctor.progress(Words("en")))
    assert [2, 0, 0] == list(map(len, found))


@pytest.mark.parametrize("there", [None, "empty", "without a grade"])
def test_lost(path: Path, there: str | None) -> None:
    """A file that is gone or holds no grade is a problem where there are backups; doing what is advised brings all back."""
    backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-28-120000.sqlite3")
    path.unlink()
    if there == "without a grade":
        open_progress(path).close()
    elif there == "empty":
        path.touch()

    assert {"progress": "problem"} == states(doctor.progress(Words("en")))
    follow(says(doctor.progress(Words("en"))))
    assert "30 reviews" in says(doctor.progress(Words("en")))


def test_damaged(path: Path) -> None:
    """A damaged file is a problem, with the newest backup and its command."""
    made = backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-28-120000.sqlite3")
    content = bytearray(path.read_bytes())
    content[4096:] = random.Random(0).randbytes(len(content) - 4096)
    path.write_bytes(content)

    assert {"progress": "problem"} == states(doctor.progress(Words("en")))
    assert f"qkv restore {made}" in says(doctor.progress(Words("en")))


@pytest.mark.parametrize("statement", ["PRAGMA application_id = 7", "PRAGMA user_version = 99", "DROP TABLE meta"])
def test_not_usable(path: Path, statement: str) -> None:
    """A foreign, a newer and a mutilated file are problems."""
    a_database(path, statement)

    assert {"progress": "problem"} == states(doctor.progress(Words("en")))


# --- backups ------------------------------------------------------------------------------------------------------------


def test_backups(path: Path) -> None:
    """No backup is a warning; a young one, and an old one of all there is, are well; an old one of less is a warning."""
    now = datetime(2026, 11, 29, 12)
    without = states(doctor.kept(Words("en"), now))
    backups.make_backup(path, backups.backup_folder(path) / (now - timedelta(days=9)).strftime(backups.STAMP))
    whole = states(doctor.kept(Words("en"), now))
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good, 40))
    old = states(doctor.kept(Words("en"), now))
    backups.make_backup(path, backups.backup_folder(path) / (now - timedelta(days=2)).strftime(backups.STAMP))
    young = states(doctor.kept(Words("en"), now))

    assert [{"backup": "warning"}, {"backup": "ok"}, {"backup": "warning"}, {"backup": "ok"}] == [without, whole, old, young]


def test_a_damaged_backup(path: Path) -> None:
    """A newest backup that could not be restored is a problem, also where there is no progress any more."""
    made = backups.make_backup(path, backups.backup_folder(path) / "progress-2026-11-28-120000.sqlite3")
    content = bytearray(made.read_bytes())
    content[4096:12_288] = random.Random(0).randbytes(8192)
    made.write_bytes(content)

    assert {"backup": "problem"} == states(doctor.kept(Words("en"), datetime.now()))
    assert str(made) in says(doctor.kept(Words("en"), datetime.now()))


# --- the folder ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("folder", "program"),
    [
        ("Dropbox/qkv", "Dropbox"),
        ("Dropbox (Personal)/a/b", "Dropbox"),
        ("OneDrive - Some Company/qkv", "OneDrive"),
        ("Library/Mobile Documents/com~apple~CloudDocs/qkv", "iCloud"),
        ("Library/CloudStorage/GoogleDrive-me@example.org/qkv", "Google Drive"),
        ("Nextcloud/qkv", "Nextcloud"),
        ("坚果云/qkv", "坚果云"),
        (".local/share/qkv", None),
        ("dropboxes/boxing/qkv", None),
    ],
)
def test_synced_by_name(tmp_path: Path, folder: str, program: str | None) -> None:
    """Folders of the usual programs are known by their names; others are not."""
    assert program == sync_program(tmp_path / folder)


@pytest.mark.parametrize(("trace", "program"), [(".stfolder", "Syncthing"), (".dropbox", "Dropbox"), (".sync_nextcloud.db", "Nextcloud")])
def test_synced_by_trace(tmp_path: Path, trace: str, program: str) -> None:
    """A folder of any name is known by what the program leaves in it or above it."""
    (tmp_path / trace).mkdir()

    assert program == sync_program(tmp_path / "study" / "qkv")


def test_network() -> None:
    """The mount that is nearest above a folder says what it is on."""
    mounts = ["/dev/sda1 / ext4 rw 0 0", "server:/home /home nfs4 rw 0 0", "/dev/sdb /home/me/local\\040disk ext4 rw 0 0", "broken"]

    assert ["nfs4", None, None, None] == [
        network_system(Path(folder), mounts) for folder in ("/home/me/qkv", "/home/me/local disk/qkv", "/homes/qkv", "/")
    ]


def test_a_folder_in_other_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A synced folder is a warning with what to do instead, not a problem."""
    monkeypatch.setenv("QKV_DATA", str(tmp_path / "Dropbox" / "qkv"))

    assert {"folder": "ok", "synced": "warning"} == states(doctor.place(Words("en")))
    assert "qkv import" in says(doctor.place(Words("en")))


# --- the rest -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color"}, "256"),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, "16M"),
        ({"TERM": "vt100"}, "16"),
        ({"TERM": "dumb"}, "0"),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, "0"),
    ],
)
def test_colours(monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], colours: str) -> None:
    """The terminal's own words say how many colours it has."""
    for name in ("TERM", "COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert colours == finding._colours()


def test_a_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing torch is a problem, a missing extra a warning that says how to get it."""
    monkeypatch.setattr(doctor, "_version", lambda _: None)

    assert "problem" == doctor.versions(Words("en")).state
    assert {"extra-bert": "warning"} == states(doctor.extras(Words("en")))
    assert "pip install 'qkv[bert]'" in says(doctor.extras(Words("en")))


class Fake:
    """An engine that answers as told."""

    def __init__(self, answer: Survey | Exception) -> None:
        self.answer = answer
        self.ready = self.survey = self

    def __enter__(self) -> Fake:
        return self

    def __exit__(self, *_: object) -> None: ...

    def result(self, _: float) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (Survey({}, {}), "ok"),
        (Survey({}, {"gone": BrokenExperiment("It is broken.", "坏了。")}), "problem"),
        (ExperimentError("torch is missing.", "没有 torch。"), "problem"),
        (TimeoutError(), "problem"),
    ],
)
def test_the_engine(monkeypatch: pytest.MonkeyPatch, answer: Survey | Exception, state: str) -> None:
    """An engine that does not start, or has broken experiments, is a problem."""
    monkeypatch.setattr(doctor, "Worker", lambda: Fake(answer))

    assert state == doctor.engine(Words("zh")).state


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(qkv, ["doctor", *arguments])
    return done.exit_code, done.stdout


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No torch is started."""
    monkeypatch.setattr(doctor, "Worker", lambda: Fake(Survey({}, {})))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_line_a_finding(path: Path, quick: None, language: str) -> None:
    """Every finding is one line with its sign, and all well is exit code 0."""
    code, told = run("--lang", language)

    assert 0 == code
    assert {"✔", "!"} == {line[0] for line in told.splitlines()}
    assert 9 == len(told.splitlines())


def test_json(path: Path, quick: None) -> None:
    """The JSON is a list of {about, state, says}."""
    code, told = run("--json")
    found = json.loads(told)

    assert 0 == code
    assert {("about", "state", "says")} == {tuple(finding) for finding in found}
    abouts = ["versions", "folder", "progress", "backup", "terminal", "decks", "orphans", "extra-bert", "engine"]
    assert abouts == [one["about"] for one in found]


def test_a_problem_is_exit_code_1(path: Path, quick: None) -> None:
    """Something wrong is a ✖ and exit code 1."""
    path.write_bytes(b"nothing")
    code, told = run()

    assert 1 == code
    assert "✖" in told


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        ("deck: own\ntitle: O\ncards:\n  - {id: new, question: Q, answer: A.}\n", "no longer in its deck (own/old)"),
        ("deck: other\ntitle: O\ncards:\n  - {id: old, question: Q, answer: A.}\n", "belongs to a deck that is not there (own)"),
        ("deck: own\ntitle: O\ncards:\n  - {id: new, formerly: [old], question: Q, answer: A.}\n", ""),
        ("deck: other\nformerly: [own]\ntitle: O\ncards:\n  - {id: old, question: Q, answer: A.}\n", ""),
        ("deck: own\ntitle: O\ncards:\n  - {id: new, qestion: Q, answer: A.}\n", ""),  # what is wrong with the deck is said
    ],
)
def test_an_id_that_was_changed(own_data: Path, deck: str, said: str) -> None:
    """Progress that no card has any more is said, with what gives it back; nothing where `formerly` says it, or the deck is broken."""
    (own_data / "decks").mkdir(parents=True)
    (own_data / "decks" / "own.yaml").write_text(deck, encoding="utf-8")
    with closing(open_progress()) as progress:
        progress.record(graded(Grade.good, -9, ("own", "old")))
    found = list(doctor.lost(Words("en")))

    assert (said != "") == bool(found)
    assert said in says(found)
