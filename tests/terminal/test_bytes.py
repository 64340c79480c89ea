"""The real program in a terminal that sends bytes of any kind, takes few characters, or says odd things of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.terminal import Terminal, terminal

HOSTILE = {
    "X10 mouse report beyond column 95": b"\x1b[M \xc3!" + b"\x1b[M#\xff\xff",
    "X10 mouse report in pieces of UTF-8": b"\x1b[M \xe4\xbd",
    "GBK": "注意力机制".encode("gbk"),
    "GBK paste": b"\x1b[200~" + "你好，世界".encode("gbk") + b"\x1b[201~",
    "Latin-1 paste": b"\x1b[200~" + "déjà vu".encode("latin-1") + b"\x1b[201~",
    "a key that is no character": b"\x1b[99999999999;1u\x1b[1114112;1u\x1b[55296;1u",
    "a lie about the size": b"\x1b[48;65000;65000;1;1t\x1b[48;0;0;0;0t\x1b[<0;5;5M\x1b[<0;5;5m",
    "every byte that is no letter of ours": bytes(byte for byte in range(0x80, 0x100)) * 3,
    "a report that is none": b"\x1b[M\x00\x00\x00\x1b[<0;99999;99999M\x1b[<0;0;0m\x1b[999999999;999999999R",
}
GARBLED = {"PYTHONIOENCODING": "gbk"}


def help_opens(screen: Terminal) -> None:
    """The keys mean what they meant."""
    screen.rest()
    screen.press("?")
    screen.see("Keys")
    screen.press("\x1b")
    screen.rest()


def leave(screen: Terminal) -> int:
    """Help still opens and the program still ends as it is told: its exit code."""
    help_opens(screen)
    screen.press("\x03\x03")
    return screen.end()


def test_bytes_that_are_no_text_end_nothing(tmp_path: Path) -> None:
    """Whatever a terminal sends, at once or in pieces, the screens go on."""
    with terminal(tmp_path, "--lang", "en") as screen:
        screen.see("Attention")
        for typed in HOSTILE.values():
            screen.rest()
            screen.press(typed)
            screen.press(typed[: len(typed) // 2])
            screen.press(typed[len(typed) // 2 :])
            help_opens(screen)

        assert 0 == leave(screen)


CRASHES = """
from quiz.cli import main
from quiz.tui import driver
def fails(self): raise RuntimeError("a fault of ours")
driver.TerminalDriver.{method} = fails
main()
"""


@pytest.mark.parametrize("method", ["run_input_thread", "_read"])
def test_a_crash_is_no_success(tmp_path: Path, method: str) -> None:
    """Where the screens end by a fault, the exit code is 1, the fault is told and the terminal is as it was."""
    with terminal(tmp_path, script=CRASHES.format(method=method)) as screen:
        screen.read(0.5)
        screen.press("x")

        assert 1 == screen.end()
        assert b"a fault of ours" in screen.raw
        assert b"\x1b[?1049l" in screen.raw


@pytest.mark.parametrize(
    "odd",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "gbk"},
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "utf-16"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "xx_YY", "LANG": "\x1b[31m"},
        {"COLUMNS": "0", "LINES": "0"},
        {"COLUMNS": "-3", "LINES": "²"},
        {"COLUMNS": "99999999", "LINES": "99999999"},
        {"TERM": ""},
        {"TERM": "no-such-terminal"},
        {"PYTHONOPTIMIZE": "2"},
    ],
    ids=str,
)
def test_odd_environments_have_screens(tmp_path: Path, odd: dict[str, str]) -> None:
    """With few characters, an odd size or name, or without docstrings, the screens are there and are left as always."""
    with terminal(tmp_path, "--lang", "en", **odd) as screen:
        screen.see("ttention")
        assert 0 == leave(screen)


def test_a_dumb_terminal_is_told_of_the_plain_session(tmp_path: Path) -> None:
    """Where nothing can be drawn, one sentence says what to do instead, and the exit code is that of a wrong use."""
    with terminal(tmp_path, TERM="dumb") as screen:
        assert 2 == screen.end()
        assert b"qkv quiz --plain" in screen.raw
        assert b"\x1b" not in screen.raw


def test_the_plain_session_hears_bytes(tmp_path: Path) -> None:
    """What is no text is no answer: it is said so, and the session goes on."""
    with terminal(tmp_path, "quiz", "--plain", "--lang", "en", "--kind", "explain") as screen:
        screen.see("Enter skips")
        screen.press("3，注意".encode("gbk") + b"\xff\x80\n")
        screen.see("not a number")
        screen.press("\n")
        screen.see("How sure")
        screen.press(b"\x81\n")
        screen.see("Type 1, 2 or 3")
        screen.press("\n")
        screen.see("Letters of the key points")
        screen.press(b"\xa3\xe1\n")
        screen.see("Use the letters shown")
        screen.press("\n")
        screen.see("Grade 1-4")
        screen.press(b"3\xe9\n")
        screen.see("1, 2, 3")
        screen.press("q\n")

        assert 0 == screen.end()
