"""What can be done now, as rows of actions: pure, so that the keys on the screen and the tests say the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quiz.memory.scheduler import Grade, Interval
from quiz.words.i18n import say


@dataclass(frozen=True)
class Action:
    """`key` as printed, what it does in a word, a value beside it (an interval), the screen's action, and a longer tip."""

    key: str
    label: str
    run: str
    value: str = ""
    tip: str = ""
    suggested: bool = False


def interval_text(interval: Interval, language: str) -> str:
    """An interval as the button shows it: 10m, 4d, 2mo."""
    if interval.days == 0:
        return say(language, "interval.minutes", count=interval.minutes)
    return say(language, "interval.days", count=interval.days)


def asking(language: str) -> list[Action]:
    """Before the reveal: how sure, or just show."""
    sure = [Action(str(n), say(language, f"confidence.{n}"), f"digit({n})", tip=say(language, "confidence.tip")) for n in (1, 2, 3)]
    return [*sure, Action("space", say(language, "confidence.skip"), "proceed", tip=say(language, "confidence.skip.tip"))]


def grading(language: str, intervals: Mapping[Grade, Interval], suggested: Grade) -> list[Action]:
    """After the reveal: the four grades, each with the interval that it gives."""
    return [
        Action(
            str(int(grade)),
            say(language, f"grade.{int(grade)}"),
            f"digit({int(grade)})",
            interval_text(interval, language),
            say(language, f"grade.tip.{int(grade)}"),
            grade == suggested,
        )
        for grade, interval in intervals.items()
    ]


def _said(language: str, key: str, run: str, name: str) -> Action:
    return Action(key, say(language, name), run, tip=say(language, f"{name}.tip"))


def always(language: str) -> list[Action]:
    """What every screen offers at the end of its keys."""
    switch = Action("l", say(language, "language.switch"), "app.speak", tip=say(language, "language.tip"))
    return [switch, _said(language, "?", "app.help", "app.help")]


def moving(language: str, *, undo: bool, lab: bool, on_lab: bool, moved: bool, aside: bool) -> list[Action]:
    """A session's second row: only what would do something now, and fits beside the rest."""
    row = [_said(language, "u", "undo", "keys.undo")] if undo else []
    row += at_the_bench(language, lab=lab, on_lab=on_lab, moved=moved)
    if aside and not moved:
        row += [_said(language, "t", "set_aside('bury')", "keys.bury"), _said(language, "@", "set_aside('suspend')", "keys.suspend")]
    return [*row, *always(language), _said(language, "q", "leave", "app.back")]


def at_the_bench(language: str, *, lab: bool, on_lab: bool, moved: bool) -> list[Action]:
    """What a card beside its lab offers once the lab may be seen."""
    row = []
    if lab:
        name = say(language, "keys.card" if on_lab else "keys.lab")
        row.append(Action("tab", name, "turn_page", tip=say(language, "keys.lab.tip")))
        row.append(_said(language, "s", "source", "keys.source"))
    if moved:
        row.append(_said(language, "r", "reset", "keys.reset"))
    return row


def previewing(language: str, *, card: bool, asking: bool, several: bool) -> list[Action]:
    """The preview's first row: the other side of the card, the other cards, the file."""
    row = [_said(language, "space", "turn_over", "preview.answer" if asking else "preview.question")] if card else []
    if several:
        row += [_said(language, "n", "step(1)", "preview.next"), _said(language, "p", "step(-1)", "preview.previous")]
    return [*row, _said(language, "o", "edit", "preview.edit")]


def quitting(language: str) -> Action:
    """The way out of the program."""
    return _said(language, "q", "app.quit", "app.quit")


def in_the_lab(language: str, *, chosen: bool, on_lab: bool) -> list[Action]:
    """The lab screen's row."""
    row = []
    if chosen:
        name = say(language, "lab.list" if on_lab else "keys.lab")
        row.append(Action("tab", name, "turn_page", tip=say(language, "lab.list.tip")))
        row += [_said(language, "r", "reset", "keys.reset"), _said(language, "s", "source", "keys.source")]
    return [*row, *always(language), _said(language, "q", "leave", "app.back")]


def at_home(language: str, *, study: bool, practice: bool) -> list[Action]:
    """The home screen's row."""
    row = []
    if study:
        row.append(_said(language, "enter", "study", "home.start"))
    if practice:
        row.append(_said(language, "p", "practice", "home.practice"))
    row.append(_said(language, "e", "experiments", "home.lab"))
    row.append(_said(language, "s", "statistics", "home.stats"))
    return [*row, *always(language), quitting(language)]


def at_the_statistics(language: str, *, again: str) -> list[Action]:
    """The statistics' row; `again` has the letters of the cards to look at again."""
    row = [_said(language, "p", "practice", "stats.practice")] if again else []
    if again:
        row.append(_said(language, again if len(again) == 1 else f"{again[0]}…{again[-1]}", f"pick('{again[0]}')", "stats.pick"))
    return [*row, *always(language), _said(language, "q", "leave", "app.back")]


def in_trouble(language: str) -> list[Action]:
    """What the home screen offers beside the number of cards in trouble."""
    return [_said(language, "w", "weak", "home.weak")]


def at_the_end(language: str, *, waiting: bool, undo: bool) -> list[Action]:
    """The summary's row."""
    row = [_said(language, "space", "proceed", "summary.hasten")] if waiting else []
    if undo:
        row.append(_said(language, "u", "undo", "keys.undo"))
    return [*row, *always(language), _said(language, "q", "leave", "summary.home")]
