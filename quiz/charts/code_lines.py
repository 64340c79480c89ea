"""Code on a narrow screen: a line that is too long goes on below, a little to the right of its own indentation."""

from __future__ import annotations

from rich.cells import cell_len

HANG = 2  # columns that a rest stands to the right of its line: half of what a block does
ROOM = 20  # columns that a rest has at least, whatever its indentation


def hanging(line: str, width: int) -> list[tuple[int, slice]]:
    """The parts of a line of code, each with the columns before it; a line is cut at spaces, and in a word only where none fits."""
    if width <= 0 or cell_len(line) <= width:
        return [(0, slice(0, len(line)))]
    code = len(line) - len(line.lstrip(" "))
    indent = max(min(code + HANG, width - ROOM), 0)
    end = _fitting(line, 0, code, width)
    parts = [(0, slice(0, end))]
    while start := _next(line, end):
        end = _fitting(line, start, start, width - indent)
        parts.append((indent, slice(start, end)))
    return parts


def _fitting(line: str, start: int, first: int, room: int) -> int:
    """Where the part that starts at `start` ends: before the last space that fits, but never before `first`."""
    end = start
    while end < len(line) and cell_len(line[start : end + 1]) <= room:
        end += 1
    if end == len(line) or line[end] == " ":
        return end
    space = line.rfind(" ", first + 1, end)
    return space if space > first else max(end, start + 1)


def _next(line: str, end: int) -> int:
    """Where the rest begins, after the spaces at the cut; 0 where there is none."""
    rest = line[end:].lstrip(" ")
    return len(line) - len(rest) if rest else 0
