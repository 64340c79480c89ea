"""The screens behind the first one: each is imported when it is first needed, or while the first one is looked at."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

if TYPE_CHECKING:
    from quiz.study.study import Study
    from quiz.tui.lab_engine import LabEngine
    from quiz.tui.learner_files import LearnerFiles

NAMES = ("session", "lab", "stats", "summary", "help", "source")


def load(*names: str) -> None:
    """Imports screens with everything that they need. Blocks for a while."""
    for name in names or NAMES:
        import_module(f"quiz.tui.screens.{name}")


def session(study: Study, engine: LabEngine, files: LearnerFiles) -> Screen[Any]:
    """A session, card by card."""
    from quiz.tui.screens.session import SessionScreen

    return SessionScreen(study, engine, files)


def summary(study: Study) -> Screen[Any]:
    """The end of a session."""
    from quiz.tui.screens.summary import SummaryScreen

    return SummaryScreen(study)


def lab(engine: LabEngine) -> Screen[Any]:
    """All experiments."""
    from quiz.tui.screens.lab import LabScreen

    return LabScreen(engine)


def statistics(files: LearnerFiles) -> Screen[Any]:
    """What has been learned."""
    from quiz.tui.screens.stats import StatsScreen

    return StatsScreen(files)


def keys(of: Screen[Any]) -> Screen[Any] | None:
    """What the keys of a screen do; None where that is what it shows."""
    from quiz.tui.screens.help import HelpScreen

    return None if isinstance(of, HelpScreen) else HelpScreen(of.active_bindings.values())
