"""The statistics with the cards that they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from content.deck.cards import Deck
from content.format import LANGUAGES
from quiz.card.question_text import question_line
from quiz.memory.card_ids import Key
from quiz.statistics.statistics import LearningLog, Statistics, statistics
from quiz.study.filter import Filter, admitted_items
from quiz.study.turn import Item
from quiz.words.i18n import Words


@dataclass(frozen=True)
class StatsView:
    """The statistics, the cards that they speak of, and the decks' titles in each language."""

    statistics: Statistics
    items: Mapping[Key, Item]
    titles: Mapping[str, Mapping[str, str]]

    def question(self, key: Key, words: Words) -> str:
        """A card's question on one line, with the numbers that the card sets; of a card that is gone its name."""
        item = self.items.get(key)
        return "/".join(key) if item is None else question_line(item.card, words)


def stats_view(log: LearningLog, decks: Iterable[Deck], today: int, days: int, tag: str | None = None) -> StatsView:
    """The statistics of a log; with a tag, of the cards that have it."""
    decks = list(decks)
    items = {item.key: item for item in admitted_items(decks, Filter(tag=tag))}
    titles: dict[str, dict[str, str]] = {deck.deck: {language: deck.title.said(language) for language in LANGUAGES} for deck in decks}
    tags = {key: item.card.tags for key, item in items.items()}
    return StatsView(statistics(log if tag is None else log.only(items), tags, today, days), items, titles)
