"""What is learner of a person when a session is put together: memories, marks, and the cards in trouble, read from the store at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from content.deck.cards import Deck
from quiz.memory.card_ids import Key, earlier_names
from quiz.memory.scheduler import Memory
from quiz.progress.decisions import NONE, Decisions, Flag
from quiz.progress.progress import Progress, open_progress
from quiz.settings.chosen import settings
from quiz.settings.options import DEFAULTS
from quiz.study.leeches import effective_dues, is_leech


@dataclass(frozen=True)
class Limits:
    """How many cards a day are met for the first time, and how many are asked again; None is no limit."""

    new: int = DEFAULTS.new
    reviews: int | None = DEFAULTS.reviews


@dataclass(frozen=True)
class LearnerState:
    """`memories` are what the log adds up to; `confident_errors` are the cards that one was sure of and had wrong, with the day of it."""

    memories: Mapping[Key, Memory] = field(default_factory=dict)
    decisions: Decisions = NONE
    confident_errors: Mapping[Key, int] = field(default_factory=dict)
    limits: Limits = Limits()

    @classmethod
    def of(cls, store: Progress) -> LearnerState:
        """What the store knows, and what was chosen. Blocks on the disk; raises ProgressError."""
        chosen = settings()
        return cls(store.memories(), store.decisions(), store.confident_errors(), Limits(chosen.new, chosen.reviews))

    @cached_property
    def effective(self) -> Mapping[Key, Memory]:
        """The memories with the days on which the cards are really asked."""
        return effective_dues(self.memories, self.confident_errors)

    @cached_property
    def leeches(self) -> frozenset[Key]:
        """The cards that keep failing."""
        return frozenset(key for key, memory in self.memories.items() if is_leech(memory))

    @cached_property
    def weak(self) -> frozenset[Key]:
        """The cards in trouble: those that keep failing, and those that one was sure of and had wrong."""
        return self.leeches | (self.confident_errors.keys() & self.memories.keys())

    def reviewed(self, day: int) -> int:
        """How many cards that were met before were asked again on a study day."""
        return sum(memory.last_day == day > memory.first_day for memory in self.memories.values())

    def met(self, day: int) -> frozenset[Key]:
        """The cards that were graded for the first time on a study day."""
        return frozenset(key for key, memory in self.memories.items() if memory.first_day == day)


def orphans(decks: Iterable[Deck], memories: Iterable[Key]) -> tuple[list[Key], list[Key]]:
    """What was learned of cards that are gone: from decks that are there, and from decks that are not. A changed id looks like this, too,
    where `formerly` does not say what it was."""
    cards = {deck.deck: {card.id for card in deck.cards} for deck in decks}
    gone = [key for key in memories if key[1] not in cards.get(key[0], ())]
    return sorted(key for key in gone if key[0] in cards), sorted(key for key in gone if key[0] not in cards)


Choice = Callable[[LearnerState], Collection[Key]]


def suspended_cards(learner: LearnerState) -> frozenset[Key]:
    """The cards that `qkv cards --suspended` lists."""
    return learner.decisions.suspended


def weak_cards(learner: LearnerState) -> frozenset[Key]:
    """The cards that `qkv cards --weak` lists."""
    return learner.weak


def flagged_cards(learner: LearnerState) -> Mapping[Key, Flag]:
    """The cards that `qkv cards --flagged` lists, with what is wrong with them."""
    return learner.decisions.flagged


@contextmanager
def open_learners_progress(decks: Iterable[Deck], opened: Callable[[], Progress] = open_progress) -> Iterator[Progress]:
    """The person's progress, in which the decks' cards are learner by their earlier names, too; `opened` is how it is opened.

    Raises ProgressError.
    """
    with closing(opened()) as store:
        store.adopt(earlier_names(decks))
        yield store
