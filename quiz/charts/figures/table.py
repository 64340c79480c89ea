"""Rows to read."""

from __future__ import annotations

from quiz.charts.figures.subject import Cursor, Subject
from quiz.charts.style import Pen, Row
from quiz.charts.table import titled_table


def draw(subject: Subject, width: int, height: int, pen: Pen, cursor: Cursor | None) -> list[Row]:
    rows: list[Row] = []
    for data in subject.tables:
        rows += [*([[]] if rows else []), *titled_table(data, width, pen)]
    return rows


def wish(subject: Subject, width: int, pen: Pen) -> int:
    return width
