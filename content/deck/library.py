"""Finds and loads decks. Every deck that can be read is there, whatever is wrong with the others."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from content.deck.deck_files import decks_in
from content.format import SIZE_LIMIT
from content.regular_file import NotAFile, read_file
from content.yaml.problems import Problem, Severity, in_order

if TYPE_CHECKING:
    from content.deck.cards import Card, Deck, Text
    from content.yaml.tree import Location, Place, Tree

_BLANK = "\N{REPLACEMENT CHARACTER}"  # stands in the tree for a character that was refused


@dataclass(frozen=True)
class _Placed:
    """A file and where everything in it stands; a deck from the cache is read for that when it is asked."""

    path: Path
    read_tree: Callable[[], Tree]

    @cached_property
    def tree(self) -> Tree:
        return self.read_tree()

    @property
    def folder(self) -> Path | None:
        """The folder that the file is in; None for a deck from a pipe."""
        return self.path.parent if os.path.isfile(self.path) else None

    def problem(self, location: Location, message: str, hint: str = "", severity: Severity = "error") -> Problem:
        """A problem with the value at a location."""
        return self._problem(self.tree.place(location), message, hint, severity)

    def problem_in(self, location: Location, offset: int, message: str, hint: str = "", severity: Severity = "error") -> Problem:
        """A problem within the text at a location, with its character at an offset."""
        return self._problem(self.tree.place_in(location, offset), message, hint, severity)

    def _problem(self, place: Place, message: str, hint: str, severity: Severity) -> Problem:
        return Problem(str(self.path), place.line, place.column, message, hint, severity, place.source)


@dataclass(frozen=True)
class Draft(_Placed):
    """A file whose deck was refused; `cards` are those that are right in themselves, by their place in it, `fragments` the others."""

    cards: Mapping[int, Card]
    fragments: Mapping[int, Card] = field(default_factory=dict)
    title: Text | None = None

    @property
    def readable(self) -> Mapping[int, Card]:
        """Every card as far as it can be read."""
        return {**self.cards, **self.fragments}


@dataclass(frozen=True)
class LoadedDeck(_Placed):
    """A deck, its file, and where each of its values stands there."""

    deck: Deck

    @property
    def cards(self) -> Mapping[int, Card]:
        """The cards by their place in the file."""
        return dict(enumerate(self.deck.cards))

    @property
    def readable(self) -> Mapping[int, Card]:
        """Every card."""
        return self.cards

    @property
    def title(self) -> Text:
        return self.deck.title

    def place(self, location: Location) -> Place:
        """Where a value stands, such as `("cards", 3, "verify", "claims", 0, "check")`, or the nearest value around it."""
        return self.tree.place(location)


@dataclass(frozen=True)
class Given:
    """A deck that stands in no file, such as one from a pipe; `name` is what problems call it."""

    name: str
    data: bytes


@dataclass(frozen=True)
class Library:
    """What was loaded, in the order of the paths, and everything that is wrong with it or with what was left out."""

    decks: tuple[LoadedDeck, ...] = ()
    problems: tuple[Problem, ...] = ()
    drafts: tuple[Draft, ...] = ()

    @property
    def files(self) -> tuple[LoadedDeck | Draft, ...]:
        """Everything of which something can be said beyond its reading."""
        return *self.decks, *self.drafts


def load(paths: Iterable[Path | Given], cached: Path | None = None) -> Library:
    """The decks at some paths: files, folders with *.yaml and *.yml files somewhere in them, or bytes. Never raises for what is in them.

    Decks without any problem are kept in the folder `cached`, and taken from there as long as they do not change.
    """
    decks: dict[str, LoadedDeck] = {}
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for path in _once(paths):
        if isinstance(path, Problem):
            problems.append(path)
            continue
        loaded, found = load_bytes(path) if isinstance(path, Given) else load_deck(path, cached)
        problems += found
        if isinstance(loaded, Draft):
            drafts.append(loaded)
        if not isinstance(loaded, LoadedDeck):
            continue
        first = decks.setdefault(loaded.deck.deck, loaded)
        if first is not loaded:
            message = f"the deck id {loaded.deck.deck} is already that of {first.path}"
            problems.append(loaded.problem(("deck",), message, "give one of the two another id; only the first was loaded"))
    return Library(tuple(decks.values()), tuple(problems), tuple(drafts))


Loaded = tuple[LoadedDeck | Draft | None, tuple[Problem, ...]]


def load_deck(path: Path, cached: Path | None = None) -> Loaded:
    """One file's deck, or a draft where it was refused, or None where it is no YAML; and its problems in the order of the file."""
    from content.deck import cache

    data = _bytes_of(path)
    if isinstance(data, Problem):
        return None, (data,)
    entry = cached and cache.entry_for(cached, data)
    if entry and (deck := cache.recall(entry)):
        return LoadedDeck(path, partial(_tree_of, path), deck), ()
    tree, problems = _read(str(path), data)
    del data  # before the tree becomes a deck, which takes the most memory
    loaded, found = _loaded(path, tree, problems)
    if entry and isinstance(loaded, LoadedDeck) and not found:
        cache.remember(entry, loaded.deck)
    return loaded, found


def load_bytes(given: Given) -> Loaded:
    """The same for a file's bytes."""
    return _loaded(Path(given.name), *_read(given.name, given.data))


def _bytes_of(path: Path) -> bytes | Problem:
    try:
        if path.is_dir():
            next(path.iterdir(), None)  # one that may not be looked into says so
        return read_file(path, SIZE_LIMIT + 1)
    except (NotAFile, IsADirectoryError):
        return _file_problem(path, "this is not a file", "give a YAML file or a folder of them")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return _unreadable(path, error)


def _read(name: str, data: bytes) -> tuple[Tree | None, list[Problem]]:
    """The tree of a file's bytes. What reads YAML is loaded now: whoever has all decks in the cache does not need it."""
    from content.yaml.reader import read

    return read(name, data)


def _tree_of(path: Path) -> Tree:
    """A file's tree as it is now; an empty one where there is none any more."""
    from content.yaml.tree import Source, Tree

    data = _bytes_of(path)
    tree = None if isinstance(data, Problem) else _read(str(path), data)[0]
    return tree or Tree(Source(str(path), ""), {}, 0, array("I"))


def _loaded(path: Path, tree: Tree | None, problems: list[Problem]) -> Loaded:
    from content.deck.fragments import readable_title
    from content.deck.validation import valid_cards, validate

    if tree is None:
        return None, in_order(problems)
    deck, more = validate(tree)
    problems += [problem for problem in more if not (problems and _BLANK in problem.message)]  # of a hidden character, which is told
    if deck is None or any(problem.severity == "error" for problem in problems):
        return Draft(path, lambda: tree, *valid_cards(tree), readable_title(tree.root)), in_order(problems)
    return LoadedDeck(path, lambda: tree, deck), in_order(problems)


def _once(paths: Iterable[Path | Given]) -> Iterator[Path | Given | Problem]:
    """Each file once, however many paths lead to it."""
    seen: set[str] = set()
    for path in paths:
        if isinstance(path, Given):
            yield path
            continue
        for file in _files(path):
            if isinstance(file, Problem):
                yield file
            elif (real := os.path.realpath(str(file).replace("\0", ""))) not in seen:
                seen.add(real)
                yield file


def _files(path: Path) -> Sequence[Path] | Sequence[Problem]:
    if not os.path.isdir(path):  # Path.is_dir() raises where the folder above may not be looked into
        return [path]
    try:
        files = decks_in(path)
    except OSError as error:
        return [_unreadable(path, error)]
    return files or [_file_problem(path, "there is no deck in this folder", "a deck is a file that ends in .yaml")]


def _unreadable(path: Path, error: OSError | ValueError) -> Problem:
    match error:
        case FileNotFoundError():
            return _file_problem(path, "there is no such file or folder", "check the spelling")
        case PermissionError():
            return _file_problem(path, "you may not read this", "ask its owner, or change its permissions")
        case OSError():
            return _file_problem(path, f"this cannot be read: {(error.strerror or str(error)).lower()}", "check the disk, or copy the file")
    return _file_problem(path, "this cannot be the name of a file", "check the spelling")


def _file_problem(path: Path, message: str, hint: str) -> Problem:
    return Problem(str(path), 0, 0, message, hint)
