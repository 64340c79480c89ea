"""What a screen asks of the application: where to go next, what to begin, what could not be saved. Data; the application answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from content.deck.cards import Deck
    from content.deck.learning_paths import LearningPath
    from content.deck.library import Library
    from quiz.progress.errors import ProgressError
    from quiz.study.filter import Filter
    from quiz.study.study import Study
    from quiz.study.turn import Item


@dataclass(frozen=True)
class GoHome:
    """Back to the screen below: home, or the one from which this one was opened."""


@dataclass(frozen=True)
class GoBack:
    """To the screen below the one that asks: a session ends where it was begun."""


@dataclass(frozen=True)
class Show:
    """A screen of `routes.SCREENS`, by its name, above the one that asks."""

    screen: str


@dataclass(frozen=True)
class OpenLab:
    """The lab with an experiment, above the screen that asks; or in it, where that is the lab."""

    experiment: str


@dataclass(frozen=True)
class BeginSession:
    """A session over some decks; practice leaves the schedule alone, `weak` asks only the cards in trouble, `path` only its own."""

    decks: Sequence[Deck]
    practise: bool = False
    weak: bool = False
    path: LearningPath | None = None


@dataclass(frozen=True)
class Practise:
    """A session that was put together already, above the screen that asks."""

    study: Study


@dataclass(frozen=True)
class LookAt:
    """A card above the screen that asks; nothing is graded there. `below` is what one comes back to: a card that leads to it, the list in
    which it stands, or any other screen."""

    item: Item
    below: Literal["card", "browse", "screen"] = "card"


@dataclass(frozen=True)
class ResumeSession:
    """Goes on with a session: after an undo at its end, or with a card that came back."""

    study: Study


@dataclass(frozen=True)
class FinishSession:
    """The session is left: to its summary when something was done, else to where it was begun."""

    study: Study


@dataclass(frozen=True)
class NotSaved:
    """Something was not saved; the exit code and the last line will say so too."""

    error: ProgressError


@dataclass(frozen=True)
class Start:
    """What the command line asked for: how to read the decks, and the session to begin with, if any."""

    read: Callable[[], Library]
    language: str = ""
    session: bool = False
    practice: bool = False
    wanted: Filter | None = None


Request = GoHome | GoBack | Show | OpenLab | BeginSession | Practise | LookAt | ResumeSession | FinishSession | NotSaved
