"""Parameters, experiments and errors: the contract that every experiment is written against."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Generator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.yaml import numerals
from engine import (
    Choice,
    Cost,
    Description,
    Experiment,
    ExperimentError,
    Label,
    Matrix,
    Parameter,
    ParameterError,
    Progress,
    Quantity,
    Result,
    Series,
    TooLarge,
)
from engine.assemble import Numbers
from engine.experiment import BYTES_LIMIT, FLOPS_LIMIT, Run, Steps
from engine.measures import measured
from engine.parameter import DECIMAL, TEXT_LIMIT, Divides, Value
from tests.engine.runs import last

L = Label("a", "甲")
WHOLE = Parameter("n", L, default=4, low=1, high=10)
REAL = Parameter("sigma", L, default=1.0, low=0, high=1, step=0.1)
UNEVEN = Parameter("uneven", L, default=0, low=0, high=10, step=4)
LOG = Parameter("d_k", L, default=64, low=1, high=4096, step=2, scale="log")
EVEN = Parameter("width", L, default=64, low=8, high=128, step=2, scale="log", multiple_of=2)
DIVISOR = Parameter("heads", L, default=2, low=0, high=4, divisor_of=4)
CHOICE = Parameter("mask", L, default="none", scale="choice", choices=(Choice("none", L), Choice("causal", L)))
WORD = Parameter("word", L, default="cat", scale="text", pattern=r"\S{1,5}", form=Label("one short word", "一个短词"))
TEXT = Parameter("sentence", L, default="a cat", scale="text")
SLIDERS = st.sampled_from((WHOLE, REAL, UNEVEN, LOG, CHOICE))


class TestTicks:
    @pytest.mark.parametrize(
        ("parameter", "ticks"), [(WHOLE, 9), (REAL, 10), (UNEVEN, 3), (LOG, 12), (CHOICE, 1), (TEXT, 0)], ids=lambda value: str(value)[:20]
    )
    def test_count(self, parameter: Parameter, ticks: int) -> None:
        """The last tick reaches the high end, with one more tick where the step does not divide the range."""
        assert ticks == parameter.ticks

    @pytest.mark.parametrize(
        ("parameter", "tick", "value"),
        [(WHOLE, 3, 4), (REAL, 3, 0.3), (REAL, 7, 0.7), (UNEVEN, 3, 10), (LOG, 9, 512), (CHOICE, 1, "causal"), (TEXT, 5, "a cat")],
        ids=lambda value: str(value)[:20],
    )
    def test_value(self, parameter: Parameter, tick: int, value: Value) -> None:
        """A tick stands for a number as a person would write it, never beyond the high end."""
        assert value == parameter.value_at(tick)

    @given(SLIDERS, st.integers(-5, 50))
    def test_every_tick_is_accepted(self, parameter: Parameter, tick: int) -> None:
        """What a slider shows, inside or beyond its ends, is always a value that the experiment takes, and of the same type."""
        value = parameter.value_at(tick)

        assert (type(parameter.default), value) == (type(value), parameter.accept(value))

    @given(SLIDERS, st.data())
    def test_round_trip(self, parameter: Parameter, data: st.DataObject) -> None:
        """A value that was made from a tick finds its tick again."""
        tick = data.draw(st.integers(0, parameter.ticks))

        assert tick == parameter.tick_of(parameter.value_at(tick))

    def test_nearest(self) -> None:
        """A value between two ticks belongs to the nearer one."""
        assert (2, 9) == (REAL.tick_of(0.24), LOG.tick_of(600))

    @given(SLIDERS.filter(lambda parameter: parameter is not CHOICE), st.floats(-10, 5000))
    def test_no_tick_is_nearer(self, parameter: Parameter, value: float) -> None:
        """The formula finds what a walk through all ticks would find, the first of several that are as near."""
        near = min(range(parameter.ticks + 1), key=lambda tick: abs(float(parameter.value_at(tick)) - value))

        assert near == parameter.tick_of(value)

    def test_many_ticks_are_not_walked_through(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A slider of ten million ticks is asked for a handful of its values."""
        fine = Parameter("x", L, default=0.5, low=0, high=1000, step=0.0001)
        asked: list[int] = []
        value_at = Parameter.value_at

        def counted(parameter: Parameter, tick: int) -> Value:
            asked.append(tick)
            return value_at(parameter, tick)

        monkeypatch.setattr(Parameter, "value_at", counted)

        assert 5000 == fine.tick_of(0.5)
        assert 10 > len(asked)


class TestAccept:
    @pytest.mark.parametrize(
        ("parameter", "raw", "value"),
        [(WHOLE, "7", 7), (WHOLE, 7.0, 7), (REAL, "0.25", 0.25), (REAL, 1, 1.0), (CHOICE, "causal", "causal"), (TEXT, "狗", "狗")],
        ids=lambda value: str(value)[:20],
    )
    def test_spelled(self, parameter: Parameter, raw: object, value: Value) -> None:
        """A number and its spelling are the same; the type is the default's."""
        accepted = parameter.accept(raw)

        assert (value, type(value)) == (accepted, type(accepted))

    @pytest.mark.parametrize("raw", ["1_0", "0x5", "５", "٥", "0,5", "1/2", "5。", "1 0", "5%", "1e", "infinity"])
    def test_a_number_in_another_form(self, raw: str) -> None:
        """A number is written as in a deck, in digits with a point: what Python alone would take, such as 1_0 for ten, is refused."""
        with pytest.raises(ParameterError, match=r"n is a whole number in 1\.\.10; not "):
            WHOLE.accept(raw)

    def test_one_rule_for_numbers(self) -> None:
        """The engine and the decks, which do not know each other, take the same texts for numbers."""
        assert numerals.DECIMAL == DECIMAL.pattern

    @pytest.mark.parametrize("raw", [0, 11, 1.5, "nan", math.nan, "inf", "-inf", "", "four", None, True, [1], "1\n2"])
    def test_refused(self, raw: object) -> None:
        """Everything outside the range or the whole numbers is refused with the range, in both languages."""
        with pytest.raises(ParameterError) as refusal:
            WHOLE.accept(raw)

        assert (True, True) == ("n is a whole number in 1..10" in refusal.value.label.en, "1..10 之间的整数" in refusal.value.label.zh)

    @pytest.mark.parametrize(
        ("parameter", "raw", "en", "zh"),
        [
            (
                EVEN,
                9,
                "width is a whole number in 8..128, a multiple of 2; not 9.",
                "width 是 8..128 之间的整数，且为 2 的倍数，不能是 9。",
            ),
            (DIVISOR, 3, "heads is a whole number in 0..4, a divisor of 4; not 3.", "heads 是 0..4 之间的整数，且能整除 4，不能是 3。"),
            (DIVISOR, 0, "heads is a whole number in 0..4, a divisor of 4; not 0.", "heads 是 0..4 之间的整数，且能整除 4，不能是 0。"),
        ],
        ids=["multiple", "divisor", "zero"],
    )
    def test_between_the_ticks(self, parameter: Parameter, raw: int, en: str, zh: str) -> None:
        """A whole number in the range that the experiment cannot compute with is refused with the rule."""
        with pytest.raises(ParameterError) as refusal:
            parameter.accept(raw)

        assert Label(en, zh) == refusal.value.label

    def test_what_fits_between_the_ticks(self) -> None:
        """A multiple that no tick shows is taken, and so is every divisor."""
        assert (96, [1, 2, 4]) == (EVEN.accept("96"), [DIVISOR.accept(each) for each in (1, 2, 4)])

    @pytest.mark.parametrize("raw", ["", "a cat", "kitten", "cat\n"])
    def test_a_text_of_another_form(self, raw: str) -> None:
        """A text that has to be of a form is refused with it; the whole text counts."""
        with pytest.raises(ParameterError) as refusal:
            WORD.accept(raw)

        assert Label(f"word is one short word; not {raw!r}.", f"word 应为一个短词，不能是 {raw!r}。") == refusal.value.label
        assert "小猫" == WORD.accept("小猫")

    @pytest.mark.parametrize(
        ("parameter", "en"), [(EVEN, "a multiple of 2"), (DIVISOR, "a divisor of 4"), (WORD, "one short word"), (WHOLE, None), (TEXT, None)]
    )
    def test_a_rule_can_be_told(self, parameter: Parameter, en: str | None) -> None:
        """What a value has to be beyond its range, for lists of parameters."""
        assert en == (parameter.rule and parameter.rule.en)

    def test_unknown_choice(self) -> None:
        """A choice that does not exist is answered with those that do."""
        with pytest.raises(ParameterError, match=r"^mask is one of none, causal; not casual\.$"):
            CHOICE.accept("casual")

    def test_long_text(self) -> None:
        """A text has a limit, and the limit itself is still accepted."""
        assert "x" * TEXT_LIMIT == TEXT.accept("x" * TEXT_LIMIT)
        with pytest.raises(ParameterError, match="501"):
            TEXT.accept("x" * (TEXT_LIMIT + 1))


class TestDivides:
    def test_the_whole_is_shared_evenly(self) -> None:
        """A part that leaves a rest is refused with those that leave none, in both languages."""
        with pytest.raises(ParameterError) as refusal:
            Divides("groups", "heads").check({"groups": 4, "heads": 6})

        assert (
            Label(
                "groups = 4 does not divide heads = 6; a divisor is 1, 2, 3, 6.",
                "groups = 4 不能整除 heads = 6；6 的约数有 1、2、3、6。",
            )
            == refusal.value.label
        )
        Divides("groups", "heads").check({"groups": 3, "heads": 6})

    def test_a_larger_part(self) -> None:
        """It counts as the whole only where a rule is capped."""
        Divides("groups", "heads", capped=True).check({"groups": 8, "heads": 6})
        with pytest.raises(ParameterError, match="groups = 4"):
            Divides("groups", "heads", capped=True).check({"groups": 4, "heads": 6})
        with pytest.raises(ParameterError, match="groups = 8"):
            Divides("groups", "heads").check({"groups": 8, "heads": 6})

    def test_an_experiment_holds_to_it(self) -> None:
        """Values that are right alone are refused together; the defaults count for what is not given."""
        ruled = replace(_experiment(), parameters=(WHOLE, DIVISOR), rules=(Divides("heads", "n"),))

        assert {"n": 6, "heads": 2} == ruled.accept({"n": 6})
        with pytest.raises(ParameterError, match="heads = 2 does not divide n = 5"):
            ruled.accept({"n": 5})


MEASURES = (measured("double", "twice {n}", "{n} 的两倍"),)


def _run(*, n: int, sigma: float) -> Numbers:
    return {"double": 2 * n}


def _steps(*, n: int) -> Steps:
    for step in range(n):
        yield (step + 1) / n, {"double": step}
    return {"double": 2 * n}


def _experiment(run: Run = _run, *parameters: Parameter, cost: Callable[..., Cost] | None = None) -> Experiment:
    return Experiment(L, L, parameters or (WHOLE, REAL), ("a", "b"), run, MEASURES, (), cost)


def _needs(bytes_: float, flops: float) -> Experiment:
    return _experiment(cost=lambda **_: Cost(bytes_, flops))


class TestExperiment:
    def test_defaults(self) -> None:
        """A parameter that is not given is at its default."""
        assert {"n": 4, "sigma": 0.5} == _experiment().accept({"sigma": "0.5"})

    def test_unknown_parameter(self) -> None:
        """A parameter that does not exist is answered with those that do."""
        with pytest.raises(ParameterError, match=r"^There is no parameter m; there are n, sigma\.$"):
            _experiment().accept({"m": 1})

    def test_limits_are_affordable(self) -> None:
        """A run that needs exactly the limits may start."""
        _needs(BYTES_LIMIT, FLOPS_LIMIT).afford({})

    def test_nothing_is_refused_without_a_formula(self) -> None:
        """An experiment of which no setting is too large declares no cost."""
        experiment = _experiment()

        experiment.afford(experiment.accept({"n": 10}))

    @pytest.mark.parametrize(("bytes_", "flops", "said"), [(BYTES_LIMIT + 1, 0, "256 MiB"), (0, FLOPS_LIMIT * 1.01, r"2e\+10")])
    def test_too_large(self, bytes_: float, flops: float, said: str) -> None:
        """A run that needs more is refused with the limit."""
        with pytest.raises(TooLarge, match=said):
            _needs(bytes_, flops).afford({})

    def test_cost_sees_the_parameters(self) -> None:
        """The cost is a formula over the accepted parameters."""
        experiment = _experiment(_steps, WHOLE, cost=lambda n: Cost(n * 2**26, 0))

        experiment.afford(experiment.accept({}))
        with pytest.raises(TooLarge):
            experiment.afford(experiment.accept({"n": 5}))


class TestMeasure:
    def test_at_once(self) -> None:
        """What `run` returns under its name becomes a quantity with the declared words."""
        experiment = _experiment()

        assert Result((Quantity("double", 14, Label("twice 7", "7 的两倍")),)) == experiment.measure(experiment.accept({"n": 7}))

    def test_step_by_step(self) -> None:
        """A generator's numbers are Results too, on the way and at the end."""
        steps = _experiment(_steps, WHOLE).measure({"n": 2})
        assert isinstance(steps, Generator)
        on_the_way = [next(steps), next(steps)]

        assert [(0.5, {"double": 0}), (1.0, {"double": 1})] == [(each.fraction, each.result.scope()) for each in on_the_way]
        assert {"double": 4} == last(steps).scope()


class TestResult:
    def test_scope(self) -> None:
        """A claim sees quantities as numbers, curves as their heights, matrices as rows."""
        result = Result(
            quantities=(Quantity("std", 2.0, L),),
            series=(Series("curve", (1.0, 2.0), (3.0, 4.0), L, L),),
            matrices=(Matrix("weights", ((0.5, 0.5),), L, ("q1",), ("k1", "k2")),),
        )

        assert {"std": 2.0, "curve": (3.0, 4.0), "weights": ((0.5, 0.5),)} == result.scope()

    def test_timings_are_shown_and_nothing_more(self) -> None:
        """Two runs that differ by the clock alone are equal, and no claim can name what the clock said."""
        fast, slow = (Result(timings=(Quantity("seconds", value, L),)) for value in (1.0, 2.0))

        assert fast == slow
        assert {} == fast.scope()

    def test_progress_starts_empty(self) -> None:
        """A progress may have nothing to draw yet."""
        assert Result() == Progress(0.5).result

    def test_description_finds_parameters(self) -> None:
        """A description gives a parameter by its name, and None for one that does not exist."""
        description = Description("x", "", L, L, (WHOLE, REAL), 3, ())

        assert (REAL, None) == (description.parameter("sigma"), description.parameter("tau"))


@pytest.mark.parametrize("kind", [ExperimentError, ParameterError, TooLarge])
def test_errors_cross_the_pipe(kind: type[ExperimentError]) -> None:
    """An error keeps its class and both sentences when it is sent to another process."""
    received = pickle.loads(pickle.dumps(kind("No.", "不。")))

    assert (kind, Label("No.", "不。"), "No.") == (type(received), received.label, str(received))
