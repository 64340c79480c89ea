"""Finds and loads decks. Every deck that can be read is there, whatever is wrong with the others."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from content.deck.named_files import bytes_of, each_once, real
from content.deck.placed import Placed
from content.messages.sentence import say
from content.yaml.problems import Problem, in_order

if TYPE_CHECKING:
    from content.deck.cards import Card, Computation, Deck, Text
    from content.deck.includes import Folder
    from content.yaml.tree import Location, Place, Tree

_BLANK = "\N{REPLACEMENT CHARACTER}"  # stands in the tree for a character that was refused


@dataclass(frozen=True)
class Draft(Placed):
    """A file whose deck was refused; `cards` are those that are right in themselves, by their place in it, `fragments` the others."""

    cards: Mapping[int, Card]
    fragments: Mapping[int, Card] = field(default_factory=dict)
    title: Text | None = None
    computations: Mapping[str, Computation] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The deck's own file and those that it includes."""
        from content.deck.includes import included_names

        return self.path, *(self.path.parent / name for name in included_names(self.tree.root))

    @property
    def is_part(self) -> bool:
        """Whether it is no deck, but could belong to one."""
        root = self.tree.root
        return isinstance(root, dict) and not {"deck", "include"} & root.keys()

    @property
    def readable(self) -> Mapping[int, Card]:
        """Every card as far as it can be read."""
        return {**self.cards, **self.fragments}


@dataclass(frozen=True)
class LoadedDeck(Placed):
    """A deck, its file, and where each of its values stands there."""

    deck: Deck
    is_part: ClassVar = False

    @property
    def paths(self) -> tuple[Path, ...]:
        """The deck's own file and those that it includes."""
        return self.path, *(self.path.parent / name for name in dict.fromkeys(self.deck.include))

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

    @property
    def computations(self) -> Mapping[str, Computation]:
        """Its own experiments by their names; of a draft those that are right in their form."""
        return self.deck.experiments

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


Loaded = tuple[LoadedDeck | Draft | None, tuple[Problem, ...]]


def load(paths: Iterable[Path | Given], cached: Path | None = None) -> Library:
    """The decks at some paths: files, folders with *.yaml and *.yml files somewhere in them, or bytes. Never raises for what is in them.

    A file that a deck includes stands for that deck. Decks without any problem are kept in the folder `cached`, and taken from there as
    long as nothing of them changes.
    """
    decks: dict[str, LoadedDeck] = {}
    drafts: list[Draft] = []
    problems: list[Problem] = []
    for loaded, found in _without_parts(_read_all(list(each_once(paths)), cached)):
        problems += found
        if isinstance(loaded, Draft):
            drafts.append(loaded)
        if not isinstance(loaded, LoadedDeck):
            continue
        first = decks.setdefault(loaded.deck.deck, loaded)
        if first is not loaded:
            message = say("the deck id {name} is already that of {path}", name=loaded.deck.deck, path=first.path)
            problems.append(loaded.problem(("deck",), message, say("give one of the two another id; only the first was loaded")))
    return Library(tuple(decks.values()), tuple(problems), tuple(drafts))


def load_deck(path: Path, cached: Path | None = None) -> Loaded:
    """One deck, or a draft where it was refused, or None where it is no YAML; and its problems in the order of its files."""
    deck = _recalled(path, cached)
    return (deck, ()) if deck else _fresh(path, cached)


def load_bytes(given: Given) -> Loaded:
    """The same for a file's bytes."""
    return _loaded(Path(given.name), *_read(given.name, given.data), None)


def _read_all(files: Sequence[Path | Given | Problem], cached: Path | None) -> Iterator[tuple[Path | None, Loaded]]:
    """Every file's deck, in order. What decks from the cache include is not read for itself: it would be read each time."""
    quick = {file: deck for file in files if isinstance(file, Path) and (deck := _recalled(file, cached))}
    parts = {real(part) for deck in quick.values() for part in deck.paths[1:]}
    for file in files:
        if isinstance(file, Problem):
            yield None, (None, (file,))
        elif isinstance(file, Given):
            yield None, load_bytes(file)
        elif file in quick:
            yield file, (quick[file], ())
        elif real(file) not in parts:
            yield file, _fresh(file, cached)


def _without_parts(read: Iterable[tuple[Path | None, Loaded]]) -> Iterator[Loaded]:
    """The decks without what only belongs to one; of that, the deck which includes it, where it is not there already."""
    files = list(read)
    parts = {real(part) for _, (loaded, _) in files if loaded for part in loaded.paths[1:]}
    there = {real(path) for path, _ in files if path}
    for path, (loaded, problems) in files:
        if path is None or (loaded and not loaded.is_part):
            yield loaded, problems
        elif real(path) not in parts:
            host = _host(path)
            if host is None:
                yield loaded, problems
            elif real(host) not in there:
                there.add(real(host))
                yield _fresh(host, None)


def _host(path: Path) -> Path | None:
    from content.deck.includes import including

    return including(path)


def _recalled(path: Path, cached: Path | None) -> LoadedDeck | None:
    """A deck from the cache."""
    from content.deck import cache

    data = bytes_of(path) if cached else None
    if cached is None or data is None or isinstance(data, Problem):
        return None
    deck = cache.recall(cache.entry_for(cached, data), path.parent)
    return LoadedDeck(path, partial(_tree_of, path), deck) if deck else None


def _fresh(path: Path, cached: Path | None) -> Loaded:
    """A deck as its files are now."""
    from content.deck import cache
    from content.deck.includes import Folder, digests

    data = bytes_of(path)
    if isinstance(data, Problem):
        return None, (data,)
    entry, beside = cached and cache.entry_for(cached, data), Folder(path.parent, len(data))
    tree, problems = _read(str(path), data)
    del data  # before the tree becomes a deck, which takes the most memory
    loaded, found = _loaded(path, tree, problems, beside)
    if entry and isinstance(loaded, LoadedDeck) and not found:
        cache.remember(entry, loaded.deck, digests(loaded.tree))
    return loaded, found


def _read(name: str, data: bytes) -> tuple[Tree | None, list[Problem]]:
    """The tree of a file's bytes. What reads YAML is loaded now: whoever has all decks in the cache does not need it."""
    from content.yaml.reader import read

    return read(name, data)


def _tree_of(path: Path) -> Tree:
    """A deck's tree as its files are now; an empty one where there is none any more."""
    from content.deck.includes import Folder, join
    from content.yaml.tree import Source, Tree

    if isinstance(data := bytes_of(path), bytes) and (tree := _read(str(path), data)[0]):
        return join(tree, Folder(path.parent, len(data)))[0]
    return Tree(Source(str(path), ""), {}, 0, array("I"))


def _loaded(path: Path, tree: Tree | None, problems: list[Problem], beside: Folder | None) -> Loaded:
    from content.deck.fragments import readable_computations, readable_title
    from content.deck.includes import join
    from content.deck.validation import valid_cards, validate

    if tree is None:
        return None, in_order(problems)
    tree, missing = join(tree, beside)
    deck, more = validate(tree)
    if missing and isinstance(tree.root, dict) and "cards" not in tree.root:
        more = []  # the deck's cards are where it says that something is wrong
    problems += missing
    problems += [problem for problem in more if not (problems and _BLANK in problem.message)]  # of a hidden character, which is told
    if deck is None or any(problem.severity == "error" for problem in problems):
        return Draft(path, lambda: tree, *valid_cards(tree), readable_title(tree.root), readable_computations(tree.root)), in_order(
            problems
        )
    return LoadedDeck(path, lambda: tree, deck), in_order(problems)
