"""Nothing invisible gets into a deck or to the terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.yaml.clean import MOST_MARKS, blanked, clean, unclean


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\t", "a tab (U+0009)"),
        ("\x00", "a control character (U+0000)"),
        ("\x1b", "an escape character (U+001B)"),
        ("\r", "a control character (U+000D)"),
        ("\x7f", "a control character (U+007F)"),
        ("\x9b", "a control character (U+009B)"),
        ("\u00ad", "soft hyphen (U+00AD)"),
        ("\u200b", "zero width space (U+200B)"),
        ("\u200d", "zero width joiner (U+200D)"),
        ("\u202e", "right-to-left override (U+202E)"),
        ("\u2066", "left-to-right isolate (U+2066)"),
        ("\u2028", "line separator (U+2028)"),
        ("\ufe0f", "variation selector-16 (U+FE0F)"),
        ("\ufeff", "a zero-width mark (U+FEFF)"),
        ("\ud800", "half of a surrogate pair (U+D800)"),
        ("\ufffe", "a code that is no character (U+FFFE)"),
        ("\U0010ffff", "a code that is no character (U+10FFFF)"),
        ("\U000e0041", "tag latin capital letter a (U+E0041)"),
    ],
)
def test_every_invisible_character_has_a_name_and_a_place(character: str, name: str) -> None:
    """A character that cannot be seen is found at its offset and named."""
    assert [(2, name)] == unclean(f"ab{character}c")


@pytest.mark.parametrize("text", ["", "plain", "two\nlines", "注意力机制，√d_k：①", "Σ → ■ ⣀", "é e\u0301", "✔ 😀", "no\u00a0break"])
def test_what_can_be_seen_is_clean(text: str) -> None:
    """Letters, marks, symbols, spaces and line breaks are left alone."""
    assert [] == unclean(text)
    assert text == clean(text)


def test_clean_shows_what_it_takes_away() -> None:
    """An unclean character becomes its escape, and a tab a space."""
    assert r"\x1b]52;c\x07 \u200b \U000e0041" == clean("\x1b]52;c\x07\t\u200b \U000e0041")


@pytest.mark.parametrize("mark", ["\u0301", "\u0489", "\u20dd", "\u05b8", "\u0ec8", "\U0001d167"])
def test_a_letter_has_only_so_many_marks(mark: str) -> None:
    """Ten thousand marks on a letter are a few and a sign that more was there; a deck has them at most as any script has."""
    stack = mark * 10_000

    assert f"a{mark * MOST_MARKS}…b" == clean(f"a{stack}b")
    assert [(1 + MOST_MARKS, f"mark 9 on one letter (U+{ord(mark):04X})")] == unclean(f"a{stack}b")
    assert [] == unclean(f"a{mark * MOST_MARKS}b" * 3)


def test_a_line_of_a_box_is_no_stack_of_marks() -> None:
    """Long runs of what is neither letter nor space stay: lines, dots, Chinese punctuation."""
    text = "─" * 100 + "……" * 20 + "。" * 20

    assert text == clean(text)


@settings(deadline=None)
@given(st.text())
def test_clean_text_is_clean_and_holds_no_control(text: str) -> None:
    """Whatever comes in, what comes out has no control, format or surrogate character but the line break."""
    cleaned = clean(text)
    assert [] == unclean(cleaned)
    assert set() == {character for character in cleaned if unicodedata.category(character) in ("Cc", "Cs")} - {"\n"}


@settings(deadline=None)
@given(st.text(st.sampled_from("a\u0301\u0489─√\u200b\ufe0f")))
def test_clean_text_stays_as_it_is(text: str) -> None:
    """Cleaning twice is cleaning once, and so is cleaning in pieces that were clean."""
    assert clean(text) == clean(clean(text))
    assert [] == unclean(clean(text))


@settings(deadline=None)
@given(st.text() | st.text(st.sampled_from("a\u0301\u0489─\u200b")))
def test_blanked_keeps_every_offset(text: str) -> None:
    """Blanking replaces characters one by one."""
    assert len(text) == len(blanked(text))
    assert [] == unclean(blanked(text))
