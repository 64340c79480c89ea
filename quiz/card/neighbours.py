"""The settings beside a card's own: a tolerance that lets their numbers pass for the card's proves less than it could."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from content.claims.evaluator import number
from content.claims.parser import Expression, parse
from content.claims.tokens import ClaimError
from content.claims.tolerances import Tolerance, passing_neighbour, tolerances
from content.text.numbers import significant
from engine import ExperimentError, Parameter, Value
from engine.experiment import DEADLINE
from quiz.card.card_run import CardRun
from quiz.card.luck import Names, runs_with_seeds
from quiz.card.planned_run import SEED, prefixed
from quiz.card.shared_runs import Computing
from quiz.words.problems import say

ENOUGH = 10  # seeds, to know what of a difference is luck: with three, one card's 2.5 % looked like 0.7 %
OF_SLOW_ONES = 4  # of an experiment that may take longer than others


@dataclass(frozen=True)
class Slider:
    """A parameter of the run that the card calls `run`, and where it stands."""

    run: str
    parameter: Parameter
    value: Value

    @property
    def beside(self) -> list[Value]:
        """The values on both sides; one at an end."""
        tick = self.parameter.tick_of(self.value)
        values = [self.parameter.value_at(each) for each in (tick - 1, tick + 1) if 0 <= each <= self.parameter.ticks]
        return [value for value in values if value != self.value]


@dataclass(frozen=True)
class Neighbours:
    """Runs beside a card's own, made when they are asked for, and once. `own` are the card's names, first with its own seed.

    A claim keeps the card's parameters and is given a neighbour's results: what it says of d_k = 64 must not be true of 128. Nothing is
    said of a run that is itself the median of several seeds: how far that goes by luck is not known.
    """

    worker: Computing
    card_run: CardRun
    own: Sequence[Names]
    results: Collection[str]
    _made: dict[tuple[str, Value, int], tuple[Names, ...]] = field(default_factory=dict, repr=False)

    def passing(self, checks: Iterable[str]) -> dict[str, tuple[str, str]]:
        """The claims with a tolerance that a neighbour passes, each with a sentence, and with what to do."""
        return {check: found for check in checks if (found := next(self._passing(check), None))}

    def _passing(self, check: str) -> Iterator[tuple[str, str]]:
        try:
            expression = parse(check)
        except ClaimError:
            return  # content.deck.checks has said so
        for tolerance in tolerances(expression):
            for name, slider in self._spoken_of(tolerance).items():
                for value in slider.beside:
                    if narrow := self._narrower(tolerance, slider, value):
                        yield self._said(expression, tolerance, f"{name} = {value}", self._at(slider, value, 1)[0], narrow)

    def _narrower(self, tolerance: Tolerance, slider: Slider, value: Value) -> float | None:
        """Most neighbours are refused with the first seed, or are as near as the card's own seeds are: many seeds are for the others."""
        there = self._at(slider, value, 1)
        if passing_neighbour(tolerance, self.own, there) is None:
            return None
        seeds = OF_SLOW_ONES if any(one.description.deadline > DEADLINE for one, _ in self.card_run.drawn) else ENOUGH
        own = self._at(slider, slider.value, seeds)
        if len(own) == 1 and any(one.description.parameter(SEED) for one, _ in self.card_run.drawn):
            return None
        if passing_neighbour(tolerance, own, there) is None:
            return None
        return passing_neighbour(tolerance, own, self._at(slider, value, seeds))

    def _said(self, expression: Expression, tolerance: Tolerance, where: str, there: Names, narrow: float) -> tuple[str, str]:
        values = [number(side, there)[0] for side in (tolerance.left, tolerance.right)]
        one, other = (value if value is None else significant(value) for value in values)
        width = f"{tolerance.width * 100:g} %" if tolerance.relative else f"{tolerance.width:g}"
        told = say("the claim says little: within {width}, the numbers at {where} pass as well", width=width, where=where)
        if one is not None and other is not None:
            told = say("{sentence}: {one} and {other} are near enough", sentence=told, one=one, other=other)
        return told, say("narrow the tolerance: {narrow} tells them apart", narrow=significant(narrow, 2))

    def _spoken_of(self, tolerance: Tolerance) -> dict[str, Slider]:
        """The sliders that it names; where it names none, those that the card sets."""
        sliders = self._sliders
        if not tolerance.is_of_one_setting(self.results, sliders):
            return {}
        named = {name: slider for name, slider in sliders.items() if name in tolerance.names}
        return named or {name: slider for name, slider in sliders.items() if self._is_set(slider)}

    @property
    def _sliders(self) -> dict[str, Slider]:
        """All that go through numbers, but for the seed."""
        return {
            prefix + parameter.name: Slider(one.name, parameter, one.values[parameter.name])
            for prefix, one in prefixed(one for one, _ in self.card_run.drawn)
            for parameter in one.description.parameters
            if parameter.scale in ("linear", "log") and parameter.name != SEED
        }

    def _is_set(self, slider: Slider) -> bool:
        verify = self.card_run.card.verify
        assert verify is not None
        return slider.parameter.name in verify.every_run[slider.run].settings(self.card_run.language)

    def _at(self, slider: Slider, value: Value, count: int) -> tuple[Names, ...]:
        """The results at a slider's value with so many seeds, beside the card's parameters; nothing where it is refused."""
        key = (f"{slider.run}.{slider.parameter.name}", value, count)
        if key not in self._made:
            try:
                moved = _moved(self.worker, self.card_run, slider, value)
                seeds = dict(runs_with_seeds(self.worker, moved, count)).values()
            except ExperimentError:
                self._made[key] = ()
            else:
                self._made[key] = tuple(self._measured(names) for names in (moved.names, *seeds))
        return self._made[key]

    def _measured(self, names: Names) -> Mapping[str, object]:
        return {**self.own[0], **{name: value for name, value in names.items() if name in self.results}}


def _moved(worker: Computing, card_run: CardRun, slider: Slider, value: Value) -> CardRun:
    """A card's runs with one slider of one run at another value. Raises ExperimentError."""
    drawn = []
    for one, result in card_run.drawn:
        if one.name == slider.run:
            moved = replace(one, values={**one.values, slider.parameter.name: value})
            for rule in one.description.rules:
                rule.check(moved.values)
            drawn.append((moved, worker.submit(moved.experiment, moved.values).result()))
        else:
            drawn.append((one, result))
    (result, *found) = (each for _, each in drawn)
    return replace(card_run, plan=tuple(one for one, _ in drawn), result=result, found=tuple(found))
