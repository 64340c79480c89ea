"""`qkv undo`: the last grades with their dates, and any of them taken back; also those that a wrong clock has dated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import timedelta
from typing import Any

from quiz.card.deck_paths import resolve_decks
from quiz.card.progress_sentences import clock_sentence, error_sentence
from quiz.card.today import iso_date
from quiz.commands.output import fail, print_json, tell
from quiz.exit_codes import OK, PROBLEM, UNSAVED, USAGE
from quiz.memory.scheduler import Memory
from quiz.memory.study_day import FIRST_DAY, Moment
from quiz.progress.errors import ProgressError, is_missing
from quiz.progress.grades import DatedGrade, Wrong, grades_with_wrong_dates, latest_grades
from quiz.progress.progress import Key, Progress, default_path, readable_progress
from quiz.study.learner import open_learners_progress
from quiz.words.i18n import Words

SHOWN = 8  # characters of an id that are shown, and those that are typed
Found = Sequence[tuple[DatedGrade, Wrong | None]]


def show(count: int, *, wrong: bool, as_json: bool, language: str) -> int:
    """Lists the last grades, or those with a date that cannot be right. Exit codes: 0, 1 when the progress cannot be read."""
    words, today = Words.of(language), Moment.now().day
    if is_missing(default_path()):
        if as_json:
            print_json([])
        return fail(words("stats.empty"), OK)
    try:
        with closing(readable_progress()) as progress:
            misdated = grades_with_wrong_dates(progress, today)
            why = {grade.id: reason for grade, reason in misdated}
            found: Found = misdated if wrong else [(grade, why.get(grade.id)) for grade in latest_grades(progress, count)]
            memories = progress.memories()
    except ProgressError as error:
        return fail(error_sentence(error, words), PROBLEM)
    if as_json:
        print_json([_data(grade, reason, memories) for grade, reason in found])
        return OK
    _list(found, memories, words)
    if misdated:
        return fail(clock_sentence(len(misdated), today, words, shown=wrong), OK)
    return fail(words("undo.dates_sound" if wrong else "undo.how"), OK)


def take_back(ids: Sequence[str], *, wrong: bool, language: str) -> int:
    """Takes grades back by how their ids begin, or all with a wrong date. Exit codes: 0, 2 for what is no grade, 3 when not saved."""
    words, now = Words.of(language), Moment.now()
    if wrong and now.day < FIRST_DAY:
        return fail(words("clock.now", today=iso_date(now.day)), USAGE)
    decks = [loaded.deck for loaded in resolve_decks(())().decks]
    try:
        with open_learners_progress(decks) as progress:
            found = [grade for grade, _ in grades_with_wrong_dates(progress, now.day)] if wrong else []
            for start in ids:
                named = latest_grades(progress, 2, start) if start else []  # every id begins with nothing
                if len(named) != 1:
                    return fail(words("undo.several" if named else "undo.unknown", id=start or '""'), USAGE)
                found += named
            _undo(progress, found, now, words)
    except ProgressError as error:
        return fail(error_sentence(error, words), UNSAVED)
    return OK if found else fail(words("undo.dates_sound"), OK)


def _undo(progress: Progress, found: Iterable[DatedGrade], now: Moment, words: Words) -> None:
    """Each on its own: what has been said to be taken back is."""
    for grade in dict.fromkeys(found):
        progress.undo(grade.id, now)
        memory = progress.memory(grade.key)
        due = words("undo.due", date=iso_date(memory.due_day)) if memory else words("undo.new")
        tell(f"{words('undo.done', grade=words(f'grade.{int(grade.grade)}'), card='/'.join(grade.key))} {due}")


def _list(found: Found, memories: dict[Key, Memory], words: Words) -> None:
    for grade, reason in found:
        memory = memories.get(grade.key)
        due = words("undo.due", date=iso_date(memory.due_day)) if memory else ""
        mark = words(f"undo.{reason}") if reason else ""
        name = words(f"grade.{int(grade.grade)}")
        tell("  ".join(filter(None, (grade.id[:SHOWN], _date(grade.when), "/".join(grade.key), name, due, mark))))


def _date(when: Moment) -> str:
    """When it was, on the clock of then; of a time that no calendar has, the study day."""
    try:
        return f"{when.at_utc + timedelta(minutes=when.offset_minutes):%Y-%m-%d %H:%M}"
    except OverflowError:
        return iso_date(when.day)


def _data(grade: DatedGrade, reason: Wrong | None, memories: dict[Key, Memory]) -> dict[str, Any]:
    memory = memories.get(grade.key)
    deck, card = grade.key
    due = iso_date(memory.due_day) if memory else None
    day = iso_date(grade.when.day)
    return {"id": grade.id, "deck": deck, "card": card, "grade": int(grade.grade), "day": day, "due": due, "wrong_date": reason}
