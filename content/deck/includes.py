"""A deck in several files: `include` names those that lie beside its own, and together they are read as one.

A file that is included holds cards, experiments and defaults, and includes nothing itself, so that nothing goes round in circles. Its
defaults are those of its own cards; where it has no cards, they are for the whole deck. It is opened like anything that a stranger's deck
names: a regular file of a deck's kind, in the deck's own folder, and no link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from content.deck.deck_files import is_file_name
from content.deck.named_files import bytes_of
from content.deck.validation import OWN_KEYS, newer, problem_of, sound_defaults, wrong_defaults
from content.format import INCLUDES_LIMIT, SHARED, SIZE_LIMIT
from content.messages.sentence import say
from content.regular_file import NotAFile, read_beside
from content.yaml.problems import Problem
from content.yaml.reader import read
from content.yaml.tree import Location, Node, Place, Tree

NEIGHBOURS = 200  # files among which the deck of one is looked for


@dataclass(frozen=True)
class Part:
    """A file that was included: its name beside the deck's, what tells it from any other, what it holds."""

    name: str
    digest: str
    tree: Tree


@dataclass(frozen=True)
class Joined(Tree):
    """Several files as one: each value is where it was written. `source` and the marks are those of the deck's own file."""

    main: Tree
    parts: tuple[Part, ...]

    def mentions(self, word: str) -> bool:
        return self.main.mentions(word) or any(part.tree.mentions(word) for part in self.parts)

    def place(self, location: Location) -> Place:
        tree, there = self._home(location)
        return tree.place(there)

    def key_place(self, location: Location) -> Place:
        tree, there = self._home(location)
        return tree.key_place(there)

    def place_in(self, location: Location, offset: int) -> Place:
        tree, there = self._home(location)
        return tree.place_in(there, offset)

    def _home(self, location: Location) -> tuple[Tree, Location]:
        """The file in which a value stands, and where there."""
        trees = (self.main, *(part.tree for part in self.parts))
        match location:
            case ("cards", int(index), *rest):
                for tree in trees:
                    if index < (count := len(_cards(tree.root))):
                        return tree, ("cards", index, *rest)
                    index -= count
            case ("experiments" | "defaults" as key, str(name), *_):
                return next((tree for tree in trees if name in _named(tree.root, key)), self.main), location
        return self.main, location


@dataclass(frozen=True)
class Folder:
    """Where a deck's files lie, and how many bytes its own one takes of all that they may have."""

    path: Path
    taken: int


def included_names(root: Node) -> tuple[str, ...]:
    """The files that a deck names, as far as it may name them; each once."""
    named = root.get("include", []) if isinstance(root, dict) else []
    names = [named] if isinstance(named, str) else named if isinstance(named, list) else []
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and is_file_name(name)))[:INCLUDES_LIMIT]


def join(main: Tree, beside: Folder | None) -> tuple[Tree, list[Problem]]:
    """A deck with the files that it includes, and what is wrong with these. One from a pipe has no folder to include from."""
    names = included_names(main.root)
    if not names or newer(main):
        return main, []
    if beside is None:
        message = say("a deck from a pipe includes no files: it lies in no folder")
        return main, [_problem(main.place(("include",)), message, say("name the deck's file"))]
    size = beside.taken
    parts: list[Part] = []
    problems: list[Problem] = []
    for name in names:
        data = _bytes_of(main, beside.path, name, SIZE_LIMIT - size)
        if isinstance(data, Problem):
            problems.append(data)
            continue
        size += len(data)
        tree, found = read(str(beside.path / name), data)
        problems += found
        if tree is None:
            continue
        if _is_deck(tree.root):
            message = say("{name} is a deck of its own: it has `deck:`", name=name)
            problems.append(_at(main, name, message, say("take deck: and title: out of it, or name another")))
            continue
        problems += _form_problems(tree)
        parts.append(Part(name, sha256(data).hexdigest(), tree))
    problems += _twice_named([main, *(part.tree for part in parts)])
    return Joined(main.source, _root(main, parts), main.root_mark, main.marks, main, tuple(parts)), problems


def digests(tree: Tree) -> dict[str, str]:
    """The files that were included, with what tells each from any other."""
    return {part.name: part.digest for part in tree.parts} if isinstance(tree, Joined) else {}


def including(part: Path) -> Path | None:
    """The first deck beside a file that includes it; files that do not so much as name it are not read as YAML."""
    try:
        beside = sorted(part.parent.iterdir())[:NEIGHBOURS]
    except OSError:
        return None
    for path in beside:
        if path == part or not is_file_name(path.name):
            continue
        data = bytes_of(path)
        if isinstance(data, Problem) or part.name.encode() not in data or b"include" not in data:
            continue
        tree, _ = read(str(path), data)
        if tree and _is_deck(tree.root) and part.name in included_names(tree.root):
            return path
    return None


def _bytes_of(main: Tree, folder: Path, name: str, room: int) -> bytes | Problem:
    try:
        data = read_beside(folder, name, max(0, room) + 1)
    except (NotAFile, IsADirectoryError):
        return _at(main, name, say("{name} is not a file", name=name), say("a deck includes files beside its own, and no links"))
    except FileNotFoundError:
        return _at(
            main,
            name,
            say("there is no file {name} beside this deck", name=name),
            say("check the spelling; it must lie in the same folder"),
        )
    except PermissionError:
        return _at(main, name, say("you may not read {name}", name=name), say("ask its owner, or change its permissions"))
    except (OSError, ValueError) as error:
        reason = str(getattr(error, "strerror", "") or error).lower()
        return _at(main, name, say("{name} cannot be read: {reason}", name=name, reason=reason), say("check the disk"))
    if len(data) > room:
        message = say("with {name} the deck has more than {limit} MiB", name=name, limit=SIZE_LIMIT // 2**20)
        return _at(main, name, message, say("split it into several decks"))
    return data


def _at(main: Tree, name: str, message: str, hint: str) -> Problem:
    """A problem with a file, told where the deck names it."""
    named = main.root.get("include") if isinstance(main.root, dict) else None
    return _problem(main.place(("include", named.index(name)) if isinstance(named, list) else ("include",)), message, hint)


def _problem(place: Place, message: str, hint: str) -> Problem:
    return Problem(place.path, place.line, place.column, message, hint, "error", place.source)


def _is_deck(root: Node) -> bool:
    return isinstance(root, dict) and "deck" in root


def _form_problems(tree: Tree) -> Iterator[Problem]:
    """What is wrong with the outer form of a file that is included; its cards and experiments are judged with the deck's."""
    root = tree.root
    if not isinstance(root, dict):
        hint = say("it begins with `cards:`, `experiments:` or `defaults:`")
        yield _problem(tree.place(()), say("a file that a deck includes has keys with values"), hint)
        return
    for key in root:
        if key in OWN_KEYS and key not in SHARED:
            message = say("{key} belongs into the deck's own file, not into one that it includes", key=key)
            yield _problem(tree.key_place((key,)), message, say("move it there"))
        elif key not in SHARED:
            yield problem_of(tree, {"type": "extra_forbidden", "loc": (key,), "input": root[key]})
    for key, form, kind in (("cards", list, "tuple_type"), ("experiments", dict, "dict_type")):
        if key in root and not isinstance(root[key], form):
            yield problem_of(tree, {"type": kind, "loc": (key,), "input": root[key]})
    yield from (problem_of(tree, detail) for detail in wrong_defaults(root))


def _twice_named(trees: list[Tree]) -> Iterator[Problem]:
    """The experiments whose name another file has given away."""
    first: dict[str, Place] = {}
    for tree in trees:
        for name in _named(tree.root, "experiments"):
            here = tree.key_place(("experiments", name))
            earlier = first.setdefault(name, here)
            if earlier is not here:
                file = Path(earlier.path).name
                message = say("there is an experiment {name} already, in line {line} of {file}", name=name, line=earlier.line, file=file)
                yield _problem(here, message, say("keep one of the two, or give one another name"))


def _root(main: Tree, parts: list[Part]) -> Node:
    """All files as one deck. A card's own value goes before its file's defaults, these before the deck's, these before shared ones."""
    root = main.root
    assert isinstance(root, dict)
    roots = [part.tree.root for part in parts if isinstance(part.tree.root, dict)]
    joined: dict[str, Node] = dict(root)
    shared: dict[str, Node] = {}
    cards: list[Node] = []
    experiments: dict[str, Node] = {}
    for each in roots:
        defaults = sound_defaults(each)
        cards += [defaults | card if isinstance(card, dict) else card for card in _cards(each)]
        shared |= {} if _cards(each) else defaults
        experiments |= {name: one for name, one in _named(each, "experiments").items() if name not in experiments}
    own: Any = {key: root.get(key, empty) for key, empty in (("defaults", {}), ("experiments", {}), ("cards", []))}
    if shared and isinstance(own["defaults"], dict):
        joined["defaults"] = shared | own["defaults"]
    if experiments and isinstance(own["experiments"], dict):
        joined["experiments"] = experiments | own["experiments"]
    if cards and isinstance(own["cards"], list):
        joined["cards"] = own["cards"] + cards
    return joined


def _cards(root: Node) -> list[Node]:
    cards = root.get("cards") if isinstance(root, dict) else None
    return cards if isinstance(cards, list) else []


def _named(root: Node, key: str) -> Mapping[str, Node]:
    named = root.get(key) if isinstance(root, dict) else None
    return named if isinstance(named, dict) else {}
