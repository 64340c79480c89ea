"""A card as parts: what is shown before and after the reveal, and how."""

from __future__ import annotations

from typing import Any

from content.claims.outcome import Outcome
from content.deck.cards import Claim, Text
from content.deck.model import parse_card
from quiz.card import answer_parts as page
from quiz.card import card_parts
from quiz.card.answer_parts import answer_parts
from quiz.card.card_run import Verdict, judge_claim, judge_claims
from quiz.card.typeset import text_of
from quiz.study.turn import Item, Response, Turn
from quiz.words.i18n import Words

CODE = {"id": "c", "kind": "code", "question": "Where?", "code": {"listing": "a = 1\nb = 2\nc = 3\n", "wrong_line": 2, "right": "b = 4"}}


def turn(card: dict[str, Any], **fields: Any) -> Turn:
    return Turn(Item("d", parse_card({"question": "Why?", "answer": "So.", "id": "a", **card})), stage="reveal", **fields)


def lines(parts: list[card_parts.Part], width: int = 60) -> list[str]:
    return [text_of(line).rstrip() for part in parts for line in part.lines(width)]


def claim(check: str, says: str = "It holds.") -> dict[str, Any]:
    return {"verify": {"experiment": "e", "set": {"d_k": "64"}, "claims": [{"says": says, "check": check}]}}


def test_a_wrong_line_is_corrected_in_place() -> None:
    """The line as it should be stands below the wrong one, and the line that was picked instead has a cross."""
    shown = lines(answer_parts(turn(CODE, response=Response(line=3)), Words("en"), {}, ()))

    assert ["   1  a = 1", "▶  2  b = 2", "✔  2  b = 4", "✖  3  c = 3"] == shown[shown.index("The wrong line") + 1 :][:4]


def test_a_claim_shows_both_sides() -> None:
    """A claim that holds has a tick and its numbers."""
    card = parse_card({"id": "a", "question": "Why?", "answer": "So.", **claim("close(std, sqrt(d_k), 0.1)")})
    shown = lines(answer_parts(turn(claim("close(std, sqrt(d_k), 0.1)")), Words("en"), {}, judge_claims(card, {"d_k": 64, "std": 8.06})))

    assert " ✔ It holds.   8.06 ≈ 8" in shown


def test_a_false_claim_has_a_cross_and_its_numbers() -> None:
    """A claim that fails shows what was measured."""
    card = parse_card({"id": "a", "question": "Why?", "answer": "So.", **claim("std < 1")})
    shown = lines(answer_parts(turn(claim("std < 1")), Words("en"), {}, judge_claims(card, {"std": 8.0})))

    assert " ✖ It holds.   8 < 1" in shown


def test_a_claim_that_cannot_be_read_fails_with_the_reason() -> None:
    """A syntax error in a claim is a failed claim, not a crash."""
    card = parse_card({"id": "a", "question": "Why?", "answer": "So.", **claim("std = 1")})
    assert card.verify is not None
    verdict = judge_claim(card.verify.claims[0], {"std": 1.0})

    assert not verdict.outcome.holds
    assert "=" in verdict.outcome.reason


def test_long_numbers_go_below_the_claim() -> None:
    """Where sentence and numbers do not fit on a line, the numbers stand on the next, indented."""
    said = Claim(Text({"": "A sentence of some length."}), "x < 1")
    verdict = Verdict(said, Outcome(False, (), "x has no value in this run"))
    shown = lines([page._claim(verdict, Words("en"), {})], 40)

    assert [" ✖ A sentence of some length.", "   x has no value in this run"] == shown


def test_a_guess_stands_beside_what_was_measured() -> None:
    """Guess, measured value and whether it was close; without a guess only the measured value."""
    predict = {"predict": {"ask": "How many?", "quantity": "percent", "unit": "%", "within": "5"}, **claim("percent > 1")}
    guessed = lines(answer_parts(turn(predict, response=Response(number=30), measured=58.6), Words("en"), {}, ()))
    silent = lines(answer_parts(turn(predict, measured=58.6), Words("en"), {}, ()))

    assert "your guess 30 %   measured 58.6 %   ✖ off" in guessed
    assert "measured 58.6 %" in silent


def test_every_option_says_why_when_it_matters() -> None:
    """After the reveal the right option and the chosen one carry their reasons; the others stay quiet."""
    options = [
        {"text": "one", "right": True, "why": "because"},
        {"text": "two", "why": "a slip"},
        {"text": "three", "why": "not shown"},
    ]
    chosen = Response(chosen=frozenset({1}))
    revealed = answer_parts(turn({"kind": "choice", "options": options}, shown=(2, 0, 1), response=chosen), Words("en"), {}, ())
    shown = [line for line in lines(revealed) if line[:3] in (" a ", " b ", " c ")]

    assert [" a   three", " b ✔ one — because", " c ✖ two — a slip"] == shown


def test_follow_ups_and_sources_close_the_card() -> None:
    """What they may ask next comes before the sources."""
    card = {"follow_ups": ["next-card"], "sources": ["A paper"]}
    shown = lines(answer_parts(turn(card), Words("en"), {}, ()))

    assert shown.index("They may ask next") < shown.index("Sources")


def test_a_live_number_without_a_run_is_an_ellipsis() -> None:
    """Before the run the text stands with a gap, never with braces."""
    shown = lines(answer_parts(turn({"answer": "It is {{std:.1f}}."}), Words("en"), {}, ()))

    assert "It is …." in shown


def test_a_leech_is_told_what_can_be_done_here() -> None:
    """Where there is no lab to move, a card that keeps failing does not send anyone there."""
    card = turn({"detail": "Because of it.", **claim("q > 1")})

    assert "Failed 5 times. Read the detail, move the lab, then answer." in lines(card_parts.question_parts(card, Words("en"), {}, 5))
    assert "Failed 5 times. Read the detail, then answer." in lines(card_parts.question_parts(card, Words("en"), {}, 5, ("detail",)))
