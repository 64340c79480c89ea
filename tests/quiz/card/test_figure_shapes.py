"""What a figure of a deck's own computation cannot draw is told where the figure names it."""

from __future__ import annotations

import pytest

from content.deck.library import Given, load
from engine import Worker
from quiz.card.recipes import describe_own

DECK = """deck: own
title: Own
experiments:
  own:
    title: Own
    parameters: {n: {default: 3, low: 2, high: 9}}
    compute:
      one: n * 2
      line: arange(n)
      table: outer(line, line)
      cube: reshape(arange(8), 2, 2, 2)
    figures: [FIGURE]
cards: [{id: a, question: Why?, answer: So.}]
"""


def problems(figure: str, worker: Worker) -> list[tuple[int, int, str, str]]:
    (deck,) = load([Given("own.yaml", DECK.replace("FIGURE", figure).encode())]).decks
    return [(one.line, one.column, one.message, one.hint) for one in describe_own(deck, worker)[1]]


@pytest.mark.parametrize(
    "figure",
    [
        "{bars: one}",
        "{bars: [line, line]}",
        "{heatmap: [table, line]}",
        "{strip: line}",
        "{waves: table}",
        "{curve: line}",
        "{curve: one, over: n}",
    ],
)
def test_what_a_kind_can_draw_is_no_problem(figure: str, worker: Worker) -> None:
    assert [] == problems(figure, worker)


@pytest.mark.parametrize(
    ("figure", "column", "message", "hint"),
    [
        ("{bars: table}", 22, "table is a matrix; bars are of numbers, or of vectors", "write {heatmap: table}"),
        ("{bars: [one, line]}", 28, "line is a vector; bars are of numbers, or of vectors", "write {curve: line} or {bars: line}"),
        ("{heatmap: one}", 25, "one is one number; heatmap draws matrices", "over a slider it is a curve: {curve: one, over: PARAMETER}"),
        ("{curve: table}", 23, "table is a matrix; without over, a curve is of vectors", "write {heatmap: table}"),
        ("{waves: cube}", 23, "cube is a larger tensor; waves draws matrices", "let a line take a part of it"),
    ],
)
def test_what_it_cannot_draw_is_told_at_the_name(figure: str, column: int, message: str, hint: str, worker: Worker) -> None:
    assert [(12, column, message, hint)] == problems(figure, worker)
