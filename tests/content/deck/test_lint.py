"""What is legal and probably not meant is a warning at its place; what is meant is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck import lint
from content.deck.library import load

DECK = """\
deck: sample
title: {title}
cards:
  - id: one
    question: {question}
    answer: {answer}
    {more}
"""
CLAIM = "verify: {experiment: multi_head, claims: [{says: So., check: leak == 0}]}"


def warnings(
    tmp_path: Path, title: str = "Sample", question: str = "Why?", answer: str = "So.", more: str = CLAIM
) -> list[tuple[int, int, str]]:
    """Line, column and message of every warning about a deck of one card."""
    path = tmp_path / "deck.yaml"
    path.write_text(DECK.format(title=title, question=question, answer=answer, more=more), encoding="utf-8")
    found = [problem for loaded in load((path,)).files for problem in lint.style_warnings(loaded)]

    assert all(problem.severity == "warning" and problem.hint for problem in found)
    return [(problem.line, problem.column, problem.message) for problem in found]


def test_a_text_without_one_of_the_languages(tmp_path: Path) -> None:
    """In a deck of two languages each text by language has both, however deep it stands."""
    more = f"key_points: [{{en: first}}, {{en: second, zh: 第二}}]\n    {CLAIM}"

    assert [
        (6, 13, "the en of answer is missing"),
        (7, 18, "the zh of item 1 of key_points is missing"),
    ] == sorted(warnings(tmp_path, "{en: T, zh: 题}", "{en: Why?, zh: 为什么？}", "{zh: 因为}", more))


@pytest.mark.parametrize(
    ("title", "question"), [("T", "Why?"), ("{en: T}", "{en: Why?}"), ("T", "{zh: 为什么？}"), ("{en: T, zh: 题}", "Why?")]
)
def test_one_language_is_enough(tmp_path: Path, title: str, question: str) -> None:
    """A deck in one language lacks nothing, and a plain text is for every language."""
    assert [] == warnings(tmp_path, title, question)


def test_the_title_lacks_a_language_of_the_questions(tmp_path: Path) -> None:
    """The title, too, is a text of the deck."""
    assert [(2, 8, "the zh of title is missing")] == warnings(tmp_path, "{en: T}", "{en: Why?, zh: 为什么？}")


@pytest.mark.parametrize(("more", "line", "column"), [("level: 2", 4, 9), ("verify: {experiment: multi_head}", 7, 13)])
def test_a_card_without_a_claim(tmp_path: Path, more: str, line: int, column: int) -> None:
    """An answer that no run can refute is told, with and without an experiment."""
    assert [(line, column, "nothing proves the answer of one: it has no claim")] == warnings(tmp_path, more=more)


@pytest.mark.parametrize(
    "question",
    ["Is softmax needed?", "does it matter?", "'**Are** they?'", "是否需要缩放？", "需要缩放吗？", "能否省去？", "要缩放吗"],
)
def test_a_question_of_yes_or_no(tmp_path: Path, question: str) -> None:
    """A question that one word answers teaches nothing, in either language."""
    assert [(5, 15, "yes or no would answer this question")] == warnings(tmp_path, question=question)


@pytest.mark.parametrize(
    "question", ["Issues of softmax: which?", "Why is it so?", "Dot products: how large?", "怎样判断它是否多余？", "吗是什么字？"]
)
def test_a_question_that_wants_a_sentence(tmp_path: Path, question: str) -> None:
    """Words that only look like the beginning of a yes-or-no question are left alone."""
    assert [] == warnings(tmp_path, question=f'"{question}"')


def test_a_choice_may_be_asked_as_yes_or_no(tmp_path: Path) -> None:
    """Where the answers are offered, the question may begin as it likes."""
    more = f"kind: choice\n    options: [{{text: both, right: true}}, {{text: none}}]\n    {CLAIM}"

    assert [] == warnings(tmp_path, question="Is it rows or columns?", more=more)


@pytest.mark.parametrize(
    "question",
    [
        "What is it? Why is it so?",
        "它是什么？为什么？",
        "What is RoPE, and what does it replace?",
        "Why is it scaled and how large does it grow?",
        "RoPE 是什么，以及它如何外推？",
        "为什么要缩放，不缩放时梯度是多少？",
    ],
)
def test_two_questions_in_one(tmp_path: Path, question: str) -> None:
    """One card asks one thing."""
    assert [(5, 15, "this asks more than one question")] == warnings(tmp_path, question=question)


@pytest.mark.parametrize(
    "question",
    [
        "What does softmax do, and why is it there?",
        "What is the difference between what BERT sees and how GPT sees it?",
        "How do queries and keys meet?",
        "What do K and V share?",
        "softmax 做了什么，为什么需要它？",
        "无论怎样初始化，为什么方差都会增长？",
        "Q、K、V 分别来自哪里？",
    ],
)
def test_one_question_with_two_parts(tmp_path: Path, question: str) -> None:
    """What and why belong together; an `and` between things asks nothing."""
    assert [] == warnings(tmp_path, question=f'"{question}"')


def test_a_choice_may_ask_for_two_things(tmp_path: Path) -> None:
    """One option answers both."""
    more = f"kind: choice\n    options: [{{text: both, right: true}}, {{text: none}}]\n    {CLAIM}"

    assert [] == warnings(tmp_path, question="Where does Q come from, and what is its shape?", more=more)


@pytest.mark.parametrize("question", ["'What does `a ? b : c` do?'", "What does “why?” ask?", "'Which $?$ is it?'", "“为什么？”在问什么？"])
def test_a_quoted_question_asks_nothing(tmp_path: Path, question: str) -> None:
    """Question marks in code, in formulas and between quotation marks are not the card's own."""
    assert [] == warnings(tmp_path, question=question)


def test_a_refused_deck_is_looked_at_too(tmp_path: Path) -> None:
    """The sound cards of a deck with an error have their warnings told in the same run."""
    more = f"{CLAIM}\n  - {{id: two, question: Why?, answer: So., level: 9}}"

    assert [(5, 15, "yes or no would answer this question")] == warnings(tmp_path, question="Is it so?", more=more)
