"""Decks as JSON: the same deck comes back, and nothing else is taken for one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from content.deck import plain_json
from content.deck.cards import Deck
from content.deck.deck_files import bundled
from content.deck.library import load
from content.deck.model import parse_deck

CARD: dict[str, Any] = {
    "id": "a",
    "kind": "explain",
    "level": 2,
    "question": {"en": "Why?", "zh": "为什么？"},
    "answer": {"": 'A "quote",\na \\frac{1}{2} and {{n}}.'},
    "predict": {"ask": {"": "How many?"}, "quantity": "n", "within": "10%", "unit": ""},
    "checked": "2026-11-29",
    "verify": {"experiment": "e", "set": {"d_k": "64"}, "claims": [{"says": {"": "So."}, "check": "n > 1"}]},
}
KINDS: list[dict[str, Any]] = [
    {"kind": "choice", "options": [{"text": "a", "right": "true", "why": "So."}, {"text": "b"}]},
    {"kind": "number", "number": {"value": "0", "unit": "%"}},
    {"kind": "number", "number": {"quantity": "n"}},
    {"kind": "order", "order": ["a", "b", "c"]},
    {"kind": "code", "code": {"listing": "a\nb\n", "wrong_line": "2", "right": ""}},
    {
        "kind": "code",
        "code": {"listing": "a", "wrong_line": "1", "right": "b", "inputs": {"x": "randn(3, 0)"}, "compare": "f(x)", "agrees": "wrong > n"},
    },
    {"answer": "a", "verify": {"experiment": "e", "set": {"s": {"en": "a", "zh": "一"}}, "seeds": "20"}},
    {"answer": "a", "verify": {"runs": {"a": {"experiment": "e", "set": {"n": "1"}}, "b": {"experiment": "f", "seeds": "2"}}}},
    {
        "answer": "a",
        "tags": ["x"],
        "follow_ups": ["y", "d/y"],
        "hint": ["so", {"en": "b", "zh": "二"}],
        "sources": ["z"],
        "formerly": ["w"],
        "formula": "\\frac{1}{2}",
        "asked": "5",
    },
]


def as_text(**card: Any) -> str:
    """The JSON of a deck of one card; a key that is None is left out."""
    whole = {key: value for key, value in (CARD | card).items() if value is not None}
    return json.dumps({"deck": "d", "title": {"": "T"}, "cards": [whole]}, ensure_ascii=False)


@pytest.mark.parametrize("deck", [loaded.deck for loaded in load(bundled()).decks], ids=lambda deck: deck.deck)
def test_a_deck_comes_back(deck: Deck) -> None:
    """What is written is what is read, down to the last value."""
    assert deck == plain_json.loads(plain_json.dumps(deck))


@pytest.mark.parametrize("card", KINDS)
def test_a_card_of_every_kind_comes_back(card: dict[str, Any]) -> None:
    """No part of a card is lost, also where its value is 0, false or empty."""
    deck = parse_deck({"deck": "d", "title": "T", "formerly": ["e"], "cards": [{"id": "a", "question": "Why?", **card}]})

    assert deck == plain_json.loads(plain_json.dumps(deck))


def test_the_card_of_this_test_is_read() -> None:
    """Otherwise every refusal below would mean nothing."""
    assert 'A "quote",\na \\frac{1}{2} and {{n}}.' == plain_json.loads(as_text()).cards[0].answer.said("en")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "card",
    [
        {"id": None},
        {"id": 1},
        {"id": ["a"]},
        {"question": "Why?"},
        {"question": {}},
        {"question": {"fr": "Pourquoi ?"}},
        {"question": {"en": 1}},
        {"question": {"en": " "}},
        {"answer": None},
        {"answer": {"en": "x" * 20_001}},
        {"answer": {"en": "\x1b[2J"}},
        {"answer": {"en": "\u202e"}},
        {"kind": "essay"},
        {"kind": "choice"},
        {"kind": ["explain"]},
        {"kind": "number", "number": {"unit": "%"}},
        {"kind": "number", "number": {"value": float("nan")}},
        {"kind": "number", "number": {"value": float("inf")}},
        {"kind": "number", "number": {"value": "1"}},
        {"kind": "number", "number": {"value": 1, "within": "lots"}},
        {"kind": "code", "code": {"listing": "a", "wrong_line": 2, "right": "b"}},
        {"kind": "code", "code": {"listing": "a", "wrong_line": 1, "right": "b", "inputs": {"x": 1}, "compare": "x"}},
        {"kind": "code", "code": {"listing": "a", "wrong_line": 1, "right": "b", "inputs": {"x": "1"}}},
        {"kind": "code", "code": {"listing": "a", "wrong_line": 1, "right": "b", "agrees": "wrong > 1"}},
        {"level": 0},
        {"level": 6},
        {"level": True},
        {"level": 2.0},
        {"asked": 10**9},
        {"checked": "yesterday"},
        {"checked": 20261129},
        {"tags": "x"},
        {"tags": [1]},
        {"tags": ["x"] * 1_001},
        {"verify": []},
        {"verify": {"claims": []}},
        {"verify": {"experiment": "e", "runs": {"a": {"experiment": "e"}}}},
        {"verify": {"runs": {"a": {"set": {}}}}},
        {"verify": {"runs": {"a": {"experiment": "e", "seeds": 101}}}},
        {"verify": {"experiment": "e", "seeds": "2"}},
        {"verify": {"experiment": "e", "set": {"s": {"fr": "a"}}}},
        {"verify": {"experiment": "e", "set": {"d_k": 64}}},
        {"verify": {"experiment": "e", "claims": [{"says": {"": "So."}}]}},
        {"unknown": 1},
        {"__class__": 1},
    ],
)
def test_anything_else_is_spoiled(card: dict[str, Any]) -> None:
    """A value of another type, outside its limits or without the part that its kind needs is never a card."""
    with pytest.raises(plain_json.Spoiled):
        plain_json.loads(as_text(**card))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "1",
        "[]",
        "{}",
        '"deck"',
        "{",
        '{"deck": "d", "title": {"": "T"}, "cards": []}',
        "[" * 100_000,
        '{"format": ' + "9" * 5_000,
    ],
)
def test_what_is_no_deck_is_spoiled(text: str) -> None:
    """Not even a text that would break a parser."""
    with pytest.raises(plain_json.Spoiled):
        plain_json.loads(text)


def test_an_escape_hides_nothing() -> None:
    """A control character that JSON spells with letters is still one."""
    with pytest.raises(plain_json.Spoiled):
        plain_json.loads(as_text().replace("Why?", "\\u001b[2J"))


def test_a_deck_of_another_format_is_spoiled() -> None:
    """A format to come may mean something else by the same keys."""
    with pytest.raises(plain_json.Spoiled):
        plain_json.loads(as_text().replace('"deck": "d"', '"deck": "d", "format": 2'))
