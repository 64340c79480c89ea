"""`qkv check`: every problem of every deck, then every claim against its run; a claim that cannot fail is an error."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from content.deck import checks
from content.deck.cards import Card, Verification
from content.deck.house_rules import broken_rules
from content.deck.library import Draft, Given, Library, LoadedDeck, load
from content.format import SIZE_LIMIT
from content.yaml.problems import Problem
from engine import Description, ExperimentError, Worker, known_names
from quiz.card.deck_paths import all_deck_paths
from quiz.card.declared import Own, unheard, unrun_problems
from quiz.card.judge import JudgedCard, judge_card
from quiz.card.recipes import describe_own
from quiz.card.settings import OtherSettings
from quiz.card.shared_runs import SharedRuns
from quiz.card.slider_ends import slider_problems
from quiz.commands.check_cards import of_cards, with_cards
from quiz.commands.check_report import FORMS, CodeReport, Form, Report
from quiz.commands.output import fail
from quiz.commands.schema import refresh_schema
from quiz.commands.side_by_side import how_many_at_once, side_by_side
from quiz.exit_codes import OK
from quiz.gc_pause import gc_paused
from quiz.terminal.streams import ReaderGone, read_bytes
from quiz.words.i18n import Words

STDIN = "-"
AHEAD = 8  # cards for each process: while some are judged, and some wait for the process that trains for them, there are others to run
TriedCard = tuple[LoadedDeck | Draft, int, Card]


def run(
    paths: Iterable[str],
    *,
    form: Form,
    count: int,
    runs_code: bool = False,
    strict: bool = False,
    language: str = "",
    cards: Collection[str] = (),
) -> int:
    """Checks and prints; the exit code is 1 when there is an error. `count` seeds are tried; with 0 no claim is run.

    `cards` are the ids of those that are looked at, where it is not all of them. `runs_code` also runs the listings of code cards.
    `strict` holds decks to the rules of the bundled ones, and every warning is an error.
    """
    words = Words.of(language)
    with gc_paused():
        library = with_cards(load([_source(path) for path in dict.fromkeys(paths)] or all_deck_paths()), cards)
        gc.freeze()  # the decks stay until the end: nobody needs to look through them for garbage
    with Engine() as engine:
        report = checked(library, engine, words, count=count, runs_code=runs_code, strict=strict)
        report = of_cards(report, library) if cards else report
    with suppress(ReaderGone):  # `qkv check | head` fails where the decks do
        FORMS[form](report, words)
    return report.exit_code


class Engine:
    """The processes that run claims: they get ready while texts are looked at, and are kept until the end; none where no deck computes."""

    def __init__(self) -> None:
        self._ends = ExitStack()
        self._workers: list[Worker] = []

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def workers(self, library: Library) -> Sequence[Worker]:
        """The processes for some decks, one at least where one of them computes; those that are there already do as well."""
        computing = sum(card.verify is not None for loaded in library.files for card in loaded.readable.values())
        if computing or any(loaded.computations for loaded in library.files):
            while len(self._workers) < how_many_at_once(computing):
                self._workers.append(self._ends.enter_context(Worker()))
        return self._workers


def checked(
    library: Library, engine: Engine, words: Words, *, count: int, runs_code: bool, strict: bool, each: Callable[[], None] = lambda: None
) -> Report:
    """What is wrong with some decks. Before a card is run, `each` is called, which may end it all."""
    computed: dict[Path | str, Mapping[str, Description]] = {}
    described: Mapping[str, Description] = {}
    workers = engine.workers(library)
    runs = SharedRuns(workers) if workers else None
    with gc_paused():
        problems = [*checks.all_problems(library, known_names()), *(_broken_rules(library) if strict else ())]
    if runs:
        described = _described(workers[0], words)
        own, found = _described_own(library, workers, words)
        problems += unheard(problems, found)
        problems += unheard(problems, _slider_problems(library, own, runs, words, computes=count > 0))
        problems += unrun_problems(library, described, own)
        computed = {loaded.path: own[loaded.path] for loaded in library.decks}  # a draft's cards do not know the lines of their run
        if described:
            refresh_schema({one.name: one for one in described.values()}.values())
    cards = _by_their_runs(library, described, computed)
    tried = list(_tried(cards, runs, count, words, each)) if count and runs else [] if count else None
    code = _code(library, runs, words) if runs_code else None
    return _report(library, problems, tried, code, strict, sum(len(card.verify.claims) for _, _, card in cards if card.verify))


def _source(path: str) -> Path | Given:
    return Given("<stdin>", read_bytes(SIZE_LIMIT + 1)) if path == STDIN else Path(path)


def _slider_problems(library: Library, own: Own, runs: SharedRuns, words: Words, *, computes: bool) -> Iterator[Problem]:
    """What is wrong with the decks' own computations where their sliders can go; several of them at once."""

    def tried(loaded: LoadedDeck | Draft, name: str, description: Description) -> list[Problem]:
        return list(slider_problems(loaded, {name: description}, runs, runs=computes))

    work = [partial(tried, loaded, name, one) for loaded in library.files for name, one in own[loaded.path].items()]
    for found in side_by_side(words("check.running"), work, ahead=AHEAD, stop=runs.stop):
        yield from found


def _broken_rules(library: Library) -> Iterator[Problem]:
    for loaded in library.files:
        yield from broken_rules(loaded)


def _described(worker: Worker, words: Words) -> Mapping[str, Description]:
    """The experiments that can be described, by every name that a deck may have for them; why there are none is said beside the report."""
    try:
        return worker.survey.result().named
    except ExperimentError as error:
        fail(words("check.undescribed", reason=words.label(error.label)), OK)
        return {}


def _described_own(library: Library, workers: Sequence[Worker], words: Words) -> tuple[Own, list[Problem]]:
    """The decks' own computations, and what is wrong with those that cannot be described; each process describes some decks'."""

    def described(loaded: LoadedDeck | Draft, worker: Worker) -> tuple[Path | str, dict[str, Description], list[Problem]]:
        return loaded.path, *describe_own(loaded, worker)

    work = [partial(described, loaded, workers[place % len(workers)]) for place, loaded in enumerate(library.files)]
    found = list(side_by_side(words("check.running"), work, ahead=len(workers)))
    return {path: own for path, own, _ in found}, [problem for _, _, problems in found for problem in problems]


def _by_their_runs(library: Library, described: Mapping[str, Description], computed: Own) -> list[TriedCard]:
    """The cards whose experiments are known: those of slow ones first, as the last card is waited for alone, then one experiment after the
    other, as its cards share runs."""
    known = frozenset(known_names())
    cards = [
        (loaded, index, card, card.verify)
        for loaded in library.files
        for index, card in loaded.cards.items()
        if card.verify and {run.experiment for run in card.verify.every_run.values()} <= known | computed.get(loaded.path, {}).keys()
    ]

    def slow(verify: Verification) -> float:
        return max(described[run.experiment].deadline if run.experiment in described else 0.0 for run in verify.every_run.values())

    return [(loaded, index, card) for loaded, index, card, _ in sorted(cards, key=lambda one: (-slow(one[3]), one[3].own.experiment))]


def _tried(cards: Sequence[TriedCard], runs: SharedRuns, count: int, words: Words, each: Callable[[], None]) -> Iterator[JudgedCard]:
    others = OtherSettings(runs)
    work = [partial(judge_card, loaded, index, card, runs, others, count) for loaded, index, card in cards]
    yield from side_by_side(words("check.running"), work, ahead=AHEAD, each=each, stop=runs.stop)


def _code(library: Library, runs: SharedRuns | None, words: Words) -> CodeReport:
    from quiz.commands.check_code import (  # they run what decks contain: only where that is asked
        code_cards,
        code_report,
        many_listings,
        problems_or_none,
        without_compare,
    )

    cards = code_cards(library.files)
    if not cards:
        return code_report((), 0)
    with many_listings() as run:
        work = [partial(problems_or_none, card, runs, run) for card in cards]
        return code_report(side_by_side(words("check.running_code"), work), without_compare(cards))


def _report(
    library: Library, read: list[Problem], tried: list[JudgedCard] | None, code: CodeReport | None, strict: bool, known: int
) -> Report:
    """`known` are the claims whose experiments are there: the others were not run."""
    cards = [card for loaded in library.files for card in loaded.cards.values()]
    ran = tried or []
    claims = sum(len(card.verify.claims) for card in cards if card.verify)
    problems = {*read, *unheard(read, (problem for one in ran for problem in (*one.problems,)))}
    problems.update(code.problems if code else ())
    return Report(
        decks=len(library.decks),
        cards=len(cards),
        claims=claims,
        held=None if tried is None else sum(one.held for one in ran),
        unrun=sum(one.unrun for one in ran) + claims - known,
        survivors=sum(one.survivors for one in ran),
        problems=tuple(sorted(replace(problem, severity="error") if strict else problem for problem in problems)),
        refused=len(library.drafts),
        code=code,
    )
