"""The learner's order beside the right one; below it where there is no room."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import zip_longest

from quiz.card.card_parts import Names, Part, heading, marked_lines
from quiz.card.typeset import Line, Span, cells
from quiz.study.turn import Turn
from quiz.words.i18n import Words

BESIDE = 56  # cells from which two columns are read more easily than two lists
BETWEEN = 3  # cells


def order_parts(turn: Turn, words: Words, names: Names) -> list[Part]:
    """The right order; with the learner's, where there is one."""
    right = [((Span(f" {place}. ", "letter"),), text.said(words.language)) for place, text in enumerate(turn.card.order, start=1)]
    if not turn.response.arranged:
        rows = [Part(partial(_list, [row], names)) for row in right]
        return [heading(words, "reveal.order", "query"), *rows]
    titles = Span(words("reveal.order.yours"), "heading-detail"), Span(words("reveal.order"), "heading-query")
    return [Part(partial(_both, titles, _own(turn, words), right, names), role="heading")]


Row = tuple[Line, str]  # what stands before a text, and the text


def _own(turn: Turn, words: Words) -> list[Row]:
    """What stands where in the learner's order, and whether it belongs there; a place that was left empty is a dash."""
    rows: list[Row] = []
    for place, index in zip_longest(range(len(turn.card.order)), turn.response.arranged):
        sign = Span("✔ ", "good") if index == place else Span("✖ ", "bad")
        text = "–" if index is None else turn.card.order[index].said(words.language)
        rows.append(((Span(f" {place + 1}. ", "letter"), sign), text))
    return rows


def _list(rows: Sequence[Row], names: Names, width: int) -> list[Line]:
    return [line for mark, text in rows for line in marked_lines(mark, text, names, width)]


def _both(titles: tuple[Span, Span], own: Sequence[Row], right: Sequence[Row], names: Names, width: int) -> list[Line]:
    if width < BESIDE:
        return [(titles[0],), *_list(own, names, width), (), (titles[1],), *_list(right, names, width)]
    room = (width - BETWEEN) // 2
    lines = _beside([(titles[0],)], [(titles[1],)], room)
    for mine, theirs in zip(own, right, strict=True):
        lines += _beside(_list([mine], names, room), _list([theirs], names, room), room)
    return lines


def _beside(left: Sequence[Line], right: Sequence[Line], room: int) -> list[Line]:
    """Lines beside lines, the second column behind `room` cells and a gap."""
    return [(*mine, Span(" " * (room + BETWEEN - cells(mine))), *theirs) for mine, theirs in zip_longest(left, right, fillvalue=())]
