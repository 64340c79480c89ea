"""`qkv backup`, `qkv restore`, `qkv export --progress`, `qkv import`: progress as files that one can keep, move and bring together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from content.regular_file import open_file
from quiz.card.deck_paths import resolve_decks
from quiz.card.progress_sentences import error_sentence
from quiz.commands.output import fail, print_json_text, tell
from quiz.exit_codes import OK, PROBLEM, UNSAVED
from quiz.memory.card_ids import earlier_names
from quiz.progress import backups, jsonl, merge
from quiz.progress.errors import ProgressError, is_missing
from quiz.progress.progress import default_path, open_progress, readable_progress
from quiz.progress.restore import free_name, restore_backup
from quiz.terminal.streams import utf8_input
from quiz.words.i18n import Words

STREAM = "-"


def backup(file: str | None, *, language: str) -> int:
    """Makes a backup, in its folder or under the name given, and says where. Exit codes: 0, 1 nothing to do, 3 not made."""
    words, progress, now = Words.of(language), default_path(), datetime.now()
    target = Path(file) if file else free_name(backups.backup_folder(progress), backups.STAMP, now)
    if os.path.lexists(target):
        return fail(words("backup.exists", path=target), PROBLEM)
    if is_missing(progress):
        return fail(words("backup.nothing", path=progress), PROBLEM)
    try:
        readable_progress().close()  # whether it is ours
        tell(words("backup.made", path=backups.make_backup(progress, target)))
    except ProgressError as error:
        return fail(words("backup.failed", reason=unsaved(error, words)), UNSAVED)
    if not file:
        backups.remove_old(progress)
    return OK


def restore(file: str, *, language: str) -> int:
    """Puts a backup in the place of the progress file; what was there is kept. Exit codes: 0, 3 not restored."""
    words = Words.of(language)
    try:
        before = restore_backup(Path(file), default_path(), datetime.now())
    except ProgressError as error:
        if error.ruined and Path(error.path) == Path(file):  # not the progress file: its advice would be wrong here
            return fail(words("restore.unsound", path=file), UNSAVED)
        return fail(words("restore.failed", reason=unsaved(error, words)), UNSAVED)
    tell(words("restore.done", path=file))
    if before:
        tell(words("restore.before", path=before))
    return OK


def export(file: str, *, language: str) -> int:
    """Writes the whole log, as lines of JSON, to a new file or to stdout. Exit codes: 0, 1 cannot be read, 3 not written."""
    words = Words.of(language)
    if file != STREAM and os.path.lexists(file):
        return fail(words("backup.exists", path=file), PROBLEM)
    try:
        with closing(readable_progress()) as progress:
            count, rows = merge.export_rows(progress)
            text = jsonl.write_jsonl(rows, count)
            if file == STREAM:
                for line in text:
                    print_json_text(line)
                return OK
            with backups.partial_file(Path(file)) as partial:
                with partial.open("w", encoding="utf-8", newline="\n") as target:
                    target.writelines(f"{line}\n" for line in text)
                backups.replace_durably(partial, Path(file))
    except ProgressError as error:
        if error.path != str(Path(file)):  # it was the progress that could not be read
            return fail(error_sentence(error, words), PROBLEM)
        return fail(words("export.failed", reason=unsaved(error, words)), UNSAVED)
    return fail(words("export.done", count=count, path=file), OK)


def import_progress(file: str, *, language: str) -> int:
    """Brings another machine's log into this one, after a backup of what is here. Exit codes: 0, 1 refused, 3 not saved."""
    words = Words.of(language)
    try:
        with closing(open_progress()) as progress:
            _back_up(default_path())
            with _opened(file) as source:
                merged = merge.merge_rows(progress, jsonl.read_jsonl(_bounded(source)))
            with suppress(ProgressError):  # the import is done; the names are tried again at the next start
                progress.adopt(earlier_names(loaded.deck for loaded in resolve_decks(())().decks))
    except jsonl.ImportRefused as refused:
        about = words(f"import.{refused.why}", about=refused.about)
        return fail(words("import.refused", path=file, line=refused.line, reason=about), PROBLEM)
    except ProgressError as error:
        return fail(words("import.failed", reason=unsaved(error, words)), UNSAVED)
    except OSError as error:
        return fail(words("import.unreadable", path=file, reason=error.strerror or str(error)), PROBLEM)
    tell(words("import.done", rows=f"{merged.rows:,}", count=merged.fresh))
    return OK


def _back_up(progress: Path) -> None:
    """What is there before something is brought in, unless there is nothing or today's backup already holds it."""
    if not backups.holds_everything(backups.newest_backup(progress), progress):
        backups.make_backup(progress, free_name(backups.backup_folder(progress), backups.STAMP, datetime.now()))
        backups.remove_old(progress)


@contextmanager
def _opened(file: str) -> Iterator[TextIO]:
    if file == STREAM:
        yield utf8_input()
    else:
        with TextIOWrapper(open_file(file), encoding="utf-8-sig", errors="replace") as source:
            yield source


def _bounded(source: TextIO) -> Iterator[str]:
    """Its lines, none of them longer in memory than a line that is refused for its length."""
    return iter(lambda: source.readline(jsonl.LONGEST_LINE + 1), "")


def unsaved(error: ProgressError, words: Words) -> str:
    """Why a file was not written: a full disk is no question of grading again here."""
    return words("store.full.here", path=error.path) if error.reason == "full" else error_sentence(error, words)
