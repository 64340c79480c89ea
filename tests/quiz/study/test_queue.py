"""Which cards a session has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.deck.cards import Deck
from content.deck.model import parse_deck
from quiz.card.today import todays_work
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade, Memory, next_memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import NONE, Decisions, Plan
from quiz.study.learner import LearnerState
from quiz.study.leeches import LEECH_LAPSES
from quiz.study.queue import NEW_A_DAY, Filter, NewCardAllowance, choose_cards, count_deck, new_cards_to_meet, practice_cards, todays_share
from quiz.study.siblings import GAP, find_siblings, interleave_topics, keep_authors_order, topic_of
from quiz.study.turn import Item

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
NOW = Moment.of(NOON)


def deck(name: str = "d", /, **fields: dict[str, Any]) -> Deck:
    cards = [{"id": id, "question": "Why?", "answer": "So.", **more} for id, more in fields.items()]
    return parse_deck({"deck": name, "title": "D", "cards": cards})


DECK = deck(a={"tags": ["mask"], "level": 1}, b={"level": 2}, c={"tags": ["mask"], "level": 2}, d={"level": 3})


def days_ago(days: int) -> Moment:
    return Moment.of(NOON - timedelta(days=days))


def seen(*grades: tuple[Grade, int]) -> Memory:
    """A memory of grades, each so many days ago."""
    memory = None
    for grade, days in grades:
        memory = next_memory(memory, grade, days_ago(days), "x")
    assert memory is not None
    return memory


DUE, OVERDUE = seen((Grade.good, 60)), seen((Grade.good, 90))
EASY = seen((Grade.easy, 1))
LEECH = seen(*[(grade, 60 - 4 * n) for n in range(LEECH_LAPSES) for grade in (Grade.good, Grade.again)], (Grade.good, 2))


def learner(
    memories: Mapping[str, Memory] | None = None, confident_errors: Sequence[str] = (), marks: Decisions = NONE, **more: Memory
) -> LearnerState:
    return LearnerState(
        {("d", card): memory for card, memory in {**(memories or {}), **more}.items()},
        marks,
        {("d", card): NOW.day - 9 for card in confident_errors},
    )


def ids(items: Sequence[Item]) -> list[str]:
    return [item.card.id for item in items]


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

RUN = {"verify": {"experiment": "e"}, "predict": {"ask": "How many?", "quantity": "n"}}
FAMILY = deck(a={"follow_ups": ["b"]}, b={}, c={"follow_ups": ["a"]}, d=RUN, e=RUN, f={"verify": {"experiment": "e"}}, g={})


def kin(*names: str) -> frozenset[Key]:
    return frozenset(("d", name) for name in names)


def test_siblings() -> None:
    """Follow-ups count in both directions, and so do cards that ask for the same quantity of the same experiment."""
    assert {
        ("d", "a"): kin("b", "c"), ("d", "b"): kin("a"), ("d", "c"): kin("a"), ("d", "d"): kin("e"), ("d", "e"): kin("d")
    } == find_siblings([FAMILY])  # fmt: skip


def test_a_new_sibling_waits_for_tomorrow() -> None:
    """Of siblings that are all new one is met a day; the others come when it no longer is that day's."""
    today = ids(choose_cards([FAMILY], learner(), NOW))
    met = learner(a=seen((Grade.good, 1)), d=seen((Grade.good, 1)), f=seen((Grade.good, 1)), g=seen((Grade.good, 1)))

    assert ["a", "d", "f", "g"] == sorted(today)
    assert ["b", "c", "e"] == sorted(ids(choose_cards([FAMILY], met, NOW)))


def test_a_sibling_met_today_holds_across_sessions() -> None:
    """The second session of a day does not ask what the first one gave away."""
    assert [] == [name for name in ids(choose_cards([FAMILY], learner(a=seen((Grade.good, 0))), NOW)) if name in ("b", "c")]


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


def items(names: str, tags: str) -> list[Item]:
    made = deck(**{f"{name}{n}": {"tags": [tag]} for n, (name, tag) in enumerate(zip(names, tags, strict=True))})
    return [Item("d", card) for card in made.cards]


@given(st.text("xyzuv", min_size=1, max_size=40))
def test_topics_are_mixed(tags: str) -> None:
    """No topic has a run longer than an even spread among the others needs, give or take one, and no card is lost."""
    laid = interleave_topics(items("a" * len(tags), tags), {})

    assert sorted(tags) == sorted(map(topic_of, laid))
    for name, run in groupby(map(topic_of, laid)):
        others = len(tags) - tags.count(name)
        assert not others or len(list(run)) <= tags.count(name) // others + 2


@pytest.mark.parametrize(
    ("tags", "expected"), [("xxxxyy", "xyxxyx"), ("xxxyyy", "xyxyxy"), ("xxxxxxxxy", "xxxxyxxxx"), ("xyz", "xyz"), ("xxxuvz", "xuxvxz")]
)
def test_a_rare_topic_is_spread(tags: str, expected: str) -> None:
    """A topic with few cards comes evenly over the session, not all at its beginning."""
    assert expected == "".join(topic_of(item) for item in interleave_topics(items("a" * len(tags), tags), {}))


@given(st.integers(16, 30), st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=3))
def test_siblings_are_apart(count: int, pairs: list[tuple[int, int]]) -> None:
    """No two siblings have fewer than GAP cards between them in a session with enough other cards, and no card is lost."""
    all_items = items("a" * count, "x" * count)
    related: dict[Key, frozenset[Key]] = {}
    for one, other in pairs:
        a, b = all_items[one % count].key, all_items[other % count].key
        if a != b and a not in related and b not in related:
            related |= {a: frozenset({b}), b: frozenset({a})}
    laid = interleave_topics(all_items, related)
    place = {item.key: i for i, item in enumerate(laid)}

    assert sorted(ids(all_items)) == sorted(ids(laid))
    tight = [abs(place[key] - place[next(iter(others))]) for key, others in related.items()]
    assert all(distance > GAP for distance in tight)


def test_three_cards_stand_between_siblings() -> None:
    """A sibling comes after the third card that is none, in a mixed order as in the author's."""
    eight = items("abcdefgh", "x" * 8)
    family = {eight[0].key: frozenset([eight[1].key]), eight[1].key: frozenset([eight[0].key])}

    assert "acdebfgh" == "".join(item.card.id[0] for item in interleave_topics(eight, family))
    assert "acdebfgh" == "".join(item.card.id[0] for item in keep_authors_order(eight, family))


@given(st.integers(1, 60), st.integers(0, 8))
def test_what_comes_ahead_stays_ahead(count: int, ahead: int) -> None:
    """The cards that come ahead keep the distance and are neither repeated nor moved, whatever they are siblings of."""
    all_items = items("a" * (count + ahead), ("xxy" * 30)[: count + ahead])
    before, rest = all_items[:ahead], all_items[ahead:]
    related = {item.key: frozenset(other.key for other in all_items if other != item) for item in all_items[:2]}

    assert sorted(ids(rest)) == sorted(ids(interleave_topics(rest, related, before)))


@pytest.mark.parametrize(
    ("tags", "expected"),
    [("xxxx", "abcd"), ("xyxy", "abcd"), ("xxyz", "acbd"), ("xxxxxy", "abfcde"), ("xxyy", "acbd")],
)
def test_new_cards_keep_their_order_but_for_the_topic_before(tags: str, expected: str) -> None:
    """The deck's first card comes first; a card of another topic within reach is asked before a second one of the same."""
    laid = keep_authors_order(items("abcdef"[: len(tags)], tags), {})

    assert expected == "".join(item.card.id[0] for item in laid)


def test_new_cards_keep_their_siblings_apart() -> None:
    """A sibling is passed over while another card is within reach, also for what came before the new cards."""
    four = items("abcd", "wxyz")
    family = {four[0].key: frozenset([four[1].key]), four[1].key: frozenset([four[0].key])}

    assert "cdb" == "".join(item.card.id[0] for item in keep_authors_order(four[1:], family, four[:1]))


def test_a_long_queue_has_the_longest_due_first() -> None:
    """Topics are mixed among a day's worth of cards: what lies hundreds of cards behind does not come to the front."""
    laid = interleave_topics(items("a" * 300, "x" * 290 + "y" * 10), {})

    assert {"x"} == {topic_of(item) for item in laid[:200]}


def test_the_same_cards_come_in_the_same_order() -> None:
    """Nothing is drawn by chance: a session that is begun again is the same."""
    assert choose_cards([FAMILY, DECK], learner(), NOW) == choose_cards([FAMILY, DECK], learner(), NOW)


def test_meeting_more_than_there_are() -> None:
    """A plan that needs more than there is room or cards for takes what there is, once."""
    four = items("abcd", "xxxx")

    assert four == new_cards_to_meet(four, NewCardAllowance(2, 9), set(), set(), {})


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


def test_today_counts_what_may_be_asked() -> None:
    """Cards in trouble that are set aside are not counted, nor those of decks that are gone."""
    state = learner(None, ["b", "c"], Decisions(frozenset({("d", "c")})), a=LEECH, b=EASY, c=EASY, gone=LEECH)
    held = todays_work([DECK], state, NOW)

    assert (1, 1, 1) == (held.failing, held.confident_errors, held.new)


@pytest.mark.parametrize(("cards", "held"), [(3, 2), (30, 19)])
def test_today_says_how_many_siblings_wait(cards: int, held: int) -> None:
    """Of a family one is met today; the others that the day's limit had room for are said to wait."""
    names = [f"c{n}" for n in range(cards)]
    clique = deck(**{name: {"follow_ups": [other for other in names if other != name]} for name in names})

    assert (1, held) == (todays_work([clique], learner(), NOW).new, todays_work([clique], learner(), NOW).held)


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
