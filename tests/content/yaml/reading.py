"""A text read as a deck's YAML: its tree, or the first problem."""

from __future__ import annotations

from content.yaml.reader import read
from content.yaml.tree import Tree


def tree_of(text: str) -> Tree:
    tree, problems = read("a.yaml", text.encode())
    assert [] == problems
    assert tree is not None
    return tree


def first(data: str | bytes) -> tuple[int, int, str, str]:
    problem = min(read("a.yaml", data if isinstance(data, bytes) else data.encode())[1])
    return problem.line, problem.column, problem.message, problem.hint
