"""`qkv check`: every problem of every deck, then every claim against its run; a claim that cannot fail is an error."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from content.deck import checks
from content.deck.house_rules import broken_rules
from content.deck.library import Given, Library, load
from content.format import SIZE_LIMIT
from content.yaml.clean import clean
from content.yaml.problems import Problem, render
from engine import Description, ExperimentError, Worker, names
from quiz.card.deck_paths import all_deck_paths
from quiz.card.declared import Own, unheard, unrun_problems
from quiz.card.judge import JudgedCard, judge_card
from quiz.card.recipes import describe_own
from quiz.card.settings import OtherSettings
from quiz.commands.output import fail, print_json, tell
from quiz.commands.schema import refresh_schema
from quiz.exit_codes import OK
from quiz.gc_pause import gc_paused
from quiz.terminal.streams import ReaderGone, read_bytes

if TYPE_CHECKING:
    from quiz.commands.check_code import CodeReport

Item = TypeVar("Item")
Form = Literal["text", "json", "github"]

CLEAN, PROBLEMS = 0, 1

STDIN = "-"


@dataclass(frozen=True)
class Report:
    """What was found. `held` is None where no claim was run; `survivors` are claims that no changed result makes false.

    `code` is None where no listing was run. `refused` are decks with an error in their form: of these, the cards that are right in
    themselves count, and their claims are run.
    """

    decks: int
    cards: int
    claims: int
    held: int | None
    survivors: int
    problems: tuple[Problem, ...]
    refused: int = 0
    code: CodeReport | None = None

    @property
    def exit_code(self) -> int:
        return PROBLEMS if any(problem.severity == "error" for problem in self.problems) else CLEAN


def as_text(report: Report) -> str:
    """Every problem with its line and a caret, then the summary."""
    return "\n\n".join([*map(render, report.problems), summary(report)])


def as_data(report: Report) -> dict[str, Any]:
    """`{decks, cards, claims, held, survivors, problems: [{path, line, column, severity, message}]}`; with --code `listings`, `proved`."""
    fields = ("path", "line", "column", "severity", "message")
    return {
        "decks": report.decks,
        "cards": report.cards,
        "claims": report.claims,
        "held": report.held or 0,
        "survivors": report.survivors,
        "problems": [{field: getattr(problem, field) for field in fields} for problem in report.problems],
        **({"listings": report.code.cards, "proved": report.code.proved} if report.code else {}),
    }


def as_annotations(report: Report) -> str:
    """`::error file=...,line=...,col=...::sentence`, one a problem, then the summary; no line of a deck begins a line here."""
    return "\n".join([*map(_annotation, report.problems), summary(report)])


FORMS: dict[Form, Callable[[Report], None]] = {
    "text": lambda report: tell(as_text(report)),
    "json": lambda report: print_json(as_data(report), indent=1),
    "github": lambda report: tell(as_annotations(report)),
}


def _annotation(problem: Problem) -> str:
    place = {"file": problem.path, "line": problem.line, "col": problem.column}
    where = ",".join(f"{key}={_property(str(value))}" for key, value in place.items() if value)
    said = f"{problem.message} ({problem.hint})" if problem.hint else problem.message
    return f"::{problem.severity} {where}::{_data(said)}"


def _data(text: str) -> str:
    """Other people's text on one line, and a % as GitHub reads it: nothing in it ends the line or begins an escape."""
    return clean(text).replace("\n", " ").replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(report: Report) -> str:
    """The last line: how much was looked at, and how many problems there are."""
    claims = f"{report.claims} claims not run" if report.held is None else f"{report.held} of {report.claims} claims hold"
    errors = sum(problem.severity == "error" for problem in report.problems)
    warnings = len(report.problems) - errors
    found = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}" if report.problems else "no problems"
    if report.refused:
        found = f"{_count(report.refused, 'deck')} refused, whose wrong cards wait; {found}"
    code = f", {report.code.proved} of {_count(report.code.cards, 'listing')} wrong as the card says" if report.code else ""
    return f"{_count(report.decks, 'deck')}, {_count(report.cards, 'card')}, {claims}{code}; {found}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def run(paths: Iterable[str], *, form: Form, count: int, runs_code: bool = False, strict: bool = False) -> int:
    """Checks and prints; the exit code is 1 when there is an error. `count` seeds are tried; with 0 no claim is run.

    `runs_code` also runs the listings of code cards. `strict` holds decks to the rules of the bundled ones, and every warning is an error.
    """
    with gc_paused():
        library = load([_source(path) for path in dict.fromkeys(paths)] or all_deck_paths())
        gc.freeze()  # the decks stay until the end: nobody needs to look through them for garbage
    with Engine() as engine:
        report = checked(library, engine, count=count, runs_code=runs_code, strict=strict)
    with suppress(ReaderGone):  # `qkv check | head` fails where the decks do
        FORMS[form](report)
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
    library: Library, engine: Engine, *, count: int, runs_code: bool, strict: bool, each: Callable[[], None] = lambda: None
) -> Report:
    """What is wrong with some decks. Before a card is run, `each` is called, which may end it all."""
    computed: dict[Path | str, Mapping[str, Description]] = {}
    worker = engine.worker(library)
    with gc_paused():
        problems = [*checks.all_problems(library, names()), *(_broken_rules(library) if strict else ())]
    if worker:
        described = _described(worker)
        for loaded in library.decks:
            computed[loaded.path], found = describe_own(loaded, worker)
            problems += unheard(problems, found)
        problems += unrun_problems(library, described, computed)
        if described:
            refresh_schema(described.values())
    tried = list(_tried(library, worker, count, computed, each)) if count else None
    code = _code(library, worker) if runs_code else None
    return _report(library, problems, tried, code, strict)


def _source(path: str) -> Path | Given:
    return Given("<stdin>", read_bytes(SIZE_LIMIT + 1)) if path == STDIN else Path(path)


def _broken_rules(library: Library) -> Iterator[Problem]:
    for loaded in library.files:
        yield from broken_rules(loaded)


def _described(worker: Worker) -> Mapping[str, Description]:
    """The experiments that can be described; why there are none is said beside the report."""
    try:
        return worker.survey.result().found
    except ExperimentError as error:
        fail(f"What decks say of experiments was not checked: {error}", OK)
        return {}


def _tried(library: Library, worker: Worker | None, count: int, computed: Own, each: Callable[[], None]) -> Iterator[JudgedCard]:
    cards = [(loaded, i, card) for loaded in library.files for i, card in loaded.cards.items() if card.verify]
    if not cards or worker is None:
        return
    known, others = frozenset(names()), OtherSettings(worker)
    for loaded, index, card in _with_bar("running claims", cards):
        each()
        runs = card.verify.every_run.values() if card.verify else ()
        if {run.experiment for run in runs} <= known | computed.get(loaded.path, {}).keys():
            yield judge_card(loaded, index, card, worker, others, count)


def _code(library: Library, worker: Worker | None) -> CodeReport:
    from quiz.commands.check_code import check_code, code_cards  # it runs what decks contain: not loaded unless somebody asks for it

    return check_code(_with_bar("running listings", code_cards(library.files)), worker)


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
