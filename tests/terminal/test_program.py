"""The real program in a pseudo-terminal: a session, quitting, signals, and what a kill leaves behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest
from wcwidth import wcswidth

from quiz.progress.progress import open_progress
from tests.terminal.terminal import PATIENCE, Terminal, shown, state, terminal

MAIN = [sys.executable, "-c", "from quiz.cli import main; main()"]
ALTERNATE_OFF, MOUSE_OFF = b"\x1b[?1049l", b"\x1b[?1000l"

SLOW = """
import sys
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.cli.screens import leave
from quiz.card.deck_paths import resolve_decks
from engine import Worker
app = QkvApp(Start(resolve_decks((sys.argv[1],)), "en", session=True), Worker("tests.engine.laboratory"))
app.run()
leave(app)
"""
SLOW_DECK = """\
deck: slow
title: Slow
cards:
  - {id: slow, question: How long?, answer: Long., verify: {experiment: native, claims: [{says: So., check: largest > 0}]}}
"""


def grades(data: Path) -> list[tuple[str, int]]:
    store = open_progress(data / "progress.sqlite3")
    found = [(review.card, int(review.grade)) for review in store.reviews()]
    problems = store.check()
    store.close()
    assert () == problems
    return found


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(line) for line in listed.stdout.split()]


def gone(pid: int) -> bool:
    """Whether a process ends within the patience of a test."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if state(pid) == "Z":
            return True
        time.sleep(0.05)
    return False


def leave_the_question(screen: Terminal) -> None:
    """Whatever card it is: no number is handed over, and what is not picked is asked for twice."""
    screen.press("\x1b" if "a number" in screen.text else "")
    for _ in range(2):
        screen.press("2" if "How sure" in screen.text else " " if "just show" in screen.text else "")
        screen.rest()


def test_a_card_from_question_to_grade(tmp_path: Path) -> None:
    """Start, study, reveal with the real engine's numbers, grade, quit: exit code 0, the grade kept, the terminal restored."""
    with terminal(tmp_path, "--lang", "en") as screen:
        screen.see("Attention")
        screen.press("\r")
        screen.see("1 of ")
        screen.rest()
        leave_the_question(screen)
        screen.press(" " if "answer" in screen.text.splitlines()[-2] else "")
        screen.see("Verification")
        screen.rest()
        screen.press("3")
        screen.see("2 of ")
        screen.press("q")
        screen.see("Everything is saved.")
        screen.press("q")
        screen.see("Today:")
        screen.press("q")

        assert 0 == screen.end()
        assert ALTERNATE_OFF in screen.raw
        assert MOUSE_OFF in screen.raw
    assert [3] == [grade for _, grade in grades(tmp_path)]


def test_kill_9_after_a_grade_loses_nothing(tmp_path: Path) -> None:
    """When the next card is there, the grade of the one before survives kill -9, and the engine's process does not survive at all."""
    with terminal(tmp_path, "quiz", "--lang", "en") as screen:
        screen.see("1 of ")
        screen.rest()
        leave_the_question(screen)
        screen.see("again")
        screen.rest()
        screen.press("4")
        screen.see("2 of ")
        engines = children(screen.process.pid)
        os.kill(screen.process.pid, signal.SIGKILL)

        assert -signal.SIGKILL == screen.end()
        assert engines
        assert all(gone(pid) for pid in engines)
    assert [4] == [grade for _, grade in grades(tmp_path)]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_restores_the_terminal(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """Terminated from outside, the program leaves the alternate screen and mouse modes, and exits as a shell expects."""
    with terminal(tmp_path) as screen:
        screen.see("help")
        os.kill(screen.process.pid, number)

        assert code == screen.end()
        assert ALTERNATE_OFF in screen.raw


def test_quitting_does_not_wait_for_a_long_computation(tmp_path: Path) -> None:
    """In the middle of a torch operation of many seconds, the program ends at once: far sooner than the operation would."""
    deck = tmp_path / "slow.yaml"
    deck.write_text(SLOW_DECK, encoding="utf-8")
    with terminal(tmp_path, str(deck), script=SLOW) as screen:
        screen.see("How long?")
        screen.rest()
        screen.press("2")
        screen.see("computing")  # the engine is warm, and in the operation
        start = time.monotonic()
        screen.press("\x03\x03")
        code = screen.end()
        took = time.monotonic() - start
    print(f"quit in the middle of a run: {took * 1000:.0f} ms")

    assert 0 == code
    assert took < 5


@pytest.mark.parametrize("arguments", [(), ("quiz",)])
def test_without_a_terminal_it_says_so(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """In a pipe the screens are refused with one sentence and exit code 2."""
    done = subprocess.run([*MAIN, *arguments], input="", capture_output=True, text=True, check=False)

    assert 2 == done.returncode
    assert "The screens need a terminal." in done.stderr


def test_an_unknown_deck_is_a_sentence(tmp_path: Path) -> None:
    """A deck that does not exist is named, with the nearest that does."""
    done = subprocess.run([*MAIN, "quiz", "atention", "--plain"], input="", capture_output=True, text=True, check=False)

    assert 2 == done.returncode
    assert "There is no deck atention. Did you mean attention?" in done.stderr


def test_the_plain_session_in_a_pipe(tmp_path: Path) -> None:
    """Line by line the same session runs without a terminal: no escape codes, the grade kept."""
    environment = os.environ | {"QKV_DATA": str(tmp_path)}
    answers = "\n\n2\n\n3\nq\n"
    done = subprocess.run(
        [*MAIN, "quiz", "attention", "--plain", "--lang", "en", "--kind", "explain", "--limit", "2"],
        input=answers, capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip

    assert 0 == done.returncode, done.stderr
    assert "\x1b" not in done.stdout
    assert "Key points" in done.stdout
    assert 1 == len(grades(tmp_path))


def test_two_clicks_within_a_moment_on_an_action(tmp_path: Path) -> None:
    """The first draws the row anew, the second meets it in the middle of that; then the program still ends by its key."""
    with terminal(tmp_path, "--lang", "en") as screen:
        screen.see("help")
        screen.rest()
        for _ in range(8):
            row, line = next((y, line) for y, line in enumerate(shown(screen.screen)) if "help" in line or "帮助" in line)
            column = next(wcswidth(line[: line.index(word)]) for word in ("中文", "English") if word in line)
            for _ in range(2):
                screen.press(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")
                screen.read(0.01)
            screen.press(f"\x1b[<35;{column + 2};{row + 1}M")
            screen.rest()
            screen.press("\x1b")  # the second click may have met another action, which opens a page
            screen.rest()
        screen.press("\x03\x03")

        assert 0 == screen.end()
        assert b"Traceback" not in screen.raw


@pytest.mark.parametrize(
    ("arguments", "typed", "code"),
    [
        (("lab", "softmax"), "", 2),
        (("lab",), "", 1),
        (("quiz", "attention", "--plain", "--lang", "en", "--limit", "1"), "\n2\n\n3\nq\n", 0),
    ],
    ids=["lab", "list", "plain"],
)
def test_a_torch_that_never_finishes_importing(tmp_path: Path, arguments: tuple[str, ...], typed: str, code: int) -> None:
    """Nobody waits for it for ever: a sentence says so, and the session goes on without numbers."""
    (tmp_path / "torch.py").write_text("import time; time.sleep(600)", encoding="utf-8")
    impatient = "import engine.worker.worker; engine.worker.worker.SILENCE = 1.0; from quiz.cli import main; main()"
    environment = os.environ | {"QKV_DATA": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", impatient, *arguments],
        input=typed, capture_output=True, text=True, check=False, env=environment, timeout=PATIENCE,
    )  # fmt: skip

    assert code == done.returncode, done.stderr
    assert "did not answer within 1 s" in " ".join((done.stdout + done.stderr).split())


def test_a_broken_deck_on_the_command_line(tmp_path: Path) -> None:
    """`qkv quiz broken.yaml` says what is wrong with the file once the screen is its own again, and ends with the code for it."""
    (tmp_path / "broken.yaml").write_text("deck: broken\ntitle: B\ncards:\n  - {id: a, qestion: No, answer: A.}\n", encoding="utf-8")
    with terminal(tmp_path, "quiz", str(tmp_path / "broken.yaml")) as screen:
        code = screen.end()

        assert (2, True) == (code, "qestion" in screen.text)
        assert ALTERNATE_OFF in screen.raw


@pytest.mark.parametrize("name", ["SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGALRM"])
def test_a_signal_gives_the_terminal_back(tmp_path: Path, name: str) -> None:
    """Whatever signal ends the program, the exit code says which, and the terminal is as it was: modes, keyboard, screen, mouse."""
    number = getattr(signal, name)
    with terminal(tmp_path, "--lang", "en") as screen:
        before = termios.tcgetattr(screen.process.child_fd)
        screen.see("Today:")
        screen.rest()
        os.kill(screen.process.pid, number)

        assert 128 + number == screen.end()
        assert as_before(screen, before)


@pytest.mark.parametrize("name", ["SIGTSTP", "SIGTTOU", "SIGTTIN", "SIGSTOP", "SIGCONT"])
def test_a_stop_gives_the_terminal_back(tmp_path: Path, name: str) -> None:
    """A stopped program holds no terminal, where it can know of the stop; it goes on, and quitting leaves nothing behind."""
    with terminal(tmp_path, "--lang", "en") as screen:
        before = termios.tcgetattr(screen.process.child_fd)
        screen.see("Today:")
        for _ in range(2):
            screen.rest()
            os.kill(screen.process.pid, getattr(signal, name))
            if name != "SIGCONT":
                screen.until(lambda: state(screen.process.pid) == "T", "never stopped")
            if name not in ("SIGSTOP", "SIGCONT"):
                screen.until(lambda: as_before(screen, before), "never gave the terminal back")
            os.kill(screen.process.pid, signal.SIGCONT)
            screen.until(lambda: not as_before(screen, before), "never took the terminal again")
            screen.see("Today:")
        screen.rest()
        screen.press("q")

        assert 0 == screen.end()
        assert as_before(screen, before)


def as_before(screen: Terminal, before: list[Any]) -> bool:
    """Whether a terminal has what it had before the program: its local modes, its keyboard, its screen, no mouse reports."""
    pushed, popped = (len(re.findall(pattern, screen.raw)) for pattern in (rb"\x1b\[>\d+u", rb"\x1b\[<u"))
    modes = [(screen.raw.rfind(mode + b"h"), screen.raw.rfind(mode + b"l")) for mode in (b"\x1b[?1049", b"\x1b[?1000", b"\x1b[?1003")]
    same = termios.tcgetattr(screen.process.child_fd)[3] == before[3]
    return same and pushed == popped > 0 and all(on < off for on, off in modes)
