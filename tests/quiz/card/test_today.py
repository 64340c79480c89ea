"""What today has to do, counted."""

from __future__ import annotations

import pytest

from quiz.card.today import nothing_to_ask, tasks_line, todays_work
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.progress.decisions import NONE, Decisions, Plan
from quiz.study.filter import ANY, Filter
from quiz.study.queue import NEW_A_DAY, choose_cards
from quiz.words.i18n import Words
from tests.quiz.study.decks import DECK, DUE, EASY, LEECH, NOW, deck, learner

DUE_IN = [EASY._replace(due_day=NOW.day + days) for days in range(31)]
FAILED = next_memory(None, Grade.again, NOW, "x")


def test_today_counts_what_may_be_asked() -> None:
    """Cards in trouble that are set aside are not counted, nor those of decks that are gone."""
    state = learner(None, ["b", "c"], Decisions(frozenset({("d", "c")})), a=LEECH, b=EASY, c=EASY, gone=LEECH)
    held = todays_work([DECK], state, NOW)

    assert (1, 1, 1) == (held.failing, held.confident_errors, held.new)


def test_cards_in_trouble_rest_until_tomorrow() -> None:
    """One that was asked today is not offered again: going over them would ask nothing."""
    yesterday = todays_work([DECK], learner(None, ["b"], b=EASY), NOW)
    today = todays_work([DECK], learner(None, ["b"], b=EASY._replace(last_day=NOW.day)), NOW)

    assert (1, 0) == (yesterday.confident_errors, today.confident_errors)


@pytest.mark.parametrize(("cards", "held"), [(3, 2), (30, 19)])
def test_today_says_how_many_siblings_wait(cards: int, held: int) -> None:
    """Of a family one is met today; the others that the day's limit had room for are said to wait."""
    names = [f"c{n}" for n in range(cards)]
    clique = deck(**{name: {"follow_ups": [other for other in names if other != name]} for name in names})

    assert (1, held) == (todays_work([clique], learner(), NOW).new, todays_work([clique], learner(), NOW).held)


@pytest.mark.parametrize(
    ("memories", "decisions", "sentence"),
    [
        ({"a": DUE_IN[2], "b": DUE_IN[9]}, NONE, "the next card is due in 2 days, on 2026-12-01."),
        ({"a": DUE_IN[30], "b": DUE_IN[9]}, NONE, "the next card is due in 9 days, on 2026-12-08."),
        ({"a": DUE_IN[1], "b": DUE_IN[9]}, NONE, "come back tomorrow."),
        ({"a": FAILED, "b": DUE_IN[9]}, NONE, "comes back within ten minutes."),
        ({"a": DUE_IN[2], "b": DUE_IN[9]}, Decisions(frozenset({("d", "a")})), "in 9 days, on 2026-12-08."),
        ({"a": DUE, "b": DUE_IN[9]}, Decisions(buried={("d", "a"): NOW.day}), "come back tomorrow."),
        ({"a": DUE_IN[5], "b": DUE_IN[9]}, Decisions(buried={("d", "a"): NOW.day}), "in 5 days"),
        ({}, Decisions(frozenset({("d", "a"), ("d", "b")})), "Every card here is suspended."),
        ({"a": DUE_IN[9], "b": DUE_IN[9]}, Decisions(aim=Plan(NOW.day + 6, NOW.day + 3)), "in 3 days"),
        ({"a": DUE_IN[9], "b": DUE_IN[9]}, Decisions(aim=Plan(NOW.day + 20, NOW.day + 18)), "in 9 days"),
    ],
)
def test_when_the_next_card_comes(memories: dict[str, Memory], decisions: Decisions, sentence: str) -> None:
    """Where there is nothing today it is said when there will be: on home, and instead of a session."""
    state, two = learner(memories, marks=decisions), deck(a={}, b={})

    assert [] == list(choose_cards([two], state, NOW))
    assert sentence in tasks_line(todays_work([two], state, NOW), Words("en"))
    assert sentence in nothing_to_ask([two], state, NOW, ANY, Words("en"), practise=False)


def test_new_cards_of_tomorrow() -> None:
    """After a day's new cards the next ones come tomorrow; not for somebody who wants none, and only those that were asked for count."""
    names = {f"c{n}": DUE_IN[4] for n in range(NEW_A_DAY)}
    state = learner({name: memory._replace(first_day=NOW.day) for name, memory in names.items()})
    many = deck(**{name: {} for name in (*names, "new")}, tagged={"tags": ["mask"]})

    def told(wanted: Filter) -> str:
        return nothing_to_ask([many], state, NOW, wanted, Words("en"), practise=False)

    assert "come back tomorrow" in told(ANY)
    assert "in 4 days" in told(Filter(new=0))
    assert "come back tomorrow" in told(Filter(tag="mask"))
