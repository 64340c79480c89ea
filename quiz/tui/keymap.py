"""All bindings of all screens that are imported, for those who give them other keys: found in the classes that declare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import KEY_ALIASES, Keys, _character_to_key
from textual.screen import ModalScreen, Screen

from quiz.settings.document import Fault
from quiz.settings.keymap import Bound, Kind, sound_keys
from quiz.tui.half_width_keys import half_width_key

_NAMES = {each.value for each in Keys} | KEY_ALIASES.keys()
_MODIFIERS = ("ctrl", "alt", "shift", "super", "meta")


def sound(wanted: Mapping[str, str]) -> tuple[dict[str, tuple[str, ...]], list[Fault]]:
    """The keys that bindings can have instead of their own, and why others cannot."""
    return sound_keys(wanted, bound(), key_name)


def ids() -> tuple[str, ...]:
    """All bindings by their ids, in the order of the classes that declare them."""
    return tuple(dict.fromkeys(each.id for each in bound()))


def key_name(text: str) -> str:
    """A key as Textual names it: ? is question_mark; empty for what is none."""
    *modifiers, key = text.rsplit("+", 1) if text not in ("+", "") else [text]
    held = modifiers[0].split("+") if modifiers else []
    if len(key) == 1 and key.isprintable():
        key = half_width_key(_character_to_key(key))
    elif key not in _NAMES and _character_to_key(_unnamed(key)) != key:
        return ""
    return "+".join([*held, key]) if all(each in _MODIFIERS for each in held) else ""


def _unnamed(key: str) -> str:
    """The character of a name such as question_mark; a space, whose name is another, for none."""
    import unicodedata

    try:
        return unicodedata.lookup(key.replace("_", " "))
    except KeyError:
        return {"minus": "-", "plus": "+", "at": "@"}.get(key, " ")


def bound() -> tuple[Bound, ...]:
    """Every binding with an id."""
    found: dict[tuple[str, Kind], tuple[list[str], set[str]]] = {}
    for cls in _classes(DOMNode):
        for binding in (each for above in cls.__mro__ for each in vars(above).get("BINDINGS", ()) if above.__module__.startswith("quiz.")):
            if isinstance(binding, Binding) and binding.id:
                keys, owners = found.setdefault((binding.id, _kind(cls)), ([], set()))
                keys += [key for key in binding.key.split(",") if key not in keys]
                owners.add(cls.__qualname__)
    return tuple(Bound(id, tuple(keys), kind, frozenset(owners)) for (id, kind), (keys, owners) in found.items())


def _classes(above: type[object]) -> Iterator[type[object]]:
    for cls in above.__subclasses__():
        if cls.__module__.startswith("quiz."):
            yield cls
        yield from _classes(cls)


def _kind(cls: type[object]) -> Kind:
    if issubclass(cls, App):
        return "app"
    return "modal" if issubclass(cls, ModalScreen) else "screen" if issubclass(cls, Screen) else "widget"
