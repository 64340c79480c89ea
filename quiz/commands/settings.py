"""`qkv settings`: the settings listed, one printed, or one set, as the settings screen does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from quiz.card.deck_paths import studied_decks
from quiz.card.exam import new_plan, refusal
from quiz.card.progress_sentences import error_sentence
from quiz.card.settings_sentences import allowed_text, fault_sentences, value_text
from quiz.card.today import iso_date
from quiz.commands.output import fail, print_json, tell
from quiz.commands.replace_file import reason
from quiz.exit_codes import OK, PROBLEM, UNSAVED, USAGE
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError
from quiz.progress.progress import open_progress, readable_progress
from quiz.settings.chosen import decided_by, faults, settings
from quiz.settings.document import Fault, Unreadable
from quiz.settings.file import settings_path, store
from quiz.settings.options import OPTIONS, Value
from quiz.study.learner import open_learners_progress
from quiz.words.i18n import Words

EXAM = "exam"  # a plan of the progress and no line of the file: it is merged like grades, and `qkv plan` knows more of it
NOTHING = ("none", "default", "-")

Sound = Callable[[dict[str, str]], tuple[dict[str, tuple[str, ...]], list[Fault]]]  # keys that can be given, and why others cannot


def run(name: str | None, value: str | None, sound: Sound, ids: Callable[[], tuple[str, ...]], *, as_json: bool, language: str) -> int:
    """Exit codes: 0, 1 where something in the file does not count, 2 for a name or a value that there is not, 3 when it was not saved."""
    words = Words.of(language)
    if name is None:
        return _list(sound, words, as_json=as_json)
    if name in OPTIONS:
        return _option(name, value, words)
    if name == EXAM:
        return _exam(value, words)
    id = name.removeprefix("keys.")
    if id not in ids():
        return fail(words("setting.unknown", name=name, names=", ".join((*OPTIONS, EXAM))), USAGE)
    return _binding(id, value, sound, words)


def _list(sound: Sound, words: Words, *, as_json: bool) -> int:
    chosen, exam = settings(), _exam_date()
    found, wrong = sound(dict(chosen.keys))
    keys = {id: ",".join(on) for id, on in found.items()}
    told = fault_sentences((*faults(), *wrong), settings_path(), words, chosen)
    if as_json:
        print_json({**{name: getattr(chosen, name) for name in OPTIONS}, EXAM: exam or None, "keys": keys})
        return fail("\n".join(told), PROBLEM) if told else OK
    for name, option in OPTIONS.items():
        by = decided_by(name)
        _row(name, option.spell(getattr(chosen, name)), words("setting.decided", name=by) if by else words(f"setting.{name}"))
    _row(EXAM, exam or NOTHING[0], words("setting.exam"))
    for id, on in keys.items():
        _row(f"keys.{id}", on)
    tell(f"\n{settings_path()}")
    return fail("\n".join(told), PROBLEM) if told else OK


def _row(name: str, value: str, says: str = "") -> None:
    tell(f"{name:<10} {value:<12} {says}".rstrip())


def _option(name: str, value: str | None, words: Words) -> int:
    option = OPTIONS[name]
    if value is None:
        tell(option.spell(getattr(settings(), name)))
        return OK
    try:
        wanted = option.read(value)
    except ValueError:
        return fail(words("setting.refused", name=name, value=value, allowed=allowed_text(option, words)), USAGE)
    by = decided_by(name)
    done = words("setting.saved", name=words(f"setting.{name}"), value=value_text(name, wanted, words))
    done += f" {words('setting.wins', name=by)}" if by else ""
    return _save(name, None if value.strip().lower() in NOTHING else wanted, done, words)


def _binding(id: str, value: str | None, sound: Sound, words: Words) -> int:
    given = dict(settings().keys)
    if value is None:
        tell(given.get(id, NOTHING[1]))
        return OK
    if value.strip().lower() in NOTHING:
        return _save(id, None, words("setting.saved", name=id, value=NOTHING[1]), words, binding=True)
    wrong = [fault for fault in sound({**{each: keys for each, keys in given.items() if each != id}, id: value})[1] if fault.name == id]
    if wrong:
        return fail(fault_sentences(wrong, Path("qkv settings"), words, settings())[0], USAGE)
    return _save(id, value, words("setting.saved", name=id, value=value), words, binding=True)


def _save(name: str, value: Value, done: str, words: Words, **where: Any) -> int:
    try:
        store(name, value, **where)
    except Unreadable:
        return fail(words("setting.unreadable", path=settings_path()), UNSAVED)
    except OSError as error:
        return fail(words("new.nowhere", path=settings_path(), reason=reason(error)), UNSAVED)
    return fail(done, OK)


def _exam_date() -> str:
    """The plan's day; nothing without a plan, or where the progress cannot be read."""
    try:
        with open_learners_progress((), readable_progress) as progress:
            aim = progress.decisions().aim
    except ProgressError:
        return ""
    return iso_date(aim.until) if aim else ""


def _exam(value: str | None, words: Words) -> int:
    if value is None:
        tell(_exam_date() or NOTHING[0])
        return OK
    decks, now = [loaded.deck for loaded in studied_decks().decks], Moment.now()
    clear = value.strip().lower() in NOTHING
    if not clear and (refused := refusal(value, None, decks, now.day, words)):
        return fail(refused, USAGE)
    try:
        with open_learners_progress(decks, open_progress) as progress:
            made = None if clear else new_plan(progress, decks, date_of(value), None, None, now.day)
            progress.decide(Decision.plan(made, now))
    except ProgressError as error:
        return fail(error_sentence(error, words), UNSAVED)
    return fail(words("plan.cleared") if clear else words("setting.saved", name=words("setting.exam"), value=value), OK)


def date_of(text: str) -> int:
    """A date as the ordinal of a study day. Raises ValueError."""
    from datetime import date

    return date.fromisoformat(text.strip()).toordinal()
