"""`qkv cards`, `qkv show`: data on stdout, as text for people or JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from content.deck.cards import Card
from content.deck.library import Library
from content.text import markup
from content.yaml.problems import render
from engine import Worker
from quiz.card.answer_parts import answer_parts
from quiz.card.card_run import CardRun, preset_values, run_card
from quiz.card.deck_paths import resolve_decks
from quiz.card.progress_sentences import error_sentence
from quiz.card.typeset import layout, text_of
from quiz.commands.output import WIDTH, fail, rich_line
from quiz.exit_codes import OK, PROBLEM, USAGE
from quiz.progress.errors import ProgressError
from quiz.progress.progress import readable_progress
from quiz.study.learner import Choice, LearnerState, open_learners_progress
from quiz.study.queue import Filter, admitted_items
from quiz.study.turn import Item, Turn
from quiz.words.i18n import Words


def cards(wanted: Filter, *, as_json: bool, language: str, among: Choice | None = None) -> int:
    """Lists the cards of every deck on the shelf; with `among`, those that it picks by what the person has learned."""
    words = Words.of(language)
    decks = [loaded.deck for loaded in shelved().decks]
    items: Iterable[Item] = admitted_items(decks, wanted)
    if among:
        try:
            with open_learners_progress(decks, readable_progress) as store:
                picked = among(LearnerState.of(store))
        except ProgressError as error:
            return fail(error_sentence(error, words), PROBLEM)
        items = [item for item in items if item.key in picked]
    if as_json:
        print(json.dumps([_card(item) for item in items], ensure_ascii=False))
        return OK
    console = Console(highlight=False)
    widest = max((len(item.card.id) for item in items), default=0)
    for item in items:
        asked = "◆" * (item.card.asked or 0) + "◇" * (5 - (item.card.asked or 0))
        question = text_of(
            layout(markup.filled(markup.parse(item.card.question.said(words.language)), preset_values(item.card)), 10_000)[0]
        )
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
    words = Words.of(language)
    items = admitted_items(loaded.deck for loaded in shelved().decks)
    found = [item for item in items if wanted in (item.card.id, "/".join(item.key))]
    if not found:
        return fail(f"There is no card {wanted}; `qkv cards` lists them.", USAGE)
    print_card(found[0].card, found[0].deck, words)
    return OK


def print_card(card: Card, deck: str, words: Words) -> None:
    """A card as a page of text."""
    card_run, state = CardRun(card), ""
    if card.verify:
        with Worker() as worker:
            card_run, state = run_card(card_run, worker, words)
    turn = Turn(Item(deck, card), shown=tuple(range(len(card.options))), stage="reveal", measured=card_run.measured())
    console = Console(highlight=False)
    for part in answer_parts(turn, words, card_run.names, card_run.verdicts(), state):
        if part.role == "heading":
            console.print()
        for line in part.lines(min(console.width, WIDTH)):
            console.print(rich_line(line), no_wrap=True, overflow="ignore", crop=False)
