"""A session's summary: what it counts as right is what the log counts as right."""

from __future__ import annotations

from typing import Any

import pytest

from content.deck.model import parse_card
from quiz.card.card_parts import Part
from quiz.card.summary_parts import summary_parts
from quiz.card.typeset import text_of
from quiz.memory.scheduler import Grade
from quiz.memory.study_day import Moment
from quiz.statistics.calibration import calibration
from quiz.study import card_steps
from quiz.study import session as sessions
from quiz.study.study import Study
from quiz.study.turn import Item, Response
from quiz.words.i18n import Words
from tests.quiz.learning import on

EXPLAIN = {"question": "Why?", "answer": "So."}
CHOICE = {"kind": "choice", "question": "Which?", "options": [{"text": "this", "right": True}, {"text": "that"}]}
GUESS: dict[str, Any] = {
    **EXPLAIN,
    "predict": {"ask": "How much?", "quantity": "q"},
    "verify": {"experiment": "e", "claims": [{"says": "It is.", "check": "q > 1"}]},
}


def clock() -> Moment:
    return on(0)


def graded(card: dict[str, Any], grade: Grade, **said: Any) -> Study:
    """A practice session of one card, answered with full confidence."""
    session = sessions.begin_session((Item("d", parse_card({"id": "a", **card})),))
    session = card_steps.reveal(card_steps.respond(session, Response(**said)), 3)
    study = Study(card_steps.set_measured(session, 2.0 if "predict" in card else None), None, clock)
    study.grade(grade)
    return study


def text(parts: list[Part]) -> str:
    return "\n".join(text_of(line) for part in parts for line in part.lines(80))


@pytest.mark.parametrize(
    ("card", "grade", "said", "right"),
    [
        (EXPLAIN, Grade.hard, {}, True),
        (EXPLAIN, Grade.again, {}, False),
        (CHOICE, Grade.good, {"chosen": frozenset({0})}, True),
        (CHOICE, Grade.again, {"chosen": frozenset({0})}, False),
        (CHOICE, Grade.easy, {"chosen": frozenset({1})}, False),
        (GUESS, Grade.good, {"number": 900.0}, False),
    ],
)
def test_the_summary_judges_as_the_log_does(card: dict[str, Any], grade: Grade, said: dict[str, Any], right: bool) -> None:
    """An answer is wrong where the program could judge it so, and whenever the learner said Again: in the summary as in the statistics."""
    study = graded(card, grade, **said)
    told = text(summary_parts(study, Words("en")))
    review = study._review(study.session.past[0].turn, grade, clock(), None)

    assert (" 1/1" if right else " 0/1") in told
    assert ("1 of 1 right" if right else "0 of 1 right") in told
    assert ("sure, but wrong" in told) != right
    assert ("✖" in told) != right
    assert int(right) == calibration([review])[2].right.part


def test_a_question_with_numbers_is_whole() -> None:
    """A question that names the card's own values shows them in the list of cards to look at again."""
    card = {**GUESS, "question": "What at {{d_k}}?", "verify": {**GUESS["verify"], "set": {"d_k": "64"}}}

    assert "What at 64?" in text(summary_parts(graded(card, Grade.again), Words("en")))
