"""Whether a listing's mistake is the one that its card's run has measured: `agrees` holds, and could not if the listing were another one.

An agreement is a claim over the run's names and two more: `wrong` and `right`, what `compare` is worth without and with the correction. It
names a result of the run and `wrong`, is false with the corrected listing's value in the place of the wrong one's, and by a change of
every result that it names. Where the wrong listing raises, it has no value, and `right` is compared alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from content.claims import teeth
from content.claims.evaluator import evaluate
from content.claims.idle import why_idle
from content.claims.mutation import killing_mutations
from content.claims.named_values import unknown_name
from content.claims.parser import Expression, parse
from content.claims.ranges import EVERYTHING
from content.claims.tokens import ClaimError
from content.claims.tolerances import tolerances
from content.deck.known_experiments import CANNOT_FAIL, where_names_are
from content.deck.listings import OWN
from content.messages.sentence import joined, template
from content.text.numbers import significant
from engine.listing.request import Failure, Ran
from quiz.card.card_runs import CardRuns
from quiz.words.problems import of_label, say

Fault = tuple[str, str]  # what is wrong, what to do

NEAR = 3  # tolerances: what is further apart is no matter of luck

_DRAW_MORE = say("if only the draws differ, let the listing draw more and average, or widen agrees")
_MEASURED = say("compare wrong with what the run has measured of the mistake")


def agreement_faults(agrees: str, runs: CardRuns, ran: Ran, asked: str = "") -> Iterator[Fault]:
    """What is wrong with an agreement; `ran` has a value for the corrected listing, `asked` is what `qkv lab` calls the experiment."""
    try:
        expression = parse(agrees)
    except ClaimError:
        return  # content.deck.listings has said so
    if taken := next((name for name in OWN if name in runs.names), ""):
        told = say("{name} is a result of the run as well as the listing's value", name=taken)
        yield told, say("give the run's another name")
        return
    values = {name: value for name, value in (("wrong", ran.wrong), ("right", ran.right)) if not isinstance(value, Failure)}
    fault = _unnamed(expression, runs, ran, asked or runs.described[0][1].name) or _untrue(expression, runs, values)
    if fault:
        yield fault
        return
    if evaluate(expression, {**runs.names, **values, "wrong": ran.right}).holds and "wrong" in values:
        yield say("agrees holds as well with the corrected listing in the place of the wrong one"), CANNOT_FAIL
    results = {*runs.results, *values}
    for name, death in killing_mutations(expression, {**runs.names, **values}, results, runs.ranges).items():
        if death is None:
            sentence, hint = why_idle(expression, {**runs.names, **values}, name, runs.ranges.get(name, EVERYTHING))
            yield say("agrees says nothing of {name}: {sentence}", name=name, sentence=sentence), hint
    if sentence := teeth.too_wide(expression):
        told = say("agrees says little: {sentence}", sentence=sentence)
        yield told, say("write the tolerance that the number needs, such as 0.05")


def _unnamed(expression: Expression, runs: CardRuns, ran: Ran, asked: str) -> Fault | None:
    """What an agreement has to name, and does not; or names, and it has no value."""
    if unknown := next((name for name in expression.names if name not in (*OWN, *runs.names)), ""):
        return unknown_name(unknown, (*OWN, *runs.names)), where_names_are(asked)
    if isinstance(ran.wrong, Failure):
        if "wrong" in expression.names:
            told = say("wrong has no value: the listing {failure}", failure=of_label(ran.wrong.message))
            return told, say("compare what both give, or let agrees speak of right alone")
    elif "wrong" not in expression.names:
        return say("agrees says nothing of the wrong listing"), _MEASURED
    if not {*expression.names} & {*runs.results}:
        return say("agrees names nothing that the run measures"), _MEASURED
    return None


def _untrue(expression: Expression, runs: CardRuns, values: dict[str, object]) -> Fault | None:
    scope = {**runs.names, **values}
    outcome = evaluate(expression, scope)
    if outcome.holds:
        return None
    told = say("the listing is not the mistake that was run: {reason}", reason=outcome.told)
    if near := _near_miss(expression, scope):
        return say("{sentence}; {near}", sentence=told, near=near), _DRAW_MORE
    known = [
        say("{name} is {value}", name=name, value=significant(value)) for name, value in values.items() if isinstance(value, int | float)
    ]
    return told, joined(template("{one}, {other}"), known) if known else say("look at both with qkv lab")


def _near_miss(expression: Expression, scope: dict[str, object]) -> str:
    """How far apart two numbers are that another draw might bring together; nothing where they are too far."""
    for tolerance in tolerances(expression):
        gap = tolerance.gap(scope)
        if gap is not None and tolerance.relative and tolerance.width < gap <= NEAR * tolerance.width:
            return say("they are {gap:.0f} % apart, and {allowed:g} % are allowed", gap=gap * 100, allowed=tolerance.width * 100)
    return ""
