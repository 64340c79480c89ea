"""The rules of a session, without a screen, a clock or a store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from content.deck.cards import Text
from content.deck.model import parse_card
from quiz.memory.scheduler import Grade
from quiz.study import card_steps as c
from quiz.study import session as s
from quiz.study.turn import Confidence, Item, Response, Turn, is_correct, suggested_grade, toggle_option

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def explain(name: str, points: int = 3) -> Item:
    return Item("deck", parse_card({"id": name, "question": "Why?", "answer": "So.", "key_points": ["point"] * points}))


def choice(right: tuple[int, ...] = (1,)) -> Item:
    options = [{"text": str(i), "right": i in right} for i in range(4)]
    return Item("deck", parse_card({"id": "pick", "kind": "choice", "question": "Which?", "options": options}))


ORDER = Item("deck", parse_card({"id": "sort", "kind": "order", "question": "In which order?", "order": ["1", "2", "3"]}))
NUMBER = Item(
    "deck",
    parse_card({"id": "count", "kind": "number", "question": "How many?", "number": {"quantity": "n", "within": "10%"}}),
)
CODE = Item(
    "deck",
    parse_card({"id": "line", "kind": "code", "question": "Where?", "code": {"listing": "a\nb\nc", "wrong_line": 2, "right": "B"}}),
)


def turn_of(session: s.Session) -> Turn:
    assert session.turn is not None
    return session.turn


def revealed(item: Item, response: Response | None = None, confidence: Confidence | None = None) -> s.Session:
    return c.reveal(c.respond(s.begin_session((item,)), response or Response()), confidence)


def test_cards_come_in_the_order_given() -> None:
    """A session deals its items one after the other and ends without a turn."""
    session = s.begin_session((explain("one"), explain("two")))
    seen = []
    while session.turn:
        seen.append(session.turn.card.id)
        session = s.grade(c.reveal(session, None), Grade.good, NOW, None)

    assert ["one", "two"] == seen


def test_nothing_can_be_graded_before_the_reveal() -> None:
    """A grade key pressed too early changes nothing."""
    session = s.begin_session((explain("one"),))

    assert session == s.grade(session, Grade.good, NOW, None)


def test_the_response_stands_after_the_reveal() -> None:
    """What was said before the answer was shown cannot be corrected afterwards, nor the confidence."""
    session = revealed(choice(), Response(chosen=frozenset({0})), 3)

    assert session == c.respond(session, Response(chosen=frozenset({1})))
    assert session == c.reveal(session, 1)


def test_undo_is_exact() -> None:
    """Grade then undo is the state before the grade, also for the last card, and several times over."""
    first = c.tick(c.reveal(s.begin_session((explain("one"), explain("two"))), 2), 1)
    second = c.reveal(s.grade(first, Grade.again, NOW, NOW + timedelta(minutes=10)), 3)
    done = s.grade(second, Grade.easy, NOW, None)

    assert second == s.undo(done)
    assert first == s.undo(s.undo(done))
    assert first == s.undo(s.undo(s.undo(done)))


def test_undo_and_the_same_grade_give_the_same_state() -> None:
    """Undoing a grade and giving it again leaves no trace."""
    session = c.reveal(s.begin_session((choice(), explain("two"))), 2)
    graded = s.grade(session, Grade.again, NOW, NOW + timedelta(minutes=10))

    assert graded == s.grade(s.undo(graded), Grade.again, NOW, NOW + timedelta(minutes=10))


def test_a_card_graded_again_waits_for_its_time() -> None:
    """It comes back after its ten minutes, never earlier by itself, and earlier when the learner asks."""
    session = s.grade(revealed(explain("one")), Grade.again, NOW, NOW + timedelta(minutes=10))

    assert session.turn is None
    assert session == s.advance(session, NOW + timedelta(minutes=9))
    assert "one" == turn_of(s.advance(session, NOW + timedelta(minutes=10))).card.id
    assert "one" == turn_of(s.take_waiting_now(session)).card.id


def test_a_returning_card_goes_before_new_ones_once_due() -> None:
    """When a returning card's time has come it is the next one, before the rest of the queue."""
    session = c.reveal(s.begin_session((explain("one"), explain("two"), explain("three"))), None)
    session = c.reveal(s.grade(session, Grade.again, NOW, NOW + timedelta(minutes=10)), None)
    session = s.grade(session, Grade.good, NOW + timedelta(minutes=11), None)

    assert "one" == turn_of(session).card.id


def test_one_right_option_selects_and_several_toggle() -> None:
    """With one right option a second press moves the choice; with several each press switches one."""
    single, several = turn_of(s.begin_session((choice((1,)),))), turn_of(s.begin_session((choice((1, 2)),)))
    moved = toggle_option(single, 0)
    both = toggle_option(several, 1)

    assert frozenset({3}) == toggle_option(turn_of(c.respond(s.begin_session((choice((1,)),)), moved)), 3).chosen
    assert frozenset({1, 2}) == toggle_option(turn_of(c.respond(s.begin_session((choice((1, 2)),)), both)), 2).chosen


def test_right_and_wrong_by_kind() -> None:
    """Choice, order, number and code are judged; an explain card without a guess is not."""
    cases = [
        (choice((1, 2)), Response(chosen=frozenset({1, 2})), True),
        (choice((1, 2)), Response(chosen=frozenset({1})), False),
        (ORDER, Response(arranged=(0, 1, 2)), True),
        (ORDER, Response(arranged=(0, 2, 1)), False),
        (ORDER, Response(arranged=(0, 1)), False),
        (CODE, Response(line=2), True),
        (CODE, Response(line=1), False),
        (NUMBER, Response(number=109), True),
        (NUMBER, Response(number=111), False),
        (explain("one"), Response(), None),
        (choice(), Response(), None),
    ]
    for item, response, expected in cases:
        turn = turn_of(c.set_measured(revealed(item, response), 100.0))

        assert expected is is_correct(turn), (item.card.id, response)


def test_a_number_is_not_judged_before_it_is_measured() -> None:
    """Without the run's value nobody can say whether a guess is right."""
    assert is_correct(turn_of(revealed(NUMBER, Response(number=100)))) is None


def test_where_the_program_judges_the_answer_suggests_the_grade() -> None:
    """Wrong, or nothing said: again. Right, or not judged yet: good."""
    said = [(choice(), Response(chosen=frozenset({0}))), (choice(), Response()), (choice(), Response(chosen=frozenset({1})))]
    number = [(NUMBER, Response()), (NUMBER, Response(number=100.0))]

    assert [Grade.again, Grade.again, Grade.good] == [suggested_grade(turn_of(revealed(*one))) for one in said]
    assert [Grade.again, Grade.good] == [suggested_grade(turn_of(revealed(*one))) for one in number]


@pytest.mark.parametrize("points", range(1, 7))
def test_ticking_more_never_suggests_less(points: int) -> None:
    """Nothing ticked is again, half of the key points or fewer hard, more than half good."""
    session = revealed(explain("one", points))
    suggested = [suggested_grade(turn_of(session))]
    for point in range(points):
        session = c.tick(session, point)
        suggested.append(suggested_grade(turn_of(session)))

    assert suggested == sorted(suggested)
    assert (Grade.again, Grade.good) == (suggested[0], suggested[-1])
    assert {Grade.hard} >= set(suggested[1 : points // 2 + 1])


def test_without_key_points_only_the_learner_can_judge() -> None:
    """Then good is suggested: there was nothing to tick."""
    assert Grade.good == suggested_grade(turn_of(revealed(explain("one", 0))))


def test_key_points_are_ticked_before_the_answer() -> None:
    """A question leads to its key points, those to the answer; ticks can be corrected there, the confidence stands."""
    asked = s.begin_session((explain("one"),))
    recalled = c.proceed(asked, 3)
    answered = c.proceed(c.tick(recalled, 1), None)

    assert ["ask", "recall", "reveal"] == [turn_of(one).stage for one in (asked, recalled, answered)]
    assert (3, frozenset({1})) == (turn_of(answered).confidence, turn_of(answered).ticked)
    assert frozenset() == turn_of(c.tick(answered, 1)).ticked
    assert answered == c.proceed(answered, 1)


def test_without_key_points_the_answer_comes_at_once() -> None:
    """And where the program judges what was picked, also with key points: nobody has to tick what is right or wrong."""
    pick = choice().card
    picked = replace(pick, key_points=(Text({"": "a point"}),))
    session = c.respond(s.begin_session((Item("deck", picked),)), Response(chosen=frozenset({1})))

    assert "reveal" == turn_of(c.proceed(session, 2)).stage
    assert "reveal" == turn_of(c.proceed(s.begin_session((explain("one", 0),)), None)).stage


def test_a_grade_may_come_at_the_key_points() -> None:
    """Who knows how it went needs no answer; undo is back at the key points, with the ticks."""
    recalled = c.tick(c.proceed(s.begin_session((explain("one"), explain("two"))), 3), 0)
    graded = s.grade(recalled, Grade.easy, NOW, None)

    assert "two" == turn_of(graded).card.id
    assert recalled == s.undo(graded)


@pytest.mark.parametrize(
    ("item", "some", "whole"),
    [
        (choice(), None, Response(chosen=frozenset({2}))),
        (ORDER, Response(arranged=(1, 0)), Response(arranged=(1, 0, 2))),
        (CODE, None, Response(line=1)),
    ],
    ids=["choice", "order", "code"],
)
def test_what_is_not_picked_is_asked_for_twice(item: Item, some: Response | None, whole: Response) -> None:
    """The first time says so, the second shows the answer; something picked meanwhile is asked for anew, and all of it never is."""
    asked = c.respond(s.begin_session((item,)), some or Response())
    warned = c.proceed(asked, 3)

    assert ("ask", True) == (turn_of(warned).stage, turn_of(warned).warned)
    assert ("ask", None) == (
        turn_of(c.proceed(warned, 1)).stage,
        turn_of(c.proceed(warned, 1)).confidence,
    )  # of nothing one is not sure
    assert ("reveal", None) == (turn_of(c.proceed(warned, None)).stage, turn_of(c.proceed(warned, None)).confidence)
    assert not turn_of(c.respond(warned, whole)).warned
    assert "reveal" == turn_of(c.proceed(c.respond(asked, whole), 3)).stage


def test_undoing_a_flag_changes_nothing_else() -> None:
    """What was answered since the card was flagged stays."""
    flagged = s.flag(s.begin_session((explain("one"),)), "mark")
    recalled = c.tick(c.proceed(flagged, 2), 1)

    assert replace(recalled, steps=()) == s.undo(recalled)
    assert 1 == flagged.position


def test_what_was_said_with_a_hint_is_not_called_sure() -> None:
    """Right and wrong are counted as the statistics do: what one was sure of with a hint does not count."""
    card = choice().card
    hinted = c.show_hint(s.begin_session((Item("deck", replace(card, hint=(Text({"": "Think."}),))),)))
    wrong = c.reveal(c.respond(hinted, Response(chosen=frozenset({0}))), 3)

    assert () == s.cards_to_look_at(s.grade(wrong, Grade.good, NOW, None))


def test_an_order_card_is_never_shown_solved() -> None:
    """The shuffle of an order card differs from the right order for every seed."""
    shown = [turn_of(s.begin_session((ORDER,), seed)).shown for seed in range(200)]

    assert (0, 1, 2) not in shown


def test_the_same_seed_lays_the_same_card() -> None:
    """Options keep their places when a session is begun again with its seed."""
    assert turn_of(s.begin_session((choice(),), 7)).shown == turn_of(s.begin_session((choice(),), 7)).shown


def test_the_summary_lists_each_shaky_card_once() -> None:
    """Failed, hard, and sure-but-wrong cards are listed once each, the latest first."""
    items = (explain("good"), choice(), explain("hard"), explain("failed"))
    session = s.grade(c.reveal(s.begin_session(items), None), Grade.good, NOW, None)
    session = s.grade(c.reveal(c.respond(session, Response(chosen=frozenset({0}))), 3), Grade.good, NOW, None)
    session = s.grade(c.reveal(session, None), Grade.hard, NOW, None)
    session = s.grade(c.reveal(session, None), Grade.again, NOW, NOW)
    session = s.grade(c.reveal(session, None), Grade.again, NOW, NOW)

    assert ["failed", "hard", "pick"] == [graded.turn.card.id for graded in s.cards_to_look_at(session)]
