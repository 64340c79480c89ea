"""Did you mean ...: a hint where a word is near another, and silence where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.text.nearest import LONGEST, did_you_mean, nearest

ROOT = Path(__file__).parents[3]
WORDS = ("raw_std", "raw_mean", "scaled_std")


@pytest.mark.parametrize(
    ("word", "count", "expected"),
    [
        ("raw_sdt", 1, "did you mean raw_std?"),
        ("raw_sean", 3, "did you mean raw_mean or raw_std?"),
        ("temperature", 1, ""),
        ("", 1, ""),
    ],
)
def test_the_question(word: str, count: int, expected: str) -> None:
    """The nearest words first, joined by or; nothing where none is alike."""
    assert expected == did_you_mean(word, WORDS, count)


def test_a_text_was_meant_to_be_no_word() -> None:
    """Only the beginning of a long text is compared: a paragraph costs no more than a word."""
    assert [] == nearest("raw_std " * 20, WORDS)
    assert ["a" * LONGEST] == nearest("a" * 100_000, ["a" * LONGEST])


def test_likeness_decides() -> None:
    """A stricter likeness finds fewer words."""
    assert (["scaled_std"], []) == (nearest("std", ["scaled_std"], likeness=0.4), nearest("std", ["scaled_std"], likeness=0.8))


def test_it_stands_in_one_place() -> None:
    """Who else looks for a near word asks here; the engine, which does not know the content, has its own."""
    files = [file for package in ("content", "quiz") for file in (ROOT / package).rglob("*.py")]

    assert ["nearest.py"] == [file.name for file in files if "get_close_matches" in file.read_text(encoding="utf-8")]
