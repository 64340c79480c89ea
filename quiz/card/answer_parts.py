"""The other side of a card as parts: the judgement, the solution, the key points, the answer, and the claims with their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from content.deck.cards import Card
from quiz.card.card_parts import (
    LETTERS,
    Names,
    Part,
    corrected_part,
    guess_line,
    heading,
    key_point_parts,
    marked_lines,
    option_part,
    picture_part,
    predicted_parts,
    prose_part,
    text_lines,
)
from quiz.card.card_run import Verdict
from quiz.card.follow_ups import FollowUp, follow_up_part
from quiz.card.number_line import MEASURED, number_line
from quiz.card.order_parts import order_parts
from quiz.card.typeset import Line, Span, cells, wrap
from quiz.study.turn import Turn, asked_quantity, is_near, is_right_pick, target_value
from quiz.words.i18n import Words
from quiz.words.numbers import with_unit

CLAIM = "claim"  # the role of a claim's part


def answer_parts(
    turn: Turn,
    words: Words,
    names: Names,
    verdicts: tuple[Verdict, ...],
    state: str = "",
    moved: bool = False,
    links: Sequence[FollowUp] = (),
) -> list[Part]:
    """Everything behind the question; first what was said, what is right, and what was measured.

    `state` is a sentence while the run has no numbers yet; `links` are the follow-ups that were looked up.
    """
    card = turn.card
    parts = [
        prose_part(card.question.said(words.language), names, role="question"),
        *_picked(turn, words),
        *predicted_parts(turn, words, names),
        *_judged_number(turn, words),
        *picture_part(card),
    ]
    if card.verify and card.verify.claims:
        title = heading(words, "reveal.verification.moved" if moved else "reveal.verification", "value")
        parts.append(replace(title, role="claims"))  # right below the picture
        parts += [text_lines((Span(state, "dim"),))] if state else [_claim(verdict, words, names) for verdict in verdicts]
    parts += _solution(turn, words, names)
    if card.answer:
        parts += [heading(words, "reveal.answer", "query"), prose_part(card.answer.said(words.language), names)]
    parts += key_point_parts(turn, words, names)
    if card.formula:
        parts += [heading(words, "reveal.formula", "detail"), prose_part(f"$${card.formula}$$", {}, role="formula")]
    for field in ("trap", "detail"):
        text = getattr(card, field)
        if text:
            parts += [heading(words, f"reveal.{field}", field), prose_part(text.said(words.language), names)]
    parts += _references(card, words, links)
    return parts


def _picked(turn: Turn, words: Words) -> list[Part]:
    """Whether what was picked is right, by itself: a number that was asked for beside it has a verdict of its own."""
    right = is_right_pick(turn)
    if right is None:
        return []
    row = [Span(("✔ " if right else "✖ ") + words(f"reveal.{'right' if right else 'wrong'}"), "good" if right else "bad")]
    if not right and turn.card.kind == "choice":
        letters = " ".join(LETTERS[place] for place, index in enumerate(turn.shown) if turn.card.options[index].right)
        row += [Span("   " + words("reveal.answer_is") + " ", "dim"), Span(letters, "measured")]
    return [text_lines(tuple(row), role="judgement")]


def _judged_number(turn: Turn, words: Words) -> list[Part]:
    """The guess beside the measured value, how near it was, and both on one line."""
    card, near, wanted, guess = turn.card, is_near(turn), target_value(turn), turn.response.number
    asked = card.number or card.predict
    if asked is None:
        return []
    row: list[Span] = []
    drawn = guess is not None and wanted is not None
    if guess is not None:
        row += [*guess_line(guess, asked.unit, words), Span("   ")]
    if wanted is not None:
        label = words("reveal.measured" if asked_quantity(card) else "reveal.answer_is")
        row += [
            Span(f"{MEASURED} " if drawn else "", "measured"),
            Span(label + " ", "dim"),
            Span(with_unit(wanted, asked.unit), "measured"),
        ]
    if near is not None:
        word = ("right" if near else "wrong") if card.number else ("close" if near else "off")
        row += [Span("   "), Span(("✔ " if near else "✖ ") + words(f"reveal.{word}"), "good" if near else "bad")]
    if drawn and asked.within.amount > 0:
        span = with_unit(float(f"{asked.within.allowed(wanted or 0.0):.2g}"), asked.unit)
        row.append(Span("   " + words("reveal.within", near=span), "dim"))
    parts = [text_lines(tuple(row), role="judgement")] if row else []
    if guess is not None and wanted is not None:
        parts.append(Part(partial(number_line, guess, wanted, asked.within, asked.unit), role="number-line"))
    return parts


def _solution(turn: Turn, words: Words, names: Names) -> list[Part]:
    card = turn.card
    if card.kind == "choice":
        return [_judged_option(turn, place, words, names) for place in range(len(turn.shown))]
    if card.kind == "order":
        return order_parts(turn, words, names)
    if card.kind == "code" and card.code:
        return [heading(words, "reveal.code", "query"), *corrected_part(card, turn.response.line)]
    return []


def _judged_option(turn: Turn, place: int, words: Words, names: Names) -> Part:
    """An option with its reason, whoever chose it: why the others are wrong is what one is asked next."""
    index = turn.shown[place]
    option, chosen = turn.card.options[index], index in turn.response.chosen
    sign = ("✔ ", "good") if option.right else ("✖ ", "bad") if chosen else ("  ", "dim")
    mark = (
        Span(f" {LETTERS[place]} ", "letter" if not chosen else "picked"),
        Span("● " if chosen else "○ ", "picked" if chosen else "dim"),
        Span(*sign),
    )
    text = option.text.said(words.language)
    return option_part(mark, f"{text} — {option.why.said(words.language)}" if option.why else text, names)


def _claim(verdict: Verdict, words: Words, names: Names) -> Part:
    outcome = verdict.outcome
    mark = (Span(" ✔ ", "good"),) if outcome.holds else (Span(" ✖ ", "bad"),)
    said = verdict.claim.says.said(words.language)
    numbers = outcome.reason or "  ".join(side.text for side in outcome.sides)
    return Part(partial(_claim_lines, mark, said, numbers, names), role=CLAIM)


def _claim_lines(mark: Line, said: str, numbers: str, names: Names, width: int) -> list[Line]:
    rows = marked_lines(mark, said, names, width)
    room = width - cells(rows[-1]) - 3
    if len(numbers) <= room:
        return [*rows[:-1], (*rows[-1], Span("   " + numbers, "measured"))]
    return [*rows, *wrap((Span(numbers, "measured"),), width, (Span("   "),))]


def _references(card: Card, words: Words, links: Sequence[FollowUp]) -> list[Part]:
    parts: list[Part] = []
    if card.follow_ups:
        parts.append(heading(words, "reveal.follow_ups", "query"))
        parts += [follow_up_part(one, words) for one in links or map(FollowUp, card.follow_ups)]
    if card.sources:
        parts.append(heading(words, "reveal.sources", "quiet"))
        parts += [text_lines((Span(source, "dim"),)) for source in card.sources]
    return parts
