"""A card as parts to read from top to bottom: what the screens show, `qkv show` prints and the plain mode says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, Protocol

from content.deck.cards import Card, Code
from content.text import markup
from quiz.card.code_style import code_lines
from quiz.card.number_line import GUESS
from quiz.card.typeset import Line, Span, cells, cut, layout, wrap
from quiz.study.turn import Turn
from quiz.words.i18n import Words
from quiz.words.numbers import with_unit

LETTERS = "abcdefghi"
PICTURE = "picture"  # the role of the part in whose place the picture stands
Help = Literal["detail", "lab"]  # what a card that keeps failing may be understood by


class Setting(Protocol):
    """Sets a part into lines of a width."""

    def __call__(self, width: int) -> list[Line]: ...


@dataclass(frozen=True)
class Part:
    """Some lines; with an `index`, the learner can press or click it: an option, an order item, a line, a key point."""

    lines: Setting
    index: int | None = None
    role: str = ""


Names = Mapping[str, object]


def _text(text: str, names: Names, width: int) -> list[Line]:
    return layout(markup.filled(markup.parse(text), names), width)


def prose_part(text: str, names: Names, role: str = "") -> Part:
    """A card's text with its live numbers filled in."""
    return Part(partial(_text, text, names), role=role)


def _fixed(lines: list[Line], width: int) -> list[Line]:
    return [wrapped for line in lines for wrapped in (wrap(line, width) if line else [()])]


def text_lines(*rows: Line, role: str = "") -> Part:
    """Rows of our own, wrapped."""
    return Part(partial(_fixed, list(rows)), role=role)


def marked_lines(mark: Line, text: str, names: Names, width: int) -> list[Line]:
    """A text as lines, the first behind a mark and the others below its text."""
    blocks = markup.filled(markup.parse(text), names)
    inner = layout(blocks, max(width - cells(mark), 4)) or [()]
    indent = Span(" " * cells(mark))
    return [((*mark,) if i == 0 else (indent,)) + line for i, line in enumerate(inner)]


def option_part(mark: Line, text: str, names: Names, index: int | None = None, role: str = "") -> Part:
    """A text with a mark before its first line: a letter, a box, a sign."""
    return Part(partial(marked_lines, mark, text, names), index, role)


def quiet_part(mark: Line, text: str, names: Names, role: str = "") -> Part:
    """A text that is no news any more: it stays, dim."""
    return Part(partial(_quiet, mark, text, names), role=role)


def _quiet(mark: Line, text: str, names: Names, width: int) -> list[Line]:
    lines = marked_lines(mark, text, names, width)
    return [tuple(Span(span.text, "dim") if span.style == "plain" else span for span in line) for line in lines]


def heading(words: Words, key: str, role: str, hint: str = "") -> Part:
    """A section's title in the colour of its role."""
    title = Span(words(key), f"heading-{role}")
    return text_lines((title, Span(f"  {words(hint)}", "dim")) if hint else (title,), role="heading")


def question_parts(turn: Turn, words: Words, names: Names, failed: int = 0, helps: Sequence[Help] = ("detail", "lab")) -> list[Part]:
    """The question and what can be picked. The number's input is the screen's own.

    `failed` is how often a card that keeps failing was; `helps` is what the learner can look at then.
    """
    card = turn.card
    opened = _opened(card, words, names, failed, helps) if failed else []
    parts = [prose_part(card.question.said(words.language), names, role="question"), *opened, *hint_parts(turn, words, names)]
    if card.kind == "choice":
        parts += [_option(turn, place, words, names) for place in range(len(turn.shown))]
    elif card.kind == "order":
        parts += [_item(turn, place, words, names) for place in range(len(turn.shown))]
    elif card.kind == "code":
        parts += listing_part(card, turn.response.line)
    warning = [_warning(turn, words)] if turn.warned else []
    if card.kind in ("explain", "number"):
        return [*parts, *picture_part(card), instruction(card, words, names), *warning]
    return [*parts, instruction(card, words, names), *warning, *picture_part(card)]  # what can be picked comes first


def picture_part(card: Card) -> list[Part]:
    """The place of the picture, where the card has a run that draws one: who shows the parts knows how it is drawn."""
    return [Part(lambda width: [], role=PICTURE)] if card.verify else []


def _warning(turn: Turn, words: Words) -> Part:
    """That there is no answer to judge yet, before the right one is shown: it may have been a key too early."""
    placed, whole = len(turn.response.arranged), len(turn.card.order)
    return text_lines((Span(words(f"ask.unpicked.{turn.card.kind}", placed=placed, whole=whole), "heading-trap"),), role="warning")


def recall_parts(turn: Turn, words: Words, names: Names) -> list[Part]:
    """The question with what was predicted, and the key points to tick; the answer is still to come.

    Whether the number was near is not said yet: what was measured gives the answer away.
    """
    return [
        prose_part(turn.card.question.said(words.language), names, role="question"),
        *predicted_parts(turn, words, names),
        *_guessed(turn, words),
        *key_point_parts(turn, words, names),
        text_lines((Span(words("recall.instruction"), "dim"),), role="instruction"),
    ]


def _guessed(turn: Turn, words: Words) -> list[Part]:
    asked, number = turn.card.number or turn.card.predict, turn.response.number
    return [text_lines(guess_line(number, asked.unit, words), role="judgement")] if asked and number is not None else []


def guess_line(number: float, unit: str, words: Words) -> Line:
    """The number that was guessed, with the mark that it has on a line."""
    return Span(f"{GUESS} ", "picked"), Span(words("reveal.guess") + " ", "dim"), Span(with_unit(number, unit), "strong")


def predicted_parts(turn: Turn, words: Words, names: Names) -> list[Part]:
    """The number that was asked for, dim: it stays where it was guessed."""
    ask = turn.card.predict
    mark = (Span(words("ask.predict") + "  ", "dim"),)
    return [quiet_part(mark, ask.ask.said(words.language), names, role="predicted")] if ask else []


def key_point_parts(turn: Turn, words: Words, names: Names) -> list[Part]:
    """The key points, each with its letter and its box."""
    if not turn.card.key_points:
        return []
    title = heading(words, "reveal.key_points", "key", "reveal.key_points.hint")
    return [title, *(_point(turn, i, words, names) for i in range(len(turn.card.key_points)))]


def _point(turn: Turn, index: int, words: Words, names: Names) -> Part:
    ticked = index in turn.ticked
    mark = (Span(f" {LETTERS[index]} ", "letter"), Span("☑ " if ticked else "☐ ", "good" if ticked else "dim"))
    return option_part(mark, turn.card.key_points[index].said(words.language), names, index, role="pick")


def hint_parts(turn: Turn, words: Words, names: Names) -> list[Part]:
    """The hints that were asked for, the smallest first."""
    total, said = len(turn.card.hint), words.language
    titles = (words("ask.hint", number=number, total=total) if total > 1 else words("ask.hint.only") for number in range(1, turn.hints + 1))
    return [
        option_part((Span(title + "  ", "heading-trap"),), hint.said(said), names, role="hint")
        for title, hint in zip(titles, turn.card.hint, strict=False)
    ]


def _opened(card: Card, words: Words, names: Names, failed: int, helps: Sequence[Help]) -> list[Part]:
    """A card that keeps failing is not merely asked again: what there is to understand stands before the question is answered."""
    there = {"detail": card.detail, "lab": card.verify}
    named = "_".join(help for help in helps if there[help]) or "alone"
    note = text_lines((Span(words(f"leech.{named}", count=failed), "heading-trap"),), role="leech")
    return [note, prose_part(card.detail.said(words.language), names, role="detail")] if card.detail else [note]


def instruction(card: Card, words: Words, names: Names) -> Part:
    """What to do now, in one short sentence; where a number is to be guessed, the card's own question for it."""
    if card.predict:
        mark = (Span(words("ask.predict") + "  ", "heading-detail"),)
        aloud = words("ask.explain") if card.kind == "explain" else ""  # the number is not the whole answer
        return Part(partial(_prediction, aloud, mark, card.predict.ask.said(words.language), names), role="instruction")
    key = f"ask.{card.kind}"
    if card.kind == "choice" and sum(option.right for option in card.options) > 1:
        key = "ask.choose_several"
    return text_lines((Span(words(key), "dim"),), role="instruction")


def _prediction(aloud: str, mark: Line, ask: str, names: Names, width: int) -> list[Line]:
    """What to say aloud, where there is more to say than a number, and the number that is asked for."""
    return [*(wrap((Span(aloud, "dim"),), width) if aloud else []), *marked_lines(mark, ask, names, width)]


def _option(turn: Turn, place: int, words: Words, names: Names) -> Part:
    index = turn.shown[place]
    chosen = index in turn.response.chosen
    mark = (Span(f" {LETTERS[place]} ", "letter"), Span("● " if chosen else "○ ", "picked" if chosen else "dim"))
    return option_part(mark, turn.card.options[index].text.said(words.language), names, index, role="pick")


def _item(turn: Turn, place: int, words: Words, names: Names) -> Part:
    index = turn.shown[place]
    placed = turn.response.arranged.index(index) + 1 if index in turn.response.arranged else None
    mark = (Span(f" {LETTERS[place]} ", "letter"), Span(f"{placed}. " if placed else "·  ", "picked" if placed else "dim"))
    return option_part(mark, turn.card.order[index].said(words.language), names, index, role="pick")


def listing_part(card: Card, cursor: int | None) -> list[Part]:
    """The lines of a code card; the one that was picked carries the cursor."""
    return [
        Part(partial(_code_line, Span("▶ " if number == cursor else "  ", "picked"), number, row), number, role="pick")
        for number, row in _numbered(card)
    ]


def corrected_part(card: Card, picked: int | None) -> list[Part]:
    """The listing with its wrong line, the line as it should be below it, and a cross where another line was picked."""
    if card.code is None:
        return []
    parts, wrong = [], card.code.wrong_line
    for number, row in _numbered(card):
        mark = Span("▶ ", "bad") if number == wrong else Span("✖ ", "dim") if number == picked else Span("  ")
        parts.append(Part(partial(_code_line, mark, number, row)))
        if number == wrong:
            parts.append(Part(partial(_code_line, Span("✔ ", "good"), number, _corrected(card.code))))
    return parts


def _corrected(code: Code) -> Line:
    """The right line in the colours that it has in its place."""
    rows = code.listing.split("\n")
    rows[code.wrong_line - 1] = code.correction
    return code_lines("\n".join(rows))[code.wrong_line - 1]


def _numbered(card: Card) -> list[tuple[int, Line]]:
    return list(enumerate(code_lines(card.code.listing.rstrip("\n")), start=1)) if card.code else []


def _code_line(mark: Span, number: int, row: Line, width: int) -> list[Line]:
    return [cut((mark, Span(f"{number:>2}  ", "dim"), *row), width)]
