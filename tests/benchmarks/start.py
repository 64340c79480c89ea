"""How long the program takes to be there: `python -m tests.benchmarks.start`. Prints seconds, and the ratio to the goal.

Everything is held against the least that it could take on the same machine at the same moment: an application that shows one word, or the
import of the libraries that a command cannot do without. The rounds are interleaved, so that a busy minute counts for all alike, and of
each the median is told. The folders of decks, progress and cache are new ones; each command runs once before it is timed, as it has for
whoever uses it every day.
"""

from __future__ import annotations

import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pyte

from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from tests.benchmarks._size import asked_share
from tests.benchmarks.decks import deck
from tests.quiz.learner import learner
from tests.terminal.terminal import PATIENCE, Terminal

CARDS, REVIEWED, DAYS = 178, 60, 60  # with the bundled deck's some 200 cards, a third of them known for two months
ROWS, COLUMNS = 40, 120
ROUNDS = 5
QUESTION = "1 of "
RECALL = "Tick what you said"
SURE = "How sure are you?"
REST = 0.4  # seconds without one, after which a key is taken as meant: a card does not take one at once
AGAIN = 5.0  # seconds without a change, after which it is pressed once more: sooner, a slow machine's answer would be graded by it
QUIET = 0.6  # seconds without a change of the screen: it is settled
BLINKING = 2.0  # seconds after which a screen with a cursor in it counts as settled, too

EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self): yield Static("here")
Empty().run()
"""
QKV = [sys.executable, "-m", "quiz"]
CLICK = "import click"
PROGRESS = "import click, dataclasses, fsrs_rs_python, hashlib, json, pathlib, platformdirs, sqlite3, statistics"
LISTING = "import mdit_py_plugins.dollarmath, markdown_it, rich.console, rich.text\n" + PROGRESS
ENGINE = "import click, json, sqlite3\nfrom engine import Worker\nwith Worker() as worker: worker.survey.result()"


@dataclass(frozen=True)
class Goal:
    """That something takes at most so many times as long as something else."""

    what: str
    than: str
    most: float


GOALS = (
    Goal("home, first paint", "empty app, first paint", 1.3),
    Goal("home with its numbers", "empty app, settled", 2.0),
    Goal("quiz, first question", "empty app, settled", 2.5),
    Goal("--help", CLICK, 2.0),
    Goal("--version", CLICK, 2.0),
    Goal("cards", "what cards needs", 1.5),
    Goal("stats --json", "what stats needs", 1.5),
    Goal("doctor", "what doctor needs", 1.5),
)
Clocks = Mapping[str, Callable[[], Mapping[str, float]]]


@dataclass(frozen=True)
class Showing:
    """What a program drew: each piece with the seconds since it was started."""

    pieces: tuple[tuple[float, bytes], ...]

    def first(self, text: str) -> float:
        """When the screen showed a text for the first time."""
        screen = pyte.Screen(COLUMNS, ROWS)
        stream = pyte.ByteStream(screen)
        for seconds, piece in self.pieces:
            stream.feed(piece)
            if text in "\n".join(screen.display):
                return seconds
        raise AssertionError(f"never showed {text!r}:\n" + "\n".join(screen.display))

    @property
    def settled(self) -> float:
        """When the last piece was drawn."""
        return self.pieces[-1][0]


def watched(command: list[str], data: Path, until: str, reveal: bool = False) -> Showing:
    """What a program draws until it has shown a text and is settled. `reveal` shows the answer as soon as a question is at rest."""
    began, pieces, shown = time.perf_counter(), list[tuple[float, bytes]](), math.inf
    running = Terminal(command, data, ROWS, COLUMNS)
    try:
        drawn, quiet, wait = 0, began, REST
        while running.read(0.02):
            now = time.perf_counter()
            if len(running.raw) > drawn:
                pieces.append((now - began, running.raw[drawn:]))
                drawn, quiet, wait = len(running.raw), now, REST
                shown = min(shown, now) if until in running.text else math.inf
            key = " " if RECALL in running.text else "2" if SURE in running.text else ""
            if reveal and key and QUESTION in running.text and until not in running.text and now - quiet > wait:
                running.press(key)
                quiet, wait = now, AGAIN
            if shown < math.inf and (now - quiet > QUIET or now - shown > BLINKING):
                return Showing(tuple(pieces))
            assert now - began < PATIENCE, f"never showed {until!r}:\n{running.text}"
        raise AssertionError(f"the program ended; it showed:\n{running.text}")
    finally:
        running.process.close(force=True)


def ran(command: list[str], data: Path) -> float:
    """The seconds of a command that prints and ends."""
    environment = os.environ | {"QKV_DATA": str(data), "XDG_CACHE_HOME": str(data / "cache")}
    began = time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return time.perf_counter() - began


def prepare(data: Path) -> None:
    """A deck of a person's own, and what they have learned of it."""
    (data / "decks").mkdir(parents=True)
    (data / "decks" / "large.yaml").write_text(deck(CARDS, formulas=3), encoding="utf-8")
    keys = [("large", f"card-{number}") for number in range(REVIEWED)]
    with closing(open_progress(data / "progress.sqlite3")) as store:
        for review in learner(keys, DAYS, Moment.now().day - 1):
            store.record(review)


def clocks(data: Path) -> Clocks:
    """What is timed; each gives one figure or several."""

    def empty() -> Mapping[str, float]:
        shown = watched([sys.executable, "-c", EMPTY], data, "here")
        return {"empty app, first paint": shown.first("here"), "empty app, settled": shown.settled}

    def home() -> Mapping[str, float]:
        shown = watched([*QKV, "--lang", "en"], data, "not met")
        return {
            "home, first paint": shown.first("qkv"),
            "home with its numbers": max(map(shown.first, ("not met", "Today:", "practise"))),
            "home, settled": shown.settled,
        }

    def question() -> Mapping[str, float]:
        shown = watched([*QKV, "quiz", "attention", "--lang", "en"], data, QUESTION)
        return {"quiz, first question": shown.first(QUESTION)}

    def verdict() -> Mapping[str, float]:
        shown = watched([*QKV, "quiz", "large", "--lang", "en"], data, "✔", reveal=True)
        return {"quiz, first verdict": shown.first("✔")}

    timed = {name: [*QKV, *name.split()] for name in ("--help", "--version", "cards", "stats --json", "doctor")}
    imports = {CLICK: CLICK, "what cards needs": LISTING, "what stats needs": PROGRESS, "what doctor needs": ENGINE}
    timed |= {name: [sys.executable, "-c", code] for name, code in imports.items()}
    commands = {name: lambda name=name, command=command: {name: ran(command, data)} for name, command in timed.items()}
    return {"empty": empty, "home": home, "question": question, "verdict": verdict, **commands}


def medians(timed: Clocks, rounds: int) -> dict[str, float]:
    """Each figure's median over rounds in which everything is timed once, after one that is not; of no rounds that one alone."""
    found: dict[str, list[float]] = defaultdict(list)
    for number in range(rounds + 1):
        for clock in timed.values():
            for name, seconds in clock().items():
                found[name] += [seconds] if number or rounds == 0 else []
    return {name: statistics.median(seconds) for name, seconds in found.items()}


def table(found: Mapping[str, float], goals: Iterable[Goal] = GOALS) -> str:
    """Every figure, and how it stands to its goal."""
    held = {goal.what: goal for goal in goals}
    lines = []
    for name, seconds in found.items():
        line = f"{name:<26}{seconds:6.3f} s"
        if goal := held.get(name):
            ratio = seconds / found[goal.than]
            line += f"{ratio:7.2f} x {goal.than}; goal {goal.most} {'reached' if ratio <= goal.most else 'missed'}"
        lines.append(line)
    return "\n".join(lines)


def main(share: float) -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        prepare(data)
        print(table(medians(clocks(data), round(ROUNDS * share))))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main(asked_share())
