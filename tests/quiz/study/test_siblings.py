"""Cards that give each other away are apart, topics are mixed, and an author's order is kept nearly."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.memory.card_ids import Key
from quiz.study.siblings import GAP, find_siblings, interleave_topics, topic_of
from tests.quiz.study.decks import FAMILY, deck, ids, items


def kin(*names: str) -> frozenset[Key]:
    return frozenset(("d", name) for name in names)


def test_siblings() -> None:
    """Follow-ups count in both directions, and so do cards that ask for the same quantity of the same experiment."""
    assert {
        ("d", "a"): kin("b", "c"), ("d", "b"): kin("a"), ("d", "c"): kin("a"), ("d", "d"): kin("e"), ("d", "e"): kin("d")
    } == find_siblings([FAMILY])  # fmt: skip


def test_siblings_in_two_decks() -> None:
    """A link to another deck's card, by an earlier id of it, makes the two siblings."""
    here, there = deck(a={"follow_ups": ["other/old"]}), replace(deck(b={"formerly": ["old"]}), deck="other")

    assert {("d", "a"): frozenset({("other", "b")}), ("other", "b"): kin("a")} == find_siblings([here, there])


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
    """A sibling comes after the third card that is none."""
    eight = items("abcdefgh", "x" * 8)
    family = {eight[0].key: frozenset([eight[1].key]), eight[1].key: frozenset([eight[0].key])}

    assert "acdebfgh" == "".join(item.card.id[0] for item in interleave_topics(eight, family))


@given(st.integers(1, 60), st.integers(0, 8))
def test_what_comes_ahead_stays_ahead(count: int, ahead: int) -> None:
    """The cards that come ahead keep the distance and are neither repeated nor moved, whatever they are siblings of."""
    all_items = items("a" * (count + ahead), ("xxy" * 30)[: count + ahead])
    before, rest = all_items[:ahead], all_items[ahead:]
    related = {item.key: frozenset(other.key for other in all_items if other != item) for item in all_items[:2]}

    assert sorted(ids(rest)) == sorted(ids(interleave_topics(rest, related, before)))


def test_a_long_queue_has_the_longest_due_first() -> None:
    """Topics are mixed among a day's worth of cards: what lies hundreds of cards behind does not come to the front."""
    laid = interleave_topics(items("a" * 300, "x" * 290 + "y" * 10), {})

    assert {"x"} == {topic_of(item) for item in laid[:200]}
