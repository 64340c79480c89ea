"""The edits that tests are tried with: each kind once, and none where nothing is computed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.edits import edits

SILENT = '''\
"""A module."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT = 3
@dataclass(frozen=True)
class A: pass
def f(x: Literal[3] = y) -> Literal[4]:
    """Three is 3."""
    name: Literal[5]
    print(f"{3 + 4}")
    return None
'''


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = 3", ["a = 4"]),
        ("a = 0.25", ["a = 1.25"]),
        ("a = True", ["a = False"]),
        ("a = b <= c", ["a = b < c"]),
        ("a = b < (c) != d", ["a = b <= (c) != d", "a = b < (c) == d"]),
        ("a = b is not c", ["a = b is c"]),
        ("a = b not  in c", ["a = b in c"]),
        ("a = b and c or d", ["a = b or c or d", "a = b and c and d"]),
        ("a = (b) + c", ["a = (b) - c"]),
        ("a = b // c", ["a = b * c"]),
        ("a = not b", ["a = b"]),
        ("a = -b", ["a = b"]),
        ("if b: c", ["if (not (b)): c", "if b: pass"]),
        ("def f(): return b", ["def f(): return None"]),
        ("b()", ["pass"]),
        ("b += c", ["pass"]),
        ("b.c = d", ["pass"]),
        ("b = c", []),
        ("名 = 'é' < c", ["名 = 'é' <= c"]),
    ],
)
def test_a_line_has_its_edits(source: str, expected: list[str]) -> None:
    """One edit at a time: numbers, comparisons, and/or, + and -, conditions, return values, statements."""
    assert expected == [edit.applied(source.encode()).decode() for edit in edits(source.encode())]


def test_what_computes_nothing_is_left_alone() -> None:
    """No edit of annotations, docstrings, texts and what only a type checker reads."""
    assert ['print(f"{3 + 4}")'] == [edit.old for edit in edits(SILENT.encode())]


def test_every_edit_is_a_module_still() -> None:
    """An edit of real code can be parsed: it is seen by what it does, not by how it looks."""
    source = Path(ast.__file__).read_bytes()

    for edit in edits(source)[::20]:
        ast.parse(edit.applied(source))
