"""A card on trial: its experiment is run, and everything that the run does not bear out is a problem at its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from content.claims.evaluator import evaluate
from content.claims.mutation import killing_mutations
from content.claims.parser import Expression, parse
from content.claims.tokens import ClaimError
from content.deck.cards import Card
from content.deck.known_experiments import CANNOT_FAIL, the_run_used, unknown_numbers, where_names_are
from content.deck.library import Draft, LoadedDeck
from content.yaml.problems import Problem
from content.yaml.tree import Location
from engine import Description, ExperimentError, Recipe, Result, Value, Worker
from quiz.card.card_run import claim_scope, run_parameters
from quiz.card.declared import refused_settings
from quiz.card.recipes import asked_experiment

Names = Mapping[str, object]
_NONE: Mapping[Value, Names] = {}


@dataclass(frozen=True)
class JudgedCard:
    """One card's run: how many claims held, how many cannot fail, and what is wrong.

    `idle` are results that a claim names and that could be anything: it can fail, but not by them. Our own decks have none.
    """

    held: int = 0
    survivors: int = 0
    problems: tuple[Problem, ...] = ()
    idle: tuple[Problem, ...] = ()


def judge_card(loaded: LoadedDeck | Draft, index: int, card: Card, worker: Worker, count: int = 1) -> JudgedCard:
    """Runs a card's experiment, with `count` seeds where it has some, and holds its claims against the results."""
    assert card.verify is not None
    here: Location = ("cards", index, "verify")
    try:
        experiment = asked_experiment(card.verify)
        description = worker.describe(experiment).result()
        if refused := tuple(refused_settings(loaded, here, card.verify, description)):
            return JudgedCard(problems=refused)
        parameters = run_parameters(card.verify, description, loaded.folder)
        result = worker.submit(experiment, parameters).result()
        lucky = dict(runs_with_seeds(worker, experiment, parameters, other_seeds(description, parameters, count)))
    except ExperimentError as error:
        return JudgedCard(problems=(loaded.problem((*here, "set" if card.verify.set else "experiment"), str(error).rstrip(".")),))
    return run_problems(loaded, index, card, parameters, result, lucky)


def run_problems(
    loaded: LoadedDeck | Draft,
    index: int,
    card: Card,
    parameters: Mapping[str, Value],
    result: Result,
    lucky: Mapping[Value, Names] = _NONE,
) -> JudgedCard:
    """A card's run held against its claims and its texts; `lucky` are the names that runs with other seeds gave."""
    assert card.verify is not None
    where: Location = ("cards", index, "verify", "claims")
    numbers = [name for name, value in claim_scope(parameters, result).items() if isinstance(value, int | float)]
    claims = [
        _tried_claim(loaded, (*where, i, "check"), claim.check, parameters, result, lucky, card.verify.experiment)
        for i, claim in enumerate(card.verify.claims)
    ]
    return JudgedCard(
        held=sum(tried.held for tried in claims),
        survivors=sum(tried.survivors for tried in claims),
        problems=(
            *unknown_numbers(loaded, index, card, numbers),
            *(problem for tried in claims for problem in tried.problems),
        ),
        idle=tuple(problem for tried in claims for problem in tried.idle),
    )


def _tried_claim(
    loaded: LoadedDeck | Draft,
    where: Location,
    check: str,
    parameters: Mapping[str, Value],
    result: Result,
    lucky: Mapping[Value, Names],
    experiment: str,
) -> JudgedCard:
    try:
        expression = parse(check)
    except ClaimError:
        return JudgedCard()  # content.deck.checks has said so
    names, results = claim_scope(parameters, result), result.scope()
    outcome = evaluate(expression, names)
    if not outcome.holds:
        hint = the_run_used(parameters) if names.keys() >= set(expression.names) else where_names_are(experiment)
        return JudgedCard(problems=(loaded.problem(where, f"the claim is false: {outcome.told}", hint),))
    deaths = killing_mutations(expression, names, results)
    if not any(deaths.values()):
        tested = ", ".join(deaths) or "none of the experiment's results"
        return JudgedCard(held=1, survivors=1, problems=(loaded.problem(where, f"the claim cannot fail: it names {tested}", CANNOT_FAIL),))
    if sentence := lucky_sentence(expression, lucky):
        hint = "allow a wider tolerance, measure more at once, or claim what is true of every draw"
        return JudgedCard(held=1, problems=(loaded.problem(where, sentence, hint),))
    idle = [name for name, death in deaths.items() if death is None]
    hint = "leave it out, or compare it so that it matters"
    return JudgedCard(held=1, idle=tuple(loaded.problem(where, f"the claim holds whatever {name} is", hint) for name in idle))


SEED = "seed"
_NAMED = 8  # seeds in one sentence


def other_seeds(description: Description, parameters: Mapping[str, Value], count: int) -> tuple[Value, ...]:
    """The first seeds beside the card's own, `count` with it; none where the experiment draws nothing."""
    parameter = description.parameter(SEED)
    if parameter is None:
        return ()
    seeds = (parameter.value_at(tick) for tick in range(parameter.ticks + 1))
    return tuple(islice((seed for seed in seeds if seed != parameters[SEED]), max(count - 1, 0)))


def runs_with_seeds(
    worker: Worker, experiment: str | Recipe, parameters: Mapping[str, Value], seeds: tuple[Value, ...]
) -> Iterator[tuple[Value, Names]]:
    """What a claim may name, for each seed. Raises ExperimentError."""
    for seed in seeds:
        moved = {**parameters, SEED: seed}
        yield seed, claim_scope(moved, worker.submit(experiment, moved).result())


def lucky_sentence(expression: Expression, tried: Mapping[Value, Names]) -> str:
    """A sentence where a claim that holds with the card's own seed is false with others; else nothing."""
    outcomes = {seed: evaluate(expression, names) for seed, names in tried.items()}
    unlucky = {seed: outcome for seed, outcome in outcomes.items() if not outcome.holds}
    if not unlucky:
        return ""
    first, outcome = next(iter(unlucky.items()))
    listed = ", ".join(map(str, islice(unlucky, _NAMED))) + (", ..." if len(unlucky) > _NAMED else "")
    counted = f"it is false with {len(unlucky)} of {len(tried) + 1} seeds ({listed})"
    return f"the claim holds only by luck: {counted}; with seed {first}: {outcome.told}"
