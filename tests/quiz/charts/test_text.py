"""Text is measured in terminal cells and never obeyed by a terminal."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from quiz.charts.style import ChartStyle, chart_style
from quiz.charts.text import centre, cut, left, right, wrap

LOOK = chart_style(dark=True, colour=True, ascii_only=False)
ASCII = chart_style(dark=True, colour=True, ascii_only=True)


@pytest.mark.parametrize("fill", [left, right, centre])
@given(text=st.text("ab 小猫，", max_size=12), width=st.integers(0, 9))
def test_a_column_is_as_wide_as_asked(fill: Callable[[str, int, ChartStyle], str], text: str, width: int) -> None:
    """Whatever the text, a column has exactly its width in cells."""
    assert width == cell_len(fill(text, width, LOOK))


def test_a_cut_text_says_so() -> None:
    """A shortened text ends with an ellipsis and does not split a wide character."""
    assert "小猫…" == cut("小猫没有", 5, LOOK)
    assert "小…" == cut("小猫没有", 4, LOOK)


@given(st.text("ab 小猫，。", max_size=40), st.integers(2, 12))
def test_wrapping_keeps_every_character(text: str, width: int) -> None:
    """Wrapped lines fit their width and lose nothing but spaces."""
    lines = wrap(text, width)

    assert all(cell_len(line) <= width for line in lines)
    assert text.replace(" ", "") == "".join(lines).replace(" ", "")


def test_chinese_wraps_without_spaces() -> None:
    """A hundred Chinese characters without a space break at the width."""
    assert [40, 40, 40, 40, 40] == [cell_len(line) for line in wrap("注意力是" * 25, 40)]


def test_no_line_starts_with_a_closing_mark() -> None:
    """A Chinese comma stays with the character before it."""
    assert ["小猫", "饿，吃"] == wrap("小猫饿，吃", 6)


@pytest.mark.parametrize("drawn_with", [LOOK, ASCII])
def test_escape_codes_are_not_passed_on(drawn_with: ChartStyle) -> None:
    """An escape code in a label arrives as visible text."""
    text = drawn_with.text("a\x1b]52;c;x\x07\u202e\u200b\nb")

    assert text.isprintable()


def test_ascii_spells_symbols_out() -> None:
    """With --ascii the symbols of the labels are words."""
    assert "QK^T/sqrt d_k x sigma" == ASCII.text("QKᵀ/√d_k × σ")
