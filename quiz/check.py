"""`qkv check`: every problem of every deck, then every claim against its run; a claim that cannot fail is an error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import Progress as Bar

from content import checks
from content.cards import Card
from content.claims import ClaimError, evaluate, killers, parse
from content.library import Given, Library, LoadedDeck, load
from content.live import live_names
from content.problems import Problem
from content.reader import SIZE_LIMIT
from engine import ExperimentError, Result, Value, Worker, names
from quiz import seeds
from quiz.answers import asked_quantity
from quiz.decks import shelf
from quiz.reports import FORMS, Form, Report
from quiz.verification import scope, settings

STDIN = "-"


def run(paths: Iterable[str], *, form: Form, count: int) -> int:
    """Checks and prints; the exit code is 1 when there is an error. `count` seeds are tried; with 0 the decks are only read."""
    library = load([_source(path) for path in dict.fromkeys(paths)] or shelf())
    problems = list(checks.found(library, names()))
    report = _report(library, problems, list(_tried(library, count)) if count else None)
    print(FORMS[form](report))
    return report.code


def _source(path: str) -> Path | Given:
    return Given("<stdin>", sys.stdin.buffer.read(SIZE_LIMIT + 1)) if path == STDIN else Path(path)


@dataclass(frozen=True)
class Tried:
    """One card's run: how many claims held, how many cannot fail, and what is wrong."""

    held: int = 0
    survivors: int = 0
    problems: tuple[Problem, ...] = ()


def _tried(library: Library, count: int) -> Iterator[Tried]:
    cards = [(loaded, i, card) for loaded in library.decks for i, card in enumerate(loaded.deck.cards) if card.verify]
    if not cards:
        return
    known = frozenset(names())
    with Worker() as worker, Bar(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("running claims", total=len(cards))
        for loaded, index, card in cards:
            if card.verify and card.verify.experiment in known:
                yield try_card(loaded, index, card, worker, count)
            bar.advance(task)


def try_card(loaded: LoadedDeck, index: int, card: Card, worker: Worker, count: int = 1) -> Tried:
    """Runs a card's experiment, with `count` seeds where it has some, and holds its claims against the results."""
    assert card.verify is not None
    here = ("cards", index, "verify")
    try:
        description = worker.describe(card.verify.experiment).result()
        parameters = settings(card.verify, description)
        result = worker.submit(card.verify.experiment, parameters).result()
        lucky = dict(seeds.runs(worker, card.verify.experiment, parameters, seeds.others(description, parameters, count)))
    except ExperimentError as error:
        return Tried(problems=(loaded.problem((*here, "set" if card.verify.set else "experiment"), str(error)),))
    claims = [
        _tried_claim(loaded, (*here, "claims", i, "check"), claim.check, parameters, result, lucky)
        for i, claim in enumerate(card.verify.claims)
    ]
    unknown = tuple(_unknown(loaded, index, card, parameters, result))
    return Tried(
        held=sum(tried.held for tried in claims),
        survivors=sum(tried.survivors for tried in claims),
        problems=(*unknown, *(problem for tried in claims for problem in tried.problems)),
    )


def _tried_claim(
    loaded: LoadedDeck,
    where: tuple[str | int, ...],
    check: str,
    parameters: dict[str, Value],
    result: Result,
    lucky: Mapping[Value, seeds.Names],
) -> Tried:
    try:
        expression = parse(check)
    except ClaimError:
        return Tried()  # content.checks has said so
    all_names, results = scope(parameters, result), result.scope()
    outcome = evaluate(expression, all_names)
    if not outcome.holds:
        return Tried(problems=(loaded.problem(where, f"the claim is false: {outcome.told}", f"the run used {_spelled(parameters)}"),))
    deaths = killers(expression, all_names, results)
    if not any(deaths.values()):
        tested = ", ".join(deaths) or "none of the experiment's results"
        hint = "let it compare a result with what would be seen if the answer were wrong"
        return Tried(held=1, survivors=1, problems=(loaded.problem(where, f"the claim cannot fail: it names {tested}", hint),))
    if sentence := seeds.luck(expression, lucky):
        hint = "allow a wider tolerance, measure more at once, or claim what is true of every draw"
        return Tried(held=1, problems=(loaded.problem(where, sentence, hint),))
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


def _report(library: Library, problems: list[Problem], tried: list[Tried] | None) -> Report:
    cards = [card for loaded in library.decks for card in loaded.deck.cards]
    ran = tried or []
    return Report(
        decks=len(library.decks),
        cards=len(cards),
        claims=sum(len(card.verify.claims) for card in cards if card.verify),
        held=None if tried is None else sum(one.held for one in ran),
        survivors=sum(one.survivors for one in ran),
        problems=tuple(sorted({*problems, *(problem for one in ran for problem in one.problems)})),
    )
