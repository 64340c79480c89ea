"""A card as the browser shows it: its question on a line of the list, and all of it, not run, in the preview."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import partial

from content.deck.cards import Card
from content.text import markup
from content.text.placeholders import placeholder_names
from quiz.card.card_index import IndexedCard
from quiz.card.card_parts import LETTERS, Part, corrected_part, heading, option_part, prose_part, text_lines
from quiz.card.card_run import preset_values
from quiz.card.typeset import Line, Span, layout, text_of
from quiz.words.i18n import Words

LONG = 10_000  # cells: a question on one line
Names = dict[str, object]


def question_line(card: Card, language: str) -> str:
    """The question on one line, with the numbers that the card sets itself."""
    blocks = markup.filled(markup.parse(card.question.said(language)), preset_values(card, language))
    return text_of(next((line for line in layout(blocks, LONG) if line), ())).strip()


def preview_part(listed: IndexedCard, words: Words) -> Part:
    """Question, what is known of the card, and its answer. Numbers that only a run gives are dots."""
    return Part(partial(_lines, listed, words))


def _lines(listed: IndexedCard, words: Words, width: int) -> list[Line]:
    lines: list[Line] = []
    for part in _parts(listed, words):
        if lines and part.role in ("heading", "question", "about"):
            lines.append(())
        lines += part.lines(width)
    return lines


def _parts(listed: IndexedCard, words: Words) -> Iterator[Part]:
    card = listed.item.card
    names: Names = dict(preset_values(card, words.language))
    yield Part(partial(_strong, prose_part(card.question.said(words.language), names).lines), role="question")
    yield text_lines((Span(about(listed, words), "dim"),), role="about")
    if listed.note:
        yield text_lines((Span(words("browse.state.flagged") + "  ", "heading-trap"), Span(listed.note)))
    yield from _solution(card, words, names)
    if card.key_points:
        yield heading(words, "reveal.key_points", "key")
        yield from (option_part((Span("• ", "dim"),), point.said(words.language), names) for point in card.key_points)
    for text, key, role in ((card.answer, "answer", "query"), (card.trap, "trap", "trap"), (card.detail, "detail", "detail")):
        if text:
            yield heading(words, f"reveal.{key}", role)
            yield prose_part(text.said(words.language), names)


def about(listed: IndexedCard, words: Words) -> str:
    """Where a card belongs, what it is and how it stands."""
    card = listed.item.card
    said = [
        "/".join(listed.item.key),
        words(f"browse.kind.{card.kind}"),
        words(f"session.level.{card.level}"),
        *([words(f"session.asked.{card.asked}")] if card.asked else []),
        *([", ".join(card.tags)] if card.tags else []),
        ", ".join(words(f"browse.state.{state}") for state in listed.states),
    ]
    if listed.due and "suspended" not in listed.states:
        said.append(words("browse.due_on", date=date.fromordinal(listed.due).isoformat()))
    if _is_live(card, words):
        said.append(words("browse.live"))
    return " · ".join(said)


def _is_live(card: Card, words: Words) -> bool:
    """Whether a number is left out that only a run gives."""
    texts = [text.said(words.language) for text in (card.question, card.answer, card.trap, card.detail, *card.key_points) if text]
    return any(not placeholder_names(text).keys() <= preset_values(card, words.language).keys() for text in texts)


def _solution(card: Card, words: Words, names: Names) -> Iterator[Part]:
    """What can be picked, with what is right."""
    for place, option in enumerate(card.options):
        mark = Span("✔ ", "good") if option.right else Span("✖ ", "dim")
        yield option_part((Span(f" {LETTERS[place]} ", "letter"), mark), option.text.said(words.language), names)
    for place, item in enumerate(card.order, start=1):
        yield option_part((Span(f" {place}. ", "letter"),), item.said(words.language), names)
    yield from corrected_part(card, None)


def _strong(lines: Callable[[int], list[Line]], width: int) -> list[Line]:
    return [tuple(Span(span.text, "strong" if span.style == "plain" else span.style) for span in line) for line in lines(width)]
