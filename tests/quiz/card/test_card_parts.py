"""A card as parts: what is shown before and after the reveal, and how."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from content.claims.outcome import Outcome
from content.deck.cards import Claim, Text
from content.deck.model import parse_card
from quiz.card import answer_parts as page
from quiz.card import card_parts
from quiz.card.answer_parts import answer_parts
from quiz.card.card_run import Verdict, judge_claim, judge_claims
from quiz.card.typeset import Line, Span, text_of
from quiz.study.turn import Item, Response, Turn
from quiz.words.i18n import Words

CODE = {"id": "c", "kind": "code", "question": "Where?", "code": {"listing": "a = 1\nb = 2\nc = 3\n", "wrong_line": 2, "right": "b = 4"}}


def turn(card: dict[str, Any], **fields: Any) -> Turn:
    return Turn(Item("d", parse_card({"question": "Why?", "answer": "So.", "id": "a", **card})), stage="reveal", **fields)


def lines(parts: list[card_parts.Part], width: int = 60) -> list[str]:
    return [text_of(line).rstrip() for part in parts for line in part.lines(width)]


def merged(line: Line) -> list[Span]:
    """Spans of one style as one."""
    return [Span("".join(span.text for span in run), style) for style, run in groupby(line, key=lambda span: span.style)]


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
    """What was predicted stays above guess, measured value, how near was near, and both on one line; without a guess there is no line."""
    predict = {"predict": {"ask": "How many?", "quantity": "percent", "unit": "%", "within": "5"}, **claim("percent > 1")}
    guessed = lines(answer_parts(turn(predict, response=Response(number=30), measured=58.6), Words("en"), {}, ()))
    silent = lines(answer_parts(turn(predict, measured=58.6), Words("en"), {}, ()))
    early = lines(answer_parts(turn(predict, response=Response(number=30)), Words("en"), {}, ()))

    assert ["Predict  How many?", "◆ you 30 %   ● measured 58.6 %   ✖ off   [ ] accepted ±5 %"] == guessed[1:3]
    assert " 0 ────────────────◆───────────[─●──]─────────────────── 100" == guessed[3]
    assert ["Predict  How many?", "measured 58.6 %"] == silent[1:3]
    assert ["Predict  How many?", "◆ you 30 %"] == early[1:3]


def test_what_was_predicted_is_dim() -> None:
    """It is no news any more, with its numbers, and keeps its emphasis."""
    predict = {"predict": {"ask": "How *many* of {{d_k}}?", "quantity": "percent"}, **claim("percent > 1")}
    (part,) = card_parts.predicted_parts(turn(predict), Words("en"), {"d_k": 64})

    assert [("Predict  How ", "dim"), ("many", "emphasis"), (" of 64?", "dim")] == [tuple(span) for span in merged(part.lines(60)[0])]


def test_recall_holds_nothing_of_the_answer() -> None:
    """The question, what was predicted, and the key points with their letters: the answer is still to come."""
    card = {"key_points": ["variance grows", "softmax saturates"], "predict": {"ask": "How many?", "quantity": "n"}, "trap": "It prevents."}
    shown = lines(card_parts.recall_parts(turn({**card, **claim("n > 1")}, ticked=frozenset({1}), measured=8.0), Words("en"), {}))

    assert [
        "Why?",
        "Predict  How many?",
        "Key points  tick what you said",
        " a ☐ variance grows",
        " b ☑ softmax saturates",
        "Tick what you said. Then see the answer, or grade at once.",
    ] == shown


def test_the_corrected_line_has_colours_and_its_indentation() -> None:
    """As the listing has: it is read in its place."""
    code = {"listing": "def f(x):\n    return x + '1'  # so\n", "wrong_line": 2, "right": "return x + 1"}
    parts = card_parts.corrected_part(parse_card({**CODE, "code": code}), 1)
    corrected = parts[-1].lines(60)[0]

    assert "✔  2      return x + 1" == text_of(corrected)
    assert {"code-keyword", "code-number"} <= {span.style for span in corrected}


def test_a_warning_says_what_is_missing() -> None:
    """Where nothing was picked, and where an order is not whole."""
    order = {"kind": "order", "order": ["one", "two", "three"]}
    shown = lines(card_parts.question_parts(turn(order, shown=(2, 0, 1), response=Response(arranged=(1,)), warned=True), Words("en"), {}))

    assert "1 of 3 are placed." in " ".join(shown[-2:])


def test_every_option_says_why() -> None:
    """After the reveal each has its reason, whoever chose it: why the others are wrong is what one is asked next."""
    options = [
        {"text": "one", "right": True, "why": "because"},
        {"text": "two", "why": "a slip"},
        {"text": "three", "why": "too much"},
        {"text": "four"},
    ]
    chosen = Response(chosen=frozenset({1}))
    revealed = answer_parts(turn({"kind": "choice", "options": options}, shown=(2, 0, 1, 3), response=chosen), Words("en"), {}, ())
    shown = [line for line in lines(revealed) if line[:3] in (" a ", " b ", " c ", " d ")]

    assert [" a ○   three — too much", " b ○ ✔ one — because", " c ● ✖ two — a slip", " d ○   four"] == shown


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


def test_who_explains_and_predicts_is_told_to_do_both() -> None:
    """The number is not the whole answer: what to say aloud stands before it. Where a number is the answer, it stands alone."""
    predict = {"predict": {"ask": "How many?", "quantity": "percent", "unit": "%", "within": "5"}, **claim("percent > 1")}
    number = {"kind": "number", "number": {"quantity": "percent", "unit": "%", "within": "5"}, **claim("percent > 1")}

    assert ["Say your answer aloud, as you would in the interview.", "Predict  How many?"] == lines(
        card_parts.question_parts(turn(predict), Words("en"), {})
    )[-2:]
    assert ["Type a number, then Enter."] == lines(card_parts.question_parts(turn(number), Words("en"), {}))[-1:]


def test_what_is_picked_and_what_is_predicted_are_judged_apart() -> None:
    """A right option does not make a wrong number right, nor the other way round."""
    options = [{"text": "one", "right": True}, {"text": "two"}]
    predict = {"predict": {"ask": "How many?", "quantity": "percent", "within": "5"}, **claim("percent > 1")}
    card = {"kind": "choice", "options": options, **predict}
    right = turn(card, shown=(0, 1), response=Response(number=30, chosen=frozenset({0})), measured=58.6)
    wrong = turn(card, shown=(0, 1), response=Response(number=58, chosen=frozenset({1})), measured=58.6)

    def judged(said: Turn) -> list[str]:
        return [line for line in lines(answer_parts(said, Words("en"), {}, ())) if "✔" in line or "✖" in line][:2]

    assert ["✔ right", "◆ you 30   ● measured 58.6   ✖ off   [ ] accepted ±5"] == judged(right)
    assert ["✖ wrong   the answer a", "◆ you 58   ● measured 58.6   ✔ close   [ ] accepted ±5"] == judged(wrong)
