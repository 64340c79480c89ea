"""The model and the plain values that leave it say the same of a deck."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import pytest

from content.deck import cards
from content.deck.model import MODELS, Deck, Defaults, parse_card
from content.deck.model_parts import Model
from content.deck.run_model import Run, Verification
from content.format import FIGURE_KINDS, KEYS, LANGUAGES


def plain(form: type[Model]) -> Any:
    return getattr(cards, form.__name__)


FORMS = [form for form in MODELS if form is not Defaults]


@pytest.mark.parametrize("form", FORMS)
def test_a_part_has_the_keys_of_its_model(form: type[Model]) -> None:
    """What is valid can be had from the plain value under the same name; a deck's defaults and computations are in its cards, too."""
    beside = {"defaults"} if form is Deck else set()
    resolved = {"computation"} if form in (Verification, Run) else set()

    assert set(form.model_fields) - beside == set(plain(form).__slots__) - resolved


@pytest.mark.parametrize("form", FORMS)
def test_a_part_has_the_defaults_of_its_model(form: type[Model]) -> None:
    """A card that is made in a test is the card that the same keys would give."""
    own = {field.name: field.default for field in fields(plain(form)) if field.default is not MISSING}
    asked = {name: field.default for name, field in form.model_fields.items() if name in own}

    assert [] == [name for name, default in asked.items() if getattr(default, "root", default) != getattr(own[name], "root", own[name])]


def test_the_keys_of_the_format_are_those_of_the_models() -> None:
    """The reader knows every key that a deck may have, and no other."""
    keys = {name for form in MODELS for name in form.model_fields} | set(LANGUAGES) | set(FIGURE_KINDS)

    assert keys - {"shows"} == KEYS  # a figure's names stand under its kind


def test_a_valid_card_is_plain_all_the_way_down() -> None:
    """No part of a card is a model: it holds only values that need no schema library."""
    card = parse_card(
        {
            "id": "a",
            "question": "Why?",
            "answer": {"en": "So."},
            "predict": {"ask": "How many?", "quantity": "n"},
            "verify": {"experiment": "e", "claims": [{"says": "So.", "check": "n > 1"}]},
        }
    )

    assert cards.Text({"": "Why?"}) == card.question
    assert cards.Predict(cards.Text({"": "How many?"}), "n", cards.Tolerance("20%")) == card.predict
    assert cards.Verification("e", {}, (cards.Claim(cards.Text({"": "So."}), "n > 1"),)) == card.verify
