"""Every command at every door: outputs that have no room, no reader or few characters, inputs that are no text, odd environments.

    python -m tests.doors            runs all of them and prints what does not hold: an hour
    python -m tests.doors 7          every seventh
    python -m tests.doors 1 lab      those whose command line holds a word

A run holds when it ends by itself with a code that the command may have, says no traceback, and writes nothing that a terminal would obey.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import count as counting
from pathlib import Path

from content.deck.deck_files import bundled
from content.deck.library import load
from content.yaml.clean import unclean
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Plan
from quiz.progress.progress import open_progress
from quiz.study.filter import admitted_items
from tests.quiz.learner import learner
from tests.quiz.learning import record_all

NASTY = "\x1b]0;owned\x07\u202eevil\u200b\x9b31m a" + "\u0301" * 400  # a text takes 500 characters
HIDDEN = "deck: odd\ntitle: 'Ödd ≤ √ 注意力'\ncards:\n  - {id: odd-one, question: 'Why ≤ √d_k ▀?', answer: '因为 e\u0301 “so” …'}\n"
QUICK = [
    "--help", "cards", "cards --json", "cards --tag nothing", "cards --suspended", "cards --weak", "stats", "stats --json",
    "stats --tag nothing",
    "plan", "plan --json", "plan --clear", "plan tomorrow", "suspend odd-one", "resume odd-one",
    "suspend nothing", "backup", "export --progress",
    "export", "import {log}", "import -", "import nothing", "restore nothing", "new {fresh}.yaml", "new {data}/bad",
    "check --no-run {odd}",
    "check --no-run {broken}", "check --no-run --json {broken}", "check --no-run --format github {broken}", "check -", "show nothing",
    "quiz nothing --plain", "quiz", "preview {odd}", "trust", "trust nothing", "nonsense", "optimize --undo", "optimize --undo --json",
]  # fmt: skip
ENGINE = [
    "lab", "lab --json", "lab softmax", "lab softmax --json", "lab softmax --names", "lab softmax --source",
    "lab softmax --svg {fresh}.svg",
    "lab wordpiece --set text={nasty}", "lab wordpiece --json --set text={nasty}", "lab nothing", "lab softmax --set n=many", "schema",
    "schema {fresh}.json", "show odd-one", "show why-divide-by-sqrt-dk", "check {odd}", "quiz --plain --limit 2", "doctor",
    "doctor --json",
]  # fmt: skip
COUNT = counting()
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b-\u200f]")


@dataclass(frozen=True)
class Door:
    """How a command is started: what its streams are in the words of a shell (`{}` is the command), and its environment.

    `lost` says that stdout takes nothing: a command that would have succeeded fails. `said` is where all that it says can be looked at.
    """

    name: str
    shell: str = "{}"
    encoding: str = "utf-8"
    typed: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)
    lost: bool = False
    said: bool = True


ENCODINGS = ("ascii", "gbk", "cp1252", "latin-1", "cp437", "shift_jis", "gb18030", "utf-16")
PLAIN = Door("plain")
DOORS = (
    *(Door(name, encoding=name, environment={"PYTHONIOENCODING": name}) for name in ENCODINGS),
    Door("strict ascii", encoding="ascii", environment={"PYTHONIOENCODING": "ascii:strict"}),
    Door("no utf-8 mode", encoding="ascii", environment={"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}),
    Door("unknown locale", environment={"LC_ALL": "xx_YY.GBK", "LANG": "\x1b[31m"}),
    Door("full", "{} > /dev/full", lost=True),
    Door("both full", "{} > /dev/full 2> /dev/full", lost=True),
    Door("stderr full", "{} 2> /dev/full"),
    Door("no stdout", "{} >&-", lost=True),
    Door("no stderr", "{} 2>&-"),
    Door("no stdin", "{} <&-"),
    Door("nothing", "{} <&- >&- 2>&-", lost=True),
    Door("read-only stdout", "{} 1< /dev/null", lost=True),
    Door("reader gone", "{} | true", said=False),
    Door("head -1", "{} | head -1", said=False),
    Door("bytes", typed=b"\xc4\xe3\xba\xc3\xff\n\x80\x81\n\xa3\xb1\n1\n\xe9\nq\n"),
    Door("columns 0", environment={"COLUMNS": "0", "LINES": "0"}),
    Door("columns -5", environment={"COLUMNS": "-5"}),
    Door("columns huge", environment={"COLUMNS": "99999999999", "LINES": "99999999999"}),
    Door("columns large", environment={"COLUMNS": "1000000"}),
    Door("columns text", environment={"COLUMNS": "²", "LINES": "wide"}),
    Door("columns 1", environment={"COLUMNS": "1"}),
    Door("columns 7", environment={"COLUMNS": "7"}),
    Door("no docstrings", environment={"PYTHONOPTIMIZE": "2"}),
    Door("dumb", environment={"TERM": "dumb"}),
    Door("forced colour", environment={"FORCE_COLOR": "1", "TERM": "\x1b]0;x\x07"}),
)


@dataclass(frozen=True)
class Ran:
    """A run: how it ended and what it wrote; the code is -1 where it did not end."""

    line: str
    door: Door
    code: int
    out: bytes
    err: bytes


def prepare(data: Path) -> dict[str, str]:
    """A learner's data folder, and the files that the command lines name."""
    (data / "decks").mkdir(parents=True)
    files = {"odd": data / "decks" / "odd.yaml", "broken": data / "broken\x1b[31m\u202e.yaml", "log": data / "log.jsonl"}
    files["odd"].write_text(HIDDEN, encoding="utf-8")
    files["broken"].write_text(
        "deck: b\ntitle: T\u0007\ncards:\n  - {id: a√, question: 'a" + "\u0301" * 99 + "', 注意: 1}\n", encoding="utf-8"
    )
    files["log"].write_text('{"format": "qkv-progress", "version": 1, "rows": 0}\n', encoding="utf-8")
    keys = [item.key for item in admitted_items(loaded.deck for loaded in load(bundled()).decks)]
    now = Moment.now()
    with closing(open_progress(data / "progress.sqlite3")) as progress:
        record_all(progress, learner(keys, 60, now.day))
        progress.decide(Decision.plan(Plan(now.day + 30, now.day + 25), now))
    return {**{name: str(path) for name, path in files.items()}, "data": str(data), "nasty": NASTY}


def run(line: str, door: Door, files: dict[str, str], patience: float = 120) -> Ran:
    """One command line at one door."""
    names = {**files, "fresh": f"{files['data']}/{next(COUNT)}"}
    command = shlex.join([sys.executable, "-c", "from quiz.cli import main; main()", *(word.format(**names) for word in line.split())])
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "QKV_LANG", "COLUMNS", "LINES", "FORCE_COLOR")}
    home = {"QKV_DATA": files["data"], "XDG_CACHE_HOME": f"{files['data']}/cache", "LANG": "C.UTF-8"}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            code = subprocess.run(
                ["/bin/bash", "-c", "set -o pipefail; " + door.shell.format(command)],
                input=door.typed, stdout=out, stderr=err, env=kept | home | door.environment, timeout=patience, check=False,
            ).returncode  # fmt: skip
        except subprocess.TimeoutExpired:
            code = -1
        out.seek(0)
        err.seek(0)
        return Ran(line, door, code, out.read(), err.read())


def faults(ran: Ran, plain: Ran) -> list[str]:
    """What of a run does not hold, beside the same command with nothing in its way."""
    expected = {plain.code}
    if ran.door.lost and plain.out:
        expected = {plain.code or 1}
    elif not ran.door.said:
        expected |= {0}
    elif ran.line.endswith(("check -", "import -")) or "quiz --plain" in ran.line:  # what is typed at this door is another text
        expected |= {0, 1}
    found = [] if ran.code in expected else [f"exit code {ran.code}, not {expected}"]
    for name, data in (("stdout", ran.out), ("stderr", ran.err)):
        if b"Traceback" in data or b"Exception ignored" in data or b"lost sys.std" in data:
            found.append(f"{name}: {data[-300:].decode(errors='replace')}")
    return found + (_texts(ran) if ran.door.said else [])


def _texts(ran: Ran) -> list[str]:
    """What is wrong with the characters that a run wrote."""
    found = []
    try:
        text, told = ran.out.decode(ran.door.encoding), ran.err.decode(ran.door.encoding)
    except UnicodeDecodeError as error:
        return [str(error)]
    if "FORCE_COLOR" not in ran.door.environment:
        found += [f"a control {each!r}" for each in CONTROL.findall(text + told)[:3]]
    if any(name.startswith("mark") for _, name in unclean(text + told)):
        found.append("a stack of marks")
    if "--json" in ran.line and text:
        try:
            json.loads(text)
        except ValueError as error:
            found.append(f"no JSON: {error}")
    return found


def main(every: str = "1", wanted: str = "") -> int:
    """Runs them and prints what does not hold."""
    began, bad, count = time.monotonic(), 0, 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        files = prepare(Path(folder) / "data")
        for line, doors in pairs([each for each in spoken((*QUICK, *ENGINE)) if wanted in each], int(every)):
            plain = run(line, PLAIN, files)
            for ran in pool.map(partial(run, line, files=files), doors):
                count += 1
                if found := faults(ran, plain):
                    bad += 1
                    print(f"{ran.line} | {ran.door.name} | {ran.code}", *found, sep="\n    ", flush=True)
    print(f"{count} runs in {time.monotonic() - began:.0f} s, {bad} do not hold")
    return 1 if bad else 0


def pairs(lines: Sequence[str], every: int) -> Iterator[tuple[str, list[Door]]]:
    """Every so many of the doors for each line, other ones for the next line."""
    for number, line in enumerate(lines):
        yield line, list(DOORS[number % every :: every])


def spoken(lines: Iterable[str]) -> list[str]:
    """The lines in both languages, where a command speaks two."""
    return [
        f"{line}{option}" for line in lines for option in ([""] if line.startswith(("check", "preview")) else [" --lang en", " --lang zh"])
    ]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
