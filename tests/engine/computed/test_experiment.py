"""A recipe is an experiment like any other."""

from __future__ import annotations

import pickle
from dataclasses import replace
from unittest.mock import Mock

import pytest

from engine.computed.experiment import experiment
from engine.computed.recipe import POINTS, ComputeError, Recipe, Step, Sweep
from engine.computed.run import lines
from engine.label import Label
from engine.measures import Curve
from engine.parameter import Parameter
from engine.result import Result
from engine.worker.worker import Worker
from tests.engine.computed.recipes import recipe, repeat, step

NUCLEUS = recipe(
    step("logits", "3 * randn(50, seed)"),
    step("probs", "softmax(logits / t)"),
    step("ranked", "sort(probs, descending=true)"),
    step("kept", "sum((cumsum(ranked) - ranked < 0.9) * 1)"),
    step("entropy", "-sum(probs * log(probs))"),
    sweeps=(Sweep("entropy", "t"),),
    arms=("kept", "entropy"),
)


def result(**given: object) -> Result:
    made = experiment(NUCLEUS)
    found = made.measure(made.accept(given))
    assert isinstance(found, Result)
    return found


def test_lines_become_quantities_and_curves() -> None:
    """One number is a quantity, a vector a curve over its places, a quantity over a parameter a curve over its slider."""
    found = result(t=2)

    assert [("kept", "wrong"), ("entropy", "right")] == [(each.name, each.arm) for each in found.quantities]
    assert ["logits", "probs", "ranked", "entropy_over_t"] == [each.name for each in found.series]
    assert sorted(found.series[-1].y) == list(found.series[-1].y)  # hotter is more even


def test_a_curve_has_the_arm_of_its_quantity() -> None:
    """So it is drawn in the colour that the bar of the same number has."""
    found = result()

    assert [("probs", ""), ("entropy_over_t", "right")] == [(each.name, each.arm) for each in found.series[1::2]]


def test_equal_parameters_give_an_equal_result() -> None:
    assert result(seed=3) == result(seed=3)
    assert result(seed=3) != result(seed=4)


@pytest.mark.parametrize(
    ("steps", "sentence", "place"),
    [
        ((step("x", "log(zeros(2) - n)"),), "x is not a number (NaN), from log(...)", (0, 17)),
        ((step("a", "log(zeros(2))"), step("x", "sum(0 * a)")), "a is infinite, from log(...)", (0, 13)),
        (
            (step("a", "1 + where(eye(2) >= 0, 1, log(eye(2)))"), step("x", "a - 0 / zeros(1)")),
            "x is not a number (NaN), from /",
            (4, 16),
        ),
    ],
)
def test_what_is_no_number_is_told_where_it_came_from(steps: tuple[Step, ...], sentence: str, place: tuple[int, int]) -> None:
    """The first line that is none, and the part of it that made it first; a part that a mask hides is not meant."""
    made = experiment(recipe(*steps))
    with pytest.raises(ComputeError) as refused:
        made.measure(made.accept({}))

    assert (sentence, sentence[0], place) == (str(refused.value), refused.value.step, refused.value.place)


def test_the_worker_runs_a_recipe(worker: Worker) -> None:
    """Described, run, refused at its place, in the process that computes."""
    broken = recipe(step("a", "ones(2, 3)"), step("b", "a @ a"))
    described = worker.describe(NUCLEUS).result(60)
    refused = worker.describe(broken).exception(60)
    measured = worker.submit(NUCLEUS, {"t": 2}).result(60)

    assert "own" == described.name
    assert result(t=2) == measured
    assert isinstance(refused, ComputeError)
    assert ("b", (0, 5)) == (refused.step, refused.place)


def test_a_refusal_keeps_its_place_on_its_way() -> None:
    refused = ComputeError("en", "zh", "step", (1, 2))

    assert ("step", (1, 2), "zh") == ((sent := pickle.loads(pickle.dumps(refused))).step, sent.place, sent.label.zh)


def test_a_loop_s_last_turn_is_measured() -> None:
    made = experiment(recipe(step("x", "0"), repeat("steps", "n", "x", x="x + 2")))
    found = made.measure(made.accept({"n": 5}))

    assert isinstance(found, Result)
    assert [("x", 10.0)] == [(each.name, each.value) for each in found.quantities]
    assert (2.0, 4.0, 6.0, 8.0, 10.0) == found.series[0].y


def test_a_slope_has_a_curve() -> None:
    """A quantity that was made with grad is a plain number on a curve."""
    made = experiment(recipe(step("x", "sum([t])"), step("slope", "grad(x ** 2, x)"), sweeps=(Sweep("slope", "t"),)))
    found = made.measure(made.accept({}))

    assert isinstance(found, Result)
    assert pytest.approx([2 * x for x in found.series[0].x]) == list(found.series[0].y)


@pytest.mark.parametrize("written", ["$\\sqrt{d_k}$", "{n:200000000}", "{n.__class__}", "{n}", "{", "x{0}"])
def test_an_author_s_words_are_no_template(written: str) -> None:
    """A brace in a title or in the label of a line, of a matrix or of a slider is shown as it was written."""
    words = Label(written, written)
    base = recipe(step("y", "n"), step("m", "eye(2)"), step("v", "ones(2)"), sweeps=(Sweep("y", "t"),))
    sliders = tuple(replace(slider, label=words) for slider in base.parameters)
    labelled: Recipe = replace(base, title=words, parameters=sliders, labels=tuple((name, words) for name in ("y", "m", "v")))
    made = experiment(labelled)
    found = made.measure(made.accept({}))

    assert isinstance(found, Result)
    labels = [*(each.label for each in found.quantities), *(each.label for each in found.matrices), *(each.label for each in found.series)]
    assert [words] * 5 == [*labels, found.series[-1].x_label]


def test_the_points_of_a_curve_are_walked_once_for_all_its_quantities(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two curves over one slider cost what one costs."""
    walked = Mock(wraps=lines)
    monkeypatch.setattr("engine.computed.experiment.lines", walked)
    made = experiment(recipe(step("a", "t + 1"), step("b", "2 * t"), sweeps=(Sweep("a", "t"), Sweep("b", "t"), Sweep("b", "seed"))))
    found = made.measure(made.accept({}))

    assert isinstance(found, Result)
    assert ["a_over_t", "b_over_t", "b_over_seed"] == [each.name for each in found.series]
    assert 1 + 2 * POINTS == walked.call_count


def test_a_point_of_a_curve_that_is_too_much_is_said() -> None:
    """The lines are affordable where they stand, and not at the other end of the slider."""
    made = experiment(recipe(step("y", "sum(ones(n))"), sweeps=(Sweep("y", "n"),)))
    with pytest.raises(ComputeError) as refused:
        made.measure(made.accept({}))

    assert str(refused.value).startswith("on the curve over n, at 41,666,668: (41,666,668) would need 318 MiB")
    assert ("y", (4, 11)) == (refused.value.step, refused.value.place)


def test_curves_together_are_held_to_the_limit_of_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each point of the slider is affordable, and so are the shapes at the defaults; all points together are not."""
    monkeypatch.setattr("engine.experiment.FLOPS_LIMIT", 50_000)
    made = experiment(recipe(step("y", "sum(ones(round(1000 * t)))"), sweeps=(Sweep("y", "t"),)))
    with pytest.raises(ComputeError, match=r"on the curve over t, at \S*: This would take 5.\de\+04 operations"):
        made.measure(made.accept({}))


def test_a_run_shows_a_limited_number_of_cells() -> None:
    """Every line is sent, kept and drawn: what nobody could look at is refused, and the largest line is named."""
    with pytest.raises(ComputeError) as refused:
        experiment(recipe(step("small", "ones(700, 1000)"), step("large", "ones(1500, 1000)")))

    assert "all lines together show 2,200,000 numbers; the limit is 2,000,000: large has 1,500,000 of them" == str(refused.value)
    assert "large" == refused.value.step


def test_a_slider_from_1_is_not_one_from_1_0() -> None:
    """They are equal for Python; whole numbers are another kind of slider."""
    base = recipe(step("y", "n"))
    whole, real = (replace(base, parameters=(Parameter("n", Label("n", "n"), value, 1, 10),)) for value in (1, 1.0))

    assert whole == real
    assert [int, float] == [type(experiment(each).parameters[0].default) for each in (whole, real)]


def test_turns_are_steps() -> None:
    """The axis of a curve that turns make is called so; that of any other vector is its places."""
    made = experiment(recipe(repeat("curve", "3", "w", w="1 + t"), step("vector", "ones(3)")))

    assert [("curve", "step"), ("vector", "place")] == [(one.name, one.x_label.en) for one in made.measures if isinstance(one, Curve)]


def test_a_curve_walks_only_what_leads_from_its_slider_to_its_quantity(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is the same at all points was computed with the run, and what the curve does not show is not computed for it."""
    walked = Mock(wraps=lines)
    monkeypatch.setattr("engine.computed.experiment.lines", walked)
    made = experiment(recipe(step("same", "3 * n"), step("y", "same * t"), step("unseen", "exp(t)"), sweeps=(Sweep("y", "t"),)))
    found = made.measure(made.accept({"n": 2}))

    assert isinstance(found, Result)
    assert pytest.approx([6 * x for x in found.series[0].x]) == list(found.series[0].y)
    assert {("same", "y", "unseen"), ("y",)} == {tuple(line.name for line in call.args[0].steps) for call in walked.call_args_list}


def test_a_loop_on_a_curve_begins_anew_at_each_point() -> None:
    """A name that the loop makes anew has its first value again, although that does not depend on the slider; shapes may be others."""
    lines_ = (step("w", "0"), repeat("steps", "3", "w", w="w + t"), step("twice", "2 * w"), step("wide", "ones(n)"))
    loop = repeat("sums", "2", "total", grown="wide + seed", total="sum(grown)")
    short = Parameter("n", Label("n", "n"), 4, 1, 6)
    asked = replace(recipe(*lines_, loop, sweeps=(Sweep("twice", "t"), Sweep("total", "n"))), parameters=(short, *recipe().parameters[1:]))
    made = experiment(asked)
    found = made.measure(made.accept({}))

    assert isinstance(found, Result)
    curves = {each.name: each for each in found.series}
    assert pytest.approx([6 * x for x in curves["twice_over_t"].x]) == list(curves["twice_over_t"].y)
    assert list(curves["total_over_n"].x) == list(curves["total_over_n"].y)


def test_a_gradient_on_a_curve_goes_through_what_is_the_same() -> None:
    """The line that it is taken by was made with the run."""
    made = experiment(recipe(step("x", "sum([n])"), step("slope", "grad(t * x ** 2, x)"), sweeps=(Sweep("slope", "t"),)))
    found = made.measure(made.accept({"n": 3}))

    assert isinstance(found, Result)
    assert pytest.approx([6 * x for x in found.series[0].x]) == list(found.series[0].y)


def test_a_loop_that_is_walked_again_on_a_curve_begins_where_it_began() -> None:
    """The first does not depend on the slider, and makes what the second goes on with: all that it changes has its first value again."""
    loops = (repeat("first", "3", "h", h="h + 1", w="2 * h"), repeat("second", "2", "w", w="w + t"))
    made = experiment(recipe(step("h", "0"), *loops, step("y", "w"), sweeps=(Sweep("y", "t"),)))
    found = made.measure(made.accept({}))

    assert isinstance(found, Result)
    curve = next(each for each in found.series if each.name == "y_over_t")
    assert pytest.approx([2 * 3 + 2 * x for x in curve.x]) == list(curve.y)
