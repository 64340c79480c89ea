"""A covered figure: where its axes are, and nothing of what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.figures import Figure, Kind
from engine.result import Matrix, Result
from quiz.charts.figures.kinds import draw_figure
from quiz.charts.figures.subject import Guess, Subject
from quiz.charts.style import Pen
from tests.quiz.charts.figures.samples import DISTRIBUTION, FIGURES, LANGUAGES, RESULT, WIDTHS, pen, subject, text


def turned(matrix: Matrix) -> Matrix:
    """The same numbers in other cells."""
    return replace(matrix, values=tuple(row[::-1] for row in matrix.values[::-1]))


# The same numbers at other places: as far as the axes go, what could be seen is the same.
OTHERWISE = Result(
    tuple(replace(one, value=other.value) for one, other in zip(RESULT.quantities[:2], RESULT.quantities[1::-1], strict=True))
    + RESULT.quantities[2:],
    tuple(map(turned, RESULT.matrices)),
    tuple(replace(line, y=line.y[::-1]) for line in RESULT.series),
    RESULT.tables,
    RESULT.steps,
)


def covered(figure: Figure, result: Result, guess: Guess | None = None) -> Subject:
    return replace(subject(figure, result), covered=True, guess=guess)


@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_measured_is_seen(kind: Kind, width: int) -> None:
    """Another run with the same axes looks the same; uncovered it does not, where there is a number to be seen."""
    one, other = (text(draw_figure(covered(FIGURES[kind], result), width, 9, pen())) for result in (RESULT, OTHERWISE))

    assert one == other
    assert one != text(draw_figure(subject(FIGURES[kind]), width, 9, pen()))


def test_a_distribution_is_covered_too() -> None:
    one, other = (text(draw_figure(covered(DISTRIBUTION, result), 80, 9, pen())) for result in (RESULT, OTHERWISE))

    assert one == other


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_caption_is_the_answers(language: str) -> None:
    """The sentence under the picture says what is asked."""
    caption = FIGURES["curve"].caption
    assert caption
    assert pen(language).words.label(caption) not in text(draw_figure(covered(FIGURES["curve"], RESULT), 120, 9, pen(language)))


@pytest.mark.parametrize(("drawn", "glyph"), [(pen(), "◆"), (pen(ascii_only=True), "+")])
@pytest.mark.parametrize("hidden", [True, False])
@pytest.mark.parametrize(("kind", "guess"), [("curve", Guess("at", 30.0)), ("bars", Guess("leak", 0.3))])
def test_a_guess_is_marked(kind: Kind, guess: Guess, hidden: bool, drawn: Pen, glyph: str) -> None:
    """Before the answer and behind it, where its quantity stands; of another quantity, or without a guess, nowhere."""
    shown = replace(subject(FIGURES[kind]), covered=hidden)
    marked, plain, other = (
        text(draw_figure(replace(shown, guess=one), 80, 9, drawn)) for one in (guess, None, Guess("kept_elsewhere", guess.number))
    )

    assert (1, 0, 0) == tuple(picture.count(glyph) - plain.count(glyph) for picture in (marked, plain, other))


@pytest.mark.parametrize("number", [-1e9, 0.0, 1e9])
def test_a_guess_far_away_stands_at_the_end(number: float) -> None:
    """The bars become small beside it, and no row too wide."""
    rows = draw_figure(replace(subject(FIGURES["bars"]), guess=Guess("leak", number)), 60, 9, pen())

    assert 1 == text(rows).count("◆")
    assert 60 >= max(sum(segment.cell_length for segment in row) for row in rows)
