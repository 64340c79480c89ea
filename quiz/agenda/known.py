"""What is known of a person when a session is put together: memories, marks, and the cards in trouble, read from the store at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property

from content.deck.cards import Deck
from quiz.agenda.trouble import all_asked, is_leech
from quiz.memory.card_ids import Key, earlier_names
from quiz.memory.scheduler import Memory
from quiz.progress.decisions import NONE, Decisions
from quiz.progress.progress import Progress, open_progress


@dataclass(frozen=True)
class Known:
    """`memories` are what the log adds up to; `erred` are the cards that one was sure of and had wrong, with the day of it."""

    memories: Mapping[Key, Memory] = field(default_factory=dict)
    marks: Decisions = NONE
    erred: Mapping[Key, int] = field(default_factory=dict)

    @classmethod
    def of(cls, store: Progress) -> Known:
        """What the store knows. Blocks on the disk; raises ProgressError."""
        return cls(store.memories(), store.marks(), store.erred())

    @cached_property
    def asked(self) -> Mapping[Key, Memory]:
        """The memories with the days on which the cards are really asked."""
        return all_asked(self.memories, self.erred)

    @cached_property
    def leeches(self) -> frozenset[Key]:
        """The cards that keep failing."""
        return frozenset(key for key, memory in self.memories.items() if is_leech(memory))

    @cached_property
    def weak(self) -> frozenset[Key]:
        """The cards in trouble: those that keep failing, and those that one was sure of and had wrong."""
        return self.leeches | (self.erred.keys() & self.memories.keys())

    def met(self, day: int) -> frozenset[Key]:
        """The cards that were graded for the first time on a study day."""
        return frozenset(key for key, memory in self.memories.items() if memory.first_day == day)


Choice = Callable[[Known], frozenset[Key]]


def suspended(known: Known) -> frozenset[Key]:
    """The cards that `qkv cards --suspended` lists."""
    return known.marks.suspended


def weak(known: Known) -> frozenset[Key]:
    """The cards that `qkv cards --weak` lists."""
    return known.weak


@contextmanager
def progress_of(decks: Iterable[Deck], opened: Callable[[], Progress] = open_progress) -> Iterator[Progress]:
    """The person's progress, in which the decks' cards are known by their earlier names, too; `opened` is how it is opened.

    Raises ProgressError.
    """
    with closing(opened()) as store:
        store.adopt(earlier_names(decks))
        yield store
