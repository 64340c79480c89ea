"""A card's own runs beside the runs that they are held against, and the names, ranges and arms that claims are judged by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from content.claims.evaluator import evaluate
from content.claims.parser import Expression
from content.claims.scope import Scope
from engine import Description, Scalar
from quiz.card.card_run import CardRun
from quiz.card.luck import Names, Seeded
from quiz.card.planned_run import SEED, prefixed


@dataclass(frozen=True)
class CardRuns:
    """A card's own runs, and the runs that they are held against: with other `seeds`, at so many other `settings` of all sliders, and at
    the experiments' `defaults`; of the claims with a `wide` tolerance, what a neighbouring setting shows."""

    run: CardRun
    seeds: Seeded = field(default_factory=dict)
    settings: Callable[[int], Sequence[Names]] = lambda most: ()
    defaults: Names = field(default_factory=dict)
    wide: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @cached_property
    def names(self) -> Scope:
        return self.run.names

    @cached_property
    def results(self) -> Mapping[str, object]:
        """What was measured, of all that has a name."""
        given = {prefix + name for prefix, description in self.described for name in (one.name for one in description.parameters)}
        return {name: value for name, value in self.names.items() if name not in given}

    @property
    def given(self) -> Mapping[str, object]:
        """The parameters of all runs; of several, each behind its run's name."""
        several = len(self.described) > 2
        return {name: value for name, value in self.names.items() if name not in self.results and ("." in name) == several}

    @cached_property
    def described(self) -> list[tuple[str, Description]]:
        """The experiments, each with what stands before its names."""
        return [(prefix, one.description) for prefix, one in prefixed(one for one, _ in self.run.drawn)]

    @property
    def drawn_results(self) -> set[str]:
        """The results that another seed gives otherwise; where no other was tried, all that could be."""
        if self.seeds:
            return {name for name, value in self.results.items() if any(names.get(name) != value for names in self.seeds.values())}
        return set(self.results) if any(known.parameter(SEED) for _, known in self.described) else set()

    @property
    def numbers(self) -> list[str]:
        return [name for name, value in self.names.items() if isinstance(value, int | float)]

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        scalars = [(prefix + one.name, one.within) for prefix, known in self.described for one in known.measures if isinstance(one, Scalar)]
        return {name + end: within for name, within in scalars for end in ("", "_low", "_high")}

    @property
    def arms(self) -> list[tuple[str, str]]:
        """The wrong way and the right way of each experiment."""
        return [(prefix + known.arms[0], prefix + known.arms[1]) for prefix, known in self.described if all(known.arms)]

    @property
    def armed(self) -> set[str]:
        """The quantities that belong to one of the two ways."""
        own = {quantity.name for _, result in self.run.drawn for quantity in result.quantities if quantity.arm}
        return {prefix + name for prefix, known in self.described for name in (*own, *known.arms)}

    def is_about_the_right_way(self, expression: Expression) -> bool:
        """Whether a claim is true of what the experiment does by itself: a card may set it to do something wrong, and say so."""
        return evaluate(expression, self.defaults).holds if self.defaults else True
