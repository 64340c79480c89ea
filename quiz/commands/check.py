"""`qkv check`: every problem of every deck, then every claim against its run; a claim that cannot fail is an error."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from content.deck import checks
from content.deck.house_rules import broken_rules
from content.deck.library import Given, Library, load
from content.format import SIZE_LIMIT
from content.yaml.problems import Problem
from engine import Description, ExperimentError, Worker, known_names
from quiz.card.deck_paths import all_deck_paths
from quiz.card.declared import Own, unheard, unrun_problems
from quiz.card.judge import JudgedCard, judge_card
from quiz.card.recipes import describe_own
from quiz.card.settings import OtherSettings
from quiz.commands.check_report import FORMS, CodeReport, Form, Report
from quiz.commands.output import fail
from quiz.commands.schema import refresh_schema
from quiz.exit_codes import OK
from quiz.gc_pause import gc_paused
from quiz.terminal.streams import ReaderGone, read_bytes
from quiz.words.i18n import Words

Item = TypeVar("Item")
STDIN = "-"


def run(paths: Iterable[str], *, form: Form, count: int, runs_code: bool = False, strict: bool = False, language: str = "") -> int:
    """Checks and prints; the exit code is 1 when there is an error. `count` seeds are tried; with 0 no claim is run.

    `runs_code` also runs the listings of code cards. `strict` holds decks to the rules of the bundled ones, and every warning is an error.
    """
    words = Words.of(language)
    with gc_paused():
        library = load([_source(path) for path in dict.fromkeys(paths)] or all_deck_paths())
        gc.freeze()  # the decks stay until the end: nobody needs to look through them for garbage
    with Engine() as engine:
        report = checked(library, engine, words, count=count, runs_code=runs_code, strict=strict)
    with suppress(ReaderGone):  # `qkv check | head` fails where the decks do
        FORMS[form](report, words)
    return report.exit_code


class Engine:
    """The process that runs claims: it gets ready while texts are looked at, is kept until the end, and is none where no deck computes."""

    def __init__(self) -> None:
        self._ends = ExitStack()
        self._worker: Worker | None = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def worker(self, library: Library) -> Worker | None:
        """The process for some decks; one that is there already does as well."""
        computes = any(card.verify for loaded in library.files for card in loaded.readable.values())
        if self._worker is None and (computes or any(loaded.deck.experiments for loaded in library.decks)):
            self._worker = self._ends.enter_context(Worker())
        return self._worker


def checked(
    library: Library, engine: Engine, words: Words, *, count: int, runs_code: bool, strict: bool, each: Callable[[], None] = lambda: None
) -> Report:
    """What is wrong with some decks. Before a card is run, `each` is called, which may end it all."""
    computed: dict[Path | str, Mapping[str, Description]] = {}
    worker = engine.worker(library)
    with gc_paused():
        problems = [*checks.all_problems(library, known_names()), *(_broken_rules(library) if strict else ())]
    if worker:
        described = _described(worker, words)
        for loaded in library.decks:
            computed[loaded.path], found = describe_own(loaded, worker)
            problems += unheard(problems, found)
        problems += unrun_problems(library, described, computed)
        if described:
            refresh_schema({one.name: one for one in described.values()}.values())
    tried = list(_tried(library, worker, count, computed, words, each)) if count else None
    code = _code(library, worker, words) if runs_code else None
    return _report(library, problems, tried, code, strict)


def _source(path: str) -> Path | Given:
    return Given("<stdin>", read_bytes(SIZE_LIMIT + 1)) if path == STDIN else Path(path)


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


def _tried(
    library: Library, worker: Worker | None, count: int, computed: Own, words: Words, each: Callable[[], None]
) -> Iterator[JudgedCard]:
    cards = [(loaded, i, card) for loaded in library.files for i, card in loaded.cards.items() if card.verify]
    if not cards or worker is None:
        return
    known, others = frozenset(known_names()), OtherSettings(worker)
    for loaded, index, card in _with_bar(words("check.running"), cards):
        each()
        runs = card.verify.every_run.values() if card.verify else ()
        if {run.experiment for run in runs} <= known | computed.get(loaded.path, {}).keys():
            yield judge_card(loaded, index, card, worker, others, count)


def _code(library: Library, worker: Worker | None, words: Words) -> CodeReport:
    from quiz.commands.check_code import check_code, code_cards  # it runs what decks contain: not loaded unless somebody asks for it

    return check_code(_with_bar(words("check.running_code"), code_cards(library.files)), worker)


def _with_bar(title: str, cards: Sequence[Item]) -> Iterator[Item]:
    """The same cards, with a bar in a terminal that says how many of them are done."""
    if not cards:
        return
    from rich.progress import Progress as Bar  # a file with an error in every card does not wait for it

    from quiz.commands.printer import Printer

    with Bar(console=Printer(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        yield from bar.track(cards, description=title)


def _report(library: Library, read: list[Problem], tried: list[JudgedCard] | None, code: CodeReport | None, strict: bool) -> Report:
    cards = [card for loaded in library.files for card in loaded.cards.values()]
    ran = tried or []
    problems = {*read, *unheard(read, (problem for one in ran for problem in (*one.problems,)))}
    problems.update(code.problems if code else ())
    return Report(
        decks=len(library.decks),
        cards=len(cards),
        claims=sum(len(card.verify.claims) for card in cards if card.verify),
        held=None if tried is None else sum(one.held for one in ran),
        survivors=sum(one.survivors for one in ran),
        problems=tuple(sorted(replace(problem, severity="error") if strict else problem for problem in problems)),
        refused=len(library.drafts),
        code=code,
    )
