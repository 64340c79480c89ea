"""Card text as blocks and spans: what is typed is shown."""

from __future__ import annotations

import re
import time
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.text import markup
from content.text import text_problems as page
from content.text.markup import Block, Fence, Listing, Math, Paragraph, Span, Table, filled, parse
from content.text.text_problems import text_problems


def plain(*texts: str) -> tuple[Span, ...]:
    return tuple(Span(text) for text in texts)


def spans(text: str) -> tuple[Span, ...]:
    (block,) = parse(text)
    assert isinstance(block, Paragraph)
    return block.spans


@pytest.mark.parametrize(
    "text",
    [
        "2*3*4",
        "f(x)*g(x)*h",
        "a ** b",
        "n * d * h",
        "x**2 + y**2",
        "[CLS] and [SEP]",
        "E[X]",
        "[MASK]",
        "W[i][j]",
        "x[/]y",
        "[/",
        "[@click=app.quit]x",
        "<s> </s> <b>no</b>",
        "&lt; &amp; &copy;",
        "d_k, __init__ and _x_",
        "list[int]",
        "http://example.org <http://example.org>",
        r"\frac{a}{b} \n \( \[",
        "$5 and $6",
        "between $5-$6",
        "****Q****",
        "costs $5, then $",
        "a $$x b",
        "# not a heading",
        "> not a quotation",
        "****",
        "`open",
        "**open",
        "~~struck~~",
        "[text](http://example.org)",
        "***",
        "---",
        "    indented",
    ],
)
def test_what_is_no_markup_is_shown_as_typed(text: str) -> None:
    """Formulas, tokens, brackets, tags, money and unsupported Markdown lose no character."""
    assert plain(text.strip()) == spans(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**注意**力", (Span("注意", "strong"), Span("力"))),
        ("**“注意”**力", (Span("“注意”", "strong"), Span("力"))),
        ("多头**（重要）**注意力", (Span("多头"), Span("（重要）", "strong"), Span("注意力"))),
        ("用*查询*乘`K`", (Span("用"), Span("查询", "emphasis"), Span("乘"), Span("K", "code"))),
        ("a *b* c", (Span("a "), Span("b", "emphasis"), Span(" c"))),
        ("***x***", (Span("x", "strong"),)),
        ("**a *b* c**", (Span("a b c", "strong"),)),
        ("**Q**·**K**", (Span("Q", "strong"), Span("·"), Span("K", "strong"))),
        ("is `2*3*4` code", (Span("is "), Span("2*3*4", "code"), Span(" code"))),
        ("is $a*b*c$ math", (Span("is "), Span("a*b*c", "math"), Span(" math"))),
        ("$d_k$ is 512", (Span("d_k", "math"), Span(" is 512"))),
        ("是2$x$和$y$", (Span("是2"), Span("x", "math"), Span("和"), Span("y", "math"))),
        (r"$a\$b$", (Span(r"a\$b", "math"),)),
        (r"$\sqrt{{{d_k}}}$", (Span(r"\sqrt{{{d_k}}}", "math"),)),
        (r"\*x\* \$5 \`y\`", plain("*x* $5 `y`")),
        ("one\ntwo  \nthree", plain("one two\nthree")),
        ("中文\n中文\nenglish", plain("中文中文 english")),
        ("误差：\n{{n}} 个，\nsoftmax", plain("误差：{{n}} 个，softmax")),
        ("见\n“a”（\nb\n）", plain("见“a”（b）")),
        ("**中**\n文", (Span("中", "strong"), Span("文"))),
        ("a “b”\n“c” d", plain("a “b” “c” d")),
        ("是：\n`x`\n中", (Span("是："), Span("x", "code"), Span(" 中"))),
    ],
)
def test_spans(text: str, expected: tuple[Span, ...]) -> None:
    """Emphasis needs no spaces beside Chinese, code and math are taken whole, lines join as their script wants."""
    assert expected == spans(text)


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("a\n\nb", (Paragraph(plain("a")), Paragraph(plain("b")))),
        ("- a\n- b", (Listing(((Paragraph(plain("a")),), (Paragraph(plain("b")),))),)),
        ("3. a\n4. b", (Listing(((Paragraph(plain("a")),), (Paragraph(plain("b")),)), 3),)),
        ("- a\n  - b", (Listing(((Paragraph(plain("a")), Listing(((Paragraph(plain("b")),),))),)),)),
        ("```python\nx = 1\n\n*y*\n```", (Fence("x = 1\n\n*y*", "python"),)),
        ("text\n\n$$\n\\frac{a}{b}\n$$", (Paragraph(plain("text")), Math("\\frac{a}{b}"))),
        ("$$x$$", (Math("x"),)),
        ("text\n$$\nx\n$$\nmore", (Paragraph(plain("text")), Math("x"), Paragraph(plain("more")))),
        ("text\n$$x$$", (Paragraph(plain("text")), Math("x"))),
        (
            "- a\n  $$\n  x\n  $$\n  b\n- c",
            (Listing(((Paragraph(plain("a")), Math("x"), Paragraph(plain("b"))), (Paragraph(plain("c")),))),),
        ),
        ("- a\n$$\nx\n$$", (Listing(((Paragraph(plain("a")),),)), Math("x"))),
        ("1. $$x$$\n2. b", (Listing(((Math("x"),), (Paragraph(plain("b")),)), 1),)),
        ("a $$x$$ b", (Paragraph((Span("a "), Span("x", "math"), Span(" b"))),)),
        ("$$x$$ and $$y$$", (Paragraph((Span("x", "math"), Span(" and "), Span("y", "math"))),)),
        ("**a $$x$$**", (Paragraph((Span("a ", "strong"), Span("x", "math"))),)),
        ("so: $$\nx\n$$ where", (Paragraph(plain("so:")), Math("x"), Paragraph(plain("where")))),
        ("$$\nx\n$$ where", (Math("x"), Paragraph(plain("where")))),
        ("|a|\n|-|\n|$$x$$|\n$$\ny\n$$", (Table((plain("a"),), (((Span("x", "math"),),),)), Math("y"))),
        ("it costs $$5 to $$10", (Paragraph(plain("it costs $$5 to $$10")),)),
        (
            "| a | b |\n|---|---|\n| 1 | $x$ |\n| [CLS] | |",
            (Table((plain("a"), plain("b")), ((plain("1"), (Span("x", "math"),)), (plain("[CLS]"), ()))),),
        ),
        ("", ()),
    ],
)
def test_blocks(text: str, blocks: tuple[Block, ...]) -> None:
    """Paragraphs, lists, fences, tables and formulas, in the order of the text."""
    assert blocks == parse(text)


def test_lists_are_two_levels_deep() -> None:
    """What is nested deeper stands at the second level, and the author is told."""
    text = "- a\n  - b\n    - c\n      - d"

    inner = Listing(((Paragraph(plain("b")),), (Paragraph(plain("c")),), (Paragraph(plain("d")),)))

    assert (Listing(((Paragraph(plain("a")), inner),)),) == parse(text)
    assert ["a list is nested deeper than 2 levels"] == [remark.message for remark in text_problems(text)]


def test_live_numbers_are_filled_everywhere() -> None:
    """A live number stands in text, code, tables, lists and math alike."""
    text = "{{x}} **{{x:.1f}}** `{{x}}` $\\sqrt{{{x}}}$\n\n- {{x}}\n\n| {{x}} |\n|---|\n| {{y}} |\n\n$$\n{{x}}\n$$\n\n```\n{{x}}\n```"

    expected = (
        Paragraph((Span("2.5 "), Span("2.5", "strong"), Span(" "), Span("2.5", "code"), Span(" "), Span("\\sqrt{2.5}", "math"))),
        Listing(((Paragraph(plain("2.5")),),)),
        Table((plain("2.5"),), ((plain("…"),),)),
        Math("2.5"),
        Fence("2.5"),
    )

    assert expected == filled(parse(text), {"x": 2.5})


HOSTILE = [
    *("*" * 10_000, "*a " * 600, "a* " * 600, "*a*" * 600, "**a " * 900, "[" * 10_000, "![" * 10_000, "`" * 10_000, "` " * 1_900),
    *(" ".join("`" * i for i in range(1, 60)), ">" * 1_000, "> " * 10_000, "> - " * 5_000, "- " * 10_000, "1. " * 6_000, "- x\n" * 399),
    *("$" * 10_000, "$a " * 1_900, "$" + "\\$" * 1_900, "\\" * 20_000, "{{" * 10_000, "|" * 20_000, "|a|b|\n|-|-|\n" * 199, "(" * 20_000),
    *(" " * 20_000, "\t" * 20_000, "\n" * 20_000, "```\n" * 399, "~~" * 10_000, "中" * 20_000, "**中** " * 490, "-|" * 9_000, "$$\n" * 399),
    *("a|" * 5_000 + "\n" + "-|" * 5_000, "\n".join(" " * (2 * i) + "- x" for i in range(12)) * 30, "* * * x\n" + "  * y\n" * 390),
    *("$" + "{" * 900 + "$", "*_" * 900, "# " * 9_000, "&" * 20_000, "<" * 20_000, "x\n\n" * 199),
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_text_is_read_in_a_moment(number: int) -> None:
    """No text within the limits takes long: the processor's time of the quickest of three, since a garbage collection may hit one."""
    times = []
    for _ in range(3):
        start = time.process_time()
        parse.__wrapped__(HOSTILE[number])
        times.append(time.process_time() - start)

    assert min(times) < 1


@settings(deadline=None)
@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from([*"*`$|-#>[]\\{}~_ \n1.注x", "- ", "  ", "**", "```", "$$", "|-|"]), max_size=60).map("".join)
)
def test_any_text_is_read(text: str) -> None:
    """Reading and remarking never raise, and every remark stands within the text."""
    parse(text)

    assert all(0 <= remark.offset <= len(text) for remark in text_problems(text))


@settings(deadline=None)
@given(st.text("ab 注意_[](){}<>/&%#@!?=+:;,.'\"", min_size=1, max_size=60).filter(lambda text: text.strip() and text[0] not in "#+ "))
def test_text_without_marks_is_kept(text: str) -> None:
    """Without * ` $ | and \\ nothing is markup, so nothing is lost."""
    assert plain(text.strip()) == spans(text)


@settings(deadline=None)
@given(st.text("ab 1注意_-+>=[](){}/%#@!?:;,.'\"\u00a0\u3000\u2028\x0b\u0301", min_size=1, max_size=20))
def test_a_line_of_prose_is_what_the_parser_would_say(text: str) -> None:
    """A line without a mark is taken as it stands: the parser, asked all the same, says nothing else."""
    with patch.object(markup, "_PROSE", re.compile("(?!)")):
        parsed = parse.__wrapped__(text)

    assert parsed == parse.__wrapped__(text)


def test_blocks_are_cached() -> None:
    """The same text is read once: a moved slider fills numbers, it does not parse."""
    assert parse("a **b**") is parse("a **b**")


PIECES = [
    "words",
    "变量",
    "a-b",
    "d_k",
    "12",
    " ",
    "\n",
    "\n\n",
    "  ",
    "- ",
    "1. ",
    "===",
    "_",
    "+",
    "# ",
    "> ",
    "|",
    "*",
    "$",
    "![",
    "](./",
    "~~",
    "\\",
    "`",
    ":",
    "{{x}}",
]


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_a_text_that_is_not_parsed_has_nothing_to_say(text: str) -> None:
    """Texts without marks are passed over for speed: the parser would have found nothing in them."""
    said = text_problems(text)
    with patch.object(page, "_is_plain", return_value=False):
        assert text_problems(text) == said
