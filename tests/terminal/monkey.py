"""A monkey at the real program: random keys, clicks, drags and resizes, until it ends in a way that no key asked for.

    python -m tests.terminal.monkey --minutes 10 --size 80x24 --seed 1

The same seed gives the same inputs, not the same moments. Exit code 1 and a report when the program ended, or no longer answers.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pexpect
import pyte

from engine import names
from tests.terminal.terminal import environment, shown

FROZEN = 30.0  # seconds without an answer to a change of size, or to ctrl+c; a loaded machine is slow
KEPT = 60  # inputs that a report lists
EPISODE = 20.0  # seconds until the monkey quits by itself, so that quitting is tried too
VISITS = 6  # experiments in a row, at the start of every other episode
HOLDING = (0.005, 0.015, 0.033, 0.06)  # seconds between two inputs; 0.033 is a key that is held
CLEAN = (b"\x1b[?1049l", b"\x1b[?1000l")  # the alternate screen and the mouse are left

UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ARROWS = (UP, DOWN, RIGHT, LEFT, "\x1b[1;2C", "\x1b[1;2D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F")
LETTERS = tuple("abcdefghjklmnoprstuwxyz") + tuple("@-?0123456789.,") + ("\r", " ", "\t", "\x1b[Z", "\x1b", "\x7f", "\x14", "\x10")
QUITTING = ("q", "\x03", "\x11")
TEXTS = ("0.5", "1e3", "注意力", "２１。５", "x" * 90, "Ωß𝔘", "\x1b[200~[CLS] E[X] [/]\n2\x1b[201~")
ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[a-zA-Z]|[=>])")
SCRIPT = "from quiz.cli import main; main()"


@dataclass
class Program:
    """The program in a pseudo-terminal. What it draws is kept, and made a screen of only for a report."""

    data: Path
    columns: int
    rows: int
    drawn: bytearray = field(default_factory=bytearray)
    sizes: list[tuple[int, int, int]] = field(default_factory=list)  # of the terminal, from an offset into `drawn` on

    def __post_init__(self) -> None:
        extra = {"EDITOR": "true", "HOME": str(self.data), "XDG_DOWNLOAD_DIR": str(self.data)}
        self.process = pexpect.spawn(
            sys.executable,
            ["-c", SCRIPT, "--lang", "en"],
            env=environment(self.data) | extra,
            dimensions=(self.rows, self.columns),
            timeout=FROZEN,
        )
        self.process.delaybeforesend = None
        self.sizes.append((0, self.columns, self.rows))

    def read(self, seconds: float) -> bool:
        """Takes what is drawn for some seconds; False when the program has ended."""
        end = time.monotonic() + seconds
        while True:
            try:
                self.drawn += self.process.read_nonblocking(65536, timeout=max(0.0, min(0.05, end - time.monotonic())))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                return False
            if time.monotonic() >= end:
                return True

    def draws(self, seconds: float) -> bool:
        """Whether it draws anything, or ends, within some seconds."""
        before, end = len(self.drawn), time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.read(0.05) or len(self.drawn) > before:
                return True
        return False

    def send(self, keys: str) -> bool:
        """Types; False when nobody reads any more."""
        try:
            os.write(self.process.child_fd, keys.encode())
        except OSError:
            return False
        return True

    def resize(self, columns: int, rows: int) -> None:
        self.process.setwinsize(rows, columns)
        self.sizes.append((len(self.drawn), columns, rows))

    def code(self) -> int:
        """The exit code of a program that has ended, or minus the signal."""
        self.process.wait()
        killed = self.process.signalstatus
        return -int(killed) if killed is not None else int(self.process.exitstatus)

    def said(self) -> str:
        """What it wrote after it had left its screen: a traceback, or nothing."""
        return ESCAPES.sub("", bytes(self.drawn).rpartition(CLEAN[0])[2].decode(errors="replace")).replace("\r", "")

    def screen(self) -> str:
        """What a terminal would show now."""
        screen = pyte.Screen(self.columns, self.rows)
        stream = pyte.ByteStream(screen)
        for (start, columns, rows), (end, *_) in zip(self.sizes, [*self.sizes[1:], (len(self.drawn),)], strict=True):
            screen.resize(rows, columns)
            stream.feed(bytes(self.drawn[start:end]))
        return "\n".join(shown(screen))


@dataclass
class Monkey:
    """What it does next is drawn from its own generator; `visits` goes through every experiment before it begins anew."""

    random: random.Random
    columns: int
    rows: int
    visits: Iterator[int]
    quits: bool = True
    done: Counter[str] = field(default_factory=Counter)

    def inputs(self) -> Iterator[tuple[str, str, float]]:
        """One thing that it does: what to call each input, what to type or the size to take, and the pause after it."""
        does: tuple[Callable[[], Iterator[tuple[str, str, float]]], ...]
        does = (self._keys, self._hold, self._clicks, self._drag, self._wheel, self._resizes, self._text, self._quit)
        [one] = self.random.choices(does, (8, 6, 8, 6, 2, 3, 1, 1))
        self.done[one.__name__.strip("_")] += 1
        yield from one()

    def _pause(self) -> float:
        return self.random.choice(HOLDING)

    def _keys(self) -> Iterator[tuple[str, str, float]]:
        pause = self._pause()
        for key in self.random.choices((*LETTERS, *ARROWS), k=self.random.randint(1, 12)):
            yield "key", key, pause

    def _hold(self) -> Iterator[tuple[str, str, float]]:
        """A key that is held, and perhaps another at once after it."""
        key, pause = self.random.choice((*ARROWS, "l", "\t", "r", "s", "\r", " ", "j", "1", "3")), self._pause()
        for _ in range(self.random.randint(5, 40)):
            yield "hold", key, pause

    def _spot(self) -> tuple[int, int]:
        """A cell, often in the bottom rows, where the actions are."""
        row = self.random.choice((self.random.randint(1, self.rows), self.rows, max(1, self.rows - 1)))
        return self.random.randint(1, self.columns), row

    def _clicks(self) -> Iterator[tuple[str, str, float]]:
        (x, y), pause = self._spot(), self._pause()
        for _ in range(self.random.choice((1, 2, 2, 3))):
            yield "press", f"\x1b[<0;{x};{y}M", 0.0
            yield "release", f"\x1b[<0;{x};{y}m", pause
            if self.random.random() < 0.3:
                yield "move", f"\x1b[<35;{min(x + 1, self.columns)};{y}M", 0.0

    def _drag(self) -> Iterator[tuple[str, str, float]]:
        """Along a row, as a slider is dragged, or anywhere."""
        (x, y), pause = (self.random.randint(1, self.columns), self.random.randint(1, self.rows)), self._pause()
        yield "press", f"\x1b[<0;{x};{y}M", pause
        for _ in range(self.random.randint(3, 25)):
            x = min(max(1, x + self.random.randint(-6, 6)), self.columns)
            y = min(max(1, y + self.random.choice((0, 0, 0, 0, -1, 1))), self.rows)
            yield "drag", f"\x1b[<32;{x};{y}M", pause
        yield "release", f"\x1b[<0;{x};{y}m", pause

    def _wheel(self) -> Iterator[tuple[str, str, float]]:
        (x, y), pause = self._spot(), self._pause()
        for _ in range(self.random.randint(1, 10)):
            yield "wheel", f"\x1b[<{self.random.choice((64, 65))};{x};{y}M", pause

    def _resizes(self) -> Iterator[tuple[str, str, float]]:
        pause = self._pause()
        for _ in range(self.random.randint(1, 6)):
            yield "size", f"{self.random.randint(2, self.columns + 40)}x{self.random.randint(2, self.rows + 10)}", pause
        yield "size", f"{self.columns}x{self.rows}", pause

    def visits_in_a_row(self) -> Iterator[tuple[str, str, float]]:
        """From home, the next experiments, each with its sliders held to their ends and changed at once."""
        self.done["visits"] += VISITS
        for _ in range(VISITS):
            yield "visit", "e", 0.3
            yield "visit", "\x1b[H", 0.02
            for _ in range(next(self.visits)):
                yield "visit", DOWN, 0.003
            yield "visit", "\r", self.random.choice((0.0, 0.1, 0.5))
            for _ in range(self.random.randint(2, 4)):
                yield from self._slide(self._pause())
            yield "visit", "q", self.random.choice((0.01, 0.05, 0.3))

    def _slide(self, pause: float) -> Iterator[tuple[str, str, float]]:
        """A slider held one way, then the other; then another slider."""
        for key in (RIGHT, LEFT):
            for _ in range(self.random.randint(5, 25)):
                yield "slide", key, pause
        yield "slide", self.random.choice((DOWN, DOWN, DOWN, "r", "\x1b", "l")), pause

    def _text(self) -> Iterator[tuple[str, str, float]]:
        yield "text", self.random.choice(TEXTS), self._pause()

    def _quit(self) -> Iterator[tuple[str, str, float]]:
        """At any moment, also in the middle of a run."""
        if self.quits:
            yield "quit", self.random.choice(QUITTING), self._pause()


@dataclass(frozen=True)
class Ended:
    """Why a monkey stopped: no reason where its time was over."""

    reason: str
    inputs: tuple[str, ...]
    shows: str


@dataclass
class Trial:
    """Monkey and program together, for a time."""

    monkey: Monkey
    data: Path
    until: float
    starts: int = 0
    given: int = 0
    last: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT))

    def run(self) -> Ended:
        while time.monotonic() < self.until:
            self.starts += 1
            program = Program(self.data, self.monkey.columns, self.monkey.rows)
            try:
                reason = self._episode(program)
                if reason:
                    return Ended(reason, tuple(self.last), program.said() if CLEAN[0] in program.drawn else program.screen())
            finally:
                program.process.close(force=True)
        return Ended("", tuple(self.last), "")

    def _episode(self, program: Program) -> str:
        """One start of the program, until it was quit; why, where nobody quit it."""
        self.last.append("--- start")
        if not program.draws(FROZEN):
            return "it draws nothing"
        program.read(1.0)
        if self.starts % 2 and not self._all_given(program, self.monkey.visits_in_a_row()):
            return self._judged(program)
        end = min(self.until, time.monotonic() + EPISODE)
        while time.monotonic() < end:
            if not self._all_given(program, self.monkey.inputs()):
                return self._judged(program)
        return self._left(program)

    def _all_given(self, program: Program, inputs: Iterable[tuple[str, str, float]]) -> bool:
        """False as soon as the program has ended."""
        return all(self._give(program, kind, what) and program.read(pause) for kind, what, pause in inputs)

    def _give(self, program: Program, kind: str, what: str) -> bool:
        self.given += 1
        self.last.append(f"{kind} {what!r}")
        if kind != "size":
            return program.send(what)
        columns, _, rows = what.partition("x")
        program.resize(int(columns), int(rows))
        return True

    def _left(self, program: Program) -> str:
        """At the end the program answers a change of size by drawing, and ctrl+c by ending."""
        while program.draws(0.3):
            if not program.process.isalive():
                return self._judged(program)
        program.resize(program.columns + 1, program.rows)
        if not program.draws(FROZEN):
            return f"frozen: nothing drawn within {FROZEN:g} s of a change of size"
        self._give(program, "quit", "\x03\x03")
        end = time.monotonic() + FROZEN
        while program.read(0.1):
            if time.monotonic() > end:
                return f"frozen: still running {FROZEN:g} s after ctrl+c"
        return self._judged(program)

    def _judged(self, program: Program) -> str:
        """Why the end of a program is not one that a key asked for; empty where it is."""
        while program.read(0.2):
            pass
        code, drawn = program.code(), bytes(program.drawn)
        if b"Traceback" in drawn:
            return f"a traceback, exit code {code}"
        if code:
            return f"exit code {code}"
        return "" if all(one in drawn for one in CLEAN) else "the terminal was not restored"


def _visits(generator: random.Random, count: int) -> Iterator[int]:
    """Every experiment once, in any order, again and again."""
    while True:
        yield from generator.sample(range(count), count)


def trial(seed: int, columns: int, rows: int, seconds: float, data: Path) -> tuple[Trial, Ended]:
    """Lets a monkey at the program for some seconds."""
    generator = random.Random(seed)
    monkey = Monkey(generator, columns, rows, _visits(generator, len(names())))
    one = Trial(monkey, data, time.monotonic() + seconds)
    return one, one.run()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--size", default="80x24", help="columns x rows")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    columns, _, rows = given.size.partition("x")
    with tempfile.TemporaryDirectory() as data:
        one, ended = trial(given.seed, int(columns), int(rows), given.minutes * 60, Path(data))
    print(f"seed {given.seed}, {given.size}: {one.given:,} inputs, {one.starts} starts; {dict(one.monkey.done)}")
    if ended.reason:
        print(f"ENDED: {ended.reason}", "its last inputs:", *ended.inputs, "what it shows:", ended.shows, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
