"""The attention deck makes a first session: enough cards, of every kind. What each card must have says `content.deck.house_rules`."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from content.deck.cards import Card
from content.deck.deck_files import bundled
from content.deck.library import load
from content.format import Kind


@pytest.fixture(scope="module")
def cards() -> tuple[Card, ...]:
    return next(each for each in load(bundled()).decks if each.deck.deck == "attention").deck.cards


def test_there_are_enough_cards(cards: tuple[Card, ...]) -> None:
    """A first session has at least 14 cards, of which at least 6 ask for a prediction and 6 name a wrong answer."""
    assert 14 <= len(cards)
    assert 6 <= sum(card.predict is not None for card in cards)
    assert 6 <= sum(card.trap is not None for card in cards)


def test_every_kind_occurs(cards: tuple[Card, ...]) -> None:
    """The deck shows every kind of card that the project has."""
    assert set(get_args(Kind)) == {card.kind for card in cards}


def test_no_two_cards_follow_each_other(cards: tuple[Card, ...]) -> None:
    """A follow-up is what is asked next: of two cards at most one follows the other."""
    follows = {card.id: set(card.follow_ups) for card in cards}

    assert [] == [(one, other) for one, others in follows.items() for other in others if one in follows[other]]


def test_answers_can_be_said(cards: tuple[Card, ...]) -> None:
    """An answer takes about half a minute: at most 120 words in English, 220 characters in Chinese, code aside."""
    said = {card.id: card.answer.root for card in cards if card.answer}

    assert [] == [name for name, text in said.items() if len(text["en"].split()) > 120]
    assert [] == [name for name, text in said.items() if len(re.sub(r"`[^`]*`|\s|\{\{[^}]*\}\}", "", text["zh"])) > 220]


@pytest.mark.parametrize("phrase", ["禁看", "静音", "e 的幂", "离散程度", "变淡", "残差通路", "让头像", "图像不像"])
def test_chinese_is_what_interviewers_say(phrase: str) -> None:
    """被掩码, 消融, 取指数, 标准差, 被稀释, 残差流: the words of the field, and none that is read as another."""
    assert phrase not in next(path for path in bundled() if path.stem == "attention").read_text(encoding="utf-8")


def test_examples_follow_the_language(cards: tuple[Card, ...]) -> None:
    """No English text shows Chinese words."""
    texts = [text.root["en"] for card in cards for text in (card.question, card.answer, card.detail, card.trap) if text]

    assert [] == [text for text in texts if re.search("[\u4e00-\u9fff]", text)]
