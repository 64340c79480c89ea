"""What is asked of the process that runs a listing, and what it can answer; both cross a pipe as lines of JSON.

Unlike the worker's, this pipe has somebody else's code at its other end: nothing that comes through it is unpickled, and what is no plain
number is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from engine.computed.recipe import Node
from engine.label import Label

Value = Any  # a number, or a tuple of values
Part = Literal["inputs", "listing", "compare", ""]

VALUES_LIMIT = 10_000  # numbers in one value
DEPTH_LIMIT = 8  # of tuples within tuples
ANSWER_LIMIT = 2**20  # bytes of a line
NOTHING = Label("", "")


@dataclass(frozen=True)
class Request:
    """A listing in two ways, and what both are run with: `inputs` are lines from top to bottom, which may use the numbers in `given`."""

    right: str
    wrong: str
    compare: str
    inputs: tuple[tuple[str, Node], ...] = ()
    given: Mapping[str, int | float] | None = None

    def line(self) -> bytes:
        return json.dumps(asdict(self)).encode() + b"\n"


@dataclass(frozen=True)
class Failure:
    """Why there is no value: a sentence without its subject ("raises ZeroDivisionError: ..."), and where. `raises` where Python says so of
    what can be run.

    In `inputs` the place is the input's name and a column from 0, in `listing` a line from 1, as far as one is known.
    """

    message: Label
    part: Part = ""
    line: int = 0
    name: str = ""
    column: int = 0
    hint: Label = NOTHING
    raises: bool = False


@dataclass(frozen=True)
class Ran:
    """What both ways gave. Where the corrected listing gave nothing, the listing itself was not run."""

    right: Value | Failure
    wrong: Value | Failure


def overdue(deadline: float) -> Failure:
    """Either side of the pipe may notice."""
    return Failure(
        Label(f"runs for more than {deadline:g} s", f"运行超过 {deadline:g} 秒"),
        hint=Label("make the inputs smaller, or let the loop end", "请减小输入，或者让循环结束"),
    )


class Garbled(Exception):
    """This is no answer."""


def read_request(line: bytes) -> Request:
    """A request as `line` wrote it."""
    found = json.loads(line)
    inputs = tuple((name, _node(tree)) for name, tree in found["inputs"])
    return Request(found["right"], found["wrong"], found["compare"], inputs, found["given"])


def read_answer(line: bytes) -> Value | Failure:
    """A value, or why there is none. Raises Garbled for everything else."""
    try:
        found = json.loads(line)
        if "value" in found:
            return _value(found["value"], 0)
        kinds = {"message": dict, "part": str, "line": int, "name": str, "column": int, "hint": dict, "raises": bool}
        if found.keys() != kinds.keys() or any(type(found[key]) is not kind for key, kind in kinds.items()):
            raise Garbled
        return Failure(**{**found, "message": _label(found["message"]), "hint": _label(found["hint"])})
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise Garbled from error


def _label(node: Mapping[str, Any]) -> Label:
    if node.keys() != {"en", "zh"} or any(type(text) is not str for text in node.values()):
        raise Garbled
    return Label(**node)


def _value(node: object, depth: int) -> Value:
    if depth < DEPTH_LIMIT and isinstance(node, list):
        return tuple(_value(part, depth + 1) for part in node)
    if type(node) not in (int, float):
        raise Garbled
    return node


def _node(part: Any) -> Any:
    """A tree as it was before JSON made lists of its tuples."""
    return tuple(map(_node, part)) if isinstance(part, list) else part
