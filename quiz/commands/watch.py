"""`qkv check --watch`: the decks again whenever one of their files is saved. The process that runs claims stays: torch is loaded once.

The files are looked at, not listened to: that works on every disk, and with editors that put another file in the place of the one before.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from time import sleep, time_ns

from content.deck.deck_files import decks_in
from content.deck.library import load
from content.regular_file import Stamp, file_stamp
from content.yaml.problems import render
from quiz.card.deck_paths import all_deck_paths, user_deck_folder
from quiz.commands.check import Engine, checked
from quiz.commands.check_cards import of_cards, with_cards
from quiz.commands.check_report import Report, summary
from quiz.commands.output import fail, tell
from quiz.exit_codes import OK
from quiz.gc_pause import gc_paused
from quiz.words.i18n import Words

LOOK = 0.2  # seconds between two looks at the files
SETTLED = 0.1  # seconds without a further change: an editor may delete a file before it writes it again

States = dict[Path, Stamp]


class Outdated(Exception):
    """A file was saved while the decks were checked: the rest of this round is about what is no longer there."""


@dataclass
class Watch:
    """The files of some decks and their states. What once belonged to them is looked at further: it may come back."""

    paths: tuple[Path, ...]
    known: set[Path] = field(default_factory=set)
    states: States = field(default_factory=dict)

    def look(self) -> States:
        """The states of all files as they are now, also of those that have come into a folder."""
        return {path: file_stamp(path) for path in {*self.known, *_files(self.paths)}}

    @property
    def changed(self) -> bool:
        return self.look() != self.states

    def learn(self, files: Iterable[Path], since: int) -> None:
        """Takes in files that a deck turned out to have, as they were when it was read: `since` is when that began, in nanoseconds."""
        for path in set(files) - self.states.keys():
            self.known.add(path)
            state = file_stamp(path)
            self.states[path] = state if not state or state[0] < since else ()


def watch(paths: Iterable[str], *, count: int, runs_code: bool, strict: bool, language: str = "", cards: Collection[str] = ()) -> int:
    """Checks until somebody stops it with ctrl+c, whose exit code is that of every command."""
    words = Words.of(language)
    watched = Watch(tuple(map(Path, dict.fromkeys(paths))))
    first = True
    with Engine() as engine:
        while True:
            try:
                report = _round(watched, engine, words, cards, count=count, runs_code=runs_code, strict=strict)
            except Outdated:
                _settle(watched)
                continue
            tell(as_round(report, words, datetime.now()), end="\n\n")
            if first:
                fail(words("check.watching"), OK)
                first = False
            while not watched.changed:
                sleep(LOOK)
            _settle(watched)


def as_round(report: Report, words: Words, now: datetime) -> str:
    """Every problem, then when it was found and how much was looked at."""
    return "\n\n".join([*(render(problem, words.language) for problem in report.problems), f"{now:%H:%M:%S}  {summary(report, words)}"])


def _round(watched: Watch, engine: Engine, words: Words, cards: Collection[str], *, count: int, runs_code: bool, strict: bool) -> Report:
    """One look at all decks. Raises Outdated."""
    began = time_ns()
    watched.states = watched.look()
    gc.unfreeze()  # the decks of the round before
    with gc_paused():
        library = with_cards(load(watched.paths or all_deck_paths()), cards)
        gc.freeze()
    watched.learn((path for loaded in library.files for path in loaded.paths), began)

    def still() -> None:
        if watched.changed:
            raise Outdated

    report = checked(library, engine, words, count=count, runs_code=runs_code, strict=strict, each=still)
    return of_cards(report, library) if cards else report


def _settle(watched: Watch) -> None:
    """Waits until nothing changes any more."""
    before = None
    while (now := watched.look()) != before:
        before = now
        sleep(SETTLED)


def _files(paths: tuple[Path, ...]) -> Iterable[Path]:
    """The files that are decks by their names, and the folders that they lie in."""
    for path in paths or (*all_deck_paths(), user_deck_folder()):
        try:
            yield from decks_in(path) if path.is_dir() else (path,)
        except (OSError, ValueError):
            yield path
