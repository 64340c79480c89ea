"""A card on trial: its experiment is run, and everything that the run does not bear out is a problem at its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from content.claims.evaluator import evaluate
from content.claims.mutation import killing_mutations
from content.claims.parser import Expression, parse
from content.claims.tokens import ClaimError
from content.deck import checks
from content.deck.cards import Card, Text, Verification
from content.deck.library import LoadedDeck
from content.text.placeholders import placeholder_names
from content.yaml.problems import Problem
from content.yaml.tree import Location, problem_at
from engine import Description, ExperimentError, ParameterError, Result, Value, Worker
from quiz.card.card_run import claim_scope, run_parameters
from quiz.study.turn import asked_quantity

Names = Mapping[str, object]
_NONE: Mapping[Value, Names] = {}


@dataclass(frozen=True)
class JudgedCard:
    """One card's run: how many claims held, how many cannot fail, and what is wrong."""

    held: int = 0
    survivors: int = 0
    problems: tuple[Problem, ...] = ()


def judge_card(loaded: LoadedDeck, index: int, card: Card, worker: Worker, count: int = 1) -> JudgedCard:
    """Runs a card's experiment, with `count` seeds where it has some, and holds its claims against the results."""
    assert card.verify is not None
    here: Location = ("cards", index, "verify")
    try:
        description = worker.describe(card.verify.experiment).result()
        if refused := tuple(_refused(loaded, here, card.verify, description)):
            return JudgedCard(problems=refused)
        parameters = run_parameters(card.verify, description)
        result = worker.submit(card.verify.experiment, parameters).result()
        lucky = dict(runs_with_seeds(worker, card.verify.experiment, parameters, other_seeds(description, parameters, count)))
    except ExperimentError as error:
        return JudgedCard(problems=(loaded.problem((*here, "set" if card.verify.set else "experiment"), str(error).rstrip(".")),))
    return run_problems(loaded, index, card, parameters, result, lucky)


def run_problems(
    loaded: LoadedDeck, index: int, card: Card, parameters: Mapping[str, Value], result: Result, lucky: Mapping[Value, Names] = _NONE
) -> JudgedCard:
    """A card's run held against its claims and its texts; `lucky` are the names that runs with other seeds gave."""
    assert card.verify is not None
    where: Location = ("cards", index, "verify", "claims")
    claims = [
        _tried_claim(loaded, (*where, i, "check"), claim.check, parameters, result, lucky, card.verify.experiment)
        for i, claim in enumerate(card.verify.claims)
    ]
    return JudgedCard(
        held=sum(tried.held for tried in claims),
        survivors=sum(tried.survivors for tried in claims),
        problems=(
            *_unknown(loaded, index, card, claim_scope(parameters, result)),
            *(problem for tried in claims for problem in tried.problems),
        ),
    )


def _refused(loaded: LoadedDeck, here: Location, verify: Verification, description: Description) -> Iterator[Problem]:
    """The parameters that the experiment does not have, or not with this value; each at its key."""
    for name, value in verify.set.items():
        try:
            run_parameters(verify.model_copy(update={"set": {name: value}}), description)
        except ParameterError as error:
            place = loaded.tree.key_place((*here, "set", name))
            yield problem_at(str(loaded.path), place, str(error).rstrip("."), _where_names_are(description.name))


def _tried_claim(
    loaded: LoadedDeck,
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
        spelled = ", ".join(f"{name}={value}" for name, value in parameters.items())
        hint = f"the run used {spelled}" if names.keys() >= set(expression.names) else _where_names_are(experiment)
        return JudgedCard(problems=(loaded.problem(where, f"the claim is false: {outcome.told}", hint),))
    deaths = killing_mutations(expression, names, results)
    if not any(deaths.values()):
        tested = ", ".join(deaths) or "none of the experiment's results"
        hint = "let it compare a result with what would be seen if the answer were wrong"
        return JudgedCard(held=1, survivors=1, problems=(loaded.problem(where, f"the claim cannot fail: it names {tested}", hint),))
    if sentence := lucky_sentence(expression, lucky):
        hint = "allow a wider tolerance, measure more at once, or claim what is true of every draw"
        return JudgedCard(held=1, problems=(loaded.problem(where, sentence, hint),))
    return JudgedCard(held=1)


def _unknown(loaded: LoadedDeck, index: int, card: Card, names: Mapping[str, object]) -> Iterator[Problem]:
    """Names that the run does not give: the asked quantity, live numbers in what is shown after the reveal."""
    assert card.verify is not None
    numbers = [name for name, value in names.items() if isinstance(value, int | float)]
    quantity = asked_quantity(card)
    if quantity and quantity not in numbers:
        where = ("cards", index, "number" if card.number else "predict", "quantity")
        hint = _meant(quantity, numbers, card.verify.experiment)
        yield loaded.problem(where, f"the experiment does not measure {quantity}", hint)
    for place, name, offset in _late_names(card):
        if name not in numbers:
            hint = _meant(name, numbers, card.verify.experiment)
            yield loaded.problem_in(("cards", index, *place), offset, f"{{{{{name}}}}} is not a number of this experiment", hint)


def _late_names(card: Card) -> Iterator[tuple[Location, str, int]]:
    """The live numbers of the texts that the run fills in, with their places in the card and in the text."""
    shown: list[tuple[Location, Text | None]] = [((field,), getattr(card, field)) for field in checks.PROSE]
    shown += [(("key_points", i), point) for i, point in enumerate(card.key_points)]
    shown += [(("options", i, "why"), option.why) for i, option in enumerate(card.options)]
    shown += [(("verify", "claims", i, "says"), claim.says) for i, claim in enumerate(card.verify.claims if card.verify else ())]
    for place, text in shown:
        for words, said in text.root.items() if text else ():
            for name, offset in placeholder_names(said).items():
                yield ((*place, words) if words else place), name, offset


def _meant(name: str, numbers: list[str], experiment: str) -> str:
    near = get_close_matches(name, numbers, n=3)
    return (f"did you mean {' or '.join(near)}? " if near else "") + _where_names_are(experiment)


def _where_names_are(experiment: str) -> str:
    return f"`qkv lab {experiment} --names` lists parameters and results"


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
    worker: Worker, experiment: str, parameters: Mapping[str, Value], seeds: tuple[Value, ...]
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
