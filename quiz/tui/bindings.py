"""Keys: every binding has an id, and its words are in the locale files under binding.<id>."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.app import App, SystemCommand
from textual.binding import ActiveBinding, Binding
from textual.screen import Screen

from quiz.words.i18n import Words, strings


def words_of(id: str, words: Words) -> str | None:
    """The words of a binding; a family such as session.digit.1 ... session.digit.4 shares session.digit."""
    known = strings(words.language)
    return known.get(f"binding.{id}", known.get(f"binding.{id.rpartition('.')[0]}"))


def bind(keys: str, action: str, id: str, *, priority: bool = False) -> Binding:
    """A binding that the help explains. Several keys are separated by commas and share one explanation."""
    return Binding(keys, action, show=False, id=id, tooltip=words_of(id, Words("en")) or "", priority=priority)


_KEY_TEXTS = {
    "question_mark": "?",
    "at": "@",
    "exclamation_mark": "!",
    "escape": "esc",
    "comma": ",",
    "full_stop": ".",
    "slash": "/",
    "asterisk": "*",
    "greater_than_sign": ">",
}


@dataclass(frozen=True)
class Offered:
    """A binding as a row of actions shows it: its first key, as printed, and the action that a click runs."""

    key: str
    run: str


def offered(screen: Screen[Any], id: str) -> Offered:
    """The binding with an id, of what has the focus, of its screen or of the application. Raises KeyError: an action that no key does is
    a mistake."""
    for node, space in ((screen.focused, "focused."), (screen, ""), (screen.app, "app.")):
        for declared in (each for cls in type(node).__mro__ for each in vars(cls).get("BINDINGS", ())):
            if isinstance(declared, Binding) and declared.id == id:
                key = screen.app._keymap.get(id, declared.key).partition(",")[0]
                return Offered(_KEY_TEXTS.get(key, key), declared.action if "." in declared.action else space + declared.action)
    raise KeyError(id)


def panel_of(id: str, words: Words) -> str:
    """The title of the panel that a binding belongs to: the first part of its id says which."""
    known = strings(words.language)
    return known.get(f"panel.{id.partition('.')[0]}", known["panel.here"])


Panel = tuple[str, list[tuple[str, str]]]  # its title, and its rows: keys and what they do


def help_panels(bindings: Iterable[ActiveBinding], words: Words, display: Callable[[Binding], str]) -> list[Panel]:
    """Keys and what they do, in a language, by the panel that they belong to: first that with the focus, last what counts everywhere.

    Keys that do the same share a row.
    """
    panels: dict[str, dict[str, list[str]]] = {}
    for active in sorted(bindings, key=lambda active: (active.binding.id or "").startswith("app.")):
        binding = active.binding
        text = words_of(binding.id, words) if binding.id else None
        if text and active.enabled:
            keys = panels.setdefault(panel_of(binding.id or "", words), {}).setdefault(text, [])
            shown = display(binding)
            if shown not in keys:
                keys.append(shown)
    return [(title, [(_range(keys), text) for text, keys in rows.items()]) for title, rows in panels.items()]


def _range(keys: list[str]) -> str:
    return " ".join(keys) if len(keys) <= 4 else f"{keys[0]}…{keys[-1]}"


def palette_commands(app: App[Any], screen: Screen[Any], words: Words) -> Iterator[SystemCommand]:
    """What a screen's keys do, for the command palette; of a family of keys none, as its words do not say which is which."""
    known, told = strings(words.language), set[str]()
    for active in screen.active_bindings.values():
        binding = active.binding
        text = known.get(f"binding.{binding.id}")
        if text and active.enabled and text not in told:
            told.add(text)
            yield SystemCommand(text, app.get_key_display(binding), partial(app.run_action, binding.action, active.node))
