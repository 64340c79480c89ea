"""A card on trial: its experiment is run, and everything that the run does not bear out is a problem at its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from content.claims import teeth
from content.claims.evaluator import evaluate
from content.claims.idle import why_idle
from content.claims.mutation import killing_mutations
from content.claims.parser import Expression, parse
from content.claims.ranges import EVERYTHING
from content.claims.tokens import ClaimError
from content.deck.cards import Card, Run, run_place
from content.deck.digits import unproved_digits
from content.deck.hints import hints_with
from content.deck.known_experiments import CANNOT_FAIL, NAMES_NOTHING, lab_name, late_names, the_run_used, unknown_numbers, where_names_are
from content.deck.library import Draft, LoadedDeck
from content.format import LANGUAGES
from content.yaml.problems import Problem
from content.yaml.tree import Location
from engine import ComputeError, ExperimentError
from quiz.card.card_run import run_of
from quiz.card.card_runs import CardRuns
from quiz.card.declared import refused_settings
from quiz.card.luck import lucky_sentence, runs_with_seeds, untypical_sentence
from quiz.card.neighbours import Neighbours
from quiz.card.planned_run import asked_experiment
from quiz.card.preset_checks import preset_problems
from quiz.card.recipes import step_place
from quiz.card.settings import SETTINGS, OtherSettings
from quiz.card.shared_runs import Computing
from quiz.card.without_curves import judged_names, without_curves
from quiz.words.problems import reason, say

FIRST = 2  # other settings that every claim is tried at; most are refuted there
FEWEST = 5  # settings from which on "always" may be said
ALLOW = say("allow a wider tolerance, measure more at once, or claim what is true of every draw")
TYPICAL = say("choose a typical seed, allow more, or measure an average over seeds")


@dataclass(frozen=True)
class JudgedCard:
    """One card's run: how many claims held, how many were not run, how many cannot fail, and what is wrong."""

    held: int = 0
    unrun: int = 0
    survivors: int = 0
    problems: tuple[Problem, ...] = ()


def judge_card(loaded: LoadedDeck | Draft, index: int, card: Card, worker: Computing, others: OtherSettings, count: int = 1) -> JudgedCard:
    """Runs a card's experiments, with `count` seeds where they have some, and holds its claims against the results; once for each language
    whose examples differ."""
    assert card.verify is not None
    spoken = {tuple(card.verify.settings(language).items()): language for language in reversed(LANGUAGES)}
    judged = {language: _judged(loaded, index, card, worker, others, count, language) for language in reversed(spoken.values())}
    return JudgedCard(
        held=min(one.held for one in judged.values()),
        unrun=max(one.unrun for one in judged.values()),
        survivors=max(one.survivors for one in judged.values()),
        problems=tuple(of_languages({language: one.problems for language, one in judged.items()})),
    )


def of_languages(told: Mapping[str, Sequence[Problem]]) -> Iterator[Problem]:
    """What is wrong in every language once; what is wrong in one of them with its name."""
    everywhere = set.intersection(*(set(problems) for problems in told.values()))
    first = True
    for language, problems in told.items():
        for problem in problems:
            if problem not in everywhere:
                yield replace(
                    problem, message=say("{message} (with the values for {language})", message=problem.message, language=language)
                )
            elif first:
                yield problem
        first = False


def _judged(
    loaded: LoadedDeck | Draft, index: int, card: Card, worker: Computing, others: OtherSettings, count: int, language: str
) -> JudgedCard:
    """One language's runs."""
    assert card.verify is not None
    here: Location = ("cards", index)
    place, run = (*here, *run_place(next(iter(card.verify.every_run)))), card.verify.own
    try:
        for name, run in card.verify.every_run.items():
            place = (*here, *run_place(name))
            if refused := tuple(refused_settings(loaded, place, run, worker.describe(asked_experiment(run)).result())):
                return JudgedCard(unrun=len(card.verify.claims), problems=refused)
        own = run_of(card, worker, loaded.folder, language)
        lean = without_curves(own, judged_names(card))
        runs = CardRuns(own, dict(runs_with_seeds(worker, lean, count)))
    except ExperimentError as error:
        return JudgedCard(unrun=len(card.verify.claims), problems=(_not_computed(loaded, card, place, run, error),))
    if card.verify.claims:
        runs = replace(runs, settings=partial(others.of, lean), defaults=others.at_defaults(lean))
        neighbours = Neighbours(worker, lean, (runs.names, *runs.seeds.values()), runs.results)
        runs = replace(runs, wide=neighbours.passing(claim.check for claim in card.verify.claims))
    judged = run_problems(loaded, index, card, runs)
    return replace(judged, problems=(*judged.problems, *preset_problems(loaded, index, own, worker)))


def _not_computed(loaded: LoadedDeck | Draft, card: Card, place: Location, run: Run, error: ExperimentError) -> Problem:
    """Why a run gave nothing: at the line of the deck's own computation that is at fault, or where the card says what is run."""
    if not isinstance(error, ComputeError) or run.computation is None:
        return loaded.problem((*place, "set" if run.set else "experiment"), reason(error))
    told = say("as {card} sets it: {reason}", card=card.id, reason=reason(error)) if run.set else reason(error)
    return loaded.problem_in(step_place(run.experiment, run.computation, error.step), error.place[0], told)


def run_problems(loaded: LoadedDeck | Draft, index: int, card: Card, runs: CardRuns) -> JudgedCard:
    """A card's runs held against its claims, its numbers and its texts."""
    assert card.verify is not None
    where: Location = ("cards", index, "verify", "claims")
    claims = [_judged_claim(loaded, (*where, i, "check"), claim.check, runs) for i, claim in enumerate(card.verify.claims)]
    return JudgedCard(
        held=sum(judged.held for judged in claims),
        unrun=sum(judged.unrun for judged in claims),
        survivors=sum(judged.survivors for judged in claims),
        problems=(
            *unknown_numbers(loaded, index, card, runs.numbers, runs.names),
            *(problem for judged in claims for problem in judged.problems),
            *_untypical(loaded, index, card, runs),
            *_unproved(loaded, index, card, runs),
            *_told_before(loaded, index, card, runs),
        ),
    )


def _judged_claim(loaded: LoadedDeck | Draft, where: Location, check: str, runs: CardRuns) -> JudgedCard:
    try:
        expression = parse(check)
    except ClaimError:
        return JudgedCard(unrun=1)  # content.deck.checks has said so
    outcome = evaluate(expression, runs.names)
    if not outcome.holds:
        known = runs.names.keys() >= set(expression.names)
        hint = the_run_used(runs.given) if known else where_names_are(lab_name(loaded, runs.described[0][1].name))
        return JudgedCard(problems=(loaded.problem(where, say("the claim is false: {reason}", reason=outcome.told), hint),))
    deaths = killing_mutations(expression, runs.names, runs.results, runs.ranges)
    idle = [why_idle(expression, runs.names, name, runs.ranges.get(name, EVERYTHING)) for name, death in deaths.items() if death is None]
    if len(idle) == len(deaths):
        told, hint = idle[0] if idle else (NAMES_NOTHING, CANNOT_FAIL)
        sentence = say("the claim cannot fail: {sentence}", sentence=told) if idle else told
        return JudgedCard(held=1, survivors=1, problems=(loaded.problem(where, sentence, hint),))
    faults = idle
    faults += _toothless(expression, runs)
    problems = [loaded.problem(where, sentence, hint) for sentence, hint in faults]
    if not problems and check in runs.wide:
        problems = [loaded.problem(where, *runs.wide[check], "warning")]
    return JudgedCard(held=1, problems=tuple(problems))


def _toothless(expression: Expression, runs: CardRuns) -> Iterator[tuple[str, str]]:
    """Why a claim that holds, and that a changed result can make false, still proves little; and what to do."""
    if sentence := lucky_sentence(expression, runs.seeds):
        yield sentence, ALLOW
    for arms in runs.arms if runs.is_about_the_right_way(expression) else ():
        if sentence := teeth.of_the_wrong_way(expression, runs.names, arms):
            yield say("the claim is no claim about the right way: {sentence}", sentence=sentence), CANNOT_FAIL
            break
    if sentence := teeth.too_wide(expression):
        yield say("the claim says little: {sentence}", sentence=sentence), say("write the tolerance that the number needs, such as 0.05")
    yield from _true_everywhere(expression, runs, FIRST) and _true_everywhere(expression, runs, SETTINGS)


def _true_everywhere(expression: Expression, runs: CardRuns, most: int) -> list[tuple[str, str]]:
    """Why a claim cannot fail as far as so many other settings show, and what to do. What a few refute, more of them would."""
    settings, found = runs.settings(most), list[tuple[str, str]]()
    if len(settings) < min(most, FEWEST):
        return []
    if sentence := teeth.by_definition(expression, settings, runs.results, runs.drawn_results):
        found.append((sentence, say("compare it with something measured in another way")))
    if sentence := teeth.always_the_same(expression, settings, runs.results, runs.armed):
        found.append((sentence, CANNOT_FAIL))
    return [(say("the claim cannot fail: {sentence}", sentence=sentence), hint) for sentence, hint in found]


def _unproved(loaded: LoadedDeck | Draft, index: int, card: Card, runs: CardRuns) -> Iterator[Problem]:
    """Digits in the texts that no run would correct."""
    for place, offset, message, hint in unproved_digits(card, runs.names, runs.given):
        yield loaded.problem_in(("cards", index, *place), offset, message, hint, "warning")


def _told_before(loaded: LoadedDeck | Draft, index: int, card: Card, runs: CardRuns) -> Iterator[Problem]:
    """Hints that say what the run measures."""
    asked = card.number or card.predict
    value = runs.names.get(asked.quantity) if card.hint and asked and asked.quantity else None
    if isinstance(value, int | float) and value == value:
        for place, offset, message, hint in hints_with(card, value):
            yield loaded.problem_in(("cards", index, *place), offset, message, hint, "warning")


def _untypical(loaded: LoadedDeck | Draft, index: int, card: Card, runs: CardRuns) -> Iterator[Problem]:
    """Numbers that are asked for or quoted, and that only this draw gives."""
    asked = card.number or card.predict
    name = asked.quantity if asked else None
    if asked and name and (sentence := untypical_sentence(name, runs.names.get(name), runs.seeds, asked.within)):
        where = ("cards", index, "number" if card.number else "predict", "quantity")
        yield loaded.problem(where, say("the answer depends on luck: {sentence}", sentence=sentence), TYPICAL)
    said = set()
    for place, quoted, offset in late_names(card):
        if quoted not in said and (sentence := untypical_sentence(quoted, runs.names.get(quoted), runs.seeds)):
            said.add(quoted)
            yield loaded.problem_in(
                ("cards", index, *place), offset, say("a lucky number is quoted: {sentence}", sentence=sentence), TYPICAL, "warning"
            )
