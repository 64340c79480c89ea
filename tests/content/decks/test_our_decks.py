"""The decks together: how many cards of which kind there are, and where each one leads."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

import pytest
from click.testing import CliRunner

from content.deck.deck_files import ORDER
from content.deck.links import Key, linked_card
from quiz.cli import qkv
from tests.our_cards import every_card, our_library

CARDS = 150
KINDS = {"choice": 30, "number": 25, "order": 12, "code": 12}
PREDICTIONS, TRAPS = 100, 80
DEAD_ENDS = frozenset(  # cards that lead nowhere yet; to be emptied
    f"attention/{name}"
    for name in (
        "what-if-sigma-is-not-one", "fully-masked-row", "is-causal-with-a-cache", "split-heads", "what-weights-tell",
    )
)  # fmt: skip


def links() -> dict[Key, list[Key]]:
    """Where each card of our decks leads, in whatever deck that is."""
    decks = [loaded.deck for loaded in our_library().decks]
    found = {
        (deck.deck, card.id): [linked_card(link, deck.deck, decks) for link in card.follow_ups] for deck in decks for card in deck.cards
    }
    return {key: [(deck.deck, card.id) for deck, card in filter(None, ends)] for key, ends in found.items()}


@pytest.fixture(scope="module")
def listed() -> list[dict[str, Any]]:
    """What `qkv cards --json` says of the bundled decks."""
    ours = {loaded.deck.deck for loaded in our_library().decks}
    cards: list[dict[str, Any]] = json.loads(CliRunner().invoke(qkv, ["cards", "--json"]).stdout)
    return [card for card in cards if card["deck"] in ours]


def test_there_is_enough_of_everything(listed: list[dict[str, Any]]) -> None:
    """Cards, cards of each kind that is not explained, predictions and traps, once all decks are in."""
    if missing := set(ORDER) - {card["deck"] for card in listed}:
        pytest.skip(f"decks to come: {', '.join(sorted(missing))}")
    kinds = Counter(card["kind"] for card in listed)
    counted = {"cards": len(listed), **{kind: kinds[kind] for kind in KINDS}}
    counted |= {"predictions": sum(card["predict"] for card in listed), "traps": sum(card["trap"] for card in listed)}
    wanted = {"cards": CARDS, **KINDS, "predictions": PREDICTIONS, "traps": TRAPS}

    assert {} == {name: (counted[name], least) for name, least in wanted.items() if counted[name] < least}


def test_every_card_is_in_both_languages(listed: list[dict[str, Any]]) -> None:
    """And is proved by an experiment."""
    assert [] == [card["id"] for card in listed if card["languages"] != ["en", "zh"] or not card["experiment"] or not card["claims"]]


def test_no_two_cards_follow_each_other() -> None:
    """A follow-up is what is asked next: of two cards at most one follows the other, also where they are in different decks."""
    follows = links()

    assert [] == [(one, other) for one, others in follows.items() for other in others if one in follows[other]]


def test_every_card_leads_on() -> None:
    """An interviewer always has another question; what leads nowhere yet is named."""
    assert DEAD_ENDS == {"/".join(key) for key, ends in links().items() if not ends}


def test_every_card_is_led_to_or_begins() -> None:
    """No card of the two harder levels comes out of nothing: some other one leads to it."""
    led = {end for ends in links().values() for end in ends}
    hard = [key for key, (_, card) in zip(links(), every_card().values(), strict=True) if card.level >= 4]

    assert [] == [key for key in hard if key not in led]


def test_examples_follow_the_language() -> None:
    """No English text shows Chinese words, but where Chinese itself is spoken of, as in a deck on tokens."""
    texts = [
        (name, text.said("en"))
        for name, (loaded, card) in every_card().items()
        if loaded.deck.deck != "tokenization"
        for text in (card.question, card.answer, card.detail, card.trap)
        if text
    ]

    assert [] == [name for name, text in texts if re.search("[\u4e00-\u9fff]", text)]


@pytest.mark.parametrize("phrase", ["禁看", "静音", "e 的幂", "离散程度", "变淡", "残差通路", "让头像", "图像不像"])
def test_chinese_is_what_interviewers_say(phrase: str) -> None:
    """被掩码, 消融, 取指数, 标准差, 被稀释, 残差流: the words of the field, and none that is read as another."""
    assert [] == [loaded.path.name for loaded in our_library().decks if phrase in loaded.path.read_text(encoding="utf-8")]
