"""What `qkv check` promises of the decks that come with the program: every claim holds, and every claim could fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from content.claims.mutation import killing_mutations
from content.claims.parser import parse
from content.deck.cards import Card, Claim
from content.deck.library import LoadedDeck, bundled, load
from engine import Result, Value, Worker
from quiz.card.card_run import claim_scope, judge_claim, run_parameters
from quiz.card.judge import JudgedCard, judge_card

DECKS = load(bundled()).decks
CARDS = [
    pytest.param(loaded, index, card, id=f"{loaded.deck.deck}/{card.id}")
    for loaded in DECKS
    for index, card in enumerate(loaded.deck.cards)
]


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    """One engine for all cards; it is warm before the first of them has its deadline."""
    with Worker() as shared:
        shared.survey.result()
        yield shared


def ran(card: Card, worker: Worker) -> tuple[dict[str, Value], Result]:
    """A card's run at its own settings."""
    assert card.verify is not None
    parameters = run_parameters(card.verify, worker.describe(card.verify.experiment).result())
    return parameters, worker.submit(card.verify.experiment, parameters).result()


def test_there_are_decks() -> None:
    """The tests below look at something."""
    assert 14 <= len(CARDS)


@pytest.mark.parametrize(("loaded", "index", "card"), CARDS)
def test_the_check_has_nothing_to_say(loaded: LoadedDeck, index: int, card: Card, worker: Worker) -> None:
    """A bundled card's claims hold, none survives every change, and each name in its texts is measured."""
    assert card.verify is not None

    assert JudgedCard(held=len(card.verify.claims)) == judge_card(loaded, index, card, worker)


@pytest.mark.parametrize(("loaded", "index", "card"), CARDS)
def test_each_named_result_matters(loaded: LoadedDeck, index: int, card: Card, worker: Worker) -> None:
    """A claim names no result that could be anything: for each of them one of the changes makes the claim false."""
    assert card.verify is not None
    parameters, result = ran(card, worker)
    names = claim_scope(parameters, result)

    def idle(claim: Claim) -> list[str]:
        return [name for name, trial in killing_mutations(parse(claim.check), names, result.scope()).items() if trial is None]

    assert [] == [(claim.check, idle(claim)) for claim in card.verify.claims if idle(claim)]


@pytest.mark.parametrize(("loaded", "index", "card"), CARDS)
def test_verdicts_show_their_numbers(loaded: LoadedDeck, index: int, card: Card, worker: Worker) -> None:
    """Beside each claim of a bundled card stand both sides of a comparison."""
    assert card.verify is not None
    names = claim_scope(*ran(card, worker))

    assert [] == [claim.check for claim in card.verify.claims if not judge_claim(claim, names).outcome.sides]
