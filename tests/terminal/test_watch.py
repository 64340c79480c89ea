"""`qkv check --watch` as a program of its own: in a terminal until ctrl+c, into a pipe until its reader leaves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.terminal.terminal import PATIENCE, environment, terminal

DECK = "deck: a\ntitle: A\ncards:\n  - {id: one, question: Why?, answer: So.}\n"


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "main.yaml"
    path.write_text(DECK, encoding="utf-8")
    (tmp_path / "data").mkdir()
    return path


def test_in_a_terminal(deck: Path) -> None:
    """It says each round below the one before, also when another file takes the place of the deck's, and ctrl+c ends it."""
    with terminal(deck.parent / "data", "check", "--watch", "--no-run", str(deck)) as screen:
        screen.see("ctrl+c")
        screen.see("0 errors, 1 warning.")
        new = deck.with_suffix(".new")
        new.write_text(DECK.replace("So.", "TODO"), encoding="utf-8")
        new.replace(deck)
        screen.see("1 error, 0 warnings.")
        assert "0 errors, 1 warning." in screen.text  # nothing is cleared
        deck.unlink()
        screen.see("check the spelling")
        deck.write_text(DECK.replace("one", "two"), encoding="utf-8")
        screen.see("{id: two")
        screen.press("\x03")

        assert 130 == screen.end()


def test_into_a_pipe(deck: Path) -> None:
    """Every round is there as soon as it is known; when nobody reads any more, the next one ends it."""
    command = [sys.executable, "-c", "from quiz.cli import main; main()", "check", "--watch", "--no-run", str(deck)]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment(deck.parent / "data"))
    try:
        assert program.stdout
        assert any("1 warning." in line for line in iter(program.stdout.readline, ""))
        program.stdout.close()
        deck.write_text(DECK.replace("So.", "TODO"), encoding="utf-8")
        program.wait(PATIENCE)
    finally:
        program.kill()
        program.wait()
