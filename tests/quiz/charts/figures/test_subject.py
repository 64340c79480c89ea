"""What a figure takes from a run, and that one whose parts its kind cannot draw is none."""

from __future__ import annotations

import pytest

from engine.experiment import Description
from engine.figures import Figure, Kind
from engine.label import Label
from engine.result import Matrix, Quantity, Result, Series
from quiz.charts.figures.kinds import draw_figure
from quiz.charts.figures.subject import Subject
from quiz.charts.result_figures import subjects
from tests.quiz.charts.figures.samples import pen

NAME = Label("x", "x")
ONE = Quantity("one", 3.0, NAME)
LINE = Series("line", (0.0, 1.0, 2.0), (3.0, 1.0, 2.0), NAME, NAME)
TABLE = Matrix("table", ((1.0, 2.0), (3.0, 4.0)), NAME, ("0", "1"), ("0", "1"))
RESULT = Result((ONE,), (TABLE,), (LINE,))


@pytest.mark.parametrize("kind", ["bars", "heatmap", "strip", "waves"])
def test_a_vector_is_a_row_to_kinds_that_draw_rows(kind: Kind) -> None:
    subject = Subject(Figure(kind, ("line",)), None, RESULT, {})

    assert [((3.0, 1.0, 2.0), ("0", "1", "2"))] == [(one.values[0], one.columns) for one in subject.matrices]
    assert draw_figure(subject, 60, 12, pen("en"))


@pytest.mark.parametrize(("kind", "name"), [("heatmap", "one"), ("curve", "table"), ("curve", "one"), ("tree", "line"), ("strip", "one")])
def test_what_a_kind_cannot_draw_is_not_there(kind: Kind, name: str) -> None:
    """A deck names it; nothing is drawn, and no traceback ends the lab."""
    assert [] == draw_figure(Subject(Figure(kind, (name,)), None, RESULT, {}), 60, 12, pen("en"))


def test_what_no_figure_can_draw_as_it_says_is_drawn_by_itself() -> None:
    """A matrix that a curve names is a heatmap all the same."""
    description = Description("x", "", NAME, NAME, (), 3.0, (), figures=(Figure("curve", ("table",)),))

    assert [("heatmap", ("table",)), ("curve", ("line",))] == [
        (one.figure.kind, one.figure.shows) for one in subjects(description, RESULT, {})
    ]
