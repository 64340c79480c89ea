"""What a card's presets promise is run by `check`."""

from __future__ import annotations

import pytest

from content.deck.library import Given, load
from engine import Worker
from quiz.card.judge import judge_card
from quiz.card.settings import OtherSettings

CARD = """
deck: a
title: A
cards:
  - id: one
    question: Why?
    answer: So.
    verify:
      experiment: softmax_saturation
      set: {{d_k: 512}}
      presets: [{{name: wide, set: {{{set}}}, watch: Look., check: {check}}}]
"""


@pytest.mark.parametrize(
    ("given", "check", "message"),
    [
        ("d_k: 4096", "raw_std > 50", ""),
        ("d_k: 4096", "raw_std < 50", "the preset does not show it: 63.76 < 50"),
        ("d_k: 4096", "raw_std > 20", "this is true at the card's own setting too"),
    ],
)
def test_what_is_to_be_seen_is_there(worker: Worker, given: str, check: str, message: str) -> None:
    """At the preset, and not where the card stands already; each is told at the check."""
    (loaded,) = load([Given("a.yaml", CARD.format(set=given, check=check).encode())]).decks
    problems = judge_card(loaded, 0, loaded.deck.cards[0], worker, OtherSettings(worker)).problems

    assert ([message] if message else []) == [problem.message for problem in problems]
    assert {11} >= {problem.line for problem in problems}


OVER_SEEDS = """
deck: a
title: A
cards:
  - id: one
    question: Why?
    answer: So.
    verify:
      experiment: softmax_saturation
      set: {{d_k: 512}}
      seeds: 3
      presets: [{{name: wide, set: {{d_k: 4096}}, watch: Look., check: {check}}}]
"""


@pytest.mark.parametrize(
    ("check", "message"), [("raw_std > 50", ""), ("raw_std_low > 50 and raw_std_high > raw_std", ""), ("raw_std < 50", "does not show it")]
)
def test_a_run_over_seeds_is_one_at_a_preset_too(worker: Worker, check: str, message: str) -> None:
    """All its draws are made at the preset: a median over those of the card's own setting would be that of the card."""
    (loaded,) = load([Given("a.yaml", OVER_SEEDS.format(check=check).encode())]).decks
    problems = judge_card(loaded, 0, loaded.deck.cards[0], worker, OtherSettings(worker)).problems

    assert [message in problem.message for problem in problems] == [True] * bool(message)
