"""What the engine has said of the card on the table: its run, and the learner's own run when a slider was moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from content.deck.cards import Card
from engine.experiment import Description
from engine.label import Label
from engine.parameter import Value
from engine.result import Result
from quiz.answers import asked_quantity
from quiz.verification import Verdict, promised, scope, verdicts


@dataclass(frozen=True)
class Bench:
    """`values` and `result` are the card's run; `moved` and `trial` the learner's. `failure` says why there is no result."""

    card: Card
    description: Description | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    result: Result | None = None
    moved: Mapping[str, Value] | None = None
    trial: Result | None = None
    failure: Label | None = None

    @property
    def names(self) -> dict[str, object]:
        """What live numbers show: always the card's own run, so that an answer's sentences keep their meaning."""
        return scope(self.values, self.result) if self.result else promised(self.card)

    def computed(self, result: Result) -> Bench:
        """The bench with a run's result: the card's, or the learner's where a slider has been moved."""
        if self.moved is None:
            return replace(self, result=result, failure=None)
        return replace(self, trial=result, failure=None)

    def moved_to(self, values: Mapping[str, Value]) -> Bench:
        """The bench with the sliders at `values`; back at the card's own values, it is the card's run again."""
        if dict(values) == dict(self.values):
            return replace(self, moved=None, trial=None, failure=None)
        return replace(self, moved=dict(values), failure=None)

    def verdicts(self) -> tuple[Verdict, ...]:
        """The claims against the run that the lab shows."""
        if self.moved is not None and self.trial is not None:
            return verdicts(self.card, scope(self.moved, self.trial))
        return verdicts(self.card, scope(self.values, self.result)) if self.result else ()

    def measured(self) -> float | None:
        """The card's run's value of the quantity that the learner guesses."""
        name = asked_quantity(self.card)
        value = self.names.get(name) if name and self.result else None
        return float(value) if isinstance(value, int | float) else None
