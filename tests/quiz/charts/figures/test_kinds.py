"""Every kind of figure, drawn: as a text that was looked at, at any width, in both languages, and for all experiments."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from rich.cells import cell_len

from engine import Result
from engine.figures import Figure, Kind
from quiz.charts.figures.kinds import KINDS, draw_figure, figure_panels
from quiz.charts.figures.subject import Cursor
from quiz.charts.result_figures import TALLEST
from tests.quiz.charts.figures.samples import DISTRIBUTION, FIGURES, LANGUAGES, RESULT, ROW, WIDTHS, golden, pen, picture, subject, text

every = pytest.mark.parametrize("kind", FIGURES)


def test_every_kind_has_its_module_and_its_sample() -> None:
    """A kind that is added is drawn, and looked at."""
    assert set(get_args(Kind)) == set(KINDS) == set(FIGURES)


@every
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kind_looks_as_it_was_looked_at(kind: Kind, width: int, language: str) -> None:
    """The golden text; `python -m tests.quiz.charts.figures.samples` writes it anew, to be looked at again."""
    assert golden(kind, width, language).read_text(encoding="utf-8") == picture(kind, width, language)


@every
@pytest.mark.parametrize("width", [80, 20, 8, 2, 1, 0])
@pytest.mark.parametrize("colour", [True, False])
def test_no_row_is_too_wide(kind: Kind, width: int, colour: bool) -> None:
    """At any width, on paper, entered and not."""
    for cursor in (None, Cursor(), Cursor(opened=True, row=1), Cursor(focused=False)):
        rows = draw_figure(subject(FIGURES[kind]), width, TALLEST, pen("zh", colour=colour), cursor)

        assert all(cell_len(line) <= width for line in text(rows).splitlines())


@every
def test_in_ascii_a_figure_is_ascii(kind: Kind) -> None:
    """Whatever it is drawn with."""
    for cursor in (None, Cursor(opened=True, row=2, column=1)):
        assert text(draw_figure(subject(FIGURES[kind]), 80, TALLEST, pen(ascii_only=True), cursor)).isascii()


@every
def test_what_the_run_has_not_brought_yet_is_not_drawn(kind: Kind) -> None:
    """A long run brings its figures one by one."""
    assert [] == draw_figure(subject(FIGURES[kind], Result()), 80, TALLEST, pen())


def test_bars_keep_their_keys_and_rows_while_a_slider_moves() -> None:
    """Sorted once, by the first run; another run changes the bars only. Other keys are sorted anew."""
    names = tuple(f"k{i}" for i in range(10))
    first = replace(ROW, values=(tuple(i / 45 for i in range(10)),), columns=names)
    later = replace(first, values=(tuple((9 - i) / 45 for i in range(10)),))
    others = replace(later, columns=tuple(f"n{i}" for i in range(10)))

    def keys(now: Result, sorted_by: Result | None) -> list[str]:
        shown = replace(subject(DISTRIBUTION, now), sorted_by=sorted_by)
        return [line.split()[0] for line in text(draw_figure(shown, 60, 17, pen())).splitlines()[1:]]

    before = Result(matrices=(first,))
    assert [f"k{i}" for i in range(9, -1, -1)] == keys(before, before) == keys(Result(matrices=(later,)), before)
    assert [f"n{i}" for i in range(10)] == keys(Result(matrices=(others,)), before)


def test_both_arms_are_on_one_scale() -> None:
    """The same weight is a bar of the same length, beside each other and below each other."""
    other = replace(ROW, name="other", values=((0.1, *ROW.values[0][1:]),), arm="right")
    both = Result(matrices=(replace(ROW, values=((0.9, 0.1, 0.0, 0.0),)), other))
    beside, below = (text(draw_figure(subject(Figure("bars", ("row", "other")), both), width, 17, pen())) for width in (80, 36))
    refused, kitten = next(line for line in beside.splitlines() if "refused" in line), beside.splitlines()[1]

    assert refused.split()[1] == kitten.split()[3]
    assert 2 == below.count("kitten")


def test_a_small_matrix_beside_a_large_one_is_faint() -> None:
    """One scale for the matrices of one figure: .03 beside 2 has nearly the colour of nothing."""
    small = replace(RESULT.matrices[0], name="small", values=((0.03,),), rows=("a",), columns=("b",))
    large = replace(small, name="large", values=((2.0,),))
    grounds = [
        segment.style.bgcolor
        for row in draw_figure(subject(Figure("heatmap", ("small", "large")), Result(matrices=(small, large))), 80, 17, pen(colour=True))
        for segment in row
        if segment.style and segment.style.bgcolor and segment.text.strip()
    ]
    middle, end = pen(colour=True).look.palette.ramps["signed"][16], pen(colour=True).look.palette.ramps["signed"][-1]

    assert [middle, end] == [tuple(ground.triplet) for ground in grounds if ground.triplet]


def test_panels_are_where_the_cells_are() -> None:
    """The value that the mouse is on is the one that is told, in every panel of a figure."""
    shown = subject(FIGURES["heatmap"])
    for width in (80, 120):
        rows = text(draw_figure(shown, width, TALLEST, pen(), Cursor(focused=False))).splitlines()
        found = figure_panels(shown, width, TALLEST, pen(), Cursor())
        for panel, matrix in zip(found, shown.matrices, strict=True):
            top, left = next((y, x) for y in range(panel.height) for x in range(panel.width) if panel.cell_at(x, y) == (3, 0))
            across = next(x for x in range(left, panel.width + 1) if panel.cell_at(x, top) != (3, 0))
            cell = rows[panel.y + top][panel.x + left : panel.x + across].strip()

            assert float(cell) == pytest.approx(matrix.values[3][0], abs=0.01)
