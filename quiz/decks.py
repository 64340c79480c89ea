"""The decks that were asked for: by id among the bundled ones, or as files."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from pathlib import Path

from content.clean import clean
from content.library import Library, bundled, load


class Missing(Exception):
    """A sentence: no such deck, and which there are."""


def resolve(names: Iterable[str]) -> Callable[[], Library]:
    """How to read the decks named; all bundled ones when none is. Raises Missing before anything is read."""
    known = {path.stem: path for path in bundled()}
    paths = [_find(name, known) for name in names]
    return lambda: load(paths or tuple(known.values()))


def _find(name: str, known: dict[str, Path]) -> Path:
    path = Path(name)
    if name in known and not path.is_file():
        return known[name]
    if path.exists() or path.suffix in (".yaml", ".yml"):
        return path
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"There are {', '.join(known) or 'none'}."
    raise Missing(f"There is no deck {clean(name)}. {hint} A file needs its path, such as my/deck.yaml.")
