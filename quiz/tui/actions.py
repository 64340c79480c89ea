"""What can be done now, as rows of actions: pure. Each names a binding by its id; key and method stand in the screen's BINDINGS alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from quiz.card.interval_text import interval_text
from quiz.words.i18n import Words

if TYPE_CHECKING:
    from quiz.memory.scheduler import Grade, Interval
    from quiz.study.turn import Stage


FIRST = 1  # of the settings that one can try


@dataclass(frozen=True)
class Action:
    """What a binding does in a word, a value beside it (an interval), and a longer tip. `keys` stands for a family of keys: a…e."""

    binding: str
    label: str
    tip: str = ""
    value: str = ""
    suggested: bool = False
    keys: str = ""


def _named(words: Words, binding: str, name: str) -> Action:
    """An action whose word and tip are strings of one name."""
    return Action(binding, words(name), words(f"{name}.tip"))


def asking(words: Words, *, answered: bool) -> list[Action]:
    """Before the reveal: how sure, once there is an answer, or just show."""
    levels = (1, 2, 3) if answered else ()
    sure = [Action(f"session.digit.{n}", words(f"confidence.{n}"), words("confidence.tip")) for n in levels]
    return [*sure, _named(words, "session.proceed", "confidence.skip")]


def typing(words: Words, *, empty: bool) -> list[Action]:
    """While a number is typed, the keys are its: Enter hands it over. Where none is typed yet, space goes on without."""
    row = [Action("guess.submit", "", words("ask.typing.tip"))]
    return [*row, Action("guess.space", words("confidence.skip"), words("confidence.skip.tip"))] if empty else row


def going_on(words: Words, *, below: int, recalling: bool) -> list[Action]:
    """What space does: it shows what is below, then the answer; at its end it gives the grade that is marked."""
    if below:
        return [Action("session.proceed", words("keys.below", count=below), words("keys.below.tip"))]
    return [_named(words, "session.proceed", "recall.show")] if recalling else []


def flagging(words: Words) -> list[Action]:
    """That the card is wrong."""
    return [_named(words, "session.flag", "keys.flag")]


def helping(words: Words, *, hint: str, follow: str) -> list[Action]:
    """The next hint and the follow-ups, each with its key where there is one to show."""
    row = []
    if hint:
        row.append(_named(words, f"session.hint.{'capital' if hint.isupper() else 'small'}", "keys.hint"))
    if follow:
        row.append(_named(words, f"session.follow.{'capital' if follow.isupper() else 'small'}", "keys.follow"))
    return row


def looking(words: Words, *, asking: bool, below: int, back_to: str = "card") -> list[Action]:
    """A card that is only looked at: its answer, to the end, then back."""
    return going_on(words, below=below, recalling=False) or [
        _named(words, "session.proceed", "follow_up.show" if asking else _BACK_TO[back_to])
    ]


def back_again(words: Words, back_to: str = "card") -> list[Action]:
    """The end of the row of a card above another one, or above a list."""
    return [*always(words), Action("follow_up.leave", words("app.back"), words(f"{_BACK_TO[back_to]}.tip"))]


_BACK_TO = {"card": "follow_up.back", "browse": "browse.back", "screen": "browse.away"}


def grading(words: Words, intervals: Mapping[Grade, Interval], suggested: Grade | None) -> list[Action]:
    """After the question: the four grades, each with the interval that it gives; in practice it gives none."""
    shown = {int(grade): interval_text(interval, words) for grade, interval in intervals.items()}
    return [
        Action(f"session.digit.{n}", words(f"grade.{n}"), words(f"grade.tip.{n}"), shown.get(n, ""), suggested=n == suggested)
        for n in (1, 2, 3, 4)
    ]


def always(words: Words) -> list[Action]:
    """What every screen offers at the end of its keys."""
    return [Action("app.language", words("language.switch"), words("language.tip")), _named(words, "app.help", "app.help")]


def back(words: Words, binding: str) -> list[Action]:
    """The whole row of a screen on which one only reads."""
    return [*always(words), _named(words, binding, "app.back")]


def moving(words: Words, *, undo: bool, lab: bool, on_lab: bool, seen: bool, moved: bool, aside: bool, kept: bool = False) -> list[Action]:
    """A session's second row: only what would do something now, and fits beside the rest."""
    row = [_named(words, "session.undo", "keys.undo")] if undo else []
    row += beside_the_lab(words, lab=lab, on_lab=on_lab, seen=seen, moved=moved, kept=kept)
    if aside and not moved:
        row += [_named(words, "session.bury", "keys.bury"), _named(words, "session.suspend", "keys.suspend")]
    return [*row, *([] if moved else flagging(words)), *back(words, "session.leave")]


def beside_the_lab(words: Words, *, lab: bool, on_lab: bool, seen: bool, moved: bool, kept: bool = False) -> list[Action]:
    """What a card beside its lab offers once the lab may be seen; the code behind its figures where they are on the screen."""
    row = []
    if lab:
        row.append(Action("session.lab", words("keys.card" if on_lab else "keys.lab"), words("keys.lab.tip")))
    if lab and seen:
        row.append(_named(words, "session.source", "keys.source"))
    row += exploring(words, kept=kept) if lab and on_lab else []
    if moved:
        row.append(_named(words, "session.reset", "keys.reset"))
    return row


def exploring(words: Words, *, kept: bool = False) -> list[Action]:
    """What a slider can do by itself, and the run that the next ones are held against, where one is `kept`."""
    return [_named(words, "lab.sweep", "keys.sweep"), _named(words, "lab.ghost", "keys.unpin" if kept else "keys.pin")]


def previewing(words: Words, *, card: bool, after: Stage, several: bool) -> list[Action]:
    """The preview's first row: the card's next step, the other cards, the file."""
    names = {"ask": "preview.question", "recall": "preview.recall", "reveal": "preview.answer"}
    row = [_named(words, "preview.turn", names[after])] if card else []
    if several:
        row += [_named(words, "preview.next", "preview.next"), _named(words, "preview.previous", "preview.previous")]
    return [*row, _named(words, "bench.edit", "preview.edit")]


def quitting(words: Words) -> Action:
    """The way out of the program."""
    return _named(words, "home.quit", "app.quit")


def trying(words: Words, names: Sequence[str], guess_keys: str) -> list[Action]:
    """Settings of the sliders that are worth a look, by their names; and the keys with which one guesses first."""
    row = [Action(f"lab.try.{place}", name, words("try.tip")) for place, name in enumerate(names, start=FIRST)]
    return [*row, replace(_named(words, f"lab.expect.{FIRST}", "expect.first"), keys=guess_keys)] if row else []


def expecting(words: Words) -> list[Action]:
    """While somebody says what the sliders will show: enter shows it, with a number or without one."""
    return [_named(words, "expect.submit", "expect.see"), _named(words, "expect.withdraw", "expect.withdraw")]


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
            row.append(_named(words, "lab.open", "lab.open"))
        else:
            row += exploring(words, kept=kept)
    row += [] if on_lab else [_named(words, "lab.search", "browse.search")]
    if chosen:
        row.append(Action("lab.turn", words("lab.list" if on_lab else "keys.lab"), words("lab.list.tip")))
        row += [_named(words, "session.reset", "keys.reset"), _named(words, "session.source", "keys.source")] if seen else []
        row.append(_named(words, "lab.pin", "lab.unpin" if pinned else "lab.pin"))
        row.append(_named(words, "copy.copy", "copy.copy"))
    return [*row, *back(words, "lab.leave")]


def searching_labs(words: Words) -> list[Action]:
    """The lab screen's row while one types."""
    move = Action("lab.list.down", words("browse.move"), words("lab.move.tip"), keys="↑↓")
    return [Action("lab.turn", words("keys.lab"), words("lab.list.tip")), move, _named(words, "session.cancel", "lab.all")]


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
    return [Action("home.study", label, words("home.start.tip"), suggested=True), _named(words, "home.practice", "home.practice")]


def at_home(words: Words) -> list[Action]:
    """The home screen's row, below its one big key."""
    row = [_named(words, name, name) for name in ("home.browse", "home.lab", "home.stats", "home.settings")]
    language, help = always(words)
    return [*row, language, Action("app.palette", words("palette.find"), words("palette.placeholder"), keys="^p"), help, quitting(words)]


def at_the_settings(words: Words, *, set: bool, step: bool) -> list[Action]:
    """The settings' row; `set`: the one under the cursor is not as it is without a choice, `step`: it has values to go through."""
    row = [_named(words, "settings.change", "settings.change")]
    if step:
        row.append(Action("settings.less", words("settings.step"), words("settings.step.tip"), keys="←→"))
    if set:
        row.append(_named(words, "settings.default", "settings.default"))
    return [*row, *back(words, "settings.leave")]


def at_the_statistics(words: Words, *, again: str, below: int = 0) -> list[Action]:
    """The statistics' row; `again` has the letters of the cards to look at again, `below` is how many lines are below the screen."""
    row = [Action("stats.page.down", words("keys.below", count=below), words("keys.below.tip"))] if below else []
    if again:
        keys = again if len(again) == 1 else f"{again[0]}…{again[-1]}"
        row.append(_named(words, "stats.practice", "stats.practice"))
        row.append(Action(f"stats.pick.{again[0]}", words("stats.pick"), words("stats.pick.tip"), keys=keys))
    return [*row, *back(words, "stats.leave")]


def in_trouble(words: Words) -> list[Action]:
    """What the home screen offers beside the number of cards in trouble."""
    return [_named(words, "home.weak", "home.weak")]


def narrowing(words: Words, facets: Iterable[str], *, narrowed: bool) -> list[Action]:
    """The browser's first row: the search and the filters."""
    row = [_named(words, "browse.search", "browse.search")]
    row += [Action(f"browse.filter.{facet}", words(f"browse.facet.{facet}"), words("browse.filter.tip")) for facet in facets]
    return [*row, _named(words, "browse.clear", "browse.clear")] if narrowed else row


def searching(words: Words, *, card: bool) -> list[Action]:
    """The browser's row while one types."""
    row = [_named(words, "browse.open", "browse.open")] if card else []
    return [
        *row,
        Action("browse.down", words("browse.move"), words("browse.move.tip"), keys="↑↓"),
        _named(words, "browse.leave", "browse.list"),
    ]


def on_a_listed_card(words: Words, *, card: bool, away: bool, undo: bool) -> list[Action]:
    """The browser's second row: what can be done with the card under the cursor, and with all that were found."""
    row = []
    if card:
        row.append(_named(words, "browse.open", "browse.open"))
        row.append(_named(words, "browse.suspend", "browse.resume" if away else "keys.suspend"))
    if undo:
        row.append(_named(words, "browse.undo", "keys.undo"))
    if card:
        row.append(_named(words, "browse.practise", "browse.practise"))
    return [*row, *back(words, "browse.leave")]


def at_the_end(words: Words, *, waiting: bool, undo: bool) -> list[Action]:
    """The summary's row."""
    row = [_named(words, "summary.proceed", "summary.hasten")] if waiting else []
    if undo:
        row.append(_named(words, "summary.undo", "keys.undo"))
    row.append(_named(words, "summary.lab", "home.lab"))
    return [*row, *always(words), _named(words, "summary.leave", "summary.home")]
