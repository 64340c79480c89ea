"""Characters that an encoding does not have, spelled."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from content.yaml.problems import width
from quiz.terminal.spelling import LOOKALIKE, SPELLED, can_draw, lookalike, spelled


@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("√d_k ≤ 5 → ✔", "ascii", "sqrt d_k <= 5 -> +"),
        ("√d_k ≤ 5 → ✔", "gbk", "√d_k ≤ 5 → +"),
        ("naïve × déjà", "ascii", "naive x deja"),
        ("因为 x²", "cp1252", "???? x²"),
        ("因为 x₁", "gbk", "因为 x1"),
    ],
)
def test_a_sentence_says_the_same(text: str, encoding: str, expected: str) -> None:
    """What an encoding has stays; the rest is spelled where ASCII can say it, and is as many question marks as cells where not."""
    assert expected == text.encode(encoding, SPELLED).decode(encoding)


@pytest.mark.parametrize(
    ("text", "expected"), [("┌─┐│└┘━", "+-+|++-"), ("⣿⠀•…", ". *."), ("≤≠√", "???"), ("注，", "??, "), ("e\u0301", "e")]
)
def test_a_cell_stays_a_cell(text: str, expected: str) -> None:
    """On the screens a character that is missing takes its own cells, and is nothing that says something else."""
    assert expected == text.encode("ascii", LOOKALIKE).decode()


@given(st.characters(exclude_categories=("Cs", "Cc")))
def test_every_character_keeps_its_width(character: str) -> None:
    """Whatever it is: ASCII that can be seen, in the cells that the character has."""
    shown = lookalike(character)

    assert width(character) == len(shown)
    assert shown.isascii()
    assert shown.isprintable()
    assert spelled(character).isascii()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030"])
def test_unicode_can_draw_figures(encoding: str) -> None:
    """Figures have all their glyphs in every encoding of Unicode."""
    assert can_draw(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "cp1252", "cp437", "shift_jis", "no-such-thing"])
def test_others_get_figures_of_ascii(encoding: str) -> None:
    """Where one glyph is missing, the figure is drawn with ASCII."""
    assert not can_draw(encoding)


def test_reading_is_not_spelled() -> None:
    """The handlers are for writing."""
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", SPELLED)


def test_spellings_have_no_marks() -> None:
    """A mark without its letter takes no cell, and nothing stands for it."""
    assert {""} == {lookalike(chr(code)) for code in range(0x300, 0x370) if unicodedata.category(chr(code)) == "Mn"}
