"""Opens the progress for a session, whatever state it is in: the session always begins, and says what will not be kept.

Shared by the screens and the plain mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from quiz.memory.card_ids import Key
from quiz.progress import backups
from quiz.progress.companions import foreign_journals
from quiz.progress.errors import ProgressError
from quiz.progress.news import Tell
from quiz.progress.progress import Progress, default_path
from quiz.progress.resilient import ResilientProgress


@dataclass(frozen=True)
class Opened:
    """The progress to go on with. With a `failure` it is in memory for now, and `remembers` says whether the schedule could be read.

    `beside` is where a journal was put that was not the file's own. `anew` is whether the file holds no grade, maybe because it had to be
    begun, although there are backups of some; `backup` is then the newest that can be restored.
    """

    store: Progress
    failure: ProgressError | None = None
    remembers: bool = True
    anew: bool = False
    backup: Path | None = None
    beside: Path | None = None


def open_for_session(names: Mapping[Key, Iterable[Key]], tell: Tell) -> Opened:
    """The person's progress, or what can be had of it; `names` are the cards with their earlier names (see Progress.adopt).

    `tell` hears when the file fails during the session, and when it works again (see ResilientProgress).
    """
    path = default_path()
    before = foreign_journals(backups.backup_folder(path))
    try:
        store = ResilientProgress.open(str(path), tell)
    except ProgressError as error:
        return _instead(error, tell)
    anew = False
    try:
        store.adopt(names)
        anew = store.is_empty() and backups.newest_backup(path) is not None
    except ProgressError as error:
        if error.ruined:
            store.close()
            return _instead(error, tell)
        # A full disk or a patient writer: the grades will be tried one by one, the names again at the next start.
    backup = backups.newest_sound_backup(path) if anew else None
    beside = next(iter(sorted(foreign_journals(backups.backup_folder(path)) - before)), None)
    return Opened(store, anew=anew, backup=backup, beside=beside)


def _instead(error: ProgressError, tell: Tell) -> Opened:
    """In memory, until the file can be used."""
    store, remembers = ResilientProgress.without_file(error, tell)
    return Opened(store, error, remembers)
