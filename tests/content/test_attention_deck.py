"""The attention deck keeps the project's promises: enough cards, of every kind, in both languages, each behind a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import get_args

import pytest

from content.claims.parser import parse
from content.deck import checks
from content.deck.cards import Card, Model, Text
from content.deck.library import LoadedDeck, bundled, load
from content.format import LANGUAGES, Kind

EXPERIMENTS = ("attention_mask", "attention_steps", "multi_head", "softmax_saturation", "two_relations")


@pytest.fixture(scope="module")
def loaded() -> LoadedDeck:
    return next(each for each in load(bundled()).decks if each.deck.deck == "attention")


@pytest.fixture(scope="module")
def cards(loaded: LoadedDeck) -> tuple[Card, ...]:
    return loaded.deck.cards


def texts(value: object) -> Iterator[Text]:
    """Every text of a card, however deep."""
    match value:
        case Text():
            yield value
        case tuple():
            for part in value:
                yield from texts(part)
        case Model():
            for _, part in value:
                yield from texts(part)


def test_the_deck_loads_without_a_problem(loaded: LoadedDeck) -> None:
    """Nothing is wrong with the deck that can be found without running it, not even a warning."""
    library = load((loaded.path,))

    assert () == library.problems
    assert [] == list(checks.deck_problems(loaded, EXPERIMENTS))


def test_there_are_enough_cards(cards: tuple[Card, ...]) -> None:
    """A first session has at least 14 cards, of which at least 6 ask for a prediction and 6 name a wrong answer."""
    assert 14 <= len(cards)
    assert 6 <= sum(card.predict is not None for card in cards)
    assert 6 <= sum(card.trap is not None for card in cards)


def test_every_kind_occurs(cards: tuple[Card, ...]) -> None:
    """The deck shows every kind of card that the project has."""
    assert set(get_args(Kind)) == {card.kind for card in cards}


def test_ids_occur_once(cards: tuple[Card, ...]) -> None:
    """Progress hangs on a card's id, so no two cards share one, former ids included."""
    ids = Counter(name for card in cards for name in (card.id, *card.formerly))

    assert [] == [name for name, count in ids.items() if count > 1]


def test_every_text_is_bilingual(cards: tuple[Card, ...]) -> None:
    """Whatever a card says, it says in English and in Chinese."""
    found = [(card.id, text.root) for card in cards for text in texts(card)]

    assert 10 * len(cards) < len(found)
    assert [] == [(name, said) for name, said in found if set(LANGUAGES) != set(said)]


def test_chinese_is_chinese(cards: tuple[Card, ...]) -> None:
    """The Chinese text is not the English one again: it has Chinese characters wherever the English has three words."""
    sentences = [text for card in cards for text in texts(card) if len(text.said("en").split()) > 2]

    assert [] == [text.said("zh") for text in sentences if not any("\u4e00" <= letter <= "\u9fff" for letter in text.said("zh"))]


def test_every_card_stands_on_a_run(cards: tuple[Card, ...]) -> None:
    """Each card has an answer, key points, a source and an experiment with two to four claims."""
    for card in cards:
        assert card.verify is not None, card.id
        assert 2 <= len(card.verify.claims) <= 4, card.id
        assert card.answer is not None, card.id
        assert 2 <= len(card.key_points) <= 5, card.id
        assert card.sources, card.id
        assert card.checked is not None, card.id
        assert card.asked is not None, card.id


def test_claims_name_more_than_constants(cards: tuple[Card, ...]) -> None:
    """Every claim can be read and names something that a run gives."""
    claims = [(card.id, claim.check) for card in cards if card.verify for claim in card.verify.claims]

    assert [] == [(name, check) for name, check in claims if not parse(check).names]


def test_follow_ups_exist(cards: tuple[Card, ...]) -> None:
    """A follow-up is another card of the deck."""
    ids = {card.id for card in cards}

    assert [] == [(card.id, name) for card in cards for name in card.follow_ups if name not in ids - {card.id}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_choices_have_one_right_answer_and_a_reason_each(cards: tuple[Card, ...], language: str) -> None:
    """A choice card offers three or four answers, one of them right, and says of each why."""
    for card in (card for card in cards if card.kind == "choice"):
        assert len(card.options) in (3, 4), card.id
        assert 1 == sum(option.right for option in card.options), card.id
        assert all(option.why and option.why.said(language).strip() for option in card.options), card.id
