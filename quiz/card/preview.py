"""A deck file while it is being written: what its last saving holds, and which card its author is at. No screen, no clock."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from content.deck import checks
from content.deck.cards import Card, Deck
from content.deck.library import Library, LoadedDeck, load
from content.yaml.problems import Problem, render
from quiz.card.card_location import CardLocation
from quiz.card.card_parts import Part, heading
from quiz.card.deck_paths import resolve_decks
from quiz.card.follow_ups import FollowUp, follow_ups
from quiz.card.typeset import Line, Span, cut, wrap
from quiz.study.turn import Item, Stage, Turn
from quiz.words.i18n import Words


@dataclass(frozen=True)
class Preview:
    """One reading of the file. Without a `deck` only its problems can be shown; `known` are the cards of the last that had one."""

    path: Path
    deck: LoadedDeck | None = None
    problems: tuple[Problem, ...] = ()
    known: tuple[Card, ...] = ()
    paths: tuple[Path, ...] = ()
    here: int = 0
    others: tuple[Deck, ...] = ()  # decks that links of this one lead to
    library: Library = field(default=Library(), repr=False, compare=False)  # what `examine` has to look at

    @property
    def card(self) -> Card | None:
        return self.deck.deck.cards[self.here] if self.deck else None

    @property
    def links(self) -> tuple[FollowUp, ...]:
        """The follow-ups of the card, looked up."""
        return follow_ups(Item(self.deck.deck.deck, self.card), (self.deck.deck, *self.others)) if self.deck and self.card else ()

    @property
    def spot(self) -> CardLocation:
        """The line to open: the card's, or that of the first error."""
        if self.deck:
            place = self.deck.place(("cards", self.here))
            return CardLocation(Path(place.path), place.line)
        first = next((problem for problem in self.problems if problem.severity == "error"), None)
        return CardLocation(Path(first.path), first.line or 1) if first else CardLocation(self.path, 1)

    @property
    def watched(self) -> tuple[Path, ...]:
        """The deck's files as they were last known: while one cannot be read, nobody knows which others belong to it."""
        return self.paths or (self.path,)

    def step(self, by: int) -> Preview:
        """The next card or the one before; from the last on to the first."""
        return replace(self, here=(self.here + by) % len(self.known)) if self.deck else self


def read_preview(before: Preview) -> Preview:
    """The file as it is now, at the card that was worked on. Of a deck that can be read, the problems are still those before."""
    library = load((before.path,))
    paths = tuple(dict.fromkeys((*before.watched, *(path for loaded in library.files for path in loaded.paths))))
    if not library.decks:
        return replace(before, deck=None, problems=library.problems, paths=paths, library=library)
    (deck,) = library.decks
    cards = deck.deck.cards
    problems = before.problems if before.deck else library.problems
    others = before.others or (_shelf() if any("/" in link for card in cards for link in card.follow_ups) else ())
    return Preview(before.path, deck, problems, cards, paths, edited_card(before.known, cards, before.here), others, library)


def _shelf() -> tuple[Deck, ...]:
    """The decks that are there without being named. Blocks."""
    return tuple(loaded.deck for loaded in resolve_decks(())().decks)


def examine(library: Library, experiments: Collection[str]) -> tuple[Problem, ...]:
    """Everything that is wrong with what was read. With hundreds of cards this takes as long as reading them."""
    return tuple(sorted(checks.all_problems(library, experiments)))


def edited_card(before: Sequence[Card], cards: Sequence[Card], here: int) -> int:
    """The card to show after a change: the one on the table if it changed, else the first that did, else where it is now."""
    if not before:
        return 0
    known, name = {card.id: card for card in before}, before[here].id
    changed = [index for index, card in enumerate(cards) if known.get(card.id) != card]
    same = next((index for index, card in enumerate(cards) if card.id == name), None)
    if same in changed or (same is not None and not changed):
        return same
    return changed[0] if changed else min(here, len(cards) - 1)


def turn_of(preview: Preview, stage: Stage, measured: float | None) -> Turn | None:
    """The card as a session lays it out, with its options and items in the order of the file, and with all its hints."""
    if not preview.deck or not preview.card:
        return None
    shown = tuple(range(len(preview.card.options or preview.card.order)))
    return Turn(Item(preview.deck.deck.deck, preview.card), shown, stage, measured=measured, hints=len(preview.card.hint))


def problem_lines(problems: Sequence[Problem], words: Words) -> list[Part]:
    """The problems as `qkv check` prints them."""
    return [heading(words, "preview.problems", "key"), Part(partial(_told, problems, words.language))] if problems else []


def _told(problems: Sequence[Problem], language: str, width: int) -> list[Line]:
    return [line for problem in problems for line in (*_lines(problem, language, width), ())]


def _lines(problem: Problem, language: str, width: int) -> list[Line]:
    """The sentence and the hint are wrapped; the line of the file and its caret must stay below each other."""
    sentence, *rest = render(problem, language).split("\n")
    rows = wrap((Span(sentence, "bad" if problem.severity == "error" else "picked"),), width)
    for row in rest:
        rows += [cut((Span(row, "code"),), width)] if row.startswith("    ") else wrap((Span(row, "dim"),), width)
    return rows
