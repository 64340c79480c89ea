"""How a problem prints."""

from __future__ import annotations

import pytest

from content.yaml.problems import PROBLEMS_LIMIT, Problem, in_order, render, width


def test_a_problem_prints_its_place_sentence_line_caret_and_fix() -> None:
    """Editors get path:line:column, people a caret and a hint."""
    problem = Problem("a.yaml", 3, 8, "level is 9; it must be 1 to 5", "write 5", source="level: 9")
    assert "a.yaml:3:8: error: level is 9; it must be 1 to 5\n    level: 9\n           ^\n  hint: write 5" == render(problem)


def test_a_problem_of_the_file_itself_has_no_line() -> None:
    """Line 0 means the file, and nothing but its path is printed."""
    assert "a.yaml: warning: it is empty" == render(Problem("a.yaml", 0, 0, "it is empty", severity="warning"))


def test_the_caret_counts_wide_characters_twice() -> None:
    """The caret stands below its character also after Chinese text, and a combining mark takes no column."""
    caret = render(Problem("a", 1, 8, "m", source="标题: e\u0301 x")).splitlines()[-1]
    assert " " * (4 + 4 + 2 + 1 + 1) + "^" == caret


@pytest.mark.parametrize("column", [1, 50, 100, 101, 150, 299, 300, 301])
@pytest.mark.parametrize("character", ["x", "中"])
def test_a_long_line_is_cut_around_the_caret(character: str, column: int) -> None:
    """At most 100 columns are shown, and the caret still stands below the character that is meant."""
    source = character * (column - 1) + "!" + character * (300 - column)
    line, caret = render(Problem("a", 1, column, "m", source=source)).splitlines()[1:]
    assert width(line) <= 4 + 100
    assert width(line[: line.index("!")]) == caret.index("^")


def test_a_caret_behind_the_end_of_a_line_is_printed() -> None:
    """A place behind the last character is a place."""
    assert "    ab\n      ^" == render(Problem("a", 1, 3, "m", source="ab")).split("\n", 1)[1]


def test_what_others_wrote_cannot_reach_the_terminal() -> None:
    """Escapes and line breaks in paths, messages, hints and source lines are printed, not obeyed."""
    hostile = "\x1b]52;c;x\x07\u202e"
    printed = render(Problem(f"{hostile}\n", 1, 2, hostile, f"{hostile}\n", source=hostile))
    assert "\x1b" not in printed
    assert "\u202e" not in printed
    assert 4 == len(printed.splitlines())
    assert "    " + " " * len("\\x1b") + "^" == printed.splitlines()[2]


def test_an_emoji_is_shown_without_its_selector() -> None:
    """What is dropped from a deck does not stand as an escape before the caret."""
    assert "    ⭐ a: b\n         ^" == render(Problem("a", 1, 6, "m", source="⭐\ufe0f a: b")).split("\n", 1)[1]


def test_problems_are_in_the_order_of_the_file_and_one_a_place() -> None:
    """The first problem found at a place is the one that is told."""
    found = [Problem("a", 2, 1, "b"), Problem("a", 10, 1, "c"), Problem("a", 2, 1, "a"), Problem("a", 1, 9, "d")]
    assert ["d", "b", "c"] == [problem.message for problem in in_order(found)]


def test_too_many_problems_end_with_one_that_says_so() -> None:
    """A file has at most 200 problems and a last one about the rest."""
    found = in_order(Problem("a", line, 1, "m") for line in range(1, 1_000))
    assert PROBLEMS_LIMIT + 1 == len(found)
    assert "there are more problems from here on" == found[-1].message
