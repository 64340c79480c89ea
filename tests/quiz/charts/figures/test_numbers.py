"""The numbers below the figures: a dozen that move, the others on request."""

from __future__ import annotations

from dataclasses import replace

from engine.label import Label
from engine.result import Quantity, Result
from quiz.charts.figures.numbers import AT_ONCE, numbers_rows
from tests.quiz.charts.figures.samples import DESCRIPTION, FIGURES, QUANTITIES, pen, text

MANY = Result(quantities=(*QUANTITIES, *(Quantity(f"q{i}", float(i), Label(f"number {i}", f"数 {i}")) for i in range(20))))
FOLDED = replace(DESCRIPTION, figures=(FIGURES["bars"],), fixed=("q0", "q1"))


def test_at_most_a_dozen_at_once() -> None:
    """Neither what no slider moves nor what bars show already; a line says how many there are, and the key."""
    lines = text(numbers_rows(FOLDED, MANY, 60, pen(), everything=False, key="a")).splitlines()

    assert AT_ONCE + 1 == len(lines)
    assert ["saturated", "number"] == [line.split()[0] for line in lines[:2]]
    assert "number 0" not in "".join(lines)
    assert "no mask" not in "".join(lines)
    assert "a  all 24 numbers (never changing: 2)" == lines[-1]


def test_all_of_them_on_request() -> None:
    """Those that no slider moves stand apart."""
    lines = text(numbers_rows(FOLDED, MANY, 60, pen(), everything=True, key="a")).splitlines()

    assert "2 numbers that no slider changes" in lines
    assert lines.index("2 numbers that no slider changes") > next(i for i, line in enumerate(lines) if "number 19" in line)
    assert "a  fewer numbers" == lines[-1]


def test_few_numbers_need_no_key() -> None:
    """Where all are shown nothing offers more."""
    few = Result(quantities=MANY.quantities[4:8])

    assert 4 == len(numbers_rows(DESCRIPTION, few, 60, pen(), everything=False, key="a"))
    assert 4 == len(numbers_rows(DESCRIPTION, few, 60, pen(), everything=True, key="a"))
