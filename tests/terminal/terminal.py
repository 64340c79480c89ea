"""The real program in a pseudo-terminal, and the screen that a terminal would show."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pyte
from wcwidth import wcwidth

PATIENCE = 60.0  # seconds; a loaded machine is slow, a broken program never gets there


def environment(data: Path) -> dict[str, str]:
    """The variables of a program with a data folder of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "QKV_LANG", "COLUMNS", "LINES")}
    return kept | {
        "TERM": "xterm-256color",
        "QKV_DATA": str(data),
        "XDG_CACHE_HOME": str(data / "cache"),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TEXTUAL_ANIMATIONS": "none",
    }


def shown(screen: pyte.Screen) -> list[str]:
    """The screen's rows as text. Half a wide character whose other half was overdrawn is a space (pyte's own `display` fails there)."""
    cells = ([row[x].data for x in range(screen.columns)] for row in (screen.buffer[y] for y in range(screen.lines)))
    return [
        "".join(cell or ("" if before and wcwidth(before[0]) == 2 else " ") for before, cell in zip(["", *row], row, strict=False))
        for row in cells
    ]


def state(pid: int) -> str:
    """The state of a process in the system's letters: R runs or waits for a processor, S sleeps, T is stopped, Z has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return "Z"


class Terminal:
    """A running program and its screen. `see` waits for a text; `press` types keys."""

    def __init__(self, command: list[str], data: Path, rows: int = 24, columns: int = 80, odd: Mapping[str, str] | None = None) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        odd_environment = environment(data) | dict(odd or {})
        self.process = pexpect.spawn(command[0], command[1:], env=odd_environment, dimensions=(rows, columns), timeout=PATIENCE)

    @property
    def text(self) -> str:
        return "\n".join(shown(self.screen))

    def read(self, seconds: float = 0.05) -> bool:
        """Takes what the program has drawn; False when it has ended."""
        try:
            chunk = self.process.read_nonblocking(65536, timeout=seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += chunk
        self._stream.feed(chunk)
        return True

    def until(self, condition: Callable[[], bool], never: str) -> None:
        """Waits until something is so, taking what is drawn; fails with what never was."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.read(), f"the program ended; it showed:\n{self.text}"
            assert time.monotonic() < end, f"{never}:\n{self.text}"

    def see(self, text: str) -> None:
        """Waits until the screen shows a text."""
        self.until(lambda: text in self.text, f"never showed {text!r}")

    def rest(self) -> None:
        """Waits until nothing has been drawn or computed for a while, less than a cursor takes to blink: then every key is taken as meant.

        On a loaded machine a program that draws nothing may only be waiting for a processor: that is no rest.
        """
        end, quiet = time.monotonic() + PATIENCE, time.monotonic()
        while time.monotonic() < quiet + 0.4:
            drawn = len(self.raw)
            assert self.read(), f"the program ended; it showed:\n{self.text}"
            assert time.monotonic() < end, f"never came to rest:\n{self.text}"
            quiet = time.monotonic() if len(self.raw) > drawn or state(self.process.pid) == "R" else quiet

    def press(self, keys: str | bytes) -> None:
        self.process.send(keys)

    def end(self) -> int:
        """Waits for the program to end: its exit code, or minus the signal."""
        end = time.monotonic() + PATIENCE
        while self.read():
            assert time.monotonic() < end, f"still running:\n{self.text}"
        self.process.wait()
        signal = self.process.signalstatus
        return -int(signal) if signal is not None else int(self.process.exitstatus)


@contextmanager
def terminal(data: Path, *arguments: str, script: str = "from quiz.cli import main; main()", **odd: str) -> Iterator[Terminal]:
    """`qkv ARGUMENTS` in a terminal of 80x24, in an environment with something odd, killed at the end if it still runs."""
    running = Terminal([sys.executable, "-c", script, *arguments], data, odd=odd)
    try:
        yield running
    finally:
        running.process.close(force=True)
