"""Progress as text: a header, then a line of JSON for every row of the log, in the log's order.

The same log gives the same text on every machine. What is read comes from elsewhere: every line is held against the shape and the limits
of a row before anything is written, and the first that does not fit is said with its number.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from quiz.progress.log import LATEST, ROW

FORMAT, VERSION = "qkv-progress", 1
MOST_ROWS = 1_000_000  # a hundred reviews a day for 27 years
LONGEST_LINE = 64 * 1024  # characters
FLOATS = sys.float_info.max

FIELDS = tuple(ROW.split(", "))
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
        yield number, _row(_object(line, number), number)
    if found < promised:
        raise ImportRefused("cut", number + 1, f"{promised:,}")


def _header(line: str) -> int:
    """The number of rows that the header promises."""
    try:
        header = _object(line, 1)
    except ImportRefused:
        raise ImportRefused("format", 1) from None
    if header.get("format") != FORMAT or not _whole(header.get("version"), 1, 10**6):
        raise ImportRefused("format", 1)
    if header["version"] > VERSION:
        raise ImportRefused("newer", 1)
    if not _whole(header.get("rows"), 0, MOST_ROWS):
        raise ImportRefused("value", 1, "rows")
    return int(header["rows"])


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
    for name in (*told, *_ALWAYS):
        if name not in _FITS or name not in told or not _FITS[name](told[name]):
            raise ImportRefused("value", number, name[:40])
    kind = told["kind"]
    if (kind == "grade") != ("grade" in told) or (kind == "undo") != ("undoes" in told):
        raise ImportRefused("value", number, "kind")
    if not _DETAILS.get(kind, _is_json)(told["points"]):
        raise ImportRefused("value", number, "points")
    return tuple(float(told[name]) if name in told and name in _REALS else told.get(name) for name in FIELDS)


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _between(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: _whole(value, low, high)


def _matching(pattern: str) -> Callable[[object], bool]:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _is_real(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -FLOATS <= value <= FLOATS


@dataclass(frozen=True)
class Details:
    """What `points` may hold for a kind of row, as JSON."""

    fits: Callable[[Any], bool]

    def __call__(self, points: str) -> bool:
        try:
            return self.fits(_POINTS.decode(points))
        except (ValueError, RecursionError):
            return False


def _are_points(value: object) -> bool:
    return isinstance(value, list) and len(value) <= 100 and all(_whole(point, 0, 999) for point in value)


def _is_name(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_slug, value))


_slug = _matching(r"[a-z0-9]+(-[a-z0-9]+)*")
_id = _matching(r"[0-9A-Za-z_-]{1,64}")
_is_json = Details(lambda value: True)
_DETAILS = {"grade": Details(_are_points), "rename": Details(_is_name)}

_REALS = ("prediction", "measured", "seconds")
_FITS: dict[str, Callable[[Any], bool]] = {
    "id": _id,
    "clock": _between(-LATEST, LATEST),
    "at_ms": _between(-6 * 10**13, 25 * 10**13),  # the years that a date can have, and room for ten minutes
    "offset_minutes": _between(-24 * 60, 24 * 60),
    "day": _between(1, date.max.toordinal() - 10_000),  # room for every interval
    "deck": _matching(r"[a-z0-9-]{0,80}"),
    "card": _matching(r"[a-z0-9-]{0,80}"),
    "kind": _matching(r"[a-z-]{1,20}"),
    "undoes": _id,
    "grade": _between(1, 4),
    "confidence": _between(1, 3),
    **dict.fromkeys(_REALS, _is_real),
    "correct": _between(0, 1),
    "points": lambda value: isinstance(value, str) and value.isascii() and len(value) <= 10_000,
    "version": _matching(r"[ -~]{1,40}"),
}
_ALWAYS = ("id", "clock", "at_ms", "offset_minutes", "day", "deck", "card", "kind", "points", "version")
