"""A tree to a Deck, or to every reason why it is none, each at its place and in plain words.

A deck with one bad card is refused as a whole: its ids, follow-ups and counts belong together. Other decks are not touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from content.deck import model
from content.deck.cards import Card, Deck
from content.deck.fragments import fragment
from content.deck.gaps import MARK, gaps, has_gap, without_gaps
from content.deck.model import Defaults, parse_card, parse_deck
from content.deck.model_errors import sentence_for
from content.deck.second_look import second_look
from content.format import FORMAT
from content.messages.sentence import say
from content.yaml.numerals import whole
from content.yaml.problems import PROBLEMS_LIMIT, Problem
from content.yaml.tree import Location, Node, Place, Tree, problem_at
from content.yaml.yaml_mistakes import excerpt, mistake_in

OWN_KEYS = frozenset(model.Deck.model_fields)  # what a deck's own file may hold
_KEY = "[key]"  # pydantic's last step for a mapping's key that is wrong itself
_TURNS = "Turns]"  # the end of what pydantic calls the other shape of a line
_SLIPS = frozenset({"model_type", "dict_type", "tuple_type", "extra_forbidden"})  # often a slip that YAML took for a text or a key


def validate(tree: Tree) -> tuple[Deck | None, list[Problem]]:
    """The deck, or None and what is wrong with it."""
    if told := newer(tree):
        return None, [told]
    refused = list(islice(chain(gaps(tree), _duplicates(tree)), PROBLEMS_LIMIT))
    root = _with_defaults(tree.root)
    try:
        deck = parse_deck(root)
    except ValidationError as error:
        details = error.errors(include_url=False)
        details = list(_of_one_shape(details))
        found = (problem_of(tree, detail) for detail in chain(details, second_look(root, details)) if not _is_echo(detail))
        return None, [*refused, *islice(found, PROBLEMS_LIMIT + 1)]
    return (None if refused else deck), refused


def valid_cards(tree: Tree) -> tuple[dict[int, Card], dict[int, Card]]:
    """The cards of a refused deck by their place: those that are right in themselves, and what is right of the others.

    What is wrong with their text can be said at once.
    """
    if newer(tree):
        return {}, {}
    root = _with_defaults(tree.root)
    cards = root.get("cards") if isinstance(root, dict) else None
    unfinished = tree.mentions(MARK)
    sound: dict[int, Card] = {}
    fragments: dict[int, Card] = {}
    for index, card in enumerate(cards if isinstance(cards, list) else ()):
        if unfinished and has_gap(card):
            fragments[index] = fragment(without_gaps(card))
            continue
        try:
            sound[index] = parse_card(card)
        except ValidationError:
            fragments[index] = fragment(card)
    return sound, fragments


def newer(tree: Tree) -> Problem | None:
    """Why a deck cannot be judged that is written for a program to come: one sentence instead of one for each of its news."""
    written = tree.root.get("format") if isinstance(tree.root, dict) else None
    if not isinstance(written, str) or (whole(written) or 0) <= FORMAT:
        return None
    message = say("the deck is written in format {written}, and this program reads formats up to {format}", written=written, format=FORMAT)
    return problem_at(tree.place(("format",)), message, say("update qkv, or ask for the deck in an older format"))


def _with_defaults(root: Node) -> Node:
    """The deck with its defaults written into every card that does not say otherwise."""
    if not isinstance(root, dict):
        return root
    defaults, cards = root.get("defaults"), root.get("cards")
    if not isinstance(defaults, dict) or not isinstance(cards, list):
        return root
    sound = sound_defaults(root)
    return root | {"cards": [sound | card if isinstance(card, dict) else card for card in cards]}


def sound_defaults(root: dict[str, Node]) -> dict[str, Node]:
    """The defaults of a file that are right; each of the others is one error where it stands, not one on every card."""
    defaults = root.get("defaults")
    wrong = {detail["loc"][1] for detail in wrong_defaults(root) if len(detail["loc"]) > 1}
    return {key: value for key, value in defaults.items() if key not in wrong} if isinstance(defaults, dict) else {}


def wrong_defaults(root: dict[str, Node]) -> list[Any]:
    """Pydantic's errors in the defaults of a file."""
    try:
        Defaults.model_validate(root.get("defaults", {}))
    except ValidationError as error:
        return [detail | {"loc": ("defaults", *detail["loc"])} for detail in error.errors(include_url=False)]
    return []


def _of_one_shape(details: Iterable[Any]) -> Iterator[Any]:
    """Pydantic's errors without those about the other shape that a line of a computation could have had: a text, or turns.

    Which shape an error is about stands in its location, behind the line's name, in pydantic's own words.
    """
    for detail in details:
        match detail["loc"]:
            case ("experiments", name, "compute", line, str(shape), *rest) if shape != _KEY:
                turns = shape.endswith(_TURNS)
                if turns == isinstance(detail["input"], dict) or (turns and rest):
                    yield detail | {"loc": ("experiments", name, "compute", line, *rest)}
            case _:
                yield detail


def _is_echo(detail: Any) -> bool:
    """Whether a list is called short only because of the bad items in it, which have errors of their own."""
    return detail["type"] == "too_short" and len(detail["input"]) >= int(detail["ctx"]["min_length"])


def problem_of(tree: Tree, detail: Any) -> Problem:
    """One of pydantic's errors as a problem at its place."""
    location: Location = detail["loc"]
    message, hint = sentence_for(location, detail, tree.root)
    if location and location[-1] == _KEY:
        place = tree.key_place(location[:-1])
    elif detail["type"] == "extra_forbidden":
        place = tree.key_place(location)
    elif part := detail.get("ctx", {}).get("part"):
        place = tree.key_place((*location, part))
    else:
        place = tree.place(location)
    if detail["type"] in _SLIPS and (slip := mistake_in(place.source)):
        message, hint = say("{sentence} ({reason})", sentence=message, reason=slip.message), slip.hint
    return problem_at(place, message, hint)


def _duplicates(tree: Tree) -> Iterator[Problem]:
    """A problem for every id that an earlier card of the deck has, or had."""
    first: dict[str, Location] = {}
    for location, name in _ids(tree.root):
        earlier = first.setdefault(name, location)
        if earlier is not location:
            yield _taken(name, tree.place(earlier), tree.place(location))


def _taken(name: str, earlier: Place, place: Place) -> Problem:
    hint = say("ids, and the former ones too, belong to one card for ever: choose another")
    if earlier.path == place.path:
        message = say("the id {card} is already used in line {line}", card=excerpt(name), line=earlier.line)
    else:
        file = Path(earlier.path).name
        message = say("the id {card} is already used in line {line} of {file}", card=excerpt(name), line=earlier.line, file=file)
    return problem_at(place, message, hint)


def ids_of(tree: Tree) -> frozenset[str]:
    """Every id of a deck's cards, earlier ones too."""
    return frozenset(name for _, name in _ids(tree.root))


def _ids(root: Node) -> Iterator[tuple[Location, str]]:
    cards = root.get("cards") if isinstance(root, dict) else None
    for number, card in enumerate(cards if isinstance(cards, list) else ()):
        if not isinstance(card, dict):
            continue
        if isinstance(name := card.get("id"), str):
            yield ("cards", number, "id"), name
        former = card.get("formerly")
        for position, name in enumerate(former if isinstance(former, list) else ()):
            if isinstance(name, str):
                yield ("cards", number, "formerly", position), name
