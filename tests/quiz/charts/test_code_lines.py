"""Long lines of code under their own indentation: nothing lost, nothing too wide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from quiz.charts.code_lines import HANG, ROOM, hanging


def rows(line: str, width: int) -> list[str]:
    return [" " * columns + line[part] for columns, part in hanging(line, width)]


@pytest.mark.parametrize(
    ("line", "width", "expected"),
    [
        ("x = 1", 80, ["x = 1"]),
        ("", 10, [""]),
        ("    weights = torch.softmax(scores, -1)", 30, ["    weights =", "      torch.softmax(scores,", "      -1)"]),
        ("abcdefghij" * 3, 24, ["abcdefghij" * 2 + "abcd", "  efghij"]),
        ("# 一二三四五六七八九十十一十二", 22, ["#", "  一二三四五六七八九十", "  十一十二"]),
        (" " * 30 + "return x", 34, [" " * 30 + "retu", " " * 14 + "rn x"]),
    ],
)
def test_a_long_line(line: str, width: int, expected: list[str]) -> None:
    """It is cut before a word; the rest stands HANG columns right of the line, or further left where ROOM would be missing."""
    assert expected == rows(line, width)


@given(st.text(alphabet="ab (),=#一\u0301", max_size=60), st.integers(0, 12), st.integers(ROOM + HANG, 50))
def test_nothing_is_lost(text: str, indent: int, width: int) -> None:
    """The parts are the line without the spaces at the cuts, and no part is wider than the screen."""
    line = " " * indent + text
    parts = hanging(line, width)

    assert line.replace(" ", "") == "".join(line[part] for _, part in parts).replace(" ", "")
    assert [] == [row for row in rows(line, width) if cell_len(row.rstrip()) > width]
