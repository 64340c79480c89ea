"""`qkv cards`, `qkv show`: data on stdout, as text for people or JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from content.deck.cards import Card
from content.deck.library import Library
from content.text import markup
from content.yaml.clean import clean
from content.yaml.problems import render
from engine import ExperimentError, Label, Worker
from quiz.card.card_parts import answer_parts
from quiz.card.card_run import CardRun, preset_values, run_parameters
from quiz.card.deck_paths import resolve_decks
from quiz.card.typeset import Line, layout, text_of
from quiz.progress.open import error_sentence
from quiz.progress.progress import ProgressError, readable_progress
from quiz.study.learner import Choice, LearnerState, open_learners_progress
from quiz.study.queue import Filter, admitted_items
from quiz.study.turn import Item, Turn
from quiz.words.i18n import preferred_language, say

OK, PROBLEM, USAGE, UNSAVED = 0, 1, 2, 3
WIDTH = 100  # columns of a printed page at most


def said(label: Label, language: str) -> str:
    return label.zh if language == "zh" else label.en


def fail(sentence: str, code: int) -> int:
    """A sentence on stderr, and the exit code that goes with it."""
    print(clean(sentence), file=sys.stderr)
    return code


def cards(wanted: Filter, *, as_json: bool, language: str, among: Choice | None = None) -> int:
    """Lists the cards of every deck on the shelf; with `among`, those that it picks by what the person has learned."""
    language = language or preferred_language()
    decks = [loaded.deck for loaded in shelved().decks]
    items: Iterable[Item] = admitted_items(decks, wanted)
    if among:
        try:
            with open_learners_progress(decks, readable_progress) as store:
                picked = among(LearnerState.of(store))
        except ProgressError as error:
            return fail(error_sentence(error, language), PROBLEM)
        items = [item for item in items if item.key in picked]
    if as_json:
        print(json.dumps([_card(item) for item in items], ensure_ascii=False))
        return OK
    console = Console(highlight=False)
    widest = max((len(item.card.id) for item in items), default=0)
    for item in items:
        asked = "◆" * (item.card.asked or 0) + "◇" * (5 - (item.card.asked or 0))
        question = text_of(layout(markup.filled(markup.parse(item.card.question.said(language)), preset_values(item.card)), 10_000)[0])
        console.print(Text.assemble((item.card.id.ljust(widest), "bold"), f"  {asked}  ", question), soft_wrap=True)
    return OK


def shelved() -> Library:
    """The bundled decks and the person's own; what is wrong with them is told beside the data."""
    library = resolve_decks(())()
    for problem in library.problems:
        fail(render(problem), PROBLEM)
    return library


def _card(item: Item) -> dict[str, Any]:
    card = item.card
    return {
        "deck": item.deck,
        "id": card.id,
        "kind": card.kind,
        "level": card.level,
        "asked": card.asked,
        "tags": list(card.tags),
        "languages": list(card.question.languages),
        "experiment": card.verify.experiment if card.verify else None,
        "claims": len(card.verify.claims) if card.verify else 0,
        "predict": card.predict is not None,
        "trap": card.trap is not None,
    }


def show(wanted: str, *, language: str) -> int:
    """Prints one card with its verification, run now."""
    language = language or preferred_language()
    items = admitted_items(loaded.deck for loaded in shelved().decks)
    found = [item for item in items if wanted in (item.card.id, "/".join(item.key))]
    if not found:
        return fail(f"There is no card {wanted}; `qkv cards` lists them.", USAGE)
    print_card(found[0].card, found[0].deck, language)
    return OK


def print_card(card: Card, deck: str, language: str) -> None:
    """A card as a page of text."""
    bench, state = CardRun(card), ""
    if card.verify:
        with Worker() as worker:
            bench, state = run(bench, worker, language)
    turn = Turn(Item(deck, card), shown=tuple(range(len(card.options))), stage="reveal", measured=bench.measured())
    console = Console(highlight=False)
    for part in answer_parts(turn, language, bench.names, bench.verdicts(), state):
        if part.role == "heading":
            console.print()
        for line in part.lines(min(console.width, WIDTH)):
            console.print(rich_line(line), no_wrap=True, overflow="ignore", crop=False)


def run(bench: CardRun, worker: Worker, language: str) -> tuple[CardRun, str]:
    """The bench with its card's run, or the sentence that says why there is none."""
    assert bench.card.verify is not None
    name = bench.card.verify.experiment
    try:
        description = worker.describe(name).result()
        values = run_parameters(bench.card.verify, description)
        result = worker.submit(name, values).result()
    except ExperimentError as error:
        return bench, say(language, "reveal.not_computed", reason=clean(said(error.label, language)))
    return CardRun(bench.card, description, values, result), ""


STYLES = {
    "strong": "bold",
    "emphasis": "italic",
    "code": "magenta",
    "math": "magenta",
    "dim": "dim",
    "letter": "blue",
    "picked": "magenta",
    "good": "green",
    "bad": "red",
    "measured": "green",
    "heading-query": "bold blue",
    "heading-key": "bold red",
    "heading-value": "bold green",
    "heading-trap": "bold yellow",
    "heading-detail": "bold magenta",
    "heading-quiet": "bold dim",
}


def rich_line(line: Line) -> Text:
    """A typeset line for a rich console: text as data, never as markup."""
    return Text.assemble(*((span.text, STYLES.get(span.style, "")) for span in line))
