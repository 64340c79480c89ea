"""A card's question on one line, for lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quiz.words.i18n import Words

if TYPE_CHECKING:
    from content.deck.cards import Card

LONGEST = 1_000  # cells of a question on one line


def question_line(card: Card, words: Words) -> str:
    """The question with the numbers that the card sets. What is needed to set it is loaded for the first one."""
    from content.text import markup
    from quiz.card.card_run import preset_values
    from quiz.card.typeset import layout, text_of

    blocks = markup.filled(markup.parse(card.question.said(words.language)), preset_values(card, words.language))
    return " ".join(text_of(line).strip() for line in layout(blocks, LONGEST)).strip()
