"""Cards whose answer cannot be judged are told, and texts that are only said twice."""

from __future__ import annotations

import pytest

from content.deck.answerable import unanswerable
from content.deck.library import Given, load
from content.yaml.problems import Problem

CHOICE = "kind: choice\nquestion: Q\n"
ORDER = "kind: order\nquestion: Q\n"
NUMBER = "kind: number\nquestion: Q\n"
CODE = "kind: code\nquestion: Q\n"


def problems_of(card: str) -> list[Problem]:
    text = "deck: d\ntitle: T\ncards:\n  - id: a\n    " + card.replace("\n", "\n    ") + "\n"
    (loaded,) = load([Given("a.yaml", text.encode())]).decks
    return [problem for index, one in loaded.cards.items() for problem in unanswerable(loaded, ("cards", index), one)]


@pytest.mark.parametrize(
    ("card", "line", "message", "severity"),
    [
        (CHOICE + "options: [{text: a, right: true}, {text: a}]", 7, "options 1 and 2 read the same", "error"),
        (CHOICE + "options: [{text: a, right: true}, {text: b}, {text: ' a '}]", 7, "options 1 and 3 read the same", "error"),
        (
            CHOICE + "options:\n  - {text: {en: a, zh: 甲}, right: true}\n  - {text: {en: b, zh: 甲}}",
            9,
            "options 1 and 2 read the same",
            "error",
        ),
        (CHOICE + "options: [{text: {en: a, zh: 甲}, right: true}, {text: a}]", 7, "options 1 and 2 read the same", "error"),
        (
            CHOICE + "options: [{text: a, right: true}, {text: b, right: true}]",
            7,
            "every option is right: there is nothing to choose",
            "warning",
        ),
        (ORDER + "order: [a, a, b]", 7, "items 1 and 2 read the same: their order cannot be told", "error"),
        (ORDER + "order: [a, b, c, b]", 7, "items 2 and 4 read the same: their order cannot be told", "error"),
        (NUMBER + "number: {value: 8, within: 900%}", 7, "within: 900% takes 0 for right, whatever the number is", "error"),
        (NUMBER + "number: {value: 8, within: 100%}", 7, "within: 100% takes 0 for right, whatever the number is", "error"),
        (NUMBER + "number: {value: -8, within: 900}", 7, "within: 900 takes 0 for right, and the answer is -8", "warning"),
        (
            "question: Q\nanswer: A\npredict: {ask: Q, quantity: x, within: 150%}",
            7,
            "within: 150% takes 0 for right, whatever the number is",
            "error",
        ),
        (
            CODE + 'code: {listing: "a = 1\\nb = 2", wrong_line: 2, right: b = 2}',
            7,
            "right is line 2 of the listing as it stands: nothing is corrected",
            "error",
        ),
        (
            CODE + "code:\n  listing: |\n    def f():\n        return 1\n  wrong_line: 2\n  right: return 1",
            12,
            "right is line 2 of the listing as it stands: nothing is corrected",
            "error",
        ),
        (CODE + 'code: {listing: "a = 1\\n\\nb = 2", wrong_line: 2, right: b = 2}', 7, "line 2 of the listing is empty", "error"),
        ("question: Q\nanswer: A\nkey_points: [a, b, a]", 7, "key points 1 and 3 read the same", "warning"),
        ("question: Q\nanswer: A\ntags: [a, a]", 7, "items 1 and 2 of tags are the same", "warning"),
        ("question: Q\nanswer: A\nfollow_ups: [b, c, b]", 7, "items 1 and 3 of follow_ups are the same", "warning"),
        ("question: Q\nanswer: A\nsources: [b, b]", 7, "items 1 and 2 of sources are the same", "warning"),
        (
            "question: Q\nanswer: A\nverify:\n  experiment: x\n  claims:\n    - {says: a, check: x > 1}\n    - {says: b, check: x>1}",
            11,
            "claims 1 and 2 check the same",
            "warning",
        ),
    ],
)
def test_what_cannot_be_answered_is_told(card: str, line: int, message: str, severity: str) -> None:
    """Once, where the second one stands, with what to do."""
    (problem,) = problems_of(card)
    assert (line, message, severity) == (problem.line, problem.message, problem.severity)
    assert problem.hint


def test_each_repetition_is_told() -> None:
    """Three equal items are two too many."""
    assert ["items 1 and 2", "items 1 and 3"] == [problem.message[:13] for problem in problems_of(ORDER + "order: [a, a, a]")]


@pytest.mark.parametrize(
    "card",
    [
        CHOICE + "options: [{text: a, right: true}, {text: b, right: true}, {text: A}]",
        CHOICE + "options: [{text: {en: a, zh: 甲}, right: true}, {text: {en: b, zh: 乙}}]",
        ORDER + "order: [a, b, c]",
        NUMBER + "number: {value: 8, within: 99%}",
        NUMBER + "number: {value: 0, within: 1}",
        NUMBER + "number: {value: 8, within: 0}",
        CODE + 'code: {listing: "a = 1\\nb = 2", wrong_line: 2, right: b = 3}',
        CODE + "code:\n  listing: |\n    def f():\n    return 1\n  wrong_line: 2\n  right: '    return 1'",
    ],
)
def test_what_can_be_answered_is_not_told(card: str) -> None:
    """Several right options, a tolerance below the number, an indentation that is corrected."""
    assert [] == problems_of(card)
