"""Listings in colours."""

from __future__ import annotations

import pytest

from quiz.card.code_style import code_lines
from quiz.card.typeset import text_of


@pytest.mark.parametrize(
    "listing",
    ["a = 1", "def f(x):\n    return x  # so\n\n\tb", 'text = """one\n  two"""\nnot python ((', "", "\n\n x\n", "错 = '误'"],
)
def test_no_character_is_lost(listing: str) -> None:
    """The lines say what the listing says, with every space, also where it is no Python."""
    assert listing.split("\n") == [text_of(line) for line in code_lines(listing)]


def test_what_has_a_colour() -> None:
    """Keywords, numbers, texts, names that are called into being, comments; a text over two lines is one on both."""
    found = {(span.text.strip(), span.style) for line in code_lines('def f():\n    return 1, """a\nb"""  # so') for span in line}

    assert {("def", "code-keyword"), ("f", "code-name"), ("1", "code-number"), ("b", "code-string"), ("# so", "code-comment")} <= found
