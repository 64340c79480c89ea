"""A deck's own computations where their sliders can go."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from content.deck.library import Given, load
from engine import Description, Recipe, Worker
from quiz.card.recipes import describe_own
from quiz.card.slider_ends import slider_problems
from tests.content.deck.test_computations import OWN


def told(worker: Worker, parameters: str, line: str, *, runs: bool = True) -> list[tuple[int, str]]:
    """What is said of a computation with one line more, with the line of the file."""
    text = OWN.replace("seed: {default: 0}", f"seed: {{default: 0}}\n      {parameters}")
    text = text.replace("trained: {", f"more: {line}\n      trained: {{")
    (loaded,) = load([Given("own.yaml", text.encode())]).decks
    described, problems = describe_own(loaded, worker)
    return [(one.line, one.message) for one in [*problems, *slider_problems(loaded, described, worker, runs=runs)]]


def test_a_computation_that_survives_its_sliders_has_no_problem(worker: Worker) -> None:
    assert [] == told(worker, "n: {default: 4, low: 1, high: 64, scale: log}", "sum(arange(n))")


def test_both_ends_are_tried(worker: Worker) -> None:
    """Only at its lowest value a slider divides by nothing; only at its highest one an index is outside."""
    assert [(13, "with rate = 0: this divides by zero")] == told(worker, "rate: {default: 0.5, low: 0, high: 1}", "1 / rate")
    assert [(13, "with n = 60")] == [(line, said[:11]) for line, said in told(worker, "n: {default: 5, low: 1, high: 60}", "probs[n]")]


def test_without_a_run_shapes_are_tried(worker: Worker) -> None:
    """An end that only shapes refuse is found as well; a logarithm of less than nothing is not."""
    assert [13] == [line for line, _ in told(worker, "n: {default: 5, low: 1, high: 60}", "probs[n]", runs=False)]
    assert [] == told(worker, "x: {default: 1.0, low: -1, high: 1}", "sum(log(x * ones(2)))", runs=False)


def test_where_a_slider_moves_no_shape_none_is_walked_through(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a run a rate is not tried; a size is, at both ends and beside where it stands: beyond the description itself, three times."""
    asked: list[object] = []
    describe = worker.describe

    def counted(experiment: str | Recipe) -> Future[Description]:
        asked.append(experiment)
        return describe(experiment)

    monkeypatch.setattr(worker, "describe", counted)
    before = {}
    for parameters, line in (
        ("x: {default: 1.0, low: 0, high: 9}", "x * sum(probs)"),
        ("n: {default: 5, low: 1, high: 9}", "sum(ones(n))"),
    ):
        asked.clear()
        assert [] == told(worker, parameters, line, runs=False)
        before[parameters[0]] = len(asked)

    assert 3 == before["n"] - before["x"]


def test_the_number_beside_the_default_is_tried(worker: Worker) -> None:
    """Half of an odd number is no index; where the author has given a step, odd ones are no ticks."""
    odd, even = "n: {default: 20, low: 2, high: 40}", "n: {default: 20, low: 2, high: 40, step: 2}"

    assert ["with n = 21"] == [said[:11] for _, said in told(worker, odd, "probs[n / 2]")]
    assert [] == told(worker, even, "probs[n / 2]")


def test_not_a_number_is_told_at_its_operation(worker: Worker) -> None:
    """The first line that has one, and the part of it that made it; not the lines that only pass it on."""
    parameters = "x: {default: 1.0, low: -1, high: 1}"

    assert [(13, "with x = -1: more is not a number (NaN), from log(...)")] == told(worker, parameters, "2 + sum(log(x * ones(2)))")
