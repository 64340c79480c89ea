"""Text set into lines: nothing is lost, nothing is wider than the page, Chinese is set as Chinese is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.text import markup
from quiz.card.typeset import CLOSING, OPENING, Span, cells, layout, text_of, wrap


def rows(text: str, width: int) -> list[str]:
    return [text_of(line).rstrip() for line in wrap((Span(text),), width)]


def page(text: str, width: int = 40) -> list[str]:
    return [text_of(line).rstrip() for line in layout(markup.parse(text), width)]


def test_words_are_kept_whole() -> None:
    """Lines break at spaces, and the space at the break is dropped."""
    assert ["Softmax turns any", "scores into weights."] == rows("Softmax turns any scores into weights.", 20)


def test_a_word_longer_than_the_line_is_cut() -> None:
    """Only what cannot fit on any line is cut."""
    assert ["a", "scaled_dot", "_product_a", "ttention b"] == rows("a scaled_dot_product_attention b", 10)


def test_chinese_breaks_between_characters() -> None:
    """A hundred characters without a space fill their lines."""
    assert [20] * 10 == [cells((Span(row),)) for row in rows("注" * 100, 20)]


def test_a_closing_mark_never_starts_a_line() -> None:
    """The character before a comma goes with it to the next line."""
    assert ["注意力机", "制，很好"] == rows("注意力机制，很好", 8)


def test_an_opening_mark_never_ends_a_line() -> None:
    """An opening bracket goes with what it opens."""
    assert ["注意力", "（机制）"] == rows("注意力（机制）", 8)


def test_a_closing_mark_after_another_style_stays_with_its_word() -> None:
    """A comma after emphasised text does not begin the next line."""
    lines = wrap((Span("注意力机制", "strong"), Span("，很好")), 10)

    assert ["注意力机", "制，很好"] == [text_of(line) for line in lines]


def test_english_inside_chinese_stays_whole() -> None:
    """A Latin word in a Chinese sentence is not cut where it fits on the next line."""
    assert ["注意力用", "softmax 归一"] == rows("注意力用 softmax 归一", 12)


def test_a_percent_sign_stays_with_its_number() -> None:
    """No line begins with the % of the number on the line before."""
    assert ["over", "99\u00a0%"] == page("over 99 %", 8)


def test_list_items_hang() -> None:
    """The second line of an item stands below its first word."""
    assert ["• one two three", "  four", "• five"] == page("- one two three four\n- five", 15)


def test_numbered_items_keep_their_start() -> None:
    """A list that starts at 3 goes on with 4."""
    assert ["3. a", "4. b"] == page("3. a\n4. b")


def test_a_table_is_aligned() -> None:
    """Columns stand below their headers, wide characters included."""
    text = "| 头数 | parameters |\n|---|---|\n| 1 | 2,362,368 |\n| 十二 | same |"

    assert ["头数  parameters", "────  ──────────", "1     2,362,368", "十二  same"] == page(text)


def test_code_keeps_its_shape() -> None:
    """A fence is never wrapped; what is too long ends with a mark."""
    assert ["  if a:", "      return b", "  c = 'ccccccccccccc›"] == page(
        "```\nif a:\n    return b\nc = 'ccccccccccccccccccccccc'\n```", 21
    )


def test_math_is_drawn() -> None:
    """Inline math is one line of Unicode; a display formula keeps its rows."""
    assert ["divide by √dₖ"] == [row.replace("d_k", "dₖ") for row in page(r"divide by $\sqrt{d_k}$")]
    assert len(page(r"$$\frac{a}{b}$$")) > 1


def test_math_that_cannot_be_drawn_is_shown_as_typed() -> None:
    """A formula with an unknown command does not hide the card."""
    assert [r"see \notacommand"] == page(r"see $\notacommand$")


TEXTS = st.text(alphabet=st.sampled_from("ab c，。（注意力）-xyz√ "), max_size=80)


@given(TEXTS, st.integers(min_value=2, max_value=30))
def test_no_line_is_wider_than_the_page(text: str, width: int) -> None:
    """Whatever the text, every line fits."""
    assert all(cells(line) <= width for line in wrap((Span(text),), width))


@given(TEXTS, st.integers(min_value=2, max_value=30))
def test_nothing_but_spaces_is_dropped(text: str, width: int) -> None:
    """All characters arrive, in their order."""
    assert text.replace(" ", "") == "".join(rows(text, width)).replace(" ", "")


@pytest.mark.parametrize("width", range(14, 40))
def test_marks_stand_where_they_may(width: int) -> None:
    """At every width that holds the longest word no line of Chinese begins with a closing mark or ends with an opening one."""
    text = "注意力（attention）的核心：动态地分配权重，再“加权求和”。权重越高，代表“越关注”。"
    lines = rows(text, width)

    assert [] == [line for line in lines if line[0] in CLOSING or line[-1] in OPENING]
