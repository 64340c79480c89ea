"""Whether `follow_ups` lead somewhere, in the decks that are looked at together and in those that come with the program."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from content.deck.deck_files import bundled
from content.deck.library import Draft, Library, LoadedDeck, load
from content.deck.model import is_slug
from content.deck.validation import ids_of
from content.messages.sentence import say
from content.text.nearest import did_you_mean, nearest
from content.yaml.problems import Problem

Ids = Mapping[str, Collection[str]]  # the ids of each deck's cards, earlier ones too, by each of the deck's own

GUESSES = 10  # to find a similar id among ten thousand takes a while: a few links have one


def link_problems(library: Library) -> Iterator[Problem]:
    """A warning for every follow-up that leads nowhere, in the decks that are looked at together and in the bundled ones."""
    together = _ids(library.files)
    known: Ids | None = None
    for loaded in library.files:
        own = _right_ids(loaded)
        missing = [(where, link) for where, link in _links(loaded) if not _resolves(link, own, together)]
        if missing and known is None:
            known = {**_bundled_ids(), **together}
        guesses = GUESSES
        for where, link in missing:
            assert known is not None
            if not _resolves(link, own, known):
                hint = _meant(link, own, known) if guesses > 0 else ""
                guesses -= 1
                yield loaded.problem(where, _told(link, known), hint, "warning")


def _links(loaded: LoadedDeck | Draft) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for index, card in loaded.readable.items():
        for place, link in enumerate(card.follow_ups):
            yield ("cards", index, "follow_ups", place), link


def _ids(files: Iterable[LoadedDeck | Draft]) -> dict[str, Collection[str]]:
    """Of a refused deck too: its links and those to it are right or wrong whatever else is."""
    found: dict[str, Collection[str]] = {}
    for loaded in files:
        for name in _names(loaded):
            found.setdefault(name, _right_ids(loaded))
    return found


def _right_ids(loaded: LoadedDeck | Draft) -> Collection[str]:
    """A misspelt id of a refused deck is told where it stands; nothing can lead to it."""
    ids = ids_of(loaded.tree)
    return ids if isinstance(loaded, LoadedDeck) else frozenset(filter(is_slug, ids))


def _names(loaded: LoadedDeck | Draft) -> tuple[str, ...]:
    if isinstance(loaded, LoadedDeck):
        return (loaded.deck.deck, *loaded.deck.formerly)
    root = loaded.tree.root
    name = root.get("deck") if isinstance(root, dict) else None
    return (name,) if isinstance(name, str) else ()


@cache
def _bundled_ids() -> Ids:
    """They do not change while the program runs."""
    return _ids(load(bundled()).decks)


def _resolves(link: str, own: Collection[str], known: Ids) -> bool:
    deck, slash, card = link.partition("/")
    return card in known.get(deck, ()) if slash else link in own


def _told(link: str, known: Ids) -> str:
    deck, slash, card = link.partition("/")
    if not slash:
        return say("there is no card {name} in this deck", name=link)
    if deck in known:
        return say("there is no card {card} in the deck {deck}", card=card, deck=deck)
    return say("there is no deck {deck} among those that are checked together, and none that comes with qkv", deck=deck)


def _meant(link: str, own: Collection[str], known: Ids) -> str:
    """A link that leads somewhere: the nearest card of the deck that is named, or that of the same id where there is one elsewhere."""
    deck, slash, card = link.partition("/")
    if not slash:
        elsewhere = [f"{name}/{link}" for name, ids in known.items() if link in ids]
        return say("write {link}: another deck has it", link=elsewhere[0]) if elsewhere else did_you_mean(link, own)
    for name in [deck] if deck in known else nearest(deck, known, count=3):
        if near := [card] if card in known[name] else nearest(card, known[name]):
            return say("did you mean {words}?", words=f"{name}/{near[0]}")
    if elsewhere := [f"{name}/{card}" for name, ids in known.items() if card in ids]:
        return say("did you mean {words}?", words=elsewhere[0])
    return say("check both decks together: qkv check THIS.yaml OTHER.yaml") if deck not in known else ""
