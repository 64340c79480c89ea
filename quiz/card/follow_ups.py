"""The links of a card, as its answer shows them: the questions of the cards that they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from content.deck.cards import Deck
from content.deck.links import linked_card
from content.text import markup
from quiz.card.card_parts import Part, text_lines
from quiz.card.card_run import preset_values
from quiz.card.typeset import Line, Span, cells, cut, layout
from quiz.study.turn import Item
from quiz.words.i18n import Words

ROWS = 2  # of a question that may be as long as a page


@dataclass(frozen=True)
class FollowUp:
    """A link as it is written, and the card that it leads to; None where its deck is not at hand. `beside` is said after the question."""

    link: str
    item: Item | None = None
    beside: str = ""


def follow_ups(item: Item, decks: Iterable[Deck]) -> tuple[FollowUp, ...]:
    """The links of a card, among some decks."""
    if not item.card.follow_ups:
        return ()
    decks = tuple(decks)
    found = ((link, linked_card(link, item.deck, decks)) for link in item.card.follow_ups)
    return tuple(FollowUp(link, Item(pair[0].deck, pair[1]) if pair else None) for link, pair in found)


def with_names(links: Iterable[FollowUp]) -> tuple[FollowUp, ...]:
    """The same with deck/card beside each question, for who has to type it."""
    return tuple(replace(one, beside="/".join(one.item.key)) if one.item else one for one in links)


def follow_up_part(one: FollowUp, words: Words) -> Part:
    """A link as a row or two: the question, or the id where there is none at hand."""
    return Part(partial(question_lines, one, words)) if one.item else text_lines((Span("→ ", "dim"), Span(one.link)))


def question_lines(one: FollowUp, words: Words, width: int) -> list[Line]:
    """The question of the card that a link leads to, behind an arrow, with what is said beside it."""
    assert one.item is not None
    mark = Span("→ ", "dim")
    said = markup.parse(one.item.card.question.said(words.language))
    rows: Sequence[Line] = layout(markup.filled(said, preset_values(one.item.card, words.language)), max(width - cells((mark,)), 4))
    rows = [row for row in rows if row] or [(Span(one.link),)]
    shown = [*rows[: ROWS - 1], (*rows[ROWS - 1], Span(" …", "dim"))] if len(rows) > ROWS else list(rows)
    if one.beside:
        shown.append((Span(one.beside, "dim"),))
    indent = Span(" " * cells((mark,)))
    return [cut(((mark if i == 0 else indent), *row), width) for i, row in enumerate(shown)]
