"""`qkv check`: every problem of every deck, then every claim against its run; a claim that cannot fail is an error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress as Bar

from content import checks
from content.cards import Card
from content.claims import ClaimError, evaluate, killers, parse
from content.library import Draft, Library, LoadedDeck, bundled, load
from content.live import live_names
from content.problems import Problem, render
from engine import ExperimentError, Result, Value, Worker, names
from quiz.answers import asked_quantity
from quiz.verification import scope, settings

CLEAN, PROBLEMS = 0, 1


@dataclass(frozen=True)
class Report:
    """What `qkv check` found; its JSON is an interface."""

    decks: int
    cards: int
    claims: int
    held: int
    survivors: int
    problems: tuple[Problem, ...]

    @property
    def code(self) -> int:
        return PROBLEMS if any(problem.severity == "error" for problem in self.problems) else CLEAN


def run(paths: Iterable[str], *, as_json: bool, run_claims: bool) -> int:
    """Checks and prints; the exit code is 1 when there is an error."""
    library = load(tuple(Path(path) for path in paths) or bundled())
    known = names()
    files: list[LoadedDeck | Draft] = [*library.decks, *library.drafts]
    read = (problem for loaded in files for problem in checks.check(loaded, known))
    problems = [*library.problems, *read]
    tried = list(_tried(library)) if run_claims else []
    report = _report(library, problems, tried)
    if as_json:
        print(_json(report))
    else:
        _print(report, run_claims)
    return report.code


@dataclass(frozen=True)
class Tried:
    """One card's run: how many claims held, how many cannot fail, and what is wrong."""

    held: int = 0
    survivors: int = 0
    problems: tuple[Problem, ...] = ()


def _tried(library: Library) -> Iterator[Tried]:
    cards = [(loaded, i, card) for loaded in library.decks for i, card in enumerate(loaded.deck.cards) if card.verify]
    if not cards:
        return
    known = frozenset(names())
    with Worker() as worker, Bar(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("running claims", total=len(cards))
        for loaded, index, card in cards:
            if card.verify and card.verify.experiment in known:
                yield try_card(loaded, index, card, worker)
            bar.advance(task)


def try_card(loaded: LoadedDeck, index: int, card: Card, worker: Worker) -> Tried:
    """Runs a card's experiment and holds its claims against the result."""
    assert card.verify is not None
    here = ("cards", index, "verify")
    try:
        parameters = settings(card.verify, worker.describe(card.verify.experiment).result())
        result = worker.submit(card.verify.experiment, parameters).result()
    except ExperimentError as error:
        return Tried(problems=(loaded.problem((*here, "set" if card.verify.set else "experiment"), str(error)),))
    claims = [
        _tried_claim(loaded, (*here, "claims", i, "check"), claim.check, parameters, result) for i, claim in enumerate(card.verify.claims)
    ]
    unknown = tuple(_unknown(loaded, index, card, parameters, result))
    return Tried(
        held=sum(tried.held for tried in claims),
        survivors=sum(tried.survivors for tried in claims),
        problems=(*unknown, *(problem for tried in claims for problem in tried.problems)),
    )


def _tried_claim(loaded: LoadedDeck, where: tuple[str | int, ...], check: str, parameters: dict[str, Value], result: Result) -> Tried:
    try:
        expression = parse(check)
    except ClaimError:
        return Tried()  # content.checks has said so
    all_names, results = scope(parameters, result), result.scope()
    outcome = evaluate(expression, all_names)
    if not outcome.holds:
        sides = (
            outcome.reason
            or "; ".join(side.text for side in outcome.sides if not side.holds)
            or "; ".join(side.text for side in outcome.sides)
        )
        return Tried(problems=(loaded.problem(where, f"the claim is false: {sides}", f"the run used {_spelled(parameters)}"),))
    deaths = killers(expression, all_names, results)
    if not any(deaths.values()):
        tested = ", ".join(deaths) or "none of the experiment's results"
        hint = "let it compare a result with what would be seen if the answer were wrong"
        return Tried(held=1, survivors=1, problems=(loaded.problem(where, f"the claim cannot fail: it names {tested}", hint),))
    return Tried(held=1)


def _unknown(loaded: LoadedDeck, index: int, card: Card, parameters: dict[str, Value], result: Result) -> Iterator[Problem]:
    """Names that the run does not give: the asked quantity, live numbers in what is shown after the reveal."""
    known = scope(parameters, result)
    quantity = asked_quantity(card)
    if quantity and not isinstance(known.get(quantity), int | float):
        field = "number" if card.number else "predict"
        yield loaded.problem(
            ("cards", index, field, "quantity"), f"the experiment does not measure {quantity}", f"it has {', '.join(result.scope())}"
        )
    for field in checks.PROSE:
        text = getattr(card, field)
        for language, said in text.root.items() if text else ():
            for name in live_names(said):
                if not isinstance(known.get(name), int | float):
                    where = ("cards", index, field, language) if language else ("cards", index, field)
                    yield loaded.problem(where, f"{{{{{name}}}}} is not a number of this experiment", f"it has {', '.join(known)}")


def _spelled(parameters: dict[str, Value]) -> str:
    return ", ".join(f"{name}={value}" for name, value in parameters.items())


def _report(library: Library, problems: list[Problem], tried: list[Tried]) -> Report:
    cards = [card for loaded in library.decks for card in loaded.deck.cards]
    found = sorted({*problems, *(problem for one in tried for problem in one.problems)})
    return Report(
        decks=len(library.decks),
        cards=len(cards),
        claims=sum(len(card.verify.claims) for card in cards if card.verify),
        held=sum(one.held for one in tried),
        survivors=sum(one.survivors for one in tried),
        problems=tuple(found),
    )


def _json(report: Report) -> str:
    fields = ("path", "line", "column", "severity", "message")
    problems = [{field: getattr(problem, field) for field in fields} for problem in report.problems]
    return json.dumps({**asdict(replace(report, problems=())), "problems": problems}, ensure_ascii=False, indent=1)


def _print(report: Report, run_claims: bool) -> None:
    for problem in report.problems:
        print(render(problem) + "\n")
    claims = f"{report.held} of {report.claims} claims hold" if run_claims else f"{report.claims} claims not run"
    errors = sum(problem.severity == "error" for problem in report.problems)
    warnings = len(report.problems) - errors
    found = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}" if report.problems else "no problems"
    print(f"{_count(report.decks, 'deck')}, {_count(report.cards, 'card')}, {claims}; {found}.")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
