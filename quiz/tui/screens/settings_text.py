"""What the settings' rows say: a setting's name and its value, a binding's keys, and what either is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from textual.binding import Binding
from textual.content import Content

from quiz.card.settings_sentences import value_text
from quiz.settings.keymap import Bound
from quiz.settings.options import OPTIONS
from quiz.tui import keymap
from quiz.tui.base import BaseApp
from quiz.tui.bindings import panel_of, words_of
from quiz.tui.screens.settings_list import Row
from quiz.words.i18n import strings

EXAM = "exam"  # the plan in the progress, which `qkv plan` makes as well: a date kept twice would be two dates
NAMES = 25  # cells of a name at least, so that the values stand below each other


@dataclass(frozen=True)
class SettingsText:
    """The settings of this moment in words; `bound` are the bindings by their ids, `exam` is the plan's day."""

    app: BaseApp
    bound: Mapping[str, Bound]
    exam: str

    def line(self, row: Row) -> Content:
        """A heading, a binding with its keys, or a setting with its value."""
        words = self.app.words
        if row.heading:
            return Content.assemble((f"\n {words('setting.keys')} · {panel_of(row.name, words)}", "bold"))
        if row.binding:
            colour = "bold $attention" if row.name in self.app.chosen.keys else "$query"
            return Content.assemble((f" {self.keys(row.name):<14} ", colour), words_of(row.name, words) or row.name)
        name = words(f"setting.{row.name}")
        column = 0 if self.app.has_class("-tiny") else NAMES
        return Content.assemble(f" {name}{' ' * max(column - cell_len(name), 2)}", (self.value(row.name), "bold $query"))

    def keys(self, id: str) -> str:
        """The keys that a binding has now, as they are printed."""
        text = self.app.chosen.keys.get(id) or ",".join(self.bound[id].keys)
        names = [keymap.key_name(each.strip()) or each for each in text.split(",") if each.strip()] or ["comma"]
        return " ".join(self.app.get_key_display(Binding(each, "")) for each in names)

    def value(self, name: str) -> str:
        """What a setting is now."""
        words = self.app.words
        if name == EXAM:
            return self.exam or words("setting.none")
        shown = self.app.language if name == "language" and self.app.chosen.language else getattr(self.app.chosen, name)
        return value_text(name, shown, words)

    def about(self, row: Row) -> str:
        """What the line below the list says; a switch says what it is now."""
        if row.name in OPTIONS and OPTIONS[row.name].switch and f"setting.{row.name}.about.on" in strings(self.app.language):
            return self.app.words(f"setting.{row.name}.about.{'on' if getattr(self.app.chosen, row.name) else 'off'}")
        return self.app.words(f"setting.{'keys' if row.binding else row.name}.about")

    def is_set(self, row: Row) -> bool:
        """Whether it is not as it would be without a choice."""
        if row.binding:
            return row.name in self.app.chosen.keys
        return bool(self.exam) if row.name == EXAM else getattr(self.app.chosen, row.name) != OPTIONS[row.name].default
