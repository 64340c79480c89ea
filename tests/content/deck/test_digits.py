"""Digits in texts, and what stands behind them."""

from __future__ import annotations

import pytest

from content.deck.cards import Card, Claim, Text, Verification
from content.deck.digits import unproved_digits

SCOPE = {"share": 0.1262, "std": 22.55, "count": 65536, "n": 64, "kept": 0.8, "width": 768, "seen": 80.4}


def told(answer: str) -> list[tuple[int, str, str]]:
    verify = Verification("x", {"n": "64", "kept": "0.8"}, (Claim(Text({"": "so"}), "share < 0.3"),))
    card = Card("a", Text({"": "q"}), answer=Text({"en": answer}), verify=verify)
    return [(offset, message, hint) for _, offset, message, hint in unproved_digits(card, SCOPE, ("n", "kept", "width"))]


@pytest.mark.parametrize(
    "answer",
    [
        "In 2017 two heads of 8 saw {{share:.0%}}.",
        "It grows by $e^2 = 7.4$ and `x[100]` as O(n²).",
        "With n = 64 a share of 0.3 or 30 % is much.",
        "GPT-200 and BERT-100 are names; so is v1.500.",
    ],
)
def test_what_somebody_checks_may_stand(answer: str) -> None:
    """Years, small counts, live numbers, formulas, code, names, what the card sets and what a claim compares."""
    assert [] == told(answer)


@pytest.mark.parametrize(
    ("answer", "number", "hint"),
    [
        ("about 12.6 % of it", "12.6 %", "write {{share:.1%}}"),
        ("about 0.13 of it", "0.13", "write {{share:.2f}}"),
        ("65,536 places", "65,536", "write {{count:,}}"),
        ("a std of 22.6", "22.6", "write {{std:.1f}}"),
        ("the 80/10/10 rule", "80", "write {{100 * kept:.0f}}"),
        ("a width of 768", "768", "{{width}} happens to be equal; is it what you mean?"),
        ("some 80.4 there", "80.4", "write {{seen:.1f}}"),
        ("some 23 there", "23", "{{std:.0f}} happens to be equal; is it what you mean?"),
        ("some 4,321 of them", "4,321", "make it live, let a claim compare it, or put it into a formula"),
    ],
)
def test_a_number_that_nobody_checks_is_told_with_the_live_one(answer: str, number: str, hint: str) -> None:
    assert [(answer.index(number), f"{number} is found by nobody when it goes wrong", hint)] == told(answer)


def test_the_seeds_of_a_run_are_the_card_s_own() -> None:
    """That a number is the median of 20 draws is what the card sets."""
    verify = Verification("x", {}, (Claim(Text({"": "so"}), "share < 0.3"),), seeds=20)
    card = Card("a", Text({"": "q"}), answer=Text({"en": "The median of 20 draws."}), verify=verify)

    assert [] == list(unproved_digits(card, SCOPE))
