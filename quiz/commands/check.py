"""`qkv check`: every problem of every deck, then every claim against its run; a claim that cannot fail is an error."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from content.deck import checks
from content.deck.library import Given, Library, load
from content.yaml.problems import Problem
from content.yaml.reader import SIZE_LIMIT
from engine import Worker, names
from quiz.commands.reports import FORMS, Form, Report
from quiz.commands.trial import Tried, try_card
from quiz.decks import shelf

STDIN = "-"


def run(paths: Iterable[str], *, form: Form, count: int) -> int:
    """Checks and prints; the exit code is 1 when there is an error. `count` seeds are tried; with 0 the decks are only read."""
    library = load([_source(path) for path in dict.fromkeys(paths)] or shelf())
    gc.freeze()  # the decks stay until the end: nobody needs to look through them for garbage
    problems = checks.all_problems(library, names())
    report = _report(library, problems, list(_tried(library, count)) if count else None)
    print(FORMS[form](report))
    return report.code


def _source(path: str) -> Path | Given:
    return Given("<stdin>", sys.stdin.buffer.read(SIZE_LIMIT + 1)) if path == STDIN else Path(path)


def _tried(library: Library, count: int) -> Iterator[Tried]:
    cards = [(loaded, i, card) for loaded in library.decks for i, card in enumerate(loaded.deck.cards) if card.verify]
    if not cards:
        return
    from rich.console import Console  # a file with an error in every card does not wait for it
    from rich.progress import Progress as Bar

    known = frozenset(names())
    with Worker() as worker, Bar(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("running claims", total=len(cards))
        for loaded, index, card in cards:
            if card.verify and card.verify.experiment in known:
                yield try_card(loaded, index, card, worker, count)
            bar.advance(task)


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
        refused=len(library.drafts),
    )
