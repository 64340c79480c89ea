"""What today has to do, counted."""

from __future__ import annotations

import pytest

from quiz.card.today import todays_work
from quiz.progress.decisions import Decisions
from tests.quiz.study.decks import DECK, EASY, LEECH, NOW, deck, learner


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
