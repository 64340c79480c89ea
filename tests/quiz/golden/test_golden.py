"""What others build on, as it was before the rooms of the house were renamed: help, the shapes of JSON, a progress file.

The files beside this one were written by that code and stay as they are; new options, keys and commands may be added. Where something is
reworded or ends on purpose, change its line in `help.txt` or `shapes.json` by hand, so that the change is read.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from quiz.cli import qkv
from quiz.memory.scheduler import RULES
from quiz.memory.study_day import Moment
from quiz.progress.progress import open_progress
from tests.quiz.commands.test_commands import shape
from tests.quiz.learning import rows

HERE = Path(__file__).parent
SHAPES: dict[str, Any] = json.loads((HERE / "shapes.json").read_text(encoding="utf-8"))
THEN: dict[str, Any] = json.loads((HERE / "progress.json").read_text(encoding="utf-8"))
RULES_THEN = 1
HELP = dict(re.findall(r"^=== (.*)\n((?:(?!===).*\n)*)", (HERE / "help.txt").read_text(encoding="utf-8"), re.M))
JSON = {
    "lab --json": ("lab", "--json"),
    "lab softmax_saturation --json": ("lab", "softmax_saturation", "--json"),
    "lab attention_steps --json": ("lab", "attention_steps", "--json"),
    "cards --json": ("cards", "--tag", "golden", "--json"),
    "check --json": ("check", str(HERE / "deck.yaml"), "--json"),
    "stats --json": ("stats", "--json"),
    "plan --json": ("plan", "--json"),
    "doctor --json": ("doctor", "--json"),
}


@pytest.fixture
def kept(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The progress file of then and the deck that it is about, in the data folder; the clock stands where it stood."""
    (own_data / "decks").mkdir(parents=True)
    shutil.copy(HERE / "deck.yaml", own_data / "decks")
    monkeypatch.setattr(Moment, "now", lambda: Moment.of(datetime.fromisoformat(THEN["clock"])))
    return Path(shutil.copy(HERE / "progress.sqlite3", own_data))


def run(*arguments: str) -> str:
    """A command's stdout; a problem that it finds is no failure here."""
    done = CliRunner().invoke(qkv, arguments, catch_exceptions=False)
    assert done.exit_code in (0, 1), done.output
    return done.stdout


def one_line(text: str) -> str:
    return " ".join(text.split())


def entries(text: str) -> list[str]:
    """The usage, the paragraphs and the options of a help text, each in one line: how it is wrapped does not matter."""
    return [one_line(entry) for entry in re.split(r"\n\s*\n|\n(?=  -)", text.partition("Commands:")[0])]


def lost(then: Any, now: Any, where: str = "$") -> Iterator[str]:
    """What was there and is not, or is of another type; a null of then may have a value now."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key, part in then.items():
            yield from lost(part, now[key], f"{where}.{key}") if key in now else [f"{where}.{key} is missing"]
    elif isinstance(then, list) and isinstance(now, list):
        yield from lost(then[0], now[0], f"{where}[0]") if then and now else [f"{where} is empty"] * bool(then)
    elif then not in (now, "NoneType"):
        yield f"{where} was {then}, and is {now}"


def near(value: Any) -> Any:
    """The same value with numbers equal to four digits."""
    if isinstance(value, dict):
        return {key: near(part) for key, part in value.items()}
    if isinstance(value, list):
        return [near(part) for part in value]
    return pytest.approx(value, rel=1e-4) if isinstance(value, float) else value


@pytest.mark.parametrize("command", HELP)
def test_no_line_of_help_is_lost(command: str) -> None:
    """Every command with every option and its words is there."""
    now = one_line(run(*command.split()[1:], "--help"))

    assert [] == [entry for entry in entries(HELP[command]) if entry not in now]


@pytest.mark.parametrize("command", JSON)
@pytest.mark.usefixtures("kept")
def test_no_key_of_json_is_lost(command: str) -> None:
    """What a program reads is where it was, with the type that it had."""
    assert [] == list(lost(SHAPES[command], shape(json.loads(run(*JSON[command])))))


def test_what_is_lost_is_seen() -> None:
    """The comparison above: missing keys, other types and lists that became empty, at any depth."""
    then = {"a": [{"b": "int", "c": "str"}], "d": ["str"], "e": "NoneType"}

    assert [] == list(lost(then, then | {"new": "int", "e": "str"}))
    assert ["$.a[0].b was int, and is str", "$.a[0].c is missing", "$.d is empty"] == list(
        lost(then, {"a": [{"b": "str"}], "d": [], "e": ""})
    )


@pytest.mark.usefixtures("kept")
def test_no_line_of_an_export_is_lost() -> None:
    """`qkv export --progress` writes every row of then, whatever it is about, and an import of then's lines makes the same of them."""
    then = [json.loads(line) for line in (HERE / "progress.jsonl").read_text(encoding="utf-8").splitlines()]
    now = [json.loads(line) for line in run("export", "--progress").splitlines()]

    assert then[0].keys() <= now[0].keys()
    assert then[1:] == [{key: one[key] for key in before if key in one} for before, one in zip(then[1:], now[1:], strict=True)]


def test_lines_of_then_are_imported(own_data: Path) -> None:
    """`qkv import` makes the same rows of the lines of then."""
    run("import", str(HERE / "progress.jsonl"))
    everything = "SELECT * FROM review ORDER BY id"

    assert rows(HERE / "progress.sqlite3", everything) == rows(own_data / "progress.sqlite3", everything)


def test_a_progress_file_adds_up_to_the_same(kept: Path) -> None:
    """Due days, memories, what is suspended, buried and planned, and what was wrong with confidence are those of then."""
    with closing(open_progress(kept)) as store:
        memories = {"/".join(key): memory._asdict() for key, memory in sorted(store.memories().items())}
        decisions, wrong, count = store.decisions(), store.confident_errors(), sum(1 for _ in store.reviews())
        assert () == store.check()
    for memory in memories.values():
        memory["due_at"] = memory["due_at"] and memory["due_at"].isoformat()

    assert near(THEN["memories"]) == memories
    assert THEN["suspended"] == ["/".join(key) for key in decisions.suspended]
    assert THEN["buried"] == {"/".join(key): day for key, day in decisions.buried.items()}
    assert decisions.aim is not None
    assert THEN["plan"] | {"new_a_day": None} == vars(decisions.aim)
    assert THEN["sure_but_wrong"] == {"/".join(key): day for key, day in wrong.items()}
    assert THEN["reviews"] == count


def test_a_progress_file_gives_the_same_statistics(kept: Path) -> None:
    """`qkv stats --json` on the day of then; its topics are those of today's decks, and left out."""
    now = json.loads(run("stats", "--json"))

    assert near(THEN["stats"]) == {key: now[key] for key in THEN["stats"]}


def test_reading_changes_no_byte(kept: Path) -> None:
    """Opened, read and asked by every command that only reads, the file is the same; only newer rules make its memories anew, once."""
    before, log = kept.read_bytes(), rows(kept, "SELECT * FROM review")
    open_progress(kept).close()
    opened = kept.read_bytes()

    assert (RULES == RULES_THEN) == (before == opened)
    for command in (("stats",), ("plan",), ("cards",), ("cards", "--weak"), ("export", "--progress"), ("show", "card-01")):
        run(*command)
        assert opened == kept.read_bytes(), command
    assert log == rows(kept, "SELECT * FROM review")
