"""What can be done now, as rows of actions: pure, so that the keys on the screen and the tests say the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quiz.memory.scheduler import Grade, Interval
from quiz.words.i18n import Words


@dataclass(frozen=True)
class Action:
    """`key` as printed, what it does in a word, a value beside it (an interval), the screen's action, and a longer tip."""

    key: str
    label: str
    run: str
    value: str = ""
    tip: str = ""
    suggested: bool = False


def interval_text(interval: Interval, words: Words) -> str:
    """An interval as the button shows it: 10m, 4d, 2mo."""
    if interval.days == 0:
        return words("interval.minutes", count=interval.minutes)
    return words("interval.days", count=interval.days)


def asking(words: Words) -> list[Action]:
    """Before the reveal: how sure, or just show."""
    sure = [Action(str(n), words(f"confidence.{n}"), f"digit({n})", tip=words("confidence.tip")) for n in (1, 2, 3)]
    return [*sure, Action("space", words("confidence.skip"), "proceed", tip=words("confidence.skip.tip"))]


def grading(words: Words, intervals: Mapping[Grade, Interval], suggested: Grade) -> list[Action]:
    """After the reveal: the four grades, each with the interval that it gives."""
    return [
        Action(
            str(int(grade)),
            words(f"grade.{int(grade)}"),
            f"digit({int(grade)})",
            interval_text(interval, words),
            words(f"grade.tip.{int(grade)}"),
            grade == suggested,
        )
        for grade, interval in intervals.items()
    ]


def _said(words: Words, key: str, run: str, name: str) -> Action:
    return Action(key, words(name), run, tip=words(f"{name}.tip"))


def always(words: Words) -> list[Action]:
    """What every screen offers at the end of its keys."""
    switch = Action("l", words("language.switch"), "app.speak", tip=words("language.tip"))
    return [switch, _said(words, "?", "app.help", "app.help")]


def moving(words: Words, *, undo: bool, lab: bool, on_lab: bool, moved: bool, aside: bool) -> list[Action]:
    """A session's second row: only what would do something now, and fits beside the rest."""
    row = [_said(words, "u", "undo", "keys.undo")] if undo else []
    row += at_the_bench(words, lab=lab, on_lab=on_lab, moved=moved)
    if aside and not moved:
        row += [_said(words, "t", "set_aside('bury')", "keys.bury"), _said(words, "@", "set_aside('suspend')", "keys.suspend")]
    return [*row, *always(words), _said(words, "q", "leave", "app.back")]


def at_the_bench(words: Words, *, lab: bool, on_lab: bool, moved: bool) -> list[Action]:
    """What a card beside its lab offers once the lab may be seen."""
    row = []
    if lab:
        name = words("keys.card" if on_lab else "keys.lab")
        row.append(Action("tab", name, "turn_page", tip=words("keys.lab.tip")))
        row.append(_said(words, "s", "source", "keys.source"))
    if moved:
        row.append(_said(words, "r", "reset", "keys.reset"))
    return row


def previewing(words: Words, *, card: bool, asking: bool, several: bool) -> list[Action]:
    """The preview's first row: the other side of the card, the other cards, the file."""
    row = [_said(words, "space", "turn_over", "preview.answer" if asking else "preview.question")] if card else []
    if several:
        row += [_said(words, "n", "step(1)", "preview.next"), _said(words, "p", "step(-1)", "preview.previous")]
    return [*row, _said(words, "o", "edit", "preview.edit")]


def quitting(words: Words) -> Action:
    """The way out of the program."""
    return _said(words, "q", "app.quit", "app.quit")


def in_the_lab(words: Words, *, chosen: bool, on_lab: bool) -> list[Action]:
    """The lab screen's row."""
    row = []
    if chosen:
        name = words("lab.list" if on_lab else "keys.lab")
        row.append(Action("tab", name, "turn_page", tip=words("lab.list.tip")))
        row += [_said(words, "r", "reset", "keys.reset"), _said(words, "s", "source", "keys.source")]
    return [*row, *always(words), _said(words, "q", "leave", "app.back")]


def at_home(words: Words, *, study: bool, practice: bool) -> list[Action]:
    """The home screen's row."""
    row = []
    if study:
        row.append(_said(words, "enter", "study", "home.start"))
    if practice:
        row.append(_said(words, "p", "practice", "home.practice"))
    row.append(_said(words, "e", "experiments", "home.lab"))
    row.append(_said(words, "s", "statistics", "home.stats"))
    return [*row, *always(words), quitting(words)]


def at_the_statistics(words: Words, *, again: str) -> list[Action]:
    """The statistics' row; `again` has the letters of the cards to look at again."""
    row = [_said(words, "p", "practice", "stats.practice")] if again else []
    if again:
        row.append(_said(words, again if len(again) == 1 else f"{again[0]}…{again[-1]}", f"pick('{again[0]}')", "stats.pick"))
    return [*row, *always(words), _said(words, "q", "leave", "app.back")]


def in_trouble(words: Words) -> list[Action]:
    """What the home screen offers beside the number of cards in trouble."""
    return [_said(words, "w", "weak", "home.weak")]


def at_the_end(words: Words, *, waiting: bool, undo: bool) -> list[Action]:
    """The summary's row."""
    row = [_said(words, "space", "proceed", "summary.hasten")] if waiting else []
    if undo:
        row.append(_said(words, "u", "undo", "keys.undo"))
    return [*row, *always(words), _said(words, "q", "leave", "summary.home")]
