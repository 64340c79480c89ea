"""The rows of a card, from its question to its grade: in a session, looked at by itself, and in the author's preview."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from quiz.card.interval_text import interval_text
from quiz.tui.actions import Action, always, back, named_action
from quiz.tui.lab_actions import beside_the_lab
from quiz.words.i18n import Words

if TYPE_CHECKING:
    from quiz.memory.scheduler import Grade, Interval
    from quiz.study.turn import Stage


def asking(words: Words, *, answered: bool) -> list[Action]:
    """Before the reveal: how sure, once there is an answer, or just show."""
    levels = (1, 2, 3) if answered else ()
    sure = [Action(f"session.digit.{n}", words(f"confidence.{n}"), words("confidence.tip")) for n in levels]
    return [*sure, named_action(words, "session.proceed", "confidence.skip")]


def typing(words: Words, *, empty: bool) -> list[Action]:
    """While a number is typed, the keys are its: Enter hands it over. Where none is typed yet, space goes on without."""
    row = [Action("guess.submit", "", words("ask.typing.tip"))]
    return [*row, Action("guess.space", words("confidence.skip"), words("confidence.skip.tip"))] if empty else row


def going_on(words: Words, *, below: int, recalling: bool) -> list[Action]:
    """What space does: it shows what is below, then the answer; at its end it gives the grade that is marked."""
    if below:
        return [Action("session.proceed", words("keys.below", count=below), words("keys.below.tip"))]
    return [named_action(words, "session.proceed", "recall.show")] if recalling else []


def grading(words: Words, intervals: Mapping[Grade, Interval], suggested: Grade | None) -> list[Action]:
    """After the question: the four grades, each with the interval that it gives; in practice it gives none."""
    shown = {int(grade): interval_text(interval, words) for grade, interval in intervals.items()}
    return [
        Action(f"session.digit.{n}", words(f"grade.{n}"), words(f"grade.tip.{n}"), shown.get(n, ""), suggested=n == suggested)
        for n in (1, 2, 3, 4)
    ]


def helping(words: Words, *, hint: str, follow: str) -> list[Action]:
    """The next hint and the follow-ups, each with its key where there is one to show."""
    row = []
    if hint:
        row.append(named_action(words, f"session.hint.{'capital' if hint.isupper() else 'small'}", "keys.hint"))
    if follow:
        row.append(named_action(words, f"session.follow.{'capital' if follow.isupper() else 'small'}", "keys.follow"))
    return row


def flagging(words: Words) -> list[Action]:
    """That the card is wrong."""
    return [named_action(words, "session.flag", "keys.flag")]


def moving(words: Words, *, undo: bool, lab: bool, on_lab: bool, seen: bool, moved: bool, aside: bool, kept: bool = False) -> list[Action]:
    """A session's second row: only what would do something now, and fits beside the rest."""
    row = [named_action(words, "session.undo", "keys.undo")] if undo else []
    row += beside_the_lab(words, lab=lab, on_lab=on_lab, seen=seen, moved=moved, kept=kept)
    if aside and not moved:
        row += [named_action(words, "session.bury", "keys.bury"), named_action(words, "session.suspend", "keys.suspend")]
    return [*row, *([] if moved else flagging(words)), *back(words, "session.leave")]


_BACK_TO = {"card": "follow_up.back", "browse": "browse.back", "screen": "browse.away"}


def looking(words: Words, *, asking: bool, below: int, back_to: str = "card") -> list[Action]:
    """A card that is only looked at: its answer, to the end, then back."""
    return going_on(words, below=below, recalling=False) or [
        named_action(words, "session.proceed", "follow_up.show" if asking else _BACK_TO[back_to])
    ]


def back_again(words: Words, back_to: str = "card") -> list[Action]:
    """The end of the row of a card above another one, or above a list."""
    return [*always(words), Action("follow_up.leave", words("app.back"), words(f"{_BACK_TO[back_to]}.tip"))]


def previewing(words: Words, *, card: bool, after: Stage, several: bool) -> list[Action]:
    """The preview's first row: the card's next step, the other cards, the file."""
    names = {"ask": "preview.question", "recall": "preview.recall", "reveal": "preview.answer"}
    row = [named_action(words, "preview.turn", names[after])] if card else []
    if several:
        row += [named_action(words, "preview.next", "preview.next"), named_action(words, "preview.previous", "preview.previous")]
    return [*row, named_action(words, "bench.edit", "preview.edit")]
