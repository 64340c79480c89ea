"""`qkv show`: one card as a page of text, with its verification; of a deck that is there, or of any file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from content.deck.cards import Card, Deck
from content.deck.library import Library, LoadedDeck
from content.deck.links import linked_card
from content.text.nearest import nearest
from content.yaml.clean import clean
from content.yaml.problems import render
from engine import Worker
from quiz.card.answer_parts import answer_parts
from quiz.card.card_location import deck_folder
from quiz.card.card_parts import PICTURE
from quiz.card.card_run import CardRun, run_card
from quiz.card.deck_paths import MissingDeck, resolve_decks
from quiz.card.follow_ups import FollowUp, follow_ups, with_names
from quiz.commands.cards import list_cards, shelved
from quiz.commands.lab_deck import is_deck
from quiz.commands.output import WIDTH, fail, rich_line
from quiz.commands.picture import picture_rows, print_rows
from quiz.commands.printer import Printer
from quiz.exit_codes import OK, USAGE
from quiz.study.filter import admitted_items
from quiz.study.turn import Item, Turn
from quiz.words.i18n import Words

NEAR = 3  # ids that are suggested
LISTED = 10  # ids that are named where none is near


def show(wanted: str, *, language: str) -> int:
    """Prints one card of the decks that are there, with its verification, run now; by its id, or as deck/card."""
    words = Words.of(language)
    if is_deck(wanted):
        return list_file(wanted, words)
    library = shelved(words)
    decks = [loaded.deck for loaded in library.decks]
    items = admitted_items(decks)
    item = next((item for item in items if wanted in (item.card.id, "/".join(item.key))), None) or _renamed(wanted, decks)
    if item is None:
        told = words("show.unknown", card=clean(wanted))
        return fail(_with_the_nearest(told, _nearest(wanted, items), words) or words("show.list", told=told), USAGE)
    print_card(item.card, item.deck, words, deck_folder(library, item.deck), with_names(follow_ups(item, decks)))
    return OK


def show_in_file(file: str, wanted: str, *, language: str) -> int:
    """Prints one card of a file that need not be installed; what is wrong elsewhere in it is no reason not to."""
    words = Words.of(language)
    try:
        library = resolve_decks((file,))()
    except MissingDeck:
        return fail(words("show.no_file", file=clean(file)), USAGE)
    found = ((loaded, card) for loaded in library.files if (card := _card_of(loaded.cards.values(), wanted)))
    loaded, card = next(found, (None, None))
    if not library.files:
        return [fail(render(problem, words.language), USAGE) for problem in library.problems][-1]
    if library.problems:
        fail(words("show.problems", count=len(library.problems), file=clean(file)), OK)
    if loaded is None or card is None:
        return fail(_not_in_file(library, wanted, file, words), USAGE)
    home = loaded.deck if isinstance(loaded, LoadedDeck) else Deck("", card.question, tuple(loaded.cards.values()))
    print_card(card, home.deck, words, loaded.folder, _links(Item(home.deck, card), home))
    return OK


def list_file(file: str, words: Words) -> int:
    """The cards of a file, a line each."""
    try:
        library = resolve_decks((file,))()
    except MissingDeck:
        return fail(words("show.no_file", file=clean(file)), USAGE)
    if not library.files:
        return [fail(render(problem, words.language), USAGE) for problem in library.problems][-1]
    if library.problems:
        fail(words("show.problems", count=len(library.problems), file=clean(file)), OK)
    list_cards([Item("", card) for loaded in library.files for card in loaded.cards.values()], {}, words)
    return OK


def _renamed(wanted: str, decks: Sequence[Deck]) -> Item | None:
    """The card that had this id before, or has it in a deck that had this name."""
    found = (linked_card(wanted, deck.deck, decks) for deck in decks)
    return next((Item(pair[0].deck, pair[1]) for pair in found if pair), None)


def _card_of(cards: Iterable[Card], wanted: str) -> Card | None:
    """The card with an id, or that had it; as the deck's own command line would name it, deck/card is understood too."""
    id = wanted.rpartition("/")[2]
    known = tuple(cards)
    return next((card for card in known if card.id == id), None) or next((card for card in known if id in card.formerly), None)


def _not_in_file(library: Library, wanted: str, file: str, words: Words) -> str:
    """That a file has no such card, or has one that cannot be read."""
    if any(_card_of(loaded.readable.values(), wanted) for loaded in library.files):
        return words("show.unreadable", card=clean(wanted), file=clean(file))
    ids = [card.id for loaded in library.files for card in loaded.cards.values()]
    told = words("show.unknown_in", card=clean(wanted), file=clean(file))
    if near := _with_the_nearest(told, nearest(wanted, dict.fromkeys(ids), NEAR), words):
        return near
    return words("show.known", told=told, names=", ".join(ids[:LISTED]) + (" …" if len(ids) > LISTED else "")) if ids else told


def _nearest(wanted: str, items: Sequence[Item]) -> list[str]:
    """The names that are near: of deck/card those of the deck, where there is one of its name."""
    deck, slash, card = wanted.rpartition("/")
    alike = [item for item in items if item.deck == deck] or items
    found = nearest(card, dict.fromkeys(item.card.id for item in alike), NEAR)
    return ["/".join(item.key) for id in found for item in alike if item.card.id == id][:NEAR] if slash else found


def _with_the_nearest(told: str, near: Sequence[str], words: Words) -> str:
    return words("show.near", told=told, names=words("show.or").join(near)) if near else ""


def _links(item: Item, home: Deck) -> tuple[FollowUp, ...]:
    """The card's follow-ups, in its file and in the decks that are there."""
    links = follow_ups(item, [home])
    if any(link.item is None for link in links):
        links = follow_ups(item, [home, *(loaded.deck for loaded in resolve_decks(())().decks)])
    return with_names(links)


def print_card(card: Card, deck: str, words: Words, beside: Path | None = None, links: Sequence[FollowUp] = ()) -> None:
    """A card as a page of text; `beside` is the folder of its deck's file."""
    card_run, state = CardRun(card, beside=beside, language=words.language), ""
    if card.verify:
        with Worker() as worker:
            card_run, state = run_card(card_run, worker, words)
    turn = Turn(Item(deck, card), shown=tuple(range(len(card.options))), stage="reveal", measured=card_run.measured())
    console = Printer()
    for part in answer_parts(turn, words, card_run.names, card_run.verdicts(), state, links=links):
        if part.role in ("heading", "claims"):
            console.print()
        if part.role == PICTURE:
            print_rows(console, picture_rows(card_run, None, min(console.width, WIDTH), console.pen(words)))
        for line in part.lines(min(console.width, WIDTH)):
            console.print(rich_line(line), no_wrap=True, overflow="ignore", crop=False)
