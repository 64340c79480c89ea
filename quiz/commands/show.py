"""`qkv show`: one card as a page of text, with its verification."""

from __future__ import annotations

from pathlib import Path

from content.deck.cards import Card
from engine import Worker
from quiz.card.answer_parts import answer_parts
from quiz.card.card_location import deck_folder
from quiz.card.card_run import CardRun, run_card
from quiz.commands.cards import shelved
from quiz.commands.output import WIDTH, fail, rich_line
from quiz.commands.printer import Printer
from quiz.exit_codes import OK, USAGE
from quiz.study.filter import admitted_items
from quiz.study.turn import Item, Turn
from quiz.words.i18n import Words


def show(wanted: str, *, language: str) -> int:
    """Prints one card with its verification, run now."""
    words = Words.of(language)
    library = shelved()
    items = admitted_items(loaded.deck for loaded in library.decks)
    found = [item for item in items if wanted in (item.card.id, "/".join(item.key))]
    if not found:
        return fail(f"There is no card {wanted}; `qkv cards` lists them.", USAGE)
    print_card(found[0].card, found[0].deck, words, deck_folder(library, found[0].deck))
    return OK


def print_card(card: Card, deck: str, words: Words, beside: Path | None = None) -> None:
    """A card as a page of text; `beside` is the folder of its deck's file."""
    card_run, state = CardRun(card, beside=beside, language=words.language), ""
    if card.verify:
        with Worker() as worker:
            card_run, state = run_card(card_run, worker, words)
    turn = Turn(Item(deck, card), shown=tuple(range(len(card.options))), stage="reveal", measured=card_run.measured())
    console = Printer()
    for part in answer_parts(turn, words, card_run.names, card_run.verdicts(), state):
        if part.role == "heading":
            console.print()
        for line in part.lines(min(console.width, WIDTH)):
            console.print(rich_line(line), no_wrap=True, overflow="ignore", crop=False)
