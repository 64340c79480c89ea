"""What experiments declare, as decks are held against it: their names and ranges as plain data, and settings that they refuse."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from content.deck.cards import Verification
from content.deck.known_experiments import KnownExperiment, declared_problems, where_names_are
from content.deck.library import Draft, Library, LoadedDeck
from content.text.numerals import meant, real
from content.yaml.problems import Problem
from content.yaml.tree import Location, problem_at
from engine import Curve, Description, Grid, ParameterError, Scalar
from engine.assemble import COUNTER, counted
from quiz.card.card_run import run_parameters

Own = Mapping[Path | str, Mapping[str, Description]]  # by a deck's path: what its own computations are

_NONE: Own = {}
COUNTED = 100  # more than any family of matrices has: how many a run gives, only the run knows


def known_experiment(description: Description) -> KnownExperiment:
    """An experiment without its words and its code."""
    measures = description.measures
    matrices = [name for measure in measures if isinstance(measure, Grid) for name in _family(measure.name)]
    return KnownExperiment(
        description.name,
        {parameter.name: parameter.default for parameter in description.parameters},
        {one.name: one.within for one in measures if isinstance(one, Scalar) and not one.timed},
        frozenset([*matrices, *(one.name for one in measures if isinstance(one, Curve))]),
    )


def _family(name: str) -> list[str]:
    return [counted(name, index) for index in range(COUNTED)] if COUNTER.search(name) else [name]


def unrun_problems(library: Library, described: Mapping[str, Description], own: Own = _NONE) -> Iterator[Problem]:
    """All that is wrong between decks and the experiments they name, as far as it can be said without a run."""
    everywhere = {name: known_experiment(description) for name, description in described.items()}
    for loaded in library.files:
        here = own.get(loaded.path, {})
        known = everywhere | {name: known_experiment(description) for name, description in here.items()}
        yield from declared_problems(loaded, known)
        for index, card in loaded.readable.items():
            description = here.get(card.verify.experiment) or described.get(card.verify.experiment) if card.verify else None
            if card.verify and description:
                yield from refused_settings(loaded, ("cards", index, "verify"), card.verify, description)


def refused_settings(loaded: LoadedDeck | Draft, here: Location, verify: Verification, description: Description) -> Iterator[Problem]:
    """The parameters that the experiment does not have, or not with this value, or not with the others; each at its key."""
    alone = replace(description, rules=())
    refused = {name: error for name, value in verify.set.items() if (error := _refusal(loaded, replace(verify, set={name: value}), alone))}
    if not refused and (error := _refusal(loaded, verify, description)):
        refused = {_among(verify.set, description): error}
    for name, error in refused.items():
        place = loaded.tree.key_place((*here, "set", name))
        better = meant(verify.set[name]) if real(verify.set[name]) is None else ""
        hint = f"write {name}: {better}" if better else where_names_are(description.name)
        yield problem_at(str(loaded.path), place, str(error).rstrip("."), hint)


def _refusal(loaded: LoadedDeck | Draft, verify: Verification, description: Description) -> ParameterError | None:
    try:
        run_parameters(verify, description, loaded.folder)
    except ParameterError as error:
        return error
    return None


def _among(given: Mapping[str, str], description: Description) -> str:
    """The first of the given parameters that a rule between two names."""
    ruled = {name for rule in description.rules for name in (rule.part, rule.whole)}
    return next(name for name in given if name in ruled)


def unheard(before: Collection[Problem], run: Iterable[Problem]) -> Iterator[Problem]:
    """What a run says at places where nothing was wrong before it: a run finds a misspelt name again, in other words."""
    places = {(problem.path, problem.line, problem.column) for problem in before if problem.severity == "error"}
    return (problem for problem in run if (problem.path, problem.line, problem.column) not in places)
