"""What is said of a card's text, and that the short ways around its parser say what the long way says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from content.text import markdown
from content.text import text_problems as page
from content.text.markup import Paragraph, parse
from content.text.text_problems import formula_problems, text_problems

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


@pytest.mark.parametrize(
    ("text", "place", "severity"),
    [
        ("let 2*3*4", "*3*4", "warning"),
        ("some **open", "**open", "warning"),
        ("one\n\n# head", "# head", "warning"),
        ("> q", "> q", "warning"),
        ("a\n\n---", "---", "warning"),
        ("see ![a](b.png)", "![a](b.png)", "warning"),
        ("see [a](https://b.c)", "[a](https://b.c)", "warning"),
        ("a ~~b~~", "~~b~~", "warning"),
        ("a $$x b", "$$x b", "warning"),
        ("a $$\\foo$$ b", "\\foo$$ b", "error"),
        ("so $$\nx + \\foo\n$$ b", "\\foo\n$$ b", "error"),
        ("ok $x$\nand $\\foo$", "\\foo$", "error"),
        ("- item\n- next $\\foo$", "\\foo$", "error"),
        ("| a | b |\n|---|---|\n| 1 | $\\foo$ |", "\\foo$ |", "error"),
        ("x\n\n$$\n\\foo\n$$", "\\foo\n$$", "error"),
        ("$50%$", "%$", "error"),
        ("${{x:.0f}} + \\foo$", "\\foo$", "error"),
    ],
)
def test_a_problem_points_at_its_place(text: str, place: str, severity: str) -> None:
    """What is shown as typed is a warning, math that cannot be shown an error; the offset is where it stands."""
    (remark,) = text_problems(text)

    assert (place, severity) == (text[remark.offset :], remark.severity)
    assert remark.hint


@pytest.mark.parametrize(
    "text",
    [
        "A **strong** word, *one* more, `code` and $x^2$ for $5.",
        "n * d, E[X](n), W[i](j), [CLS]",
        "| x | > 5 |\n|---|---|\n| $a$ | `**` |",
        "`# not` and `2*3*4` and `$$` and $a*b*c$ and $\\sqrt{{{d_k}}}$",
        "```\n# comment\n> x\n2*3*4\n```",
        "- a\n  1. b",
        "- Scaled:\n  $$\n  \\frac{a}{b}\n  $$\nText\n$$\n\\frac{a}{b}\n$$\nthe $$x$$ ends: $$y$$.",
        "**注意**力是{{share:.0%}}的*核心*。",
        r"\# no heading and \*\*no strong\*\*",
    ],
)
def test_good_text_has_no_problem(text: str) -> None:
    """Text that is shown as meant raises no remark."""
    assert () == text_problems(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q\n\n" * 101, "101 blocks; the limit is 100"),
        ("- Q\n" * 101, "101 blocks; the limit is 100"),
        ("|a|b|c|\n|-|-|-|\n" + "|1|2|3|\n" * 66, "201 table cells; the limit is 200"),
        ("Q" * 20_001, "20,001 characters; the limit is 20,000"),
        ("Q\n" * 401, "401 lines; the limit is 400"),
        ("`*$" * 667, "2,001 marks such as * and $; the limit is 2,000"),
        ("|Q" * 300 + "\n" + "|-" * 300 + "\n" + "|\n" * 300, "a table is too large"),
        ("- " * 50 + "Q", "a list is nested too deeply"),
        ("\n".join("  " * i + "- Q" for i in range(30)), "a list is nested too deeply"),
    ],
)
def test_limits(text: str, message: str) -> None:
    """A text over the limits is an error, and none of its characters is lost on the way."""
    assert (message, "error") in [(remark.message, remark.severity) for remark in text_problems(text)]
    assert text.count("Q") == str(parse(text)).count("Q")


@pytest.mark.parametrize(("tex", "offset"), [("$x$", 0), ("$$x$$", 0), (" \\(x\\)", 1), ("\\[ x \\]", 0)])
def test_a_formula_by_itself_has_no_dollars(tex: str, offset: int) -> None:
    """`formula:` is LaTeX already; what would mark a formula in a text is refused for what it is."""
    (remark,) = formula_problems(tex)

    assert (offset, f"{tex.split('x')[0].strip()} has no place here: the whole text is a formula") == (remark.offset, remark.message)


def test_a_formula_by_itself_is_checked() -> None:
    """What cannot be drawn is told where it stands; what can is not."""
    assert () == formula_problems("\\frac{a}{b}")
    assert [(2, "\\foo cannot be shown")] == [(remark.offset, remark.message) for remark in formula_problems("a \\foo")]


@pytest.mark.parametrize("inner", ["2 ** n", "2**n", "a *b", "(a) ** 2 * b"])
def test_stars_of_a_live_number_are_its_own(inner: str) -> None:
    """Nothing is said of them, twice in a line or within stars that mark it; the stars around are looked at as ever."""
    live = f"{{{{{inner}}}}}"
    spans = [span for block in parse(f"It is {live}, **{live}** and *{live}*.") if isinstance(block, Paragraph) for span in block.spans]

    assert () == text_problems(f"It is {live}, **{live}** and {live}.")
    assert ["** is shown as typed here"] == [remark.message for remark in text_problems(f"It is {live} ** now.")]
    assert [("It is " + live + ", ", "plain"), (live, "strong"), (" and ", "plain"), (live, "emphasis"), (".", "plain")] == [
        (span.text, span.style) for span in spans
    ]
