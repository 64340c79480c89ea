"""What is said about the progress file: why something was not saved, how the session goes on, which backup helps."""

from __future__ import annotations

import shlex
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from quiz.memory.study_day import FIRST_DAY
from quiz.words.i18n import Words

if TYPE_CHECKING:
    from quiz.progress.errors import ProgressError
    from quiz.progress.open import Opened


def opening_warning(found: Opened, words: Words) -> str:
    """What happened, what to do, and how the session goes on. Empty where all is well."""
    if found.anew:
        return words("store.anew", path=found.store.path, backup=backup_advice(found.backup, words))
    if found.beside:
        return words("store.beside", path=found.store.path, kept=found.beside)
    if found.failure is None or found.store.keeps:  # it can be used by now
        return ""
    key = "store.copied" if found.remembers else "store.in_memory"
    return words(key, reason=error_sentence(found.failure, words))


def waiting_warning(error: ProgressError | None, words: Words) -> str:
    """What a ResilientProgress tells, as a sentence."""
    if error is None:
        return words("store.caught_up")
    if error.reason == "moved":
        return words("store.merged", path=error.path)
    return words("store.waiting", reason=error_sentence(error, words))


def error_sentence(error: ProgressError, words: Words) -> str:
    """What happened and what to do; for a ruined file, which backup is the newest and how to get it back. Blocks where that was not looked
    for yet (see find_backup)."""
    sentence = words(f"store.{error.reason}", path=error.path)
    return f"{sentence} {backup_advice(find_backup(error), words)}" if error.ruined else sentence


def find_backup(error: ProgressError) -> Path | None:
    """The newest backup that can be restored, for a ruined file. Blocks the first time: reads backups from end to end."""
    if error.backup == "not looked for":
        from quiz.progress import backups

        error.backup = backups.newest_sound_backup(Path(error.path)) if error.ruined else None
    return error.backup


def clock_sentence(wrong: int, today: int, words: Words, *, shown: bool = False) -> str:
    """That grades carry a date that cannot be right, and what helps; nothing where none does. `shown` is whether they stand above it."""
    date_of_today = date.fromordinal(today).isoformat()
    if today < FIRST_DAY:
        return words("clock.now", today=date_of_today)
    key = "clock.shown" if shown else "clock.wrong"
    return words(key, count=wrong, today=date_of_today) if wrong else ""


def error_advice(path: str, words: Words) -> str:
    """The newest backup of a progress file that can be restored, with the command that does it. Blocks."""
    from quiz.progress import backups

    return backup_advice(backups.newest_sound_backup(Path(path)), words)


def backup_advice(backup: Path | None, words: Words) -> str:
    """A backup that can be restored, with the command that does it."""
    from quiz.progress import backups

    if backup is None:
        return words("store.no_backup")
    return words("store.backup", date=f"{backups.made_at(backup):%Y-%m-%d %H:%M}", path=shlex.quote(str(backup)))
