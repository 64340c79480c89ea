"""Which cards are met for the first time on a day, and in which order."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from content.deck.cards import Deck
from content.deck.deck_files import bundled
from content.deck.library import load
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade
from quiz.progress.decisions import Decisions, Plan
from quiz.study.filter import Filter
from quiz.study.learner import LearnerState
from quiz.study.queue import NEW_A_DAY, choose_cards
from quiz.study.siblings import GAP, find_relations
from quiz.study.turn import Item
from tests.quiz.study.decks import NOW, deck, ids, learner, seen

EARLIER = seen((Grade.easy, 1))

# --- a follow-up waits for its parent --------------------------------------------------------------------------------


def test_a_follow_up_waits_until_its_parent_was_seen() -> None:
    """With room for one card a day the parent is it, whatever is asked more often; a day later the child may come."""
    family = deck(b={"asked": 5}, a={"asked": 1, "follow_ups": ["b"]})

    assert ["a"] == ids(choose_cards([family], learner(), NOW))
    assert ["b"] == ids(choose_cards([family], learner(a=EARLIER), NOW))


def test_one_parent_is_enough() -> None:
    """A question that follows two others comes once one of them was seen."""
    family = deck(a={"follow_ups": ["c"]}, b={"follow_ups": ["c"]}, c={}, d={}, e={})

    often = deck(a={"follow_ups": ["c"]}, b={"asked": 1, "follow_ups": ["c"]}, c={"asked": 5})

    assert {"b", "c", "d", "e"} == set(ids(choose_cards([family], learner(a=EARLIER), NOW)))
    assert ["c"] == ids(choose_cards([often], learner(a=EARLIER), NOW, Filter(new=1)))


@pytest.mark.parametrize("link", ["other/b", "other/old", "before/b", "before/old"])
def test_a_parent_in_another_deck(link: str) -> None:
    """A link may lead to another deck's card, by earlier names of both; its card waits like any other."""
    here = deck(a={"follow_ups": [link]}, **{f"x{n}": {} for n in range(5)})
    there = replace(deck(b={"formerly": ["old"]}), deck="other", formerly=("before",))
    order = ids(choose_cards([there, here], learner(), NOW))

    assert order.index("a") + GAP < order.index("b")


@pytest.mark.parametrize(
    ("decisions", "wanted", "expected"),
    [
        (Decisions(frozenset({("d", "a")})), Filter(), {"b"}),
        (Decisions(), Filter(tag="mask"), {"b"}),
        (Decisions(aim=Plan(NOW.day + 5, NOW.day + 4, "mask")), Filter(), {"b"}),
        (Decisions(buried={("d", "a"): NOW.day}), Filter(), set()),
    ],
)
def test_a_parent_that_does_not_come_keeps_nobody_waiting(decisions: Decisions, wanted: Filter, expected: set[str]) -> None:
    """Where it is suspended, not asked for or no part of the plan, the child comes. One that is put off until tomorrow holds it."""
    family = deck(a={"follow_ups": ["b"]}, b={"tags": ["mask"]})

    assert expected == set(ids(choose_cards([family], learner(marks=decisions), NOW, wanted)))


def test_a_parent_that_is_missing_keeps_nobody_waiting() -> None:
    """A link that leads nowhere, and a session over one deck whose parents lie in another."""
    assert ["a"] == ids(choose_cards([deck(a={"follow_ups": ["gone", "nowhere/b"]})], learner(), NOW))


@pytest.mark.parametrize("links", [{"a": "b", "b": "a"}, {"a": "a"}, {"a": "b", "b": "c", "c": "a"}])
def test_a_circle_blocks_nothing(links: dict[str, str]) -> None:
    """Cards that follow each other in a circle are all met: the first one begins."""
    circle = deck(**{name: {"follow_ups": [link]} for name, link in links.items()}, **{f"x{n}": {} for n in range(9)}, z={})
    behind = replace(circle, cards=(*circle.cards[:-1], replace(circle.cards[0], id="z", follow_ups=("a",))))

    assert {*links, "z"} <= set(ids(choose_cards([behind], learner(), NOW, Filter(new=99))))
    assert "a" in ids(choose_cards([behind], learner(), NOW))


def test_what_is_asked_most_brings_the_parents_that_it_waits_for() -> None:
    """A card that everybody asks is not held up by a parent that is rarely asked: both come, the parent first."""
    cards: dict[str, dict[str, Any]] = {
        "p": {"asked": 1, "follow_ups": ["c"]},
        "c": {"asked": 5},
        **{f"x{n}": {"asked": 3} for n in range(30)},
    }
    order = ids(choose_cards([deck(**cards)], learner(), NOW))

    assert order.index("p") < order.index("c")


# --- from easy to hard -----------------------------------------------------------------------------------------------


def test_the_most_asked_cards_come_first_the_easy_ones_ahead() -> None:
    """A day is chosen by how often cards are asked, and goes from easy to hard."""
    cards = {f"c{n}": {"asked": 1 + n % 5, "level": 1 + n % 3} for n in range(100)}
    day = choose_cards([deck(**cards)], learner(), NOW)

    assert {5} == {item.card.asked for item in day}
    assert sorted(item.card.level for item in day) == [item.card.level for item in day]


def test_a_deck_that_does_not_say_how_often_keeps_its_order_and_its_part() -> None:
    """Decks of one's own without `asked` are not put behind those that have it."""
    ours, theirs = deck("own", **{f"a{n}": {} for n in range(30)}), deck(**{f"b{n}": {"asked": 5} for n in range(30)})

    assert ["a0", "b0", "a1", "b1"] == ids(choose_cards([ours, theirs], learner(), NOW, Filter(new=4)))


@pytest.mark.parametrize(
    ("tags", "expected"), [("xxxx", "abcd"), ("xyxy", "abcd"), ("xxyz", "acbd"), ("xxxxxy", "abfcde"), ("xxyy", "acbd")]
)
def test_topics_take_turns_nearby(tags: str, expected: str) -> None:
    """The deck's first card comes first; a card of another topic within reach is asked before a second one of the same."""
    day = choose_cards([deck(**{name: {"tags": [tag]} for name, tag in zip("abcdef", tags, strict=False)})], learner(), NOW)

    assert expected == "".join(ids(day))


def test_a_day_begins_with_what_is_quickly_answered() -> None:
    """Of the easiest cards the first is one that a number or one pick answers, the shortest to read."""
    quick = {"kind": "number", "number": {"value": 4}}
    one = deck(a={"level": 1}, b={"level": 1, **quick, "question": "How many, then?"}, c={"level": 1, **quick}, d={"level": 2, **quick})

    assert "cabd" == "".join(ids(choose_cards([one], learner(), NOW)))


def test_every_kind_once_on_the_first_day() -> None:
    """A kind that was never met comes, though its cards are asked less often than others, with the parents that it needs."""
    order = {"kind": "order", "order": ["x", "y", "z"], "answer": None}
    cards: dict[str, dict[str, Any]] = {
        **{f"c{n}": {"asked": 5} for n in range(30)},
        "p": {"asked": 1, "follow_ups": ["o"]},
        "o": {"asked": 1, **order},
    }
    first, later = (ids(choose_cards([deck(**cards)], state, NOW)) for state in (learner(), learner(o=EARLIER, p=EARLIER)))

    assert {"p", "o"} < set(first)
    assert all(name.startswith("c") for name in later)


# --- day one ---------------------------------------------------------------------------------------------------------

DAY_ONE = Path(__file__).with_name("day_one.txt")


@pytest.fixture(scope="module")
def decks() -> list[Deck]:
    return [loaded.deck for loaded in load(bundled()).decks]


@pytest.fixture(scope="module")
def day_one(decks: list[Deck]) -> tuple[Item, ...]:
    return choose_cards(decks, LearnerState(), NOW)


def test_day_one(day_one: tuple[Item, ...]) -> None:
    """The first day of a new learner with all bundled decks, card by card. Where decks grow on purpose: QKV_GOLDEN=write and this file,
    then look at the difference."""
    if os.environ.get("QKV_GOLDEN") == "write":
        DAY_ONE.write_text("".join(f"{'/'.join(item.key)}\n" for item in day_one), encoding="utf-8")
    assert DAY_ONE.read_text(encoding="utf-8").split() == ["/".join(item.key) for item in day_one]


def test_day_one_begins_easily_and_rises(day_one: tuple[Item, ...]) -> None:
    """It begins with the easiest card there is; none is more than one level easier than what came before."""
    levels = [item.card.level for item in day_one]

    assert min(levels) == levels[0]
    assert [] == [place for place, level in enumerate(levels) if level < max(levels[: place + 1]) - 1]


def test_day_one_has_every_kind(decks: list[Deck], day_one: tuple[Item, ...]) -> None:
    """Every kind of card that the decks have."""
    assert {card.kind for deck in decks for card in deck.cards} == {item.card.kind for item in day_one}


def test_day_one_has_the_flagships(decks: list[Deck], day_one: tuple[Item, ...]) -> None:
    """As many of the most asked cards as a day has room for, but for those that wait for another one."""
    most = {(deck.deck, card.id) for deck in decks for card in deck.cards if card.asked == 5}
    kinds = len({card.kind for deck in decks for card in deck.cards})

    assert min(len(most), NEW_A_DAY - 2 * kinds) <= len(most & {item.key for item in day_one})


def test_day_one_asks_no_follow_up_before_a_parent(decks: list[Deck], day_one: tuple[Item, ...]) -> None:
    """One parent came before it, some cards ahead; of cards that follow each other in a circle the first one begins."""
    links, place = find_relations(decks).follow_ups, {item.key: number for number, item in enumerate(day_one)}
    parents = {child: [parent for parent in links if child in links[parent]] for item in links.values() for child in item}

    def leads_to(key: Key, goal: Key) -> bool:
        found, begun = set[Key](), [key]
        while begun:
            found |= (new := {child for one in begun for child in links.get(one, ())} - found)
            begun = list(new)
        return goal in found

    for key, above in parents.items():
        if key in place and not all(leads_to(key, parent) for parent in above):
            earlier = [place[key] - place[parent] for parent in above if parent in place and place[parent] < place[key]]
            assert earlier, key
            assert min(earlier) > 1, key
