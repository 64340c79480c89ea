"""What can be done now, as rows of actions: pure. Each names a binding by its id; key and method stand in the screen's BINDINGS alone.

What several screens share, and the rows of the screens that list: those of a card are in `card_actions`, those of a lab in `lab_actions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from quiz.words.i18n import Words


@dataclass(frozen=True)
class Action:
    """What a binding does in a word, a value beside it (an interval), and a longer tip. `keys` stands for a family of keys: a…e."""

    binding: str
    label: str
    tip: str = ""
    value: str = ""
    suggested: bool = False
    keys: str = ""


def named_action(words: Words, binding: str, name: str) -> Action:
    """An action whose word and tip are strings of one name."""
    return Action(binding, words(name), words(f"{name}.tip"))


def always(words: Words) -> list[Action]:
    """What every screen offers at the end of its keys."""
    return [Action("app.language", words("language.switch"), words("language.tip")), named_action(words, "app.help", "app.help")]


def back(words: Words, binding: str) -> list[Action]:
    """The whole row of a screen on which one only reads."""
    return [*always(words), named_action(words, binding, "app.back")]


def quitting(words: Words) -> Action:
    """The way out of the program."""
    return named_action(words, "home.quit", "app.quit")


def to_do_now(words: Words, *, cards: int, deck: str, decks: bool, begun: bool) -> list[Action]:
    """The home screen's one big key: study, or practise where nothing is left, or play where there is no deck; practice beside study.

    `cards` are those of today; `deck` is the title of the one that is chosen, if not all are.
    """
    if not decks:
        return [Action("home.lab", words("home.now.lab"), words("home.lab.tip"), suggested=True)]
    if not cards:
        return [Action("home.practice", words("home.now.practise"), words("home.practice.tip"), suggested=True)]
    name = "home.now.study" if begun else "home.now.begin"
    label = words(f"{name}.deck", count=cards, deck=deck) if deck else words(name, count=cards)
    return [Action("home.study", label, words("home.start.tip"), suggested=True), named_action(words, "home.practice", "home.practice")]


def at_home(words: Words) -> list[Action]:
    """The home screen's row, below its one big key."""
    row = [named_action(words, name, name) for name in ("home.browse", "home.lab", "home.stats", "home.settings")]
    language, help = always(words)
    return [*row, language, Action("app.palette", words("palette.find"), words("palette.placeholder"), keys="^p"), help, quitting(words)]


def at_the_settings(words: Words, *, set: bool, step: bool) -> list[Action]:
    """The settings' row; `set`: the one under the cursor is not as it is without a choice, `step`: it has values to go through."""
    row = [named_action(words, "settings.change", "settings.change")]
    if step:
        row.append(Action("settings.less", words("settings.step"), words("settings.step.tip"), keys="←→"))
    if set:
        row.append(named_action(words, "settings.default", "settings.default"))
    return [*row, *back(words, "settings.leave")]


def at_the_statistics(words: Words, *, again: str, below: int = 0) -> list[Action]:
    """The statistics' row; `again` has the letters of the cards to look at again, `below` is how many lines are below the screen."""
    row = [Action("stats.page.down", words("keys.below", count=below), words("keys.below.tip"))] if below else []
    if again:
        keys = again if len(again) == 1 else f"{again[0]}…{again[-1]}"
        row.append(named_action(words, "stats.practice", "stats.practice"))
        row.append(Action(f"stats.pick.{again[0]}", words("stats.pick"), words("stats.pick.tip"), keys=keys))
    return [*row, *back(words, "stats.leave")]


def in_trouble(words: Words) -> list[Action]:
    """What the home screen offers beside the number of cards in trouble."""
    return [named_action(words, "home.weak", "home.weak")]


def narrowing(words: Words, facets: Iterable[str], *, narrowed: bool) -> list[Action]:
    """The browser's first row: the search and the filters."""
    row = [named_action(words, "browse.search", "browse.search")]
    row += [Action(f"browse.filter.{facet}", words(f"browse.facet.{facet}"), words("browse.filter.tip")) for facet in facets]
    return [*row, named_action(words, "browse.clear", "browse.clear")] if narrowed else row


def searching(words: Words, *, card: bool) -> list[Action]:
    """The browser's row while one types."""
    row = [named_action(words, "browse.open", "browse.open")] if card else []
    return [
        *row,
        Action("browse.down", words("browse.move"), words("browse.move.tip"), keys="↑↓"),
        named_action(words, "browse.leave", "browse.list"),
    ]


def on_a_listed_card(words: Words, *, card: bool, away: bool, undo: bool) -> list[Action]:
    """The browser's second row: what can be done with the card under the cursor, and with all that were found."""
    row = []
    if card:
        row.append(named_action(words, "browse.open", "browse.open"))
        row.append(named_action(words, "browse.suspend", "browse.resume" if away else "keys.suspend"))
    if undo:
        row.append(named_action(words, "browse.undo", "keys.undo"))
    if card:
        row.append(named_action(words, "browse.practise", "browse.practise"))
    return [*row, *back(words, "browse.leave")]


def at_the_end(words: Words, *, waiting: bool, undo: bool) -> list[Action]:
    """The summary's row."""
    row = [named_action(words, "summary.proceed", "summary.hasten")] if waiting else []
    if undo:
        row.append(named_action(words, "summary.undo", "keys.undo"))
    row.append(named_action(words, "summary.lab", "home.lab"))
    return [*row, *always(words), named_action(words, "summary.leave", "summary.home")]
