"""The picture of a card in the few rows that a small screen has for it."""

from __future__ import annotations

import pytest

from engine.figures import Figure
from engine.label import Label
from engine.result import Matrix, Result, Series
from quiz.charts.card_picture import compact
from tests.quiz.charts.figures.samples import pen, subject, text

TITLES = "what each query reads when the mask forbids what comes later", "what each query reads when nothing at all is forbidden to it"


def maps(count: int, side: int) -> Result:
    """Matrices of side x side cells, with names for rows and columns and titles of sixty characters."""
    names = tuple(f"word {i}" for i in range(side))
    values = tuple(tuple((i * side + j) / side**2 for j in range(side)) for i in range(side))
    found = [Matrix(f"map_{i}", values, Label(title, title), names, names) for i, title in enumerate(TITLES[:count])]
    return Result((), tuple(found), (), (), ())


@pytest.mark.parametrize("rows", [6, 7])
@pytest.mark.parametrize("count", [1, 2])
def test_a_small_matrix_keeps_its_cells(count: int, rows: int) -> None:
    """Of 8x8 every cell is seen, two in a character: its title and what its colours mean give way, and are in the lab."""
    picture = subject(Figure("heatmap", ("map_0", "map_1")[:count]), maps(count, 8))
    drawn = text(compact(picture, 74, rows, pen(colour=True)))

    assert (4, True, False) == (sum("▀" in line for line in drawn.splitlines()), "what each query" in drawn, "shown" in drawn)


LONG = (
    "the loss that the model reaches with a warm-up of its learning rate",
    "how high the loss stays where the whole rate is used at once",
    "where it would be without any training at all",
)


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("width", [56, 74])
def test_long_names_leave_room_for_the_lines(count: int, width: int) -> None:
    """Of lines whose names have nothing in common each name is written once, beside its colour, and not above them all as well."""
    lines = [
        Series(f"line_{i}", (1.0, 2.0, 3.0), (float(i), 2.0, 1.0), Label(name, name), Label("step", "步")) for i, name in enumerate(LONG)
    ]
    picture = subject(Figure("curve", ("line_0", "line_1", "line_2")[:count]), Result((), (), tuple(lines[:count]), (), ()))
    drawn = text(compact(picture, width, 8, pen(colour=True))).splitlines()

    assert count == sum(line.startswith("━ ") for line in drawn)
    assert 7 - count == sum("│" in line for line in drawn)


def test_blocks_keep_their_turns() -> None:
    """What lights up block by block is the picture; the matrices below it are what gives way."""
    drawn = text(compact(subject(Figure("blocks", ("unmasked", "running", "weights"))), 74, 8, pen(colour=True)))

    assert "row by blocks" in drawn
