"""The listings of some cards, checked one after the other."""

from __future__ import annotations

from content.deck.library import Draft, LoadedDeck
from engine.listing.process import run_listing
from quiz.card.shared_runs import Computing
from quiz.commands.check_code import RunListing, code_cards, code_report, problems_or_none, without_compare
from quiz.commands.check_report import CodeReport


def check_code(deck: LoadedDeck | Draft, computing: Computing | None, run: RunListing = run_listing) -> CodeReport:
    """As `qkv check --code` does."""
    cards = code_cards([deck])
    return code_report((problems_or_none(card, computing, run) for card in cards), without_compare(cards))
