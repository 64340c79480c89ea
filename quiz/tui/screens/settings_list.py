"""The rows of the settings: one a setting, one a binding below the heading of its panel."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import BindingType
from textual.widgets import OptionList

from quiz.tui.bindings import panel_of
from quiz.words.i18n import Words


@dataclass(frozen=True)
class Row:
    """A setting by its name, or a binding by its id; a heading stands above the bindings of a panel, one of which it names."""

    name: str
    binding: bool = False
    heading: bool = False


def key_rows(ids: Iterable[str]) -> list[Row]:
    """The bindings by their panels, each below its heading; what counts everywhere first."""
    english, panels = Words("en"), dict[str, list[str]]()
    for id in sorted(ids, key=lambda id: not id.startswith("app.")):
        panels.setdefault(panel_of(id, english), []).append(id)
    return [row for held in panels.values() for row in (Row(held[0], heading=True), *(Row(id, binding=True) for id in held))]


class SettingsList(OptionList, inherit_bindings=False):
    """It never scrolls sideways: left and right belong to the screen."""

    BINDINGS: ClassVar[list[BindingType]] = list(OptionList.BINDINGS)
