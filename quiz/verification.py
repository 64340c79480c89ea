"""A card's `verify`: its parameters, the run, and a verdict on every claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from content.claims.evaluator import Outcome, evaluate
from content.claims.parser import parse
from content.claims.tokens import ClaimError
from content.deck.cards import Card, Claim, Verification
from engine.experiment import Description
from engine.label import ParameterError
from engine.parameter import Value
from engine.result import Result


@dataclass(frozen=True)
class Verdict:
    """A claim and what the run says of it."""

    claim: Claim
    outcome: Outcome


def settings(verify: Verification, description: Description) -> dict[str, Value]:
    """Every parameter of the card's run: what `set` gives, checked, and the experiment's defaults. Raises ParameterError."""
    known = {parameter.name: parameter for parameter in description.parameters}
    for name in verify.set:
        if name not in known:
            names = ", ".join(known)
            raise ParameterError(
                f"{description.name} has no parameter {name}; it has {names}.", f"{description.name} 没有参数 {name}；可用的有 {names}。"
            )
    return {name: parameter.accept(verify.set.get(name, parameter.default)) for name, parameter in known.items()}


def scope(parameters: Mapping[str, Value], result: Result) -> dict[str, object]:
    """The names that claims and live numbers may use."""
    return {**parameters, **result.scope()}


def judge(claim: Claim, names: Mapping[str, object]) -> Verdict:
    """One claim against one run. A claim that cannot be read fails with the reason."""
    try:
        return Verdict(claim, evaluate(parse(claim.check), names))
    except ClaimError as error:
        return Verdict(claim, Outcome(holds=False, sides=(), reason=str(error)))


def verdicts(card: Card, names: Mapping[str, object]) -> tuple[Verdict, ...]:
    """Every claim of a card against one run."""
    return tuple(judge(claim, names) for claim in card.verify.claims) if card.verify else ()


def promised(card: Card) -> dict[str, object]:
    """What a question may show before anything ran: the values that the card sets itself."""
    return {name: _number(value) for name, value in card.verify.set.items()} if card.verify else {}


def _number(value: str) -> object:
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() and "." not in value else number
