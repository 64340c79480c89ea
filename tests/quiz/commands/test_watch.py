"""`qkv check --watch`: every save is checked, whatever an editor does to write it; the engine is started once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine import Worker
from quiz.card.judge import judge_card
from quiz.cli import qkv
from quiz.commands import check, watch
from quiz.commands.check_report import Report
from quiz.commands.watch import Watch, as_round
from quiz.words.i18n import Words

DECK = "deck: a\ntitle: A\ncards:\n  - {id: one, question: Why?, answer: So.}\n"
PART = "cards:\n  - {id: two, question: How?, answer: Thus.}\n"
COMPUTED = """\
deck: a
title: A
cards:
  - id: one
    question: Why?
    answer: So.
    verify: {experiment: softmax, set: {shift: 100}, claims: [{says: They stay., check: shift_change < 1e-9}]}
"""

Edit = Callable[[], object]


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "decks" / "main.yaml"
    path.parent.mkdir()
    path.write_text(DECK, encoding="utf-8")
    return path


def rounds(monkeypatch: pytest.MonkeyPatch, *arguments: str, edits: list[Edit]) -> list[str]:
    """What is said of each round, an edit after each of them; then somebody presses ctrl+c."""
    script = iter(edits)

    def sleep(seconds: float) -> None:
        if seconds == watch.LOOK:
            edit = next(script, None)
            if edit is None:
                raise KeyboardInterrupt
            edit()

    monkeypatch.setattr(watch, "sleep", sleep)
    done = CliRunner().invoke(qkv, ["check", "--watch", *arguments])

    assert isinstance(done.exception, SystemExit) or done.exit_code == 1, done.output  # click's own word for an interrupt
    return [line[10:] for line in done.stdout.splitlines() if re.match(r"\d\d:\d\d:\d\d  ", line)]


def answer(path: Path, text: str) -> Edit:
    return lambda: path.write_text(DECK.replace("So.", text), encoding="utf-8")


ONE = "1 deck, 1 card, 0 claims not run; 0 errors, 1 warning."
GAP = "1 deck, 0 cards, 0 claims not run; 1 deck refused, whose wrong cards wait; 1 error, 0 warnings."
GONE = "0 decks, 0 cards, 0 claims not run; 1 error, 0 warnings."


def test_every_save_is_checked(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place, and back; a look at files that stay as they are says nothing."""

    def nothing() -> None: ...

    edits = [nothing, answer(deck, "TODO"), nothing, answer(deck, "So it is.")]

    assert [ONE, GAP, ONE] == rounds(monkeypatch, "--no-run", str(deck), edits=edits)


def test_in_chinese(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every round, and what it waits for."""
    said: list[str] = []
    monkeypatch.setattr(watch, "fail", lambda told, code: said.append(told))

    assert ["1 个题库，1 张卡片，0 条断言没有运行；0 个错误，1 个警告。"] * 2 == rounds(
        monkeypatch, "--no-run", "--lang", "zh", str(deck), edits=[answer(deck, "Thus.")]
    )
    assert ["文件保存后会自动重新检查；按 ctrl+c 结束。"] == said


def test_another_file_in_its_place(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many editors write a new file and give it the name; its size and its time may be those of the one before."""

    def replaced() -> None:
        state, new = deck.stat(), deck.with_suffix(".new")
        new.write_text(DECK.replace("So.", "'' "), encoding="utf-8")
        os.utime(new, ns=(state.st_atime_ns, state.st_mtime_ns))
        new.replace(deck)

    assert 2 == len(rounds(monkeypatch, "--no-run", str(deck), edits=[replaced]))


def test_a_file_that_goes_and_comes(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is missed, and checked when it is there again."""
    assert [ONE, GONE, ONE] == rounds(monkeypatch, "--no-run", str(deck), edits=[deck.unlink, answer(deck, "So.")])


def test_a_file_that_is_not_there_yet(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins with the check writes the file afterwards."""
    deck.unlink()

    assert [GONE, ONE] == rounds(monkeypatch, "--no-run", str(deck), edits=[answer(deck, "So.")])


def test_every_file_of_a_deck(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An included file is watched, also one that is missing at first or cannot be read for a while."""
    part = deck.parent / "part.yaml"
    deck.write_text(DECK.replace("cards:", "include: part.yaml\ncards:"), encoding="utf-8")
    edits: list[Edit] = [lambda: part.write_text(PART, encoding="utf-8"), lambda: part.write_text("- [", encoding="utf-8"), part.unlink]
    found = rounds(monkeypatch, "--no-run", str(deck), edits=edits)

    assert ["1 deck refused", "1 deck, 2 cards", "1 deck refused", "1 deck refused"] == [
        "1 deck refused" if "refused" in one else ", ".join(one.split(", ")[:2]) for one in found
    ]


def test_a_folder_gets_another_deck(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that come into a folder are seen."""
    edits: list[Edit] = [lambda: (deck.parent / "b.yaml").write_text(DECK.replace("deck: a", "deck: b"), encoding="utf-8")]
    found = rounds(monkeypatch, "--no-run", str(deck.parent), edits=edits)

    assert ["1 deck, 1 card", "2 decks, 2 cards"] == [", ".join(one.split(", ")[:2]) for one in found]


def test_the_engine_is_started_once(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch is loaded for the first deck that computes, and serves every round."""
    started: list[Worker] = []

    def counted() -> Worker:
        started.append(Worker())
        return started[-1]

    monkeypatch.setattr(check, "Worker", counted)
    edits: list[Edit] = [
        lambda: deck.write_text(COMPUTED, encoding="utf-8"),
        lambda: deck.write_text(COMPUTED.replace("< 1e-9", "> 1"), encoding="utf-8"),
        lambda: deck.write_text(COMPUTED.replace("1e-9", "1e-8"), encoding="utf-8"),
    ]
    found = rounds(monkeypatch, "--seeds", "1", str(deck), edits=edits)

    assert ["0 of 0 claims hold", "1 of 1 claims hold", "0 of 1 claims hold", "1 of 1 claims hold"] == [
        one.split(", ")[2].split(";")[0] for one in found
    ]
    assert 1 == len(started)


def test_a_save_during_a_check(deck: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is checked is no longer there: nothing is said of it, and the new file is checked at once."""
    first = COMPUTED + COMPUTED.partition("cards:\n")[2].replace("id: one", "id: two")
    deck.write_text(first, encoding="utf-8")
    judged: list[str] = []
    judge = judge_card

    def saving(loaded: Any, index: int, card: Any, *rest: Any) -> Any:
        judged.append(card.id)
        if judged == ["one"]:
            deck.write_text(COMPUTED.replace("id: one", "id: three"), encoding="utf-8")
        return judge(loaded, index, card, *rest)

    monkeypatch.setattr(check, "judge_card", saving)
    found = rounds(monkeypatch, "--seeds", "1", str(deck), edits=[])

    assert ["one", "three"] == judged
    assert ["1 deck, 1 card, 1 of 1 claims hold"] == [one.split(";")[0] for one in found]


def test_a_save_while_a_deck_s_files_are_found(deck: Path) -> None:
    """A file that was not known before the reading, and saved since it began, is checked again; an older one is not."""
    part = deck.parent / "part.yaml"
    part.write_text(PART, encoding="utf-8")
    saved = part.stat().st_mtime_ns
    for began, changed in ((saved, True), (saved + 1, False)):
        seen = Watch((deck,))
        seen.states = seen.look()
        seen.learn((deck, part), began)

        assert changed == seen.changed


def test_a_round_is_problems_and_a_line() -> None:
    """The line says when, and what `qkv check` says at its end."""
    report = Report(decks=1, cards=2, claims=3, held=3, survivors=0, problems=())

    now = datetime(2026, 11, 30, 9, 5, 7)

    assert "09:05:07  1 deck, 2 cards, 3 of 3 claims hold; no problems." == as_round(report, Words.of("en"), now)
    assert "09:05:07  1 个题库，2 张卡片，3 条断言中 3 条成立；没有问题。" == as_round(report, Words.of("zh"), now)


@pytest.mark.parametrize("more", [("--json",), ("--format", "json"), ("--format", "github"), ("-",)])
def test_it_is_for_a_person_and_files(more: tuple[str, ...]) -> None:
    """Other forms are for programs, which start the check themselves; a pipe has an end."""
    done = CliRunner().invoke(qkv, ["check", "--watch", *more])

    assert 2 == done.exit_code
    assert "--watch is for a person and files" in done.output
