"""A covered figure: where its axes are, and nothing of what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.figures import Figure, Kind
from engine.label import Label
from engine.result import Matrix, Result
from quiz.charts.figures.cover import without_findings, without_names
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


def test_a_series_among_the_rows_is_covered_too() -> None:
    """Bars and matrices draw a series as a row: its numbers are as blank as a matrix's."""
    figure = Figure("bars", (RESULT.series[0].name,))
    one, other = (text(draw_figure(covered(figure, result), 80, 9, pen())) for result in (RESULT, OTHERWISE))

    assert one == other
    assert one != text(draw_figure(subject(figure), 80, 9, pen()))


@pytest.mark.parametrize("kind", ["bars", "curve", "heatmap"])
def test_before_the_answer_no_way_is_the_right_one(kind: Kind) -> None:
    """The marks and colours of right and wrong are those of a picture in which there is neither."""
    shown = covered(FIGURES[kind], RESULT)
    neutral = replace(
        RESULT,
        quantities=tuple(replace(part, arm="") for part in RESULT.quantities),
        matrices=tuple(replace(part, arm="") for part in RESULT.matrices),
        series=tuple(replace(part, arm="") for part in RESULT.series),
    )

    assert draw_figure(covered(FIGURES[kind], neutral), 80, 9, pen()) == draw_figure(without_findings(shown), 80, 9, pen())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_matrix_shows_comes_with_the_answer(language: str) -> None:
    """Its name up to the colon stands above the blank cells."""
    said = Label("weights, reordered: the same cells", "换序后的权重：还是那些格")
    matrix = replace(RESULT.matrices[0], label=said)
    shown = covered(Figure("heatmap", (matrix.name,)), replace(RESULT, matrices=(matrix,)))
    drawn = text(draw_figure(without_findings(shown), 80, 9, pen(language)))

    assert (True, False) == tuple(word in drawn for word in (("reordered", "same"), ("换序", "那些格"))[language == "zh"])


@pytest.mark.parametrize("kind", ["bars", "curve", "heatmap"])
def test_without_names_only_what_is_asked_for_is_named(kind: Kind) -> None:
    """Letters for its parts, numbers for rows and columns; the number that is asked for keeps its name, typed or not."""
    shown = covered(FIGURES[kind], RESULT)
    asked = shown.quantities[0].name if shown.quantities else None
    hidden = without_names(shown, asked)
    labels = [part.label.en for part in hidden.quantities] + [part.label.en for part in hidden.series]
    labels += [part.label.en for part in hidden.matrices]
    kept = [part.label.en for part in shown.quantities[:1]]

    assert kept == [label for label in labels if len(label) > 1]
    assert [] == [name for matrix in hidden.matrices for name in (*matrix.rows, *matrix.columns) if not str(name).isdigit()]
