"""Keys, where they are declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.screen import ModalScreen, Screen

import quiz.tui.screens
from quiz.tui.app import QkvApp


def is_ours(owner: type[object]) -> bool:
    return owner.__module__.startswith("quiz.")


def screens_in(name: str) -> Iterator[type[Screen[None]]]:
    module = import_module(name)
    for found in vars(module).values():
        if isinstance(found, type) and issubclass(found, Screen) and found.__module__ == name:
            yield found


def keys_of(owner: type[object]) -> list[str]:
    """Every key that a class of ours and those above it bind, one by one."""
    declared = [binding for each in owner.__mro__ if is_ours(each) for binding in vars(each).get("BINDINGS", [])]
    return [key for binding in declared if isinstance(binding, Binding) for key in binding.key.split(",")]


MODULES = [f"quiz.tui.screens.{path.stem}" for path in sorted(Path(quiz.tui.screens.__path__[0]).glob("[a-z]*.py"))]
SCREENS = [screen for name in MODULES for screen in screens_in(name)]


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: screen.__name__)
def test_no_key_is_bound_twice(screen: type[Screen[None]]) -> None:
    """Of two bindings with one key the first wins, silently: the other would do nothing."""
    assert [] == [key for key, count in Counter(keys_of(screen)).items() if count > 1]
    assert issubclass(screen, ModalScreen) or not set(keys_of(screen)) & set(keys_of(QkvApp))  # a page is closed by the key that opened it
