"""What one listing gives, and everything that it can do instead, without the process around it."""

from __future__ import annotations

import math
import re

import pytest
import torch

from content.claims.computation import parse_computation
from engine.label import Label
from engine.listing.child import computed_inputs, run
from engine.listing.request import VALUES_LIMIT, Failure, Part, Request

CHINESE = re.compile("[\u4e00-\u9fff]")
INPUTS = {"x": torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64), "n": 3}


def failure(message: str, part: Part, line: int = 0, hint: str = "", raises: bool = False) -> Failure:
    return Failure(Label(message, ""), part, line, hint=Label(hint, ""), raises=raises)


def value(source: str, compare: str) -> object:
    return run(source, compare, {name: each.clone() if isinstance(each, torch.Tensor) else each for name, each in INPUTS.items()}, 20)


@pytest.mark.parametrize(
    ("source", "compare", "expected"),
    [
        ("y = x + n", "y", [[4.0, 5.0], [6.0, 7.0]]),
        ("def f(a, b=1):\n    return a.sum() * b", "f(x, 2)", 20.0),
        ("", "x > 2", [[0, 0], [1, 1]]),
        ("y = True", "y, 2, 0.5, [x[0], None is None]", [1, 2, 0.5, [[1.0, 2.0], 1]]),
        ("y = math.inf", "y", math.inf),
        ("y = 2**80", "y", 2.0**80),
        ("import torch.nn as nn\nlayer = nn.Linear(2, 1)", "layer.weight.shape", [1, 2]),
        ("y = F.softmax(torch.zeros(2), -1)", "y", [0.5, 0.5]),
        ("from dataclasses import dataclass\n@dataclass\nclass A:\n    a: 'int' = 1", "A().a", 1),
        ("y = torch.eye(2).to_sparse()", "y", [[1.0, 0.0], [0.0, 1.0]]),
        ("y = x.requires_grad_().sum()\ny.backward()", "x.grad[0]", [1.0, 1.0]),
        ("x = 1", "\n (x +\n 1)\n", 2),
        ("print('hello')", "n", 3),
    ],
)
def test_values(source: str, compare: str, expected: object) -> None:
    """A number, a tensor, or several of them arrive as plain numbers; a truth is 1 or 0."""
    assert expected == value(source, compare)


def test_what_is_random_begins_anew() -> None:
    """A draw of the listing's own is the same in both ways, so that luck is no difference."""
    assert value("y = torch.randn(3)", "y") == value("y = torch.randn(3)", "y")


@pytest.mark.parametrize(
    ("source", "compare", "expected"),
    [
        ("y = 1\nz = y / 0", "y", failure("raises ZeroDivisionError: division by zero", "listing", 2, raises=True)),
        ("def f():\n    return x @ n\n\n", "f()", failure("raises TypeError", "listing", 2, raises=True)),
        ("y = z", "y", failure("raises NameError: name 'z' is not defined", "listing", 1, hint="give it under inputs", raises=True)),
        ("y = 1", "z", failure("raises NameError: name 'z' is not defined", "compare", hint="give it under inputs", raises=True)),
        ("y = x @ torch.ones(3)", "y", failure("raises RuntimeError", "listing", 1, raises=True)),
        ("def f(): f()\nf()", "1", failure("raises RecursionError", "listing", 1, raises=True)),
        ("class E(Exception):\n    def __str__(self): 1 / 0\nraise E", "1", failure("raises E", "listing", 3, raises=True)),
        ("import os", "1", failure("raises ImportError: a listing imports nothing beyond torch", "listing", 1, raises=True)),
        ("open('a', 'w')", "1", failure("raises PermissionError: a listing reads and writes no file", "listing", 1, raises=True)),
        ("y = 1\ny = (", "y", failure("is no Python: '(' was never closed", "listing", 2)),
        ("y = 1", "y y", failure("is no Python: invalid syntax", "compare")),
        ("y = 1\nexit()", "y", failure("ends the program", "listing", 2)),
        ("y = 1\nraise SystemExit", "y", failure("ends the program", "listing", 2)),
        ("while True:\n    print(x)", "x", failure("prints more than 65,536 characters", "listing", 2)),
        ("try:\n    while True: print(x)\nexcept Exception: pass", "x", failure("prints more than 65,536 characters", "listing", 2)),
        ("def f(): pass", "f()", failure("is None", "compare")),
        ("y = 'text'", "y", failure("is of the type str", "compare")),
        ("y = {}", "y", failure("is of the type dict", "compare")),
        ("y = torch.ones(2) * 1j", "y", failure("is a complex tensor", "compare")),
        ("", f"torch.ones({VALUES_LIMIT + 1})", failure("has more than 10,000 numbers", "compare")),
        ("", f"[1] * {VALUES_LIMIT + 1}", failure("has more than 10,000 numbers", "compare")),
        ("y = []\ny.append(y)", "y", failure("nests too deeply", "compare")),
    ],
)
def test_failures(source: str, compare: str, expected: Failure) -> None:
    """Each is told with its line, what happened first; only what Python raises of whole code is an error that a listing may have."""
    found = value(source, compare)

    assert isinstance(found, Failure)
    assert (expected.part, expected.line, expected.raises) == (found.part, found.line, found.raises)
    assert found.message.en.startswith(expected.message.en)
    assert found.hint.en if not expected.raises else found.hint.en == expected.hint.en
    assert bool(found.hint.en) == bool(CHINESE.search(found.hint.zh))
    assert CHINESE.search(found.message.zh)


def test_a_loop_that_does_not_end_is_told_with_its_line() -> None:
    """The deadline comes in the middle of Python, also where every Exception is swallowed."""
    found = run("y = 0\nwhile True:\n    try:\n        y += 1\n    except Exception:\n        pass\n", "y", {}, 0.2)

    assert isinstance(found, Failure)
    assert ("runs for more than 0.2 s", "listing", False) == (found.message.en, found.part, found.raises)
    assert 2 <= found.line <= 6


@pytest.mark.parametrize(
    ("line", "place", "message"),
    [
        ("1 + foo", ("x", 4), "there is nothing of the name foo yet"),
        ("randn(100000, 100000, 0)", ("x", 0), "(100,000, 100,000) would need 76,294 MiB"),
        ("randn(4, 2, 0) @ randn(4, 2, 0)", ("x", 0), "(4, 2) @ (4, 2): inner sizes 2 and 4 differ"),
    ],
)
def test_an_input_that_cannot_be_computed(line: str, place: tuple[str, int], message: str) -> None:
    """It is told at its place, in the words of a computation."""
    found = computed_inputs(Request("", "", "", (("x", parse_computation(line)),)))

    assert isinstance(found, Failure)
    assert ("inputs", *place) == (found.part, found.name, found.column)
    assert found.message.en.startswith(message)
