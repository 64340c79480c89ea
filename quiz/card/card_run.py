"""What the engine has said of the card on the table: its run, and the learner's own run when a slider was moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from content.claims.scope import Scope
from content.text.numerals import real
from content.yaml.clean import clean
from engine.label import ExperimentError, ParameterError
from quiz.study.turn import asked_quantity
from quiz.words.i18n import Words

if TYPE_CHECKING:
    from content.claims.outcome import Outcome
    from content.deck.cards import Card, Claim, Verification
    from engine import Description, Label, Recipe, Result, Value, Worker


@dataclass(frozen=True)
class Verdict:
    """A claim and what the run says of it."""

    claim: Claim
    outcome: Outcome


def asked_experiment(verify: Verification) -> str | Recipe:
    """What a card's run is asked of: an experiment of the program's by its name, or the deck's own."""
    if verify.computation is None:
        return verify.experiment
    from quiz.card.recipes import recipe  # most cards compute nothing of their own

    return recipe(verify.experiment, verify.computation)


def run_parameters(verify: Verification, description: Description, beside: Path | None = None) -> dict[str, Value]:
    """Every parameter of the card's run: what `set` gives, checked, and the experiment's defaults. Raises ParameterError.

    `beside` is the folder of the deck's file: a model is looked for nowhere else. Blocks where there is a large one.
    """
    known = {parameter.name: parameter for parameter in description.parameters}
    for name in verify.set:
        if name not in known:
            names = ", ".join(known)
            raise ParameterError(
                f"{description.name} has no parameter {name}; it has {names}.", f"{description.name} 没有参数 {name}；可用的有 {names}。"
            )
    values = {name: parameter.accept(verify.set.get(name, parameter.default)) for name, parameter in known.items()}
    for rule in description.rules:
        rule.check(values)
    for name, parameter in known.items():
        if parameter.names_model and name in verify.set:
            from quiz.card.allowed_models import model_of_deck

            values[name] = model_of_deck(verify.set[name], beside)
    return values


def claim_scope(parameters: Mapping[str, Value], result: Result) -> Scope:
    """The names that claims and live numbers may use."""
    return Scope({**parameters, **result.scope()})


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


def preset_values(card: Card) -> Scope:
    """What a question may show before anything ran: the values that the card sets itself."""
    return Scope({name: _number(value) for name, value in card.verify.set.items()} if card.verify else {})


def _number(value: str) -> object:
    number = real(value)
    if number is None:
        return value
    return int(number) if number.is_integer() and "." not in value else number


@dataclass(frozen=True)
class CardRun:
    """`values` and `result` are the card's run; `moved` is where the learner's sliders stand, `trial` their last run, at `trial_values`.

    `failure` says why the last run gave no result, `tried` that the card's own has given none: it is not run again for every slider.
    `beside` is the folder of the deck's file, where there is one.
    """

    card: Card
    description: Description | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    result: Result | None = None
    moved: Mapping[str, Value] | None = None
    trial: Result | None = None
    trial_values: Mapping[str, Value] = field(default_factory=dict)
    failure: Label | None = None
    beside: Path | None = None
    tried: bool = False

    @property
    def due(self) -> tuple[Mapping[str, Value], ...]:
        """What is to be run, in this order: the card's own values, and the learner's."""
        own = () if self.result or self.tried else (self.values,)
        return own if self.moved is None else (*own, self.moved)

    @property
    def shown(self) -> Result | None:
        """What the lab shows: the learner's run, once there is one."""
        return self.trial or self.result

    @property
    def names(self) -> Scope:
        """What live numbers show: always the card's own run, so that an answer's sentences keep their meaning."""
        return claim_scope(self.values, self.result) if self.result else preset_values(self.card)

    def computed(self, result: Result) -> CardRun:
        """The card_run with the result of what was due: the card's run, or the learner's."""
        if self.moved is None or not (self.result or self.tried):
            return replace(self, result=result, failure=None)
        return replace(self, trial=result, trial_values=self.moved, failure=None)

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
        if self.trial is not None:
            return judge_claims(self.card, claim_scope(self.trial_values, self.trial))
        return judge_claims(self.card, claim_scope(self.values, self.result)) if self.result else ()

    def measured(self) -> float | None:
        """The card's run's value of the quantity that the learner guesses."""
        name = asked_quantity(self.card)
        value = self.names.get(name) if name and self.result else None
        return float(value) if isinstance(value, int | float) else None


def run_card(card_run: CardRun, worker: Worker, words: Words) -> tuple[CardRun, str]:
    """The same with its card's run, or the sentence that says why there is none."""
    assert card_run.card.verify is not None
    experiment = asked_experiment(card_run.card.verify)
    try:
        description = worker.describe(experiment).result()
        values = run_parameters(card_run.card.verify, description, card_run.beside)
        result = worker.submit(experiment, values).result()
    except ExperimentError as error:
        return card_run, words("reveal.not_computed", reason=clean(words.label(error.label)))
    return CardRun(card_run.card, description, values, result, beside=card_run.beside), ""
