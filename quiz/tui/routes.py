"""The screens behind the first one: each is imported when it is first needed, or while the first one is looked at."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from quiz.tui.base import BaseScreen

if TYPE_CHECKING:
    from quiz.study.study import Study
    from quiz.tui.lab_engine import LabEngine
    from quiz.tui.learner_files import LearnerFiles
    from quiz.tui.requests import LookAt

OTHERS = ("session", "summary", "help", "source", "follow_up", "preview")  # beside those that are only opened


def load(*names: str) -> None:
    """Imports screens with everything that they need. Blocks for a while."""
    for name in names or (*OTHERS, *SCREENS):
        import_module(f"quiz.tui.screens.{name}")


def session(study: Study, engine: LabEngine, files: LearnerFiles) -> Screen[Any]:
    """A session, card by card."""
    from quiz.tui.screens.session import SessionScreen

    return SessionScreen(study, engine, files)


def follow_up(asked: LookAt, engine: LabEngine, files: LearnerFiles) -> Screen[Any]:
    """A card to look at: a session of one card whose grade is written nowhere."""
    from quiz.study.session import begin_session
    from quiz.study.study import Study
    from quiz.tui.screens.follow_up import FollowUpScreen

    study = Study(begin_session((asked.item,)), None, files.clock, notes=files.store)
    return FollowUpScreen(study, engine, files, asked.below)


def summary(study: Study) -> Screen[Any]:
    """The end of a session."""
    from quiz.tui.screens.summary import SummaryScreen

    return SummaryScreen(study)


def _lab(engine: LabEngine, files: LearnerFiles) -> Screen[Any]:
    from quiz.tui.screens.lab import LabScreen

    return LabScreen(engine)


def _statistics(engine: LabEngine, files: LearnerFiles) -> Screen[Any]:
    from quiz.tui.screens.stats import StatsScreen

    return StatsScreen(files)


def _settings(engine: LabEngine, files: LearnerFiles) -> Screen[Any]:
    from quiz.tui.screens.settings import SettingsScreen

    return SettingsScreen(files)


def _browse(engine: LabEngine, files: LearnerFiles) -> Screen[Any]:
    from quiz.tui.screens.browse import BrowseScreen

    return BrowseScreen(files)


# The screens that another one only opens, each by the name of its module: what it needs, it is given here.
SCREENS: dict[str, Callable[[LabEngine, LearnerFiles], Screen[Any]]] = {
    "lab": _lab,
    "stats": _statistics,
    "settings": _settings,
    "browse": _browse,
}


def keys(of: Screen[Any]) -> Screen[Any] | None:
    """What the keys of a screen do, but for those that do nothing now; None where that is what it shows."""
    from quiz.tui.screens.help import HelpScreen

    if isinstance(of, HelpScreen):
        return None
    shown = list(of.active_bindings.values())
    if isinstance(of, BaseScreen):
        shown = [each for each in shown if not (each.binding.id and each.node is of and of.does_nothing(each.binding.id))]
    return HelpScreen(shown)
