"""Which cards a session has."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decisions, Plan
from quiz.study.filter import Filter
from quiz.study.learner import Limits
from quiz.study.new_cards import DayBefore, NewCardAllowance, new_cards_to_meet
from quiz.study.queue import NEW_A_DAY, choose_cards, count_deck, practice_cards, todays_share
from tests.quiz.study.decks import DECK, DUE, EASY, FAMILY, LEECH, NOON, NOW, OVERDUE, deck, ids, items, learner, seen

# --- due, new, limits ------------------------------------------------------------------------------------------------


def test_due_cards_come_first_then_new_ones() -> None:
    """What has waited longest is asked first; new cards follow in the deck's order."""
    assert ["b", "d", "a", "c"] == ids(choose_cards([DECK], learner(d=DUE, b=OVERDUE), NOW))


def test_cards_that_are_not_due_stay_away() -> None:
    """A card graded easy yesterday is not asked today."""
    assert ["b", "c", "d"] == sorted(ids(choose_cards([DECK], learner(a=EASY), NOW)))


@pytest.mark.parametrize(("new", "expected"), [(2, ["a", "b"]), (0, []), (None, ["a", "b", "c", "d"])])
def test_new_cards_have_a_daily_limit(new: int | None, expected: list[str]) -> None:
    """No more new cards than were asked for, NEW_A_DAY without a wish."""
    assert expected == sorted(ids(choose_cards([DECK], learner(), NOW, Filter(new=new))))


@pytest.mark.parametrize(("new", "expected"), [(3, ["b", "c"]), (1, []), (0, [])])
def test_cards_met_today_count(new: int, expected: list[str]) -> None:
    """What was met today counts towards the day's limit, also when the limit was lowered below it."""
    assert expected == sorted(ids(choose_cards([DECK], learner(a=seen((Grade.good, 0))), NOW, Filter(new=new))))


def test_the_usual_limit() -> None:
    """Without a wish and without a plan there are NEW_A_DAY new cards."""
    many = deck(**{f"c{n}": {} for n in range(50)})

    assert NEW_A_DAY == len(choose_cards([many], learner(), NOW))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [(Filter(tag="mask"), ["a", "c"]), (Filter(level=2), ["b", "c"]), (Filter(kind="choice"), []), (Filter(limit=1), ["a"])],
)
def test_filters(wanted: Filter, expected: list[str]) -> None:
    """Tag, level and kind narrow the cards; the limit cuts the session."""
    assert expected == sorted(ids(choose_cards([DECK], learner(), NOW, wanted)))


def test_a_limit_cuts_new_cards_before_due_ones() -> None:
    """With little time what is due comes, the longest due first."""
    assert [["b"], ["b", "d"], ["b", "d", "a"]] == [
        ids(choose_cards([DECK], learner(d=DUE, b=OVERDUE), NOW, Filter(limit=n))) for n in (1, 2, 3)
    ]


def test_every_deck_has_its_part_of_the_new_cards() -> None:
    """With two decks the new cards of a day come from both, each in its own order."""
    two = [deck("d", **{f"a{n}": {} for n in range(30)}), deck("e", **{f"b{n}": {} for n in range(30)})]

    assert ["a0", "b0", "a1", "b1"] == ids(choose_cards(two, learner(), NOW, Filter(new=4)))


# --- set aside -------------------------------------------------------------------------------------------------------


def test_cards_set_aside_are_out() -> None:
    """Suspended and buried cards are neither asked nor counted; a burial ends with its day."""
    marks = Decisions(frozenset({("d", "a")}), {("d", "b"): NOW.day, ("d", "c"): NOW.day - 1})

    assert ["c", "d"] == sorted(ids(choose_cards([DECK], learner(marks=marks, a=DUE), NOW)))
    assert (2, 0, 2) == (lambda t: (t.cards, t.due, t.new))(count_deck(DECK, learner(marks=marks, a=DUE), NOW))


def test_practice_leaves_out_what_is_suspended() -> None:
    """Practice asks what was buried for today, and not what was suspended."""
    marks = Decisions(frozenset({("d", "a")}), {("d", "b"): NOW.day})

    assert ["b", "c", "d"] == sorted(ids(practice_cards([DECK], learner(marks=marks))))


# --- siblings and topics ---------------------------------------------------------------------------------------------


def test_a_follow_up_shares_a_day_with_its_parent_some_cards_apart() -> None:
    """Where others stand between, parent and child come on one day; where none is left, the child waits until tomorrow."""
    one, two = (ids(choose_cards([family], learner(), NOW)) for family in (FAMILY, deck(a={"follow_ups": ["b"]}, b={})))

    assert ["c", "d", "f", "g", "a"] == one
    assert ["a"] == two


def test_what_asks_for_the_same_waits_for_tomorrow() -> None:
    """Of two cards that ask for one number only one is met a day, also in the second session of it."""
    met = learner(d=seen((Grade.good, 1)), c=seen((Grade.good, 1)))

    assert "e" not in ids(choose_cards([FAMILY], learner(d=seen((Grade.good, 0))), NOW))
    assert {"e", "a"} < set(ids(choose_cards([FAMILY], met, NOW)))


def test_a_day_goes_on_as_it_began() -> None:
    """Whoever leaves a session and comes back gets the rest of the same cards in the same order, and after the last one no more."""
    morning = ids(choose_cards([FAMILY], learner(), NOW))
    rests = [ids(choose_cards([FAMILY], learner(dict.fromkeys(morning[:done], seen((Grade.good, 0)))), NOW)) for done in range(6)]

    assert [morning[done:] for done in range(6)] == rests


def test_others_come_before_the_sibling_of_a_due_card() -> None:
    """A new card whose sibling is only asked again today comes where there is room, after those that nothing gives away."""
    one, two = (choose_cards([FAMILY], learner(a=DUE), NOW, wanted) for wanted in (Filter(new=3), Filter()))

    assert ["a", "d", "f", "g"] == sorted(ids(one))
    assert ["a", "b", "c", "d", "f", "g"] == sorted(ids(two))


def test_a_number_that_was_asked_for_is_given() -> None:
    """The night before there is no tomorrow to wait for: whoever says how many new cards gets them, siblings too."""
    assert ["a", "b", "c", "d", "e", "f", "g"] == sorted(ids(choose_cards([FAMILY], learner(), NOW, Filter(new=9))))


def test_nothing_waits_for_ever() -> None:
    """Where every card is another's sibling, a day still meets one: all are met in as many days as there are cards."""
    names = [f"c{n}" for n in range(6)]
    clique = deck(**{name: {"follow_ups": [other for other in names if other != name]} for name in names})
    memories: dict[str, Memory] = {}
    for day in range(6):
        now = Moment.of(NOON + timedelta(days=day))
        for item in choose_cards([clique], learner(memories), now):
            memories[item.card.id] = next_memory(memories.get(item.card.id), Grade.good, now, item.card.id)

        assert day + 1 == len(memories)


def test_the_same_cards_come_in_the_same_order() -> None:
    """Nothing is drawn by chance: a session that is begun again is the same."""
    assert choose_cards([FAMILY, DECK], learner(), NOW) == choose_cards([FAMILY, DECK], learner(), NOW)


def test_meeting_more_than_there_are() -> None:
    """A plan that needs more than there is room or cards for takes what there is, once."""
    four = items("abcd", "xxxx")

    assert tuple(four) == new_cards_to_meet(four, NewCardAllowance(2, 9), DayBefore())


# --- trouble ---------------------------------------------------------------------------------------------------------


def test_sure_but_wrong_is_asked_within_the_week() -> None:
    """A card that FSRS would ask in months is due a week after it was last seen."""
    far = seen((Grade.easy, 60), (Grade.easy, 8))

    assert ["a"] == ids(choose_cards([DECK], learner(confident_errors=["a"], a=far), NOW, Filter(new=0)))
    assert [] == ids(choose_cards([DECK], learner(a=far), NOW, Filter(new=0)))


def test_the_weak_ones() -> None:
    """A session of weak cards has them due or not, the sure ones first, without those asked today or set aside."""
    marks = Decisions(frozenset({("d", "d")}))
    state = learner(None, ["b", "c", "d"], marks, a=LEECH, b=EASY, c=seen((Grade.easy, 0)), d=EASY)

    assert ["b", "a"] == ids(choose_cards([DECK], state, NOW, Filter(weak=True)))
    assert ["a", "b", "c"] == sorted(ids(practice_cards([DECK], state, Filter(weak=True))))


def test_practice_has_every_card_the_failed_ones_first() -> None:
    """Practice is always possible: all cards, whatever is due, those that lapsed most often first."""
    lapsed = seen((Grade.good, 60), (Grade.again, 0))
    asked = ids(practice_cards([DECK], learner(c=lapsed)))

    assert ("c", ["a", "b", "d"]) == (asked[0], sorted(asked[1:]))


# --- a plan ----------------------------------------------------------------------------------------------------------


def aimed(until: int, final: int, tag: str | None = None) -> Decisions:
    return Decisions(aim=Plan(NOW.day + until, NOW.day + final, tag))


MANY = deck(**{f"c{n}": {"tags": ["mask"] if n % 2 else []} for n in range(30)})


def test_a_plan_gives_the_daily_number() -> None:
    """With a plan the new cards of a day are its share; a wish of one's own counts before it."""
    state = learner(marks=aimed(12, 10))

    assert 3 == len(choose_cards([MANY], state, NOW))
    assert 7 == len(choose_cards([MANY], state, NOW, Filter(new=7)))


def test_a_plan_for_a_topic() -> None:
    """While a topic's plan has new cards only those are met; after that the usual number."""
    state = learner(marks=aimed(7, 5, "mask"))
    rest = learner({f"c{n}": EASY for n in range(1, 30, 2)}, marks=aimed(7, 5, "mask"))

    assert ["mask"] * 3 == [item.card.tags[0] for item in choose_cards([MANY], state, NOW)]
    assert 15 == len(choose_cards([MANY], rest, NOW))


def test_a_plan_does_not_wait_for_siblings() -> None:
    """What a date needs is met today although siblings are among it."""
    assert 7 == len(choose_cards([FAMILY], learner(marks=aimed(1, 1)), NOW))


def test_the_last_days_ask_every_card_once_more() -> None:
    """In the last days each card that was not asked in them comes, due or not, the same number a day, and each once."""
    memories = {f"c{n}": seen((Grade.good, 20), (Grade.easy, 4)) for n in range(30)}
    asked: list[str] = []
    for day in range(5):
        now = Moment.of(NOON + timedelta(days=day))
        session = choose_cards([MANY], learner(memories, marks=aimed(5, 0)), now)
        asked += ids(session)
        for item in session:
            memories[item.card.id] = next_memory(memories[item.card.id], Grade.easy, now, item.card.id)

        assert 6 == len(session)
    assert sorted(memories) == sorted(asked)


def test_a_plan_that_is_over_changes_nothing() -> None:
    """The day after the interview everything is as without a plan."""
    state = learner(marks=aimed(-1, -3))

    assert todays_share([MANY], state, NOW.day) is None
    assert NEW_A_DAY == len(choose_cards([MANY], state, NOW))


def test_the_tally_counts_due_and_new() -> None:
    """A deck's row: all cards, those that are due, those never seen."""
    count = count_deck(DECK, learner(a=DUE, b=seen((Grade.easy, 0))), NOW)

    assert (4, 1, 2, 2) == (count.cards, count.due, count.new, count.seen)


def test_reviews_have_a_daily_limit() -> None:
    """Those that wait longest come first; what was asked again today counts; new cards come all the same."""
    state = replace(learner(d=DUE, b=OVERDUE), limits=Limits(reviews=1))

    assert ["b", "a", "c"] == ids(choose_cards([DECK], state, NOW))
    asked = replace(learner(d=DUE, b=OVERDUE, a=seen((Grade.good, 3), (Grade.good, 0))), limits=Limits(new=0, reviews=1))
    assert [] == ids(choose_cards([DECK], asked, NOW))


def test_a_card_that_was_failed_today_comes_back_beyond_the_limit() -> None:
    """Its ten minutes are over: it is not another review."""
    failed = next_memory(DUE, Grade.again, Moment.of(NOON - timedelta(minutes=20)), "d")
    state = replace(learner(d=failed, b=OVERDUE), limits=Limits(new=0, reviews=1))

    assert ["d"] == ids(choose_cards([DECK], state, NOW))


def test_the_limit_of_new_cards_is_chosen() -> None:
    """In the settings; a number that is asked for this once wins."""
    state = replace(learner(), limits=Limits(new=1))

    assert [1, 3] == [len(choose_cards([DECK], state, NOW, wanted)) for wanted in (Filter(), Filter(new=3))]


# --- paths -----------------------------------------------------------------------------------------------------------


def path(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple(("d", name) for name in names)


def test_a_path_gives_the_order_of_new_cards() -> None:
    """As it is written, and no other cards; one that is in no deck of the session is left out."""
    assert ["d", "a", "c"] == ids(choose_cards([DECK], learner(), NOW, Filter(path=path("d", "nowhere", "a", "c"))))


def test_due_cards_of_a_path_come_first() -> None:
    """Those that wait longest first, as ever; those of other cards wait for another session."""
    state = learner(c=DUE, b=OVERDUE, a=DUE)

    assert ["b", "c", "d"] == ids(choose_cards([DECK], state, NOW, Filter(path=path("d", "c", "b"))))


@pytest.mark.parametrize(("wanted", "expected"), [({"new": 2}, ["d"]), ({"new": 0}, []), ({"limit": 1}, ["d"]), ({"tag": "mask"}, ["a"])])
def test_a_path_keeps_the_day_s_limits(wanted: dict[str, Any], expected: list[str]) -> None:
    """Cards met today count, whatever path they are on; other filters narrow it."""
    state = learner(b=seen((Grade.good, 0)))

    assert expected == ids(choose_cards([DECK], state, NOW, Filter(path=path("d", "a", "b"), **wanted)))


def test_a_path_does_not_wait_for_parents() -> None:
    """Its author has thought of the order; a card that is set aside is left out."""
    away = replace(learner(), decisions=Decisions(frozenset({("d", "c")})))
    order = [card.id for card in reversed(FAMILY.cards)]

    assert [name for name in order if name != "c"] == ids(choose_cards([FAMILY], away, NOW, Filter(path=path(*order))))


def test_a_path_comes_before_a_plan() -> None:
    """Whoever names a path wants its cards, also while a plan has others."""
    aimed = replace(learner(), decisions=Decisions(aim=Plan(NOW.day + 5, NOW.day + 4, "mask")))

    assert ["d", "b"] == ids(choose_cards([DECK], aimed, NOW, Filter(path=path("d", "b"))))


def test_practice_goes_along_a_path() -> None:
    """In its order, those that were failed most often first."""
    assert ["d", "b", "a"] == ids(practice_cards([DECK], learner(), Filter(path=path("d", "b", "a"))))
    assert "a" == ids(practice_cards([DECK], learner(a=LEECH), Filter(path=path("d", "b", "a"))))[0]
