"""A pinned run: differences in cells, marks at bars, and nothing where two runs have nothing to do with each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.figures import Figure, Kind
from engine.label import Label
from engine.result import Result
from quiz.charts.figures.ghost import against
from quiz.charts.figures.kinds import draw_figure
from tests.quiz.charts.figures.samples import DISTRIBUTION, FIGURES, QUANTITIES, RESULT, ROW, WEIGHTS, pen, subject, text

PINNED = replace(WEIGHTS, values=tuple(tuple(0.25 for _ in row) for row in WEIGHTS.values))


def drawn(figure: Figure, now: Result, ghost: Result | None, width: int = 60, language: str = "en") -> str:
    return text(draw_figure(against(replace(subject(figure, now), ghost=ghost)), width, 17, pen(language)))


@pytest.mark.parametrize("kind", ["heatmap", "strip"])
def test_cells_show_by_how_much_they_differ(kind: Kind) -> None:
    """Now less then, signed, and the title says so; what was blank in one of them stays blank."""
    figure = Figure(kind, ("weights",))
    shown = against(replace(subject(figure), ghost=replace(RESULT, matrices=(PINNED,)))).matrices[0]

    assert [value - 0.25 for value in WEIGHTS.values[3]] == list(shown.values[3])
    assert "signed" == shown.kind
    assert "weights with the mask, less the kept run" in " ".join(drawn(figure, RESULT, Result(matrices=(PINNED,)), 80).split())
    assert "加掩码的权重，减去留住的结果" in "".join(drawn(figure, RESULT, Result(matrices=(PINNED,)), 80, "zh").split())


def test_a_mask_stays_blank_in_a_difference() -> None:
    """-inf less a number is no number that anybody could read."""
    shown = against(replace(subject(Figure("heatmap", ("masked",))), ghost=replace(RESULT, quantities=()))).matrices[0]

    assert [0.0, float("-inf")] == [shown.values[3][0], shown.values[0][3]]


@pytest.mark.parametrize("kind", ["heatmap", "strip"])
def test_other_words_are_no_difference(kind: Kind) -> None:
    """A pinned run of another sentence, of the same length or of another: the present one is shown as it is."""
    others = tuple(Label(f"w{i}", f"词{i}") for i in range(4))
    shorter = replace(PINNED, values=((1.0,),), rows=("a",), columns=("a",))
    for other in (replace(PINNED, rows=others, columns=others), shorter):
        assert drawn(Figure(kind, ("weights",)), RESULT, None) == drawn(Figure(kind, ("weights",)), RESULT, Result(matrices=(other,)))


def test_bars_have_a_mark_where_they_were() -> None:
    """Also where that is beyond the longest bar of now, which is drawn shorter then; a bar that has not moved has none."""
    before = replace(RESULT, quantities=(replace(QUANTITIES[0], value=1.16), *QUANTITIES[1:]))
    figure = Figure("bars", ("leak", "kept"))
    now, beside = drawn(figure, RESULT, None).splitlines(), drawn(figure, RESULT, before).splitlines()

    assert (0, 1) == (now[1].count("│"), beside[1].count("│"))
    assert beside[1].count("█") * 2 == pytest.approx(now[1].count("█"), abs=2)
    assert beside[1].index("│") > beside[1].rindex("█")
    assert now[2] == beside[2]


def test_a_distribution_has_a_mark_at_the_same_key() -> None:
    """On one scale for both runs: a weight that was larger than any now is marked, too."""
    before = Result(matrices=(replace(ROW, values=((0.0, 0.0, 0.0, 1.0),)),))
    lines = drawn(DISTRIBUTION, RESULT, before).splitlines()
    it = next(line for line in lines if line.startswith("it"))

    assert it.index("│") > max(line.rindex("█") for line in lines if "█" in line)
    assert [1, 1, 1, 1] == [line.count("│") for line in lines if line.split()[0] in ("kitten", "refused", "fish", "it")]


def test_a_distribution_of_other_keys_has_no_marks() -> None:
    """The bar of one word says nothing of another's."""
    other = replace(ROW, columns=("a", "b", "c", "d"), values=((0.1, 0.2, 0.3, 0.4),))

    assert drawn(DISTRIBUTION, RESULT, None) == drawn(DISTRIBUTION, RESULT, Result(matrices=(other,)))


@pytest.mark.parametrize("kind", FIGURES)
def test_a_run_pinned_against_itself_changes_nothing(kind: Kind) -> None:
    """Whatever the picture."""
    assert drawn(FIGURES[kind], RESULT, None) == drawn(FIGURES[kind], RESULT, RESULT)
