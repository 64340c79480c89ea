"""What every experiment declares as its figures, drawn from a run at its defaults."""

from __future__ import annotations

from engine.catalog import describe
from engine.figures import Figure
from quiz.charts.figures.kinds import draw_figure, figure_wish
from quiz.charts.result_figures import TALLEST, subjects
from tests.engine.experiments.observed import every, usual
from tests.extent import some
from tests.quiz.charts.figures.samples import LANGUAGES, pen

ELSEWHERE = {"weights_is_causal"}  # not at the defaults; the experiment's own test says where
LOOKS = [(width, language) for width in (40, 80, 120) for language in LANGUAGES]


def expected_of(figure: Figure) -> bool:
    """Whether a run at the defaults has what the figure shows."""
    return bool(figure.over or figure.shows) and not ELSEWHERE & set(figure.shows)


@every
def test_every_declared_figure(name: str) -> None:
    """At 40, 80 and 120 columns in both languages: something is drawn, no row is too wide, and none wishes for more than there is.

    Of the widths and languages two for each figure, unless all are asked for.
    """
    description, seen = describe(name), usual(name)
    drawn = subjects(description, seen.result, seen.parameters)
    wrong = [
        f"{figure.kind} has nothing"
        for figure in description.figures
        if expected_of(figure) and figure not in {one.figure for one in drawn}
    ]
    for place, one in enumerate(drawn):
        for width, language in LOOKS[some(place % 3, 0) :: some(3, 1)]:
            rows = draw_figure(one, width, TALLEST, pen(language, colour=True))
            if not rows or any(sum(part.cell_length for part in row) > width for row in rows):
                wrong.append(f"{one.figure.kind} at {width}")
            if figure_wish(one, width, pen(language)) > width:
                wrong.append(f"{one.figure.kind} wishes for more than {width}")

    assert [] == wrong
