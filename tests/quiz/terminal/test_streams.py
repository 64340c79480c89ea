"""Every command, as a process of its own, at every door: see tests/doors.py."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from quiz.cli import qkv
from quiz.progress.progress import open_progress
from tests.doors import COUNT, DOORS, ENGINE, PLAIN, QUICK, Door, Ran, faults, prepare, run, spoken
from tests.extent import some

MAIN = [sys.executable, "-c", "from quiz.cli import main; main()"]
LINES = [options[number % len(options)] for number, line in enumerate((*QUICK, *ENGINE[::3])) if (options := spoken([line]))]
PAIRS = [(line, DOORS[number * 5 % len(DOORS)]) for number, line in enumerate(LINES)][:: some(2, 1)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A learner's data, and what the command lines name."""
    return prepare(tmp_path_factory.mktemp("doors") / "data")


@pytest.fixture
def plain(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Ran]:
    """A command with nothing in its way, in this process: what it says and its exit code are held against those at a door."""
    monkeypatch.setenv("QKV_DATA", files["data"])
    monkeypatch.setenv("XDG_CACHE_HOME", f"{files['data']}/cache")

    def ran(line: str) -> Ran:
        done = CliRunner().invoke(qkv, [word.format(**files, fresh=f"{files['data']}/plain-{next(COUNT)}") for word in line.split()])
        return Ran(line, PLAIN, done.exit_code, done.stdout_bytes, done.stderr_bytes)

    return ran


@pytest.mark.parametrize("door", DOORS[:: some(2, 1)], ids=lambda door: door.name)
def test_every_door(files: dict[str, str], plain: Callable[[str], Ran], door: Door) -> None:
    """Figures in Chinese: the exit code and the output are what they should be, and there is no traceback."""
    assert [] == faults(run("stats --lang zh", door, files), plain("stats --lang zh"))


@pytest.mark.parametrize(("line", "door"), PAIRS, ids=[f"{line} | {door.name}" for line, door in PAIRS])
def test_every_command(files: dict[str, str], plain: Callable[[str], Ran], line: str, door: Door) -> None:
    """Every other command, of those that compute every sixth, each at one door; `python -m tests.doors` goes through all of them."""
    assert [] == faults(run(line, door, files), plain(line))


@pytest.mark.parametrize("line", ["--help", "cards", "lab", "check --no-run {odd}", "export --progress", "stats", "schema"])
def test_a_reader_that_left_is_no_error(files: dict[str, str], line: str) -> None:
    """The same exit code for every command: 0."""
    ran = run(line, Door("reader gone", "{} | true"), files)

    assert (0, b"") == (ran.code, ran.err)


def test_a_check_that_nobody_reads_fails_all_the_same(files: dict[str, str]) -> None:
    """`qkv check | head` is a check: its exit code is what the decks are."""
    assert 1 == run("check --no-run {broken}", Door("reader gone", "{} | true"), files).code


def test_a_disk_without_room_is_told(files: dict[str, str]) -> None:
    """One sentence in the person's language, and exit code 1."""
    ran = run("cards", Door("full", "{} > /dev/full", environment={"QKV_LANG": "zh"}), files)

    assert (1, "输出未能写入：No space left on device。\n") == (ran.code, ran.err.decode())


def test_nobody_grades_what_nobody_sees(tmp_path: Path) -> None:
    """A plain session ends when its reader has left: an endless input grades no more cards, and those that were graded are kept."""
    environment = os.environ | {"QKV_DATA": str(tmp_path), "MAIN": "from quiz.cli import main; main()"}
    command = f'yes 3 | {sys.executable} -c "$MAIN" quiz --plain --kind explain | head -1; exit ${{PIPESTATUS[1]}}'
    done = subprocess.run(["/bin/bash", "-c", command], env=environment, capture_output=True, text=True, timeout=120, check=False)

    assert (0, "") == (done.returncode, done.stderr)
    with closing(open_progress(tmp_path / "progress.sqlite3")) as progress:
        assert 2 > sum(1 for _ in progress.reviews())


def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """With all three closed, the progress file is opened under another number: a stray line of output cannot get into it."""
    code = (
        "import os, sys, quiz.terminal.streams as streams; streams.prepare(); os.write(2, b'x');"
        "sys.exit(open(sys.argv[1], 'wb').fileno() + 10 * bool(sys.stdin.read()))"
    )
    done = subprocess.run(
        ["/bin/bash", "-c", f'{sys.executable} -c "$1" "$2" <&- >&- 2>&-', "bash", code, str(tmp_path / "f")], check=False
    )

    assert 3 == done.returncode


def test_help_says_the_same_without_docstrings() -> None:
    """`python -OO` keeps no docstring: help is read from where it is written."""
    told = [
        subprocess.run([sys.executable, *option, *MAIN[1:], *command, "--help"], capture_output=True, text=True, check=True).stdout
        for option in ((), ("-OO",))
        for command in ((), ("plan",))
    ]

    assert told[:2] == told[2:]
    assert "Be ready by DATE" in told[1]
