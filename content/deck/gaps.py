"""What is still to be written: a text that begins with `TODO:`, as `qkv new --card` leaves them. A deck with such a gap is not finished.

No question, name or number begins so, and `grep TODO` finds them all. Each is an error that says what belongs there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.deck.location_names import location_name
from content.messages.sentence import say
from content.yaml.problems import Problem
from content.yaml.tree import Location, Node, Tree, problem_at

MARK = "TODO"
_GAP = re.compile(rf"{MARK}(?:[:：]\s*(?P<what>.*))?", re.DOTALL)  # alone too, where somebody has deleted the rest
_NOTE = say("write it in the place of the whole text, TODO included")


def gaps(tree: Tree) -> Iterator[Problem]:
    """A problem for every gap of a deck."""
    if tree.mentions(MARK):
        for where, what in _gaps(tree.root, ()):
            yield problem_at(tree.place(where), say("still to be written: {what}", what=what), _NOTE)


def has_gap(node: Node) -> bool:
    """Whether something in a node is still to be written."""
    return any(True for _ in _gaps(node, ()))


def without_gaps(node: Node) -> Node:
    """What has been written. Lists keep their length: of a gap in one, nothing is left in its place."""
    if isinstance(node, dict):
        return {key: without_gaps(value) for key, value in node.items() if not _is_gap(value)}
    if isinstance(node, list):
        return ["" if _is_gap(item) else without_gaps(item) for item in node]
    return node


def _gaps(node: Node, here: Location) -> Iterator[tuple[Location, str]]:
    """Where the gaps are, and what belongs there."""
    if isinstance(node, str):
        if found := _GAP.fullmatch(node.strip()) if node.startswith(MARK) else None:
            yield here, " ".join(found["what"].split()) if found["what"] else location_name(here)
        return
    for step, inner in node.items() if isinstance(node, dict) else enumerate(node):
        yield from _gaps(inner, (*here, step))


def _is_gap(node: Node) -> bool:
    return isinstance(node, str) and has_gap(node)
