"""The decks and the progress of this run of the program, and what went wrong with them. No screen: methods that block say so."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from content.regular_file import Stamp, file_stamp
from quiz.card.progress_sentences import clock_sentence, error_sentence, find_backup, opening_warning, waiting_warning
from quiz.words.i18n import Words

if TYPE_CHECKING:  # loaded by those methods that block: the first screen is drawn before
    from content.deck.cards import Deck
    from content.deck.library import Library
    from quiz.card.card_location import CardLocation
    from quiz.card.today import TodaysWork
    from quiz.memory.card_ids import Key
    from quiz.progress.errors import ProgressError
    from quiz.progress.news import Tell
    from quiz.progress.open import Opened
    from quiz.progress.progress import Progress
    from quiz.study.filter import Filter
    from quiz.study.study import Clock, Study
    from quiz.tui.requests import BeginSession


FILES = 2  # with problems that are named in a command to type


@dataclass
class LearnerFiles:
    """`unsaved` and `loss` are what the exit code and the last line say; `damage` is what the check of today's backup found."""

    read: Callable[[], Library]
    clock: Clock
    library: Library | None = None
    shelf: Library | None = None  # all decks that are there, once a card leads to one that this run is not about
    opened: Opened | None = None
    damage: ProgressError | None = None
    unsaved: bool = False
    loss: str = ""
    _others: tuple[list[tuple[Path, Stamp]], list[Deck]] = field(default_factory=lambda: ([], []))  # as they were read last

    @property
    def decks(self) -> list[Deck]:
        """The decks that could be read."""
        return [loaded.deck for loaded in self.library.decks] if self.library else []

    @property
    def decks_at_hand(self) -> list[Deck]:
        """The decks of this run, and those of the shelf as far as it was read."""
        here = {deck.deck: deck for deck in self.decks}
        return [*here.values(), *(each.deck for each in (self.shelf.decks if self.shelf else ()) if each.deck.deck not in here)]

    def read_shelf(self) -> None:
        """Reads the decks that this run is not about, once. Blocks."""
        from quiz.card.deck_paths import studied_decks

        self.shelf = self.shelf or studied_decks()

    def folder_of(self, deck: str) -> Path | None:
        """The folder of a deck's file."""
        from quiz.card.card_location import deck_folder

        return deck_folder(self.library, deck) or deck_folder(self.shelf, deck)

    def locate(self, key: Key) -> CardLocation | None:
        """Where a card stands, so that an editor can open it there."""
        from quiz.card.card_location import locate_card

        found = (locate_card(library, key) for library in (self.library, self.shelf) if library)
        return next((place for place in found if place), None)

    @property
    def store(self) -> Progress | None:
        return self.opened.store if self.opened else None

    def reread(self) -> None:
        """Reads the decks, again when a file was edited. Blocks."""
        self.library = self.read()

    def unreadable(self, words: Words) -> str:
        """Why there is no deck at all, as `qkv check` says it; nothing where there is one."""
        if self.library is None or self.library.decks:
            return ""
        from content.yaml.problems import render

        return "\n".join(render(problem, words.language) for problem in self.library.problems) or words(
            "home.no_decks", command="qkv check"
        )

    def problems(self, words: Words) -> str:
        """How many problems the decks have, and what shows them; nothing where they have none."""
        found = self.library.problems if self.library else ()
        files = list(dict.fromkeys(problem.path for problem in found))
        command = shlex.join(["qkv", "check", *files]) if len(files) <= FILES else "qkv check"
        if self.library and not self.decks:
            return words("home.no_decks", command=command)
        return words("home.problems", count=len(found), command=command) if found else ""

    def notes(self, today: TodaysWork, words: Words) -> str:
        """All that is to be known of decks and progress beside what is due, a line each."""
        orphans = words("home.orphans", count=today.orphans) if today.orphans else ""
        said = (self.trouble(words), clock_sentence(today.misdated, today.day, words), self.problems(words), orphans)
        return "\n".join(filter(None, said))

    def open(self, tell: Tell) -> Opened:
        """Opens the progress, in whatever state it is; `tell` hears when it fails later. Blocks."""
        from quiz.memory.card_ids import earlier_names
        from quiz.progress.open import open_for_session

        def told(error: ProgressError | None) -> None:
            if error:
                find_backup(error)
            tell(error)

        self.opened = open_for_session(earlier_names(self.decks), told)
        if self.opened.failure:
            find_backup(self.opened.failure)
        return self.opened

    def begin(self, asked: BeginSession, wanted: Filter | None) -> Study | None:
        """A session with its first card on the table; None where there is nothing to ask. Blocks; raises ProgressError."""
        from quiz.card.deck_paths import note_studied
        from quiz.study.study import begin_study

        assert self.store is not None
        study = begin_study(list(asked.decks), self.store, self.clock, _narrowed(asked, wanted), practise=asked.practise)
        if study and study.progress and self.library and self.opened and not self.opened.failure:
            note_studied(loaded.path for loaded in self.library.decks)
        return study

    def studied(self) -> list[Deck]:
        """The decks of this run, and all others that progress can be about, read again where they changed. Blocks."""
        from quiz.card.deck_paths import read_decks, studied_paths

        read = {os.path.realpath(loaded.path) for loaded in self.library.decks} if self.library else set()
        paths = [path for path in studied_paths() if os.path.realpath(path) not in read]
        state = [(path, file_stamp(path)) for path in paths]
        if state != self._others[0]:
            self._others = state, [loaded.deck for loaded in read_decks(paths).decks]
        ours = {deck.deck for deck in self.decks}
        return [*self.decks, *(deck for deck in self._others[1] if deck.deck not in ours)]

    def set_exam(self, text: str, words: Words) -> str:
        """Makes the plan for a day, or ends it without one; why the day makes no sense. Blocks; raises ProgressError."""
        from quiz.card.exam import new_plan, refusal
        from quiz.progress.decisions import Decision

        assert self.store is not None
        now, decks = self.clock(), self.studied()
        if text and (refused := refusal(text, None, decks, now.day, words)):
            return refused
        aim = new_plan(self.store, decks, date.fromisoformat(text).toordinal(), None, None, now.day) if text else None
        self.store.decide(Decision.plan(aim, now))
        return ""

    def nothing_to_ask(self, asked: BeginSession, wanted: Filter | None, words: Words) -> str:
        """Why a session has no card. Blocks; raises ProgressError."""
        from quiz.card.today import nothing_to_ask
        from quiz.study.learner import LearnerState

        assert self.store is not None
        learner = LearnerState.of(self.store)
        return nothing_to_ask(list(asked.decks), learner, self.clock(), _narrowed(asked, wanted), words, practise=asked.practise)

    def back_up(self) -> None:
        """Today's backup, with which the file is checked from end to end. Blocks; raises ProgressError."""
        from quiz.progress import backups

        if self.opened and not self.opened.failure:
            backups.make_daily(Path(self.opened.store.path), datetime.now())

    def close(self, words: Words) -> None:
        """Closes the progress, and notes what it could not keep."""
        if not self.opened:
            return
        store = self.opened.store
        store.close()
        if not store.keeps:
            self.unsaved = True
            error = store.failure or self.opened.failure
            self.loss = self.loss or words("store.some_unsaved", reason=error_sentence(error, words) if error else "")

    def trouble(self, words: Words) -> str:
        """What is wrong with the progress file for as long as the program runs; empty where all is well."""
        if self.damage:
            return error_sentence(self.damage, words)
        return opening_warning(self.opened, words) if self.opened else ""

    def not_saved(self, error: ProgressError, words: Words) -> str:
        """Notes that something was not saved, and says it."""
        self.unsaved, reason = True, error_sentence(error, words)
        self.loss = words("store.some_unsaved", reason=reason)
        return words("store.failed", reason=reason)

    def in_memory(self, failure: ProgressError, words: Words) -> str:
        """Notes that the whole session is in memory for now, and says it."""
        self.loss = words("store.unsaved", reason=error_sentence(failure, words))
        return self.trouble(words)

    def waits(self, error: ProgressError | None, words: Words) -> str:
        """Notes that grades wait for the file to work again, or (None) that they wait no more, and says it."""
        if error and error.reason != "moved":
            self.loss = words("store.some_unsaved", reason=error_sentence(error, words))
        return waiting_warning(error, words)

    def backup_failed(self, error: ProgressError, words: Words) -> str:
        """Notes what today's backup found, and says it; for a damaged file, how to get the newest one back."""
        if error.ruined:
            self.damage = error
            return error_sentence(error, words)
        return words("backup.failed", reason=error_sentence(error, words))


def _narrowed(asked: BeginSession, wanted: Filter | None) -> Filter:
    """What the command line wanted, and only the weak cards or those of a path where a screen asks for those."""
    from quiz.card.named_path import along
    from quiz.study.filter import ANY

    wanted = replace(wanted or ANY, weak=asked.weak or bool(wanted and wanted.weak))
    return along(asked.path, wanted) if asked.path else wanted
