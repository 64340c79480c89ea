"""The rows of a lab: what can be done with sliders, figures and the code behind them, on the lab's own screen and beside a card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quiz.tui.actions import Action, back, named_action
from quiz.words.i18n import Words

FIRST = 1  # of the settings that one can try


def trying(words: Words, names: Sequence[str], guess_keys: str) -> list[Action]:
    """Settings of the sliders that are worth a look, by their names; and the keys with which one guesses first."""
    row = [Action(f"lab.try.{place}", name, words("try.tip")) for place, name in enumerate(names, start=FIRST)]
    return [*row, replace(named_action(words, f"lab.expect.{FIRST}", "expect.first"), keys=guess_keys)] if row else []


def expecting(words: Words) -> list[Action]:
    """While somebody says what the sliders will show: enter shows it, with a number or without one."""
    return [named_action(words, "expect.submit", "expect.see"), named_action(words, "expect.withdraw", "expect.withdraw")]


def exploring(words: Words, *, kept: bool = False) -> list[Action]:
    """What a slider can do by itself, and the run that the next ones are held against, where one is `kept`."""
    return [named_action(words, "lab.sweep", "keys.sweep"), named_action(words, "lab.ghost", "keys.unpin" if kept else "keys.pin")]


def beside_the_lab(words: Words, *, lab: bool, on_lab: bool, seen: bool, moved: bool, kept: bool = False) -> list[Action]:
    """What a card beside its lab offers once the lab may be seen; the code behind its figures where they are on the screen."""
    row = []
    if lab:
        row.append(Action("session.lab", words("keys.card" if on_lab else "keys.lab"), words("keys.lab.tip")))
    if lab and seen:
        row.append(named_action(words, "session.source", "keys.source"))
    row += exploring(words, kept=kept) if lab and on_lab else []
    if moved:
        row.append(named_action(words, "session.reset", "keys.reset"))
    return row


def in_the_lab(
    words: Words, *, chosen: bool, on_lab: bool, seen: bool = True, slider: bool = False, pinned: bool = False, kept: bool = False
) -> list[Action]:
    """The lab screen's row: how one moves, before what is rarer."""
    row = []
    if chosen:
        row.append(Action("lab.list.down", words("browse.move"), words("lab.change.tip" if on_lab else "lab.move.tip"), keys="↑↓"))
        if slider:
            row.append(Action("slider.more", words("lab.change"), words("lab.change.tip"), keys="←→"))
        if not on_lab:
            row.append(named_action(words, "lab.open", "lab.open"))
        else:
            row += exploring(words, kept=kept)
    row += [] if on_lab else [named_action(words, "lab.search", "browse.search")]
    if chosen:
        row.append(Action("lab.turn", words("lab.list" if on_lab else "keys.lab"), words("lab.list.tip")))
        row += [named_action(words, "session.reset", "keys.reset"), named_action(words, "session.source", "keys.source")] if seen else []
        row.append(named_action(words, "lab.pin", "lab.unpin" if pinned else "lab.pin"))
        row.append(named_action(words, "copy.copy", "copy.copy"))
    return [*row, *back(words, "lab.leave")]


def searching_labs(words: Words) -> list[Action]:
    """The lab screen's row while one types."""
    move = Action("lab.list.down", words("browse.move"), words("lab.move.tip"), keys="↑↓")
    return [Action("lab.turn", words("keys.lab"), words("lab.list.tip")), move, named_action(words, "session.cancel", "lab.all")]
