"""The short ways around the parser of card text say what the long way says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from content.text import markdown
from content.text import text_problems as page
from content.text.text_problems import text_problems

PIECES = [
    *(
        "a",
        "word ",
        "中文",
        "é",
        " ",
        "   ",
        "\n",
        "\n\n",
        "$",
        "$x$",
        "$d_k$",
        "$ x$",
        "$x $",
        "$x$5",
        "$$",
        "$$x$$",
        "$\\frac{a}{b}$",
    ),
    *(
        "$\\foo$",
        "$50%$",
        "$a`b$",
        "$a\\$b$",
        "${{x}}$",
        "{{x}}",
        "`",
        "`c`",
        "``",
        "`a$b`",
        "*",
        "**b**",
        "2*3*4",
        "~~",
        "|",
        "[a](http://x)",
    ),
    *("- ", "1. ", "# ", "> ", "```", "    ", "\\", "\\*", "%", "_", "="),
]


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    page._looked_for.cache_clear()
    yield
    page._looked_for.cache_clear()


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
@example("$d_k$$a\\$b$a")
@example("$é\n\n  \\$\\foo$")
@example("`%\n\n2*3*4\n\n$\\foo$`a")
@example("  $x$ and `c` \n")
@example("$\\foo$ " * 1100)
@example("a\n> b")
@example("a\n  - b\n\n1. c")
def test_the_short_way_says_the_same(text: str) -> None:
    """Words, formulas and code on one line, and plain paragraphs, are told without being parsed what they are told when they are."""
    short = text_problems(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(page, "_is_plain", lambda text: False)
        patched.setattr(page, "_on_one_line", lambda text: None)
        page._looked_for.cache_clear()
        long = text_problems(text)
    page._looked_for.cache_clear()

    assert long == short


def test_a_line_of_words_and_formulas_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most texts of a deck are of this kind: to parse them takes two hundred times as long."""
    monkeypatch.setattr(markdown, "markdown_tree", lambda text: pytest.fail("it was parsed"))

    assert () == text_problems("A sum of $d_k$ terms has variance `d_k`: {{raw_std:.1f}}.\n")
    assert ["\\foo cannot be shown"] == [remark.message for remark in text_problems("It is $\\foo$.")]
