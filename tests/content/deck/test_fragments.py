"""What is right in a card that is refused, so that all problems of a file are said in one run."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck import checks
from content.deck.fragments import fragment, readable_title
from content.deck.known_experiments import KnownExperiment, declared_problems
from content.deck.library import Given, load
from content.yaml.tree import Node

KNOWN = {"sat": KnownExperiment("sat", {"d_k": 64}, {"raw_std": (0, float("inf"))})}
DECK = """\
deck: sample
title: "The {{x}} title"
cards:
  - id: one
    question: Why {{x}}?
    LEVEL: 2
    verify:
      experiment: sat
      claims:
        - CLAIM
        - {says: So., check: "raw_sdt > 1"}
"""


def messages(card: str, claim: str = "{says: So., check: 'raw_std > 1'}") -> list[tuple[int, str]]:
    """Everything that is said of the deck above without a run."""
    text = DECK.replace("LEVEL: 2", card).replace("CLAIM", claim)
    library = load((Given("a.yaml", text.encode()),))
    found = [*checks.all_problems(library, ("sat",)), *(each for loaded in library.files for each in declared_problems(loaded, KNOWN))]
    return sorted((problem.line, problem.message) for problem in found)


TITLE, QUESTION = (2, "{{x}} has no value here"), (5, "{{x}} has no value here")
IDLE = "the claim cannot fail: it names none of the experiment's results"
UNKNOWN = (11, "the claim is false: there is no parameter or result raw_sdt; did you mean raw_std?")


@pytest.mark.parametrize(
    ("card", "wrong"),
    [
        ("level: 9\n    answer: A", "level is 9; it must be a whole number, 1 to 5"),
        ("level: 2", "an explain card needs an answer"),
        ("answer: A\n    anwser: A", "anwser is not a key of a card; did you mean answer?"),
        ("answer: [A]", "answer is a list; it must be a text"),
        ("answer: A\n    kind: essay", "kind is essay; it must be explain, choice, number, order or code"),
        ("answer: A\n    options: [{text: A}]", "options belongs to a card of kind choice, and this one is explain"),
    ],
)
def test_a_card_with_a_wrong_value_is_looked_at(card: str, wrong: str) -> None:
    """Beside what is wrong in its form, the names that its claims and its texts use are told, and the deck's title."""
    found = [(line, message.removesuffix(" of keys and values")) for line, message in messages(card)]

    assert {TITLE, QUESTION, wrong} <= {*found, *(message for _, message in found)}
    assert 1 == sum(message == UNKNOWN[1] for _, message in found)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("{check: raw_sdt > 2}", ["a claim needs says", UNKNOWN[1]]),
        ("{says: '{{raw_sdt}}'}", ["a claim needs check", "{{raw_sdt}} is not a number of this experiment"]),
        ("just a text", ['item 1 of claims is "just a text"; it must be keys with values']),
        ("{says: So., check: 'raw_std >', more: 1}", ["more is not a key of a claim", "this is not a complete expression"]),
        ("{says: So., check: '1 < 2', more: 1}", ["more is not a key of a claim", IDLE]),
        ("{says: So., check: '', more: 1}", ["more is not a key of a claim", "the claim is empty"]),
        ("{says: So., check: [1]}", ["check is a list; it must be a text"]),
    ],
)  # fmt: skip
def test_a_wrong_claim_hides_no_other(claim: str, expected: list[str]) -> None:
    """Of a claim that is none, what can be read is read, and what cannot is not told twice; the next claim keeps its place."""
    found = messages("answer: A", claim)

    assert sorted(expected) == sorted(message for line, message in found if line == 10)
    assert UNKNOWN in found


def test_a_wrong_parameter_is_left_out() -> None:
    """What `set` gives as a text stays."""
    verify = fragment({"id": "a", "question": "q", "verify": {"experiment": "sat", "set": {"d_k": ["1"], "n": "2"}}}).verify

    assert verify
    assert {"n": "2"} == verify.set


def test_lists_keep_their_length() -> None:
    """A wrong option leaves a blank one behind, so that the others are told where they stand."""
    card = fragment({"options": [{"text": "a", "right": "maybe"}, "b", {"text": "c"}], "key_points": ["a", [], "c"]})

    assert ["a", "", "c"] == [option.text.said("en") for option in card.options]
    assert ["a", "", "c"] == [point.said("en") for point in card.key_points]


@pytest.mark.parametrize(
    "node", ["text", [], {}, {"verify": "sat"}, {"verify": {"claims": {"says": "x"}}}, {"options": "a", "predict": "b"}]
)
def test_anything_can_be_a_card(node: Node) -> None:
    """Whatever stands where a card should: there is a card, and nothing is said of what it does not have."""
    card = fragment(node)

    assert ("", {}) == (card.id, card.question.root)


@pytest.mark.parametrize(("deck", "title"), [({"title": "T"}, "T"), ({"title": []}, ""), ({}, ""), ([], "")])
def test_the_title(deck: Node, title: str) -> None:
    """A deck's title, or a blank one."""
    assert title == readable_title(deck).said("en")


def test_a_newer_deck_is_one_sentence(tmp_path: Path) -> None:
    """Nothing of a deck for a program to come is looked at."""
    path = tmp_path / "deck.yaml"
    path.write_text("format: 2\n" + DECK, encoding="utf-8")
    (draft,) = load((path,)).drafts

    assert {} == draft.readable
