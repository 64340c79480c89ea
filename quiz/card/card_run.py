"""What the engine has said of the card on the table: its runs, and the learner's own run when a slider was moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from content.claims.scope import Scope
from content.yaml.clean import clean
from content.yaml.numerals import real
from engine.label import ExperimentError
from quiz.card.planned_run import PlannedRun, asked_experiment, plan_runs, scope_of_runs
from quiz.study.turn import asked_quantity
from quiz.words.i18n import Words

if TYPE_CHECKING:
    from content.claims.outcome import Outcome
    from content.deck.cards import Card, Claim
    from engine import Description, Label, Result, Value
    from quiz.card.shared_runs import Computing


@dataclass(frozen=True)
class Verdict:
    """A claim and what the run says of it."""

    claim: Claim
    outcome: Outcome


def judge_claim(claim: Claim, names: Mapping[str, object]) -> Verdict:
    """One claim against one run. A claim that cannot be read fails with the reason."""
    from content.claims.evaluator import evaluate  # a question needs none of it, and comes sooner without
    from content.claims.outcome import Outcome
    from content.claims.parser import parse
    from content.claims.tokens import ClaimError

    try:
        return Verdict(claim, evaluate(parse(claim.check), names))
    except ClaimError as error:
        return Verdict(claim, Outcome(holds=False, sides=(), reason=str(error)))


def judge_claims(card: Card, names: Mapping[str, object]) -> tuple[Verdict, ...]:
    """Every claim of a card against one run."""
    return tuple(judge_claim(claim, names) for claim in card.verify.claims) if card.verify else ()


def preset_values(card: Card, language: str = "en") -> Scope:
    """What a question may show before anything ran: the values that the card sets itself."""
    return Scope({name: _number(value) for name, value in card.verify.settings(language).items()} if card.verify else {})


def _number(value: str) -> object:
    number = real(value)
    if number is None:
        return value
    return int(number) if number.is_integer() and "." not in value else number


@dataclass(frozen=True)
class CardRun:
    """`plan` is all that is to be computed, once it is known, the card's own run first; `result` is what that gave, and `found` what its
    other runs and seeds gave, as far as they are computed. `moved` is where the learner's sliders stand, `trial` their last run, at
    `trial_values`.

    `failure` says why the last run gave no result, `tried` that the card's own has given none: it is not run again for every slider.
    `beside` is the folder of the deck's file, where there is one; `language` is the reader's: examples may be set in it.
    """

    card: Card
    plan: tuple[PlannedRun, ...] = ()
    result: Result | None = None
    moved: Mapping[str, Value] | None = None
    trial: Result | None = None
    trial_values: Mapping[str, Value] = field(default_factory=dict)
    failure: Label | None = None
    beside: Path | None = None
    tried: bool = False
    language: str = "en"
    found: tuple[Result, ...] = ()

    @property
    def settings(self) -> Mapping[str, str]:
        """What the card sets, for its reader."""
        return self.card.verify.settings(self.language) if self.card.verify else {}

    @property
    def description(self) -> Description | None:
        """The experiment of the card's own run, once it is known."""
        return self.plan[0].description if self.plan else None

    @property
    def values(self) -> Mapping[str, Value]:
        """Where the card itself sets the sliders of its own run."""
        return self.plan[0].values if self.plan else {}

    @property
    def descriptions(self) -> dict[str, Description]:
        """The experiments of the card's runs by their names, as far as they are known."""
        return {planned.description.name: planned.description for planned in self.plan}

    @property
    def due(self) -> tuple[PlannedRun, ...]:
        """What is to be run in the lab, in this order: the card's own run, and the learner's version of it."""
        own = () if self.result or self.tried else self.plan[:1]
        return own if self.moved is None else (*own, replace(self.plan[0], values=self.moved))

    @property
    def due_further(self) -> tuple[PlannedRun, ...]:
        """What is still to be run besides; it is not shown in the lab."""
        return self.plan[1 + len(self.found) :]

    @property
    def complete(self) -> bool:
        """Whether all that the claims are held against is there."""
        return self.result is not None and not self.due_further

    @property
    def shown(self) -> Result | None:
        """What the lab shows: the learner's run, once there is one."""
        return self.trial or self.result

    @cached_property
    def names(self) -> Scope:
        """What live numbers show: always the card's own runs, so that an answer's sentences keep their meaning."""
        if self.card.verify and self.complete:
            return scope_of_runs(self.card.verify, [(one.name, one.values, result) for one, result in self.drawn])
        return preset_values(self.card, self.language)

    @property
    def drawn(self) -> list[tuple[PlannedRun, Result]]:
        """All that was computed, the own run first."""
        assert self.result
        return list(zip(self.plan, (self.result, *self.found), strict=True))

    def is_of(self, card: Card) -> bool:
        """Whether it is what a state of the card asks for: the same runs, with the same lines where the deck computes itself."""
        before, now = self.card.verify, card.verify
        if before is None or now is None or before != now:
            return before is now
        return [run.computation for run in before.every_run.values()] == [run.computation for run in now.every_run.values()]

    def computed(self, result: Result) -> CardRun:
        """The card_run with the result of what was due: the card's run, or the learner's."""
        if self.moved is None or not (self.result or self.tried):
            return replace(self, result=result, failure=None)
        return replace(self, trial=result, trial_values=self.moved, failure=None)

    def computed_further(self, result: Result) -> CardRun:
        """The card_run with the result of the first that was due besides."""
        return replace(self, found=(*self.found, result))

    def failed(self, reason: Label) -> CardRun:
        """The card_run without the result of what was due."""
        return replace(self, failure=reason, tried=self.result is None)

    def moved_to(self, values: Mapping[str, Value]) -> CardRun:
        """The card_run with the sliders at `values`; back at the card's own values, it is the card's run again."""
        if dict(values) == dict(self.values):
            return replace(self, moved=None, trial=None, trial_values={}, failure=None, tried=False)
        return replace(self, moved=dict(values), failure=None)

    def verdicts(self) -> tuple[Verdict, ...]:
        """The claims against the run that the lab shows."""
        if not self.complete:
            return ()
        if self.trial is None or self.card.verify is None:
            return judge_claims(self.card, self.names)
        own = self.plan[0].name
        others = [(one.name, one.values, result) for one, result in self.drawn if one.name != own]  # the learner's run has one seed
        return judge_claims(self.card, scope_of_runs(self.card.verify, [(own, self.trial_values, self.trial), *others]))

    def measured(self) -> float | None:
        """The card's run's value of the quantity that the learner guesses."""
        name = asked_quantity(self.card)
        value = self.names.get(name) if name and self.complete else None
        return float(value) if isinstance(value, int | float) else None


def run_card(card_run: CardRun, worker: Computing, words: Words) -> tuple[CardRun, str]:
    """The same with its card's runs, or the sentence that says why there are none."""
    try:
        return run_of(card_run.card, worker, card_run.beside, words.language), ""
    except ExperimentError as error:
        return card_run, words("reveal.not_computed", reason=clean(words.label(error.label)))


def run_of(card: Card, worker: Computing, beside: Path | None, language: str) -> CardRun:
    """A card with all of its runs. Raises ExperimentError."""
    assert card.verify is not None
    descriptions = [worker.describe(asked_experiment(run)).result() for run in card.verify.every_run.values()]
    plan = plan_runs(card.verify, descriptions, beside, language)
    results = tuple(worker.submit(planned.experiment, planned.values).result() for planned in plan)
    return CardRun(card, plan, results[0], beside=beside, language=language, found=results[1:])
