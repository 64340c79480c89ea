"""The learner's order beside the right one."""

from __future__ import annotations

from content.deck.model import parse_card
from quiz.card.order_parts import order_parts
from quiz.card.typeset import cells, text_of
from quiz.study.turn import Item, Response, Turn
from quiz.words.i18n import Words

CARD = parse_card(
    {"id": "sort", "kind": "order", "question": "In which order?", "order": ["score the keys", "scale", "softmax over every key of a row"]}
)


def lines(width: int, *arranged: int) -> list[str]:
    turn = Turn(Item("d", CARD), stage="reveal", response=Response(arranged=arranged))
    found = [line for part in order_parts(turn, Words("en"), {}) for line in part.lines(width)]
    assert [] == [line for line in found if cells(line) > width]
    return [text_of(line).rstrip() for line in found]


def test_two_columns() -> None:
    """Place by place, with what belongs there; a text that is too long goes on below."""
    assert [
        "Your order                     The right order",
        " 1. ✖ scale                     1. score the keys",
        " 2. ✖ score the keys            2. scale",
        " 3. ✔ softmax over every key    3. softmax over every key",
        "      of a row                     of a row",
    ] == lines(59, 1, 0, 2)


def test_one_below_the_other() -> None:
    """Where there is no room for two."""
    assert [
        "Your order",
        " 1. ✖ scale",
        " 2. ✖ –",
        " 3. ✖ –",
        "",
        "The right order",
        " 1. score the keys",
        " 2. scale",
        " 3. softmax over every key of a row",
    ] == lines(40, 1)


def test_nothing_said() -> None:
    """Then there is only the right one."""
    assert ["The right order", " 1. score the keys", " 2. scale", " 3. softmax over every key of a row"] == lines(80)
