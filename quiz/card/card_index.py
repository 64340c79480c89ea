"""All cards as the browser knows them: what is searched of each, how each stands, and which of them a filter admits. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from content.deck.cards import Deck, Text
from quiz.card.text_search import Folded, folded, search
from quiz.memory.study_day import Moment
from quiz.study.card_states import STATES, State, states_of
from quiz.study.learner import LearnerState
from quiz.study.turn import Item

Facet = Literal["deck", "tag", "level", "kind", "asked", "state"]
FACETS: tuple[Facet, ...] = get_args(Facet)


@dataclass(frozen=True)
class IndexedCard:
    """A card with its states, the day on which it is asked next (ordinal; None where it was never met), and what was noted to be wrong."""

    item: Item
    states: tuple[State, ...] = ("new",)
    due: int | None = None
    note: str = ""

    def values(self, facet: Facet) -> Sequence[str]:
        """What a filter may ask of it. A card that does not say how often it is asked has no value for it."""
        card = self.item.card
        match facet:
            case "deck":
                return (self.item.deck,)
            case "tag":
                return card.tags
            case "level":
                return (str(card.level),)
            case "kind":
                return (card.kind,)
            case "asked":
                return (str(card.asked),) if card.asked else ()
            case "state":
                return self.states


@dataclass(frozen=True)
class CardIndex:
    """Cards in their decks' order, each beside what is searched of it."""

    cards: tuple[IndexedCard, ...] = ()
    texts: tuple[Folded, ...] = field(default=(), repr=False)

    def with_learner(self, learner: LearnerState, now: Moment) -> CardIndex:
        """The same cards as they stand by now; what is searched stays."""
        return replace(self, cards=tuple(_standing(card.item, learner, now) for card in self.cards))


@dataclass(frozen=True)
class Wanted:
    """What is asked for: words, and a value for some facets. Everything has to be true of a card."""

    query: str = ""
    chosen: tuple[tuple[Facet, str], ...] = ()

    def value(self, facet: Facet) -> str | None:
        return dict(self.chosen).get(facet)

    def choose(self, facet: Facet, value: str | None) -> Wanted:
        """Another value for a facet, None for any."""
        others = {name: one for name, one in self.chosen if name != facet} | ({facet: value} if value is not None else {})
        return replace(self, chosen=tuple((name, others[name]) for name in FACETS if name in others))


def index_cards(decks: Iterable[Deck], learner: LearnerState, now: Moment) -> CardIndex:
    """Takes a while with many cards: not on the event loop. Texts are searched in both languages."""
    items = [(deck, Item(deck.deck, card)) for deck in decks for card in deck.cards]
    return CardIndex(tuple(_standing(item, learner, now) for _, item in items), tuple(_texts(item, deck) for deck, item in items))


def found_cards(index: CardIndex, wanted: Wanted) -> list[IndexedCard]:
    """The cards that a person wants to see: the best first where words are searched, else in their decks' order."""
    found = [index.cards[place] for place in search(index.texts, wanted.query)]
    return [card for card in found if _admits(wanted, card)] if wanted.chosen else found


def choices(index: CardIndex, wanted: Wanted, facet: Facet) -> dict[str, int]:
    """The values of a facet, with how many cards each would show beside everything else that is wanted."""
    counted = Counter(value for card in found_cards(index, wanted.choose(facet, None)) for value in card.values(facet))
    return {value: counted[value] for value in _in_order(facet, counted)}


def _in_order(facet: Facet, counted: Counter[str]) -> list[str]:
    """Decks and kinds as they come, tags by how many cards have them, numbers from high to low, states as they are declared."""
    if facet == "tag":
        return sorted(counted, key=lambda value: (-counted[value], value))
    if facet == "state":
        return [state for state in STATES if state in counted]
    return sorted(counted, key=int, reverse=facet == "asked") if facet in ("level", "asked") else list(counted)


def _admits(wanted: Wanted, card: IndexedCard) -> bool:
    return all(value in card.values(facet) for facet, value in wanted.chosen)


def _standing(item: Item, learner: LearnerState, now: Moment) -> IndexedCard:
    memory, flag = learner.effective.get(item.key), learner.decisions.flagged.get(item.key)
    return IndexedCard(item, states_of(item.key, learner, now), memory.due_day if memory else None, flag.note if flag else "")


def _texts(item: Item, deck: Deck) -> Folded:
    """Names, then the question, then the answer and what stands around it."""
    card = item.card
    names = " ".join((card.id, *card.formerly, *card.tags, item.deck, *_said(deck.title)))
    answer = " ".join(_said(card.answer, card.trap, card.detail, *card.key_points, *card.order, *(one.text for one in card.options)))
    return folded((names, " ".join(_said(card.question)), answer))


def _said(*texts: Text | None) -> Iterator[str]:
    """Texts in every language that they are written in."""
    return (said for text in texts if text for said in text.root.values())
