"""`qkv check --card ID`: the same decks with some of their cards, and of what is wrong only what is not another card's."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from content.deck.cards import Card
from content.deck.library import Draft, Library, LoadedDeck
from content.text.nearest import did_you_mean
from content.yaml.problems import Problem
from quiz.commands.check_report import Report
from quiz.words.problems import say


@dataclass(frozen=True)
class PartOfDeck(LoadedDeck):
    """A deck of which some cards are looked at; the others are still there for links to lead to."""

    places: frozenset[int] = frozenset()

    @property
    def cards(self) -> Mapping[int, Card]:
        """The chosen cards by their place in the file."""
        return {place: card for place, card in super().cards.items() if place in self.places}


def with_cards(library: Library, ids: Collection[str]) -> Library:
    """All of a library, with those cards that one of the ids names: an id, an older one, or deck/card. Without ids, the library itself."""
    if not ids:
        return library
    decks = tuple(
        PartOfDeck(loaded.path, loaded.read_tree, loaded.deck, places=_named(loaded.cards, ids, loaded.deck.deck))
        for loaded in library.decks
    )
    drafts = []
    for draft in library.drafts:
        named = _named(draft.readable, ids, draft.path.stem)
        cards, fragments = ({place: card for place, card in group.items() if place in named} for group in (draft.cards, draft.fragments))
        drafts.append(replace(draft, cards=cards, fragments=fragments))
    return replace(library, decks=decks, drafts=tuple(drafts), problems=(*library.problems, *_unknown(library, ids)))


def _named(cards: Mapping[int, Card], ids: Collection[str], deck: str) -> frozenset[int]:
    wanted = {id.removeprefix(f"{deck}/") for id in ids}
    return frozenset(place for place, card in cards.items() if wanted & {card.id, *card.formerly})


def _unknown(library: Library, ids: Iterable[str]) -> Iterator[Problem]:
    known = {card.id: None for loaded in library.files for card in loaded.readable.values()}
    where = library.files[0].path if len(library.files) == 1 else "--card"
    for id in ids:
        if not any(_named(loaded.readable, (id,), _name(loaded)) for loaded in library.files):
            hint = did_you_mean(id.rpartition("/")[2], known) or say("qkv cards lists those of the decks that are there")
            yield Problem(str(where), 0, 0, say("there is no card {card}", card=id), hint)


def _name(loaded: LoadedDeck | Draft) -> str:
    return loaded.deck.deck if isinstance(loaded, LoadedDeck) else loaded.path.stem


def of_cards(report: Report, library: Library) -> Report:
    """What was found without what is another card's, or a deck's of which no card was chosen. `library` is one of with_cards."""
    chosen = [loaded for loaded in library.files if loaded.readable]
    elsewhere = {str(path) for loaded in library.files for path in loaded.paths} - {str(path) for loaded in chosen for path in loaded.paths}
    starts = {loaded.path: sorted(_starts(loaded)) for loaded in chosen}

    def is_of_another(problem: Problem) -> bool:
        at = (problem.path, problem.line, problem.column)
        before = [kept for begins in starts.values() for *start, kept in begins if start[0] == at[0] and tuple(start) <= at]
        return problem.line > 0 and (problem.path in elsewhere or (bool(before) and not before[-1]))  # line 0 is the file, or no card

    problems = tuple(problem for problem in report.problems if not is_of_another(problem))
    return replace(report, decks=sum(isinstance(loaded, LoadedDeck) for loaded in chosen), problems=problems)


def _starts(loaded: LoadedDeck | Draft) -> Iterator[tuple[str, int, int, bool]]:
    """Where each card and each key of the deck begins, and whether what stands there is looked at."""
    root = loaded.tree.root
    if not isinstance(root, dict):
        return
    for key, value in root.items():
        place = loaded.tree.key_place((key,))
        yield place.path, place.line, place.column, True
        for index in range(len(value)) if key == "cards" and isinstance(value, list) else ():
            place = loaded.tree.place(("cards", index))
            yield place.path, place.line, place.column, index in loaded.readable
