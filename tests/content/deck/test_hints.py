"""Hints: one text or several, and those that would say the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck.cards import Card
from content.deck.checks import deck_problems
from content.deck.hints import hints_with
from content.deck.library import LoadedDeck, load
from content.deck.lint import style_warnings

DECK = """\
deck: sample
title: Sample
cards:
  - id: one
    question: Why?
    answer: {answer}
    {hint}
    {more}
"""
LONG = "The answer is long enough that no hint of these tests is longer than it."


def loaded(tmp_path: Path, hint: str, more: str = "level: 2", answer: str = LONG) -> LoadedDeck:
    path = tmp_path / "deck.yaml"
    path.write_text(DECK.format(answer=answer, hint=hint, more=more), encoding="utf-8")
    return load((path,)).decks[0]


def card(tmp_path: Path, hint: str, more: str = "level: 2") -> Card:
    return loaded(tmp_path, hint, more).deck.cards[0]


def warnings(tmp_path: Path, hint: str, more: str = "level: 2", answer: str = LONG) -> list[tuple[int, int, str]]:
    found = [*style_warnings(loaded(tmp_path, hint, more, answer)), *deck_problems(loaded(tmp_path, hint, more, answer), ())]
    return [(problem.line, problem.column, problem.message) for problem in sorted(found) if "no claim" not in problem.message]


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("hint: Think.", ["Think."]),
        ("hint: {en: Think., zh: 想。}", ["Think."]),
        ("hint: [Think., {en: Again.}]", ["Think.", "Again."]),
        ("hint: []", []),
        ("asked: 1", []),
    ],
)
def test_one_text_or_a_list(tmp_path: Path, hint: str, said: list[str]) -> None:
    """A hint alone needs no list; a card may have none."""
    assert said == [rung.said("en") for rung in card(tmp_path, hint).hint]


@pytest.mark.parametrize(
    ("hint", "line", "column", "message"),
    [
        ("hint: {en: Think., zh: ''}", 7, 11, "item 1 of hint: the zh is empty"),
        ("hint: {fr: Pense}", 7, 12, "fr is not a language"),
        ("hint: [a, b, c, d, e, f]", 7, 11, "hint has 6 items; the limit is 5"),
    ],
)
def test_a_hint_that_is_none(tmp_path: Path, hint: str, line: int, column: int, message: str) -> None:
    """It is refused at its place, with or without a list around it."""
    path = tmp_path / "deck.yaml"
    path.write_text(DECK.format(answer=LONG, hint=hint, more="level: 2"), encoding="utf-8")
    (problem,) = load((path,)).problems

    assert (line, column, message) == (problem.line, problem.column, problem.message)


@pytest.mark.parametrize(
    ("hint", "more", "column", "message"),
    [
        ("hint: It is {{std}}.", "level: 2", 17, "{{std}} has no value here"),
        ("hint: {en: 'Of $\\nonsense$'}", "level: 2", 21, "\\nonsense cannot be shown"),
        ("hint: [a, 'About 250.']", "kind: number\n    number: {value: 256}", 22, "the hint says the number that is asked for: 250"),
        ("hint: About 250", "kind: number\n    number: {value: 256}", 17, "the hint says the number that is asked for: 250"),
        (
            "hint: {en: 'It is Sharper'}",
            "kind: choice\n    options: [{text: this}, {text: sharper., right: true}]",
            23,
            "the hint says the right option",
        ),
        (
            "hint: Write b = 2",
            "kind: code\n    code: {listing: \"a = 1\\nb = 1\", wrong_line: 2, right: b = 2}",
            17,
            "the hint says the corrected line",
        ),
        ("hint: Not this", "kind: choice\n    options: [{text: this, right: true}, {text: that}]", 0, ""),
        ("hint: [a, Think, think]", "level: 2", 0, ""),
        ("hint: [Think, Think]", "level: 2", 19, "hints 1 and 2 read the same"),
        ("hint: Two heads of 64", "kind: number\n    number: {value: 256}", 0, ""),
    ],
)  # fmt: skip
def test_what_is_said_of_a_hint(tmp_path: Path, hint: str, more: str, column: int, message: str) -> None:
    """Before the answer only what `set` gives is known, and what is asked for is not said."""
    assert ([(7, column, message)] if message else []) == warnings(tmp_path, hint, more)


def test_a_hint_is_shorter_than_the_answer(tmp_path: Path) -> None:
    """By language; a short answer may have a hint of its own length."""
    longer = "hint: {en: This says very much more than the answer., zh: 短}"

    assert [(7, 16, "the hint is longer than the answer")] == warnings(tmp_path, longer, answer="{en: This is the answer., zh: 答}")
    assert [] == warnings(tmp_path, "hint: Also a few words.", answer="Few words.")


def test_a_measured_number_is_not_said(tmp_path: Path) -> None:
    """What the run measures is known when it has run; how near counts as said is how near counts as right."""
    asked = card(tmp_path, "hint: Between 55 and 90.", "predict: {ask: How many?, quantity: x, within: 10%}")

    assert [8] == [offset for _, offset, _, _ in hints_with(asked, 58.6)]
    assert [] == list(hints_with(asked, 70.0))
