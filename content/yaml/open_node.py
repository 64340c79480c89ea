"""What is being composed: a mapping or list whose end has not been seen, and the reason to stop."""

from __future__ import annotations

from typing import Any

from content.yaml.tree import Node


class Stop(Exception):
    """What follows is not worth reading; the reason is among the problems."""


class OpenNode:
    """A mapping or list whose end has not been seen. `key` is the one whose value comes next, None where a key is to come.

    `kept` is whether it is part of the tree; `marks` are the offsets of its keys and values.
    """

    __slots__ = ("flow", "kept", "key", "marks", "node")

    def __init__(self, node: dict[str, Node] | list[Node], flow: bool = False, kept: bool = True) -> None:
        self.node = node
        self.flow = flow
        self.kept = kept
        self.marks: list[int] = []
        self.key: Any = None if isinstance(node, dict) else ""
