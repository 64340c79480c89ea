"""Progress as text: a header, then a line of JSON for every row of the log, in the log's order.

The same log gives the same text on every machine. What is read comes from elsewhere: every line is held against the shape and the limits
of a row before anything is written, and the first that does not fit is said with its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from quiz.progress.log import ROW
from quiz.progress.row_mapping import LATEST_MS
from quiz.progress.row_model import DETAILS, LogRow

FORMAT, VERSION = "qkv-progress", 1
MOST_ROWS = 2**53  # what a log holds, its export must bring back: here JSON's numbers end
LONGEST_LINE = 64 * 1024  # characters

FIELDS = tuple(ROW.split(", "))
_CLOCK = FIELDS.index("clock")
Row = tuple[Any, ...]  # the values of ROW


class ImportRefused(Exception):
    """Why a text is not imported: the key of a sentence, and what it is about. `line` counts from 1."""

    def __init__(self, why: str, line: int, about: str = "") -> None:
        super().__init__(f"{why} in line {line}: {about}")
        self.why, self.line, self.about = why, line, about


def write_jsonl(rows: Iterable[Row], count: int) -> Iterator[str]:
    """The lines of a log with that many rows, without line ends."""
    yield json.dumps({"format": FORMAT, "version": VERSION, "rows": count})
    for row in rows:
        yield json.dumps({name: value for name, value in zip(FIELDS, row, strict=True) if value is not None}, ensure_ascii=False)


def read_jsonl(lines: Iterable[str]) -> Iterator[tuple[int, Row]]:
    """The rows of a text with the numbers of their lines. Raises Refused."""
    numbered = enumerate(lines, start=1)
    promised = _header(next(numbered, (1, ""))[1])
    found, number = 0, 1
    for number, line in numbered:
        if not line.strip():
            continue
        found += 1
        if found > promised:
            raise ImportRefused("more", number, f"{promised:,}")
        row = _row(_object(line, number), number)
        # A clock is the time of its row, or one more than the clock before. One farther off was set by hand: were it the largest number
        # that there is, all later rows would stand in one place, in no order.
        if row[_CLOCK] > LATEST_MS + found:
            raise ImportRefused("value", number, "clock")
        yield number, row
    if found < promised:
        raise ImportRefused("cut", number + 1, f"{promised:,}")


def _header(line: str) -> int:
    """The number of rows that the header promises."""
    try:
        header = _object(line, 1)
    except ImportRefused:
        raise ImportRefused("format", 1) from None
    if header.get("format") != FORMAT or not _is_whole(header.get("version"), 1, 10**6):
        raise ImportRefused("format", 1)
    if header["version"] > VERSION:
        raise ImportRefused("newer", 1)
    if not _is_whole(header.get("rows"), 0, MOST_ROWS):
        raise ImportRefused("value", 1, "rows")
    return int(header["rows"])


def _is_whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _object(line: str, number: int) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise ImportRefused("long", number)
    try:
        value = _LINE.decode(line)
    except (ValueError, RecursionError):
        raise ImportRefused("json", number) from None
    if not isinstance(value, dict):
        raise ImportRefused("json", number)
    return value


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


# json.loads makes one for every text
_LINE = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_unique)
_POINTS = json.JSONDecoder(parse_constant=_no_number)


def _row(told: Mapping[str, Any], number: int) -> Row:
    """A row whose every value is one that a log can hold."""
    try:
        row = LogRow.model_validate(told)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        wrong = {name for problem in found for name in problem["loc"]} | (told.keys() - set(FIELDS))  # pydantic names no broken character
        raise ImportRefused("value", number, next(name for name in (*told, *FIELDS) if name in wrong)[:40]) from None
    if (row.kind == "grade") != ("grade" in told) or (row.kind == "undo") != ("undoes" in told):
        raise ImportRefused("value", number, "kind")
    if (row.kind, row.points) != ("grade", "[]") and not _are_details(row.kind, row.points):  # what most rows are needs no decoding
        raise ImportRefused("value", number, "points")
    return tuple(map(vars(row).get, FIELDS))


def _are_details(kind: str, points: str) -> bool:
    """Whether a row's `points` is JSON, and what its kind cannot do without."""
    try:
        held = _POINTS.decode(points)
        if kind in DETAILS:
            DETAILS[kind].validate_python(held, strict=True)
    except (ValueError, RecursionError):  # a ValidationError is a ValueError, too
        return False
    return True
