"""The conversation of the plain session: a sentence out, an answer in; the words that work everywhere are heard here."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from content.deck.cards import Deck
from content.deck.library import Library
from engine import Worker
from quiz.card import card_parts
from quiz.card.deck_paths import studied_decks
from quiz.commands.output import WIDTH, rich_line
from quiz.commands.printer import Printer
from quiz.progress.decisions import Kind
from quiz.terminal.streams import read_line
from quiz.words.half_width import half_width
from quiz.words.i18n import Words

LONGEST_LINE = 10_000  # characters; what has more is no person's answer, and may never end
FLAG = "!"
HINT = ("h", "hint", "提示")
ASIDE: dict[str, Kind] = {"suspend": "suspend", "@": "suspend", "bury": "bury", "-": "bury"}


class Left(Exception):
    """The learner typed q, or the input ended."""


class AskedAside(Exception):
    """The learner typed, instead of an answer, that the card be suspended or buried."""

    def __init__(self, kind: Kind) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass
class Talk:
    """Where a session is spoken: its console, its language, its engine, its decks."""

    console: Printer
    words: Words
    worker: Worker
    library: Library
    flag: Callable[[str], None] | None = None  # keeps what is wrong with the card that is asked

    @cached_property
    def decks(self) -> tuple[Deck, ...]:
        """The decks of the session, then the others that are there: a card may lead to one of them."""
        here = {loaded.deck.deck: loaded.deck for loaded in self.library.decks}
        shelf = (loaded.deck for loaded in studied_decks().decks)
        return (*here.values(), *(deck for deck in shelf if deck.deck not in here))

    def say(self, key: str, /, **values: object) -> str:
        return self.words(key, **values)

    def tell(self, sentence: str = "") -> None:
        self.console.print(sentence, markup=False, highlight=False)

    def show(self, parts: Iterable[card_parts.Part]) -> None:
        for part in parts:
            if part.role in ("heading", "claims"):
                self.console.print()
            for line in part.lines(min(self.console.width, WIDTH)):
                self.console.print(rich_line(line), no_wrap=True, overflow="ignore", crop=False)

    def ask(self, key: str, /, **values: object) -> str:
        """A line that the learner types, with full-width characters as the narrow ones.

        A line that begins with ! says what is wrong with the card, and the question stands. Raises Left at q, at the end of the input and
        at a line that has none, AskedAside at suspend or bury.
        """
        while True:
            line = self._line(key, **values)
            said = half_width(line).strip()
            if said.lower() == "q":
                raise Left
            if kind := ASIDE.get(said.lower()):
                raise AskedAside(kind)
            if not (self.flag and said.startswith(FLAG)):
                return said
            note = line.strip()[1:].strip() or self._line("plain.flag").strip()  # in its own characters
            if note:
                self.flag(note)

    def _line(self, key: str, /, **values: object) -> str:
        self.console.print(self.say(key, **values), end="", markup=False, highlight=False)
        line = read_line(LONGEST_LINE + 1)
        if not sys.stdin.isatty():
            self.console.print()  # nobody pressed Enter on this screen
        if not line or len(line) > LONGEST_LINE:
            raise Left
        return line
