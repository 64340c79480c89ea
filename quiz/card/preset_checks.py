"""The presets of a card on trial: what is to be seen at each has to be there, and nowhere near where the card already stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from content.claims.evaluator import evaluate
from content.claims.parser import parse
from content.claims.tokens import ClaimError
from content.deck.cards import UNREAD
from content.deck.library import Draft, LoadedDeck
from content.yaml.problems import Problem
from engine import ExperimentError, Value
from quiz.card.card_run import CardRun
from quiz.card.hero import trials
from quiz.card.planned_run import SEED, other_seeds
from quiz.card.shared_runs import Computing
from quiz.words.problems import reason, say


def preset_problems(loaded: LoadedDeck | Draft, index: int, run: CardRun, worker: Computing) -> Iterator[Problem]:
    """Presets that cannot be run, that do not show what they say, or that show what the card shows without them."""
    verify, description = run.card.verify, run.description
    if verify is None or description is None or run.result is None or not verify.presets:
        return
    where = ("cards", index, "verify", "presets")
    try:
        offered = trials(run.card, description, run.values, run.language)
    except ExperimentError:
        return  # quiz.card.declared has said so
    for place, (preset, trial) in enumerate(zip(verify.presets, offered, strict=True)):
        if preset.check == UNREAD:
            continue
        try:
            expression = parse(preset.check)
            there = _moved(run, trial.values, worker)
        except ClaimError:
            continue  # content.deck.checks has said so
        except ExperimentError as error:
            yield loaded.problem((*where, place, "set"), reason(error))
            continue
        outcome = evaluate(expression, there.names)
        if not outcome.holds:
            told = say("the preset does not show it: {reason}", reason=outcome.told)
            yield loaded.problem((*where, place, "check"), told, say("change set, or what is to be seen"))
        elif evaluate(expression, run.names).holds:
            told = say("this is true at the card's own setting too")
            yield loaded.problem((*where, place, "check"), told, say("check what is different at the preset"))


def _moved(run: CardRun, values: Mapping[str, Value], worker: Computing) -> CardRun:
    """The card's runs with its own one at other values, in as many draws as it has. Raises ExperimentError."""
    own = run.plan[0]
    draws = sum(planned.name == own.name for planned in run.plan)
    seeds = other_seeds(own.description, values, draws)
    plan = [replace(own, values=at) for at in (values, *({**values, SEED: seed} for seed in seeds))]
    results = [worker.submit(planned.experiment, planned.values).result() for planned in plan]
    return replace(run, plan=(*plan, *run.plan[draws:]), result=results[0], found=(*results[1:], *run.found[draws - 1 :]))
