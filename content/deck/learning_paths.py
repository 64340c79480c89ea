"""Paths: ordered lists of cards through the bundled decks, each a file `content/paths/NAME.yaml`.

A path says in which order cards are met for the first time; what was learned of them is the same as ever.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from content.deck.deck_files import BUNDLED, bundled
from content.deck.library import load
from content.deck.plain_parts import Text
from content.format import LANGUAGES
from content.messages.sentence import say
from content.text.nearest import did_you_mean
from content.yaml.numerals import whole
from content.yaml.problems import Problem, in_order
from content.yaml.tree import Location, Tree, problem_at
from content.yaml.yaml_mistakes import excerpt

if TYPE_CHECKING:
    from content.deck.links import Key

FOLDER = BUNDLED.parent / "paths"
ORDER = ("last-night", "first-week", "nlp-engineer", "llm-engineer", "infrastructure")  # as they are offered
KEYS = ("title", "says", "new", "cards")
FEWEST_NEW = 1  # new cards a day

Cards = Mapping[str, Collection[str]]  # the ids of each deck's cards


@dataclass(frozen=True)
class LearningPath:
    """`cards` in the order in which they are met; `new` is how many of them a day, where the path asks for another number than usual."""

    name: str
    title: Text
    says: Text
    cards: tuple[Key, ...]
    new: int | None = None


def path_names() -> tuple[str, ...]:
    """The names of all paths, as they are offered."""
    there = sorted(file.stem for file in FOLDER.glob("*.yaml"))
    return (*(name for name in ORDER if name in there), *(name for name in there if name not in ORDER))


def read_path(name: str) -> LearningPath | None:
    """A path by its name, as far as it can be read; None where nothing of it can. What is wrong with it says `qkv check`."""
    tree, _ = _read(FOLDER / f"{name}.yaml")
    if tree is None or not isinstance(root := tree.root, dict):
        return None
    listed = root.get("cards")
    links = [link.split("/", 1) for link in listed if isinstance(link, str) and "/" in link] if isinstance(listed, list) else []
    new = root.get("new")
    number = whole(new) if isinstance(new, str) else None
    cards = tuple(dict.fromkeys((deck, card) for deck, card in links))
    return LearningPath(name, _text(root.get("title"), name), _text(root.get("says"), ""), cards, number)


def all_paths() -> tuple[LearningPath, ...]:
    """Every path that can be read, as they are offered."""
    return tuple(path for name in path_names() if (path := read_path(name)))


def bundled_path_problems() -> Iterator[Problem]:
    """What is wrong with the paths that come with the program."""
    cards = {loaded.deck.deck: [card.id for card in loaded.deck.cards] for loaded in load(bundled()).decks}
    for name in path_names():
        yield from file_problems(FOLDER / f"{name}.yaml", cards)


def file_problems(file: Path, cards: Cards) -> tuple[Problem, ...]:
    """What is wrong with one path, in the order of its lines."""
    tree, problems = _read(file)
    return in_order([*problems, *(_problems(tree, cards) if tree else ())])


def _read(file: Path) -> tuple[Tree | None, list[Problem]]:
    from content.deck.named_files import bytes_of
    from content.yaml.reader import read  # YAML is loaded for whoever asks for a path

    data = bytes_of(file)
    return (None, [data]) if isinstance(data, Problem) else read(str(file), data)


def _text(node: object, otherwise: str) -> Text:
    if isinstance(node, dict):
        return Text({language: said for language, said in node.items() if isinstance(said, str)})
    return Text({"": node if isinstance(node, str) else otherwise})


def _problems(tree: Tree, cards: Cards) -> Iterator[Problem]:
    root = tree.root
    if not isinstance(root, dict):
        yield problem_at(tree.place(()), say("this is no path"), say("a path has the keys title, says and cards"))
        return
    for key in root:
        if key not in KEYS:
            hint = did_you_mean(key, KEYS) or say("a path has the keys title, says and cards")
            yield problem_at(tree.key_place((key,)), say("{key} is not a key of a path", key=excerpt(key)), hint)
    for key in ("title", "says"):
        yield from _untranslated(tree, key)
    if "new" in root and not (isinstance(new := root["new"], str) and (whole(new) or 0) >= FEWEST_NEW):
        yield problem_at(tree.place(("new",)), say("new is no number of cards"), say("write how many new cards a day, such as 25"))
    listed = root.get("cards")
    if isinstance(listed, list) and listed:
        yield from _wrong_cards(tree, listed, cards)
    else:
        yield problem_at(tree.place(("cards",)), say("the path has no cards"), say("list them: `- deck/card`, each on a line of its own"))


def _untranslated(tree: Tree, key: str) -> Iterator[Problem]:
    said = tree.root.get(key) if isinstance(tree.root, dict) else None
    if not isinstance(said, dict) or any(not isinstance(said.get(language), str) for language in LANGUAGES):
        message = say("{key} is not there in both languages", key=key)
        yield problem_at(tree.place((key,)), message, say("write it in both languages: {en: ..., zh: ...}"))


def _wrong_cards(tree: Tree, listed: Sequence[object], cards: Cards) -> Iterator[Problem]:
    first: dict[str, Location] = {}
    every = [f"{deck}/{card}" for deck, ids in cards.items() for card in ids]
    known = frozenset(every)
    for number, link in enumerate(listed):
        here: Location = ("cards", number)
        if not isinstance(link, str):
            yield problem_at(tree.place(here), say("this is no card"), say("write deck/card"))
        elif link in first:
            line = tree.place(first[link]).line
            yield problem_at(tree.place(here), say("{card} is there already, in line {line}", card=link, line=line), say("delete one"))
        elif link not in known:
            yield problem_at(tree.place(here), say("there is no card {name}", name=excerpt(link)), _meant(link, cards, every))
        if isinstance(link, str):
            first.setdefault(link, here)


def _meant(link: str, cards: Cards, every: list[str]) -> str:
    """The card that may have been meant: of the same id in another deck, or the nearest."""
    deck, _, card = link.rpartition("/")
    elsewhere = [f"{other}/{card}" for other, ids in cards.items() if card in ids]
    if elsewhere:
        return say("did you mean {words}?", words=elsewhere[0])
    near = [f"{deck}/{id}" for id in cards.get(deck, ())] or every
    return did_you_mean(link, near) or say("`qkv cards` lists them")
