"""The decks that were asked for: by id or file name among the bundled ones and the person's own, or as files anywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from content.regular_file import read_file
from content.yaml.clean import clean
from quiz.gc_pause import gc_paused
from quiz.progress.paths import default_path

if TYPE_CHECKING:
    from content.deck.library import Library

_DECLARED = re.compile(r"^\W*deck[\"']? *: +[\"']?([a-z0-9-]+)", re.MULTILINE)
MOST_NOTED = 100  # decks outside the shelf
_HEAD = 4096  # bytes in which a deck says its id


class MissingDeck(Exception):
    """A sentence: no such deck, and which there are."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def user_deck_folder() -> Path:
    """Where a person's own decks belong: beside the progress, never among the files that an update replaces."""
    return default_path().parent / "decks"


def cache_folder() -> Path:
    """Where decks are kept as they were read, for the next start; whatever is in it may be deleted."""
    import platformdirs

    return platformdirs.user_cache_path("qkv", appauthor=False) / "decks"


def all_deck_paths() -> tuple[Path, ...]:
    """Every deck that is there without being named: the bundled ones, then the person's own."""
    from content.deck.deck_files import bundled, decks_in

    folder = user_deck_folder()
    try:
        return (*bundled(), *decks_in(folder))
    except FileNotFoundError:
        return bundled()
    except OSError:
        return (*bundled(), folder)  # reading it says what is wrong


def resolve_decks(names: Iterable[str]) -> Callable[[], Library]:
    """How to read the decks named; all on the shelf when none is. Raises Missing before a deck is read."""
    names = tuple(names)
    known = _by_name(all_deck_paths()) if names else {}
    paths = [_find(name, known) for name in names]

    return lambda: read_decks(paths or all_deck_paths())


def studied_elsewhere() -> tuple[Path, ...]:
    """The decks outside the shelf that a session was begun over, as far as they are still there."""
    try:
        lines = _studied_list().read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ()
    return tuple(Path(line) for line in lines if line and os.path.isfile(line))


def note_studied(decks: Iterable[Path]) -> None:
    """Notes where decks are that have been named by their path: what was learned from them is looked up there (see studied_decks)."""
    shelf = {os.path.realpath(path) for path in all_deck_paths()}
    noted = [os.path.realpath(path) for path in studied_elsewhere()]
    new = [real for path in decks if (real := os.path.realpath(path)) not in shelf and real not in noted and real.isprintable()]
    if not new:
        return
    path = _studied_list()
    unfinished = path.with_suffix(f".{os.getpid()}.partial")
    with suppress(OSError, UnicodeEncodeError):  # a folder that cannot be written: the statistics will know less of these decks
        try:
            unfinished.write_text("\n".join([*noted, *new][-MOST_NOTED:]) + "\n", encoding="utf-8")
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)


def studied_paths() -> tuple[Path, ...]:
    """All that progress can be about: the decks on the shelf, and those that were named by their path."""
    return (*all_deck_paths(), *studied_elsewhere())


def read_decks(paths: Iterable[Path]) -> Library:
    """The decks of some files, from the cache where they did not change."""
    from content.deck.library import load

    with gc_paused():
        return load(paths, cache_folder())


def studied_decks() -> Library:
    """The decks of studied_paths()."""
    return read_decks(studied_paths())


def _studied_list() -> Path:
    return default_path().parent / "studied-decks.txt"


def _by_name(paths: Iterable[Path]) -> dict[str, Path]:
    """The files by deck id and by file name; the first of two that share one has it."""
    known: dict[str, Path] = {}
    for path in paths:
        for name in (_declared(path), path.stem):
            known.setdefault(name, path)
    return known


def _declared(path: Path) -> str:
    """The id that a file gives itself, found without reading all of it; its name where it gives none."""
    try:
        head = read_file(path, _HEAD).decode("utf-8-sig", errors="replace")
    except OSError:
        return path.stem
    found = _DECLARED.search(head)
    return found[1] if found else path.stem


def _find(name: str, known: dict[str, Path]) -> Path:
    path = Path(name)
    if name in known and not os.path.isfile(path):
        return known[name]
    if os.path.exists(path) or path.suffix in (".yaml", ".yml"):
        return path
    from content.text.nearest import nearest
    from quiz.words.problems import say

    if os.path.isfile(f"{name}.yaml"):
        raise MissingDeck(say("There is no deck {name}, but a file: write {name}.yaml.", name=clean(name)))
    near = nearest(name, known)
    hint = (
        say("Did you mean {name}?", name=clean(near[0])) if near else say("There are {names}.", names=[*map(clean, known)] or say("none"))
    )
    raise MissingDeck(say("There is no deck {name}. {hint} A file needs its path, such as my/deck.yaml.", name=clean(name), hint=hint))
