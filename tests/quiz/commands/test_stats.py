"""`qkv stats` and its screen: JSON of a pinned shape, figures that fit, keys and clicks that practise and never schedule."""

from __future__ import annotations

import json
import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from quiz.card.deck_paths import resolve_decks
from quiz.cli import qkv
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.progress.progress import default_path
from quiz.progress.reviews import Review
from quiz.study.filter import admitted_items
from quiz.study.leeches import LEECH_LAPSES
from tests.quiz.learner import at, learner
from tests.quiz.recorded import record


def shape(value: Any) -> Any:
    """A JSON value with its leaves as type names, and lists by their first element."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def run(*arguments: str, code: int = 0) -> Any:
    done = CliRunner().invoke(qkv, ("stats", *arguments), env={"COLUMNS": "80"})

    assert code == done.exit_code, done.output
    return done


@pytest.fixture
def learned(own_data: Path) -> Path:
    """A month over the bundled cards; one of them keeps failing, with full confidence."""
    keys = [item.key for item in admitted_items(loaded.deck for loaded in resolve_decks(())().decks)][:8]
    today = Moment.now().day
    log = learner(keys, 30, today - 10)
    log += [
        Review.new(at(today - 9 + day, minutes), keys[0], grade, confidence=3)
        for day in range(LEECH_LAPSES + 1)
        for minutes, grade in ((600, Grade.again), (620, Grade.good))
    ]
    record(own_data, log)
    return own_data


def test_json(learned: Path) -> None:
    """`qkv stats --json` pins what others build on."""
    told = json.loads(run("--json").stdout)
    card = {"deck": "str", "card": "str"}
    part = {"low": "float", "high": "float", "reviews": "int", "passed": "int", "expected": "NoneType"}

    assert {
        "today": "str", "days": "int", "tag": "NoneType",
        "reviews": [{"day": "str", "reviews": "int", "seconds": "float"}],
        "due": {"overdue": "int", "later": "int", "days": [{"day": "str", "cards": "int"}]},
        "retention": {
            **part, "expected": "float", "interval": ["float"], "log_loss": "float", "cards": "int", "of_cards": "int",
            "bins": [{**part, "expected": shape(told["retention"]["bins"][0]["expected"])}],
        },
        "topics": [{
            "kind": "str", "name": "str", "cards": "int", "new": "int", "learning": "int", "known": "int",
            "recall": shape(told["topics"][0]["recall"]), "expected": "float",
        }],
        "confidence": [{"confidence": "int", "answers": "int", "right": "int"}],
        "predictions": {
            "count": "int", "median_error": "float", "weeks": [{"from": "str", "count": "int", "median_error": "float"}],
            "cards": [{**card, "count": "int", "median_error": "float"}],
        },
        "time": {"seconds": "float", "typical": "float", "cards": [{**card, "reviews": "int", "seconds": "float"}]},
        "failing": [{**card, "lapses": "int"}],
        "sure_but_wrong": [{**card, "day": "str"}],
        "parameters": {"source": "str", "since": "NoneType", "reviews": "NoneType", "values": ["float"]},
    } == shape(told)  # fmt: skip
    assert date.fromordinal(Moment.now().day).isoformat() >= told["reviews"][-1]["day"]


def test_json_of_nothing(own_data: Path) -> None:
    """Without progress the shape is the same, numbers that nothing was measured for are null, and no file is made."""
    told = json.loads(run("--json").stdout)

    assert ([], 0, None, None) == (told["reviews"], told["due"]["later"], told["retention"]["log_loss"], told["time"]["typical"])
    assert not (own_data / "progress.sqlite3").exists()


def test_nothing_is_a_sentence(own_data: Path) -> None:
    """Without progress there is nothing on stdout, and a sentence beside it."""
    done = run("--lang", "en")

    assert ("", "Nothing has been graded yet. Statistics begin with the first session.\n") == (done.stdout, done.stderr)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_figures_in_a_pipe(learned: Path, language: str) -> None:
    """In a pipe: every figure, no escape, no line wider than the terminal."""
    from rich.cells import cell_len

    printed = run("--lang", language).stdout

    assert all(title in printed for title in {"en": ("Reviews", "Topics", "Time"), "zh": ("复习", "主题", "用时")}[language])
    assert "\x1b" not in printed
    assert 80 >= max(map(cell_len, printed.splitlines()))


def test_days_narrow_the_log(learned: Path) -> None:
    """`--days N` looks at the last N study days, and no more."""
    told = json.loads(run("--days", "7", "--json").stdout)

    assert (7, True) == (
        told["days"],
        all(date.fromisoformat(day["day"]).toordinal() > Moment.now().day - 9 for day in told["reviews"]),
    )


def test_a_tag_narrows_the_cards(learned: Path) -> None:
    """`--tag T` speaks of the cards that have it; a tag that no card has is a mistake."""
    told = json.loads(run("--tag", "softmax", "--json").stdout)

    assert "softmax" in {topic["name"] for topic in told["topics"]}
    assert "No card has the tag nothing-like-it" in run("--tag", "nothing-like-it", "--lang", "en", code=2).stderr


def test_a_broken_file_is_a_sentence(own_data: Path) -> None:
    """What is no progress file is told, and left as it is."""
    own_data.mkdir()
    (own_data / "progress.sqlite3").write_bytes(b"not a database" * 100)

    assert "is not a progress file" in run("--lang", "en", code=1).stderr


def test_a_file_that_may_only_be_read_is_enough(learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statistics write nothing: a progress file that cannot be written is read all the same."""

    before = json.loads(run("--json").stdout)
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything

    assert before == json.loads(run("--json").stdout)


def test_a_deck_named_by_its_path(tmp_path: Path) -> None:
    """What was learned from a file anywhere is in the forecast and among the topics as it is in the calendar, until the file is gone."""
    elsewhere = tmp_path / "my decks" / "elsewhere.yaml"
    elsewhere.parent.mkdir()
    elsewhere.write_text("deck: elsewhere\ntitle: E\ncards:\n  - {id: a, question: Why?, answer: So.}\n", encoding="utf-8")
    for _ in range(2):
        CliRunner().invoke(qkv, ["quiz", "--plain", str(elsewhere)], input="\n\n3\nq\n")

    def told() -> tuple[int, int, bool]:
        stats = json.loads(CliRunner().invoke(qkv, ["stats", "--json"]).stdout)
        coming = stats["due"]["later"] + sum(day["cards"] for day in stats["due"]["days"])
        return len(stats["reviews"]), coming, "elsewhere" in [topic["name"] for topic in stats["topics"]]

    with_it = told()
    elsewhere.unlink()

    assert [(1, 1, True), (1, 0, False)] == [with_it, told()]
    assert f"{elsewhere}\n" == (default_path().parent / "studied-decks.txt").read_text(encoding="utf-8")
