"""Arcs from the word that reads to those that it reads most."""

from __future__ import annotations

from dataclasses import replace

from engine.figures import Figure
from engine.result import Result
from quiz.charts.figures.arcs import arcs, targets
from quiz.charts.figures.kinds import draw_figure, figure_panels
from quiz.charts.figures.subject import Cursor
from tests.quiz.charts.figures.samples import RESULT, UNMASKED, pen, subject, text

STRIP = Figure("strip", ("unmasked",))


def test_only_the_heaviest_words_get_one() -> None:
    """Two at most, none for a tenth or less of the whole, none to itself; the farther one is drawn around the nearer."""
    assert [0, 2] == targets(3, [0.4, 0.05, 0.35, 0.2])
    assert [1] == targets(0, [0.9, 0.1, 0.0])
    assert [] == targets(0, [1.0, 0.0])


def test_they_end_above_their_words() -> None:
    """The farther arc passes over the nearer one, which begins at the same word."""
    assert " ╭──────╮\n │  ╭───┤\n" == text(arcs([1, 4, 8], 2, [0.5, 0.3, 0.2], 10, pen()))
    assert " .------.\n |  .---+\n" == text(arcs([1, 4, 8], 2, [0.5, 0.3, 0.2], 10, pen(ascii_only=True)))
    assert "    ╭───╮\n ╭──┤   │\n" == text(arcs([1, 4, 8], 1, [0.3, 0.2, 0.5], 10, pen()))


def test_they_are_drawn_where_there_is_room() -> None:
    """Above the row that is read, on one line, in a picture that is high enough; the rows below stay where a click finds them."""
    high, low = (text(draw_figure(subject(STRIP), 60, height, pen())) for height in (17, 6))
    cursor = Cursor(row=1, focused=True)
    lines = text(draw_figure(subject(STRIP), 60, 17, pen(), cursor)).splitlines()
    (panel,) = figure_panels(subject(STRIP), 60, 17, pen(), cursor)
    fish = next(y for y, line in enumerate(lines) if line.startswith("fish")) - panel.y

    assert ("╭" in high, "╭" in low) == (True, False)
    assert (2, 2) == panel.cell_at(lines[panel.y + fish].index("fish", 10), fish)


def test_a_matrix_of_other_words_has_none() -> None:
    """Rows that are no words of the sentence point nowhere."""
    layers = replace(UNMASKED, rows=("L1", "L2", "L3", "L4"))

    assert "╭" not in text(draw_figure(subject(STRIP, Result(matrices=(layers,))), 60, 17, pen()))
    assert "╭" in text(draw_figure(subject(STRIP, RESULT), 60, 17, pen()))
