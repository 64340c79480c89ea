"""What experiments declare, as decks are held against it: their names and ranges as plain data, and settings that they refuse."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from content.deck.cards import Run, Verification, run_place
from content.deck.known_experiments import KnownExperiment, declared_problems, known_runs, lab_name, where_names_are
from content.deck.library import Draft, Library, LoadedDeck
from content.format import LANGUAGES
from content.text.nearest import did_you_mean
from content.yaml.numerals import meant, real
from content.yaml.problems import Problem
from content.yaml.tree import Location, problem_at
from engine import Curve, Description, Grid, ParameterError, Scalar
from engine.assemble import COUNTER, counted
from quiz.card.card_run import CardRun
from quiz.card.planned_run import SEED, run_parameters
from quiz.words.problems import reason, say

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
        tuple(dict.fromkeys(name for figure in description.figures for name in figure.shows)),
    )


def _family(name: str) -> list[str]:
    return [counted(name, index) for index in range(COUNTED)] if COUNTER.search(name) else [name]


def unrun_problems(library: Library, described: Mapping[str, Description], own: Own = _NONE) -> Iterator[Problem]:
    """All that is wrong between decks and the experiments they name, as far as it can be said without a run."""
    everywhere = {name: known_experiment(description) for name, description in described.items()}
    for loaded in library.files:
        here = own.get(loaded.path, {})
        known = everywhere | {
            name: replace(known_experiment(description), name=lab_name(loaded, name)) for name, description in here.items()
        }
        yield from declared_problems(loaded, known)
        for index, card in loaded.readable.items():
            for name, run in card.verify.every_run.items() if card.verify else ():
                if description := here.get(run.experiment) or described.get(run.experiment):
                    yield from refused_settings(loaded, ("cards", index, *run_place(name)), run, description)
                    if card.verify and run is card.verify.own:
                        yield from _refused_presets(loaded, ("cards", index, "verify", "presets"), card.verify, description)


def known_card(card_run: CardRun) -> KnownExperiment:
    """All that the runs of a card that ran give."""
    assert card_run.card.verify is not None
    known = known_runs(card_run.card.verify, {name: known_experiment(one) for name, one in card_run.descriptions.items()})
    assert known is not None
    return known


def refused_settings(loaded: LoadedDeck | Draft, here: Location, run: Run, description: Description) -> Iterator[Problem]:
    """The parameters that the experiment does not have, or not with this value, or not with the others; each at its key."""
    settings = [run.settings(language) for language in LANGUAGES]
    for given in settings if settings[0] != settings[1] else settings[:1]:
        yield from _refused(loaded, here, given, description)
    if run.seeds > 1 and description.parameter(SEED) is None:
        place = loaded.tree.key_place((*here, "seeds"))
        yield problem_at(place, say("{experiment} draws nothing: it has no seed", experiment=description.name), say("leave seeds out"))


def _refused_presets(loaded: LoadedDeck | Draft, here: Location, verify: Verification, description: Description) -> Iterator[Problem]:
    """The same of what presets set; what is wrong with the card's own settings is told there."""
    for place, preset in enumerate(verify.presets):
        given = [preset.settings(language) for language in LANGUAGES]
        for values in given if given[0] != given[1] else given[:1]:
            yield from _refused(loaded, (*here, place), values, description)


def _refused(loaded: LoadedDeck | Draft, here: Location, given: Mapping[str, str], description: Description) -> Iterator[Problem]:
    alone = replace(description, rules=())
    refused = {name: error for name, value in given.items() if (error := _refusal(loaded, {name: value}, alone))}
    if not refused and (error := _refusal(loaded, given, description)):
        refused = {_among(given, description): error}
    for name, error in refused.items():
        place = loaded.tree.key_place((*here, "set", name))
        written = given.get(name, "")
        better = meant(written) if real(written) is None else ""
        point = _with_a_point(loaded, name, written, description)
        fits = better and _refusal(loaded, {name: better}, alone) is None
        free = [one.name for one in description.parameters if one.name not in given]
        near = "" if description.parameter(name) else did_you_mean(name, free)
        elsewhere = where_names_are(lab_name(loaded, description.name))
        hint = (
            say("write {name}: {better}", name=name, better=better)
            if fits
            else point or (say("{hint} {other}", hint=near, other=elsewhere) if near else elsewhere)
        )
        yield problem_at(place, reason(error), hint)


def _with_a_point(loaded: LoadedDeck | Draft, name: str, written: str, description: Description) -> str:
    """How a slider of the deck's own takes a number with a fraction, where it is given one and has whole numbers alone."""
    own, parameter, number = loaded.computations.get(description.name), description.parameter(name), real(written)
    if own is None or parameter is None or not isinstance(parameter.default, int) or number is None or number.is_integer():
        return ""
    if not parameter.low <= number <= parameter.high or name not in own.parameters:
        return ""
    default = float(parameter.default)
    return say("write its default as {default:.1f}: a slider whose numbers are all whole has no others", default=default)


def _refusal(loaded: LoadedDeck | Draft, given: Mapping[str, str], description: Description) -> ParameterError | None:
    try:
        run_parameters(given, description, loaded.folder)
    except ParameterError as error:
        return error
    return None


def _among(given: Mapping[str, str], description: Description) -> str:
    """The first of the given parameters that a rule between two names, or of all where a default is at fault."""
    ruled = {name for rule in description.rules for name in (rule.part, rule.whole)}
    return next((name for name in given if name in ruled), next(iter(given), SEED))


def unheard(before: Collection[Problem], run: Iterable[Problem]) -> Iterator[Problem]:
    """What a run says at places where nothing was wrong before it: a run finds a misspelt name again, in other words."""
    places = {(problem.path, problem.line, problem.column) for problem in before if problem.severity == "error"}
    return (problem for problem in run if (problem.path, problem.line, problem.column) not in places)
