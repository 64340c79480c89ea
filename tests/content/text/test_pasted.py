"""What authors bring along from other programs is named, and what only looks like it is not."""

from __future__ import annotations

import time

import pytest

from content.text.text_problems import text_problems

LATEX = "it stands in no formula"
ITEM = "begins no item here: the lines are joined to one"


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a <b>bold</b> word", "<b>", "<b> is shown as typed: HTML is not part of card text"),
        ("one<br/>two", "<br/>", "<br/> is shown as typed: HTML is not part of card text"),
        ("<DIV class='x'>a</DIV>", "<DIV", "<DIV class='x'> is shown as typed: HTML is not part of card text"),
        ("x<sub>i</sub>", "<sub>", "<sub> is shown as typed: HTML is not part of card text"),
        ("see <a href='x'>this</a>", "<a ", "<a href='x'> is shown as typed: HTML is not part of card text"),
        ("<img src=\"paste-1.jpg\">", "<img", '<img src="paste-1.jpg"> is shown as typed: HTML is not part of card text'),
        ("<aside>\n💡 note", "<aside>", "<aside> is shown as typed: HTML is not part of card text"),
        ("a <!-- comment -->", "<!--", "<!-- is shown as typed: HTML is not part of card text"),
        ("| a |\n|---|\n| b<br>c |", "<br>", "<br> is shown as typed: HTML is not part of card text"),
        ("a &lt; b", "&lt;", "&lt; is shown as typed: it is an entity of HTML"),
        ("a&nbsp;b", "&nbsp;", "&nbsp; is shown as typed: it is an entity of HTML"),
        ("it&#39;s", "&#39;", "&#39; is shown as typed: it is an entity of HTML"),
        ("it&#x27;s", "&#x27;", "&#x27; is shown as typed: it is an entity of HTML"),
        (r"the \(d_k\) terms", r"\(", r"\( is shown as typed: a formula stands between dollars"),
        ("\\[\nx = y\n\\]", r"\[", r"\[ is shown as typed: a formula stands between dollars"),
        (r"the d\_k terms", r"\_", "the backslash before _ is shown as typed"),
        (r"a \[MASK\] token", r"\[", r"\[ is shown as typed: a formula stands between dollars"),
        (r"a \< b", r"\<", "the backslash before < is shown as typed"),
        (r"it is \frac{a}{b}", r"\frac", rf"\frac is shown as typed: {LATEX}"),
        (r"the \sigma of", r"\sigma", rf"\sigma is shown as typed: {LATEX}"),
        (r"\begin{pmatrix} 1 \end{pmatrix}", r"\begin", rf"\begin is shown as typed: {LATEX}"),
        (r"one\nTwo", r"\n", r"\n is shown as typed: it breaks no line here"),
        (r"one\n\n- two", r"\n", r"\n is shown as typed: it breaks no line here"),
        ("only $x and", "$x", "this $ opens no formula: none closes it"),
        ("$\\theta is", "$", "this $ opens no formula: none closes it"),
        ("it is $2^n", "$2", "this $ opens no formula: none closes it"),
        ("it is ${raw}", "${", "this $ opens no formula: none closes it"),
        ("the $ d_k $ terms", "$ d", "this $ opens no formula, because there is a space inside the dollars"),
        ("the $d_k $ terms", "$d", "this $ opens no formula, because there is a space inside the dollars"),
        ("the $ x$ term", "$ x", "this $ opens no formula, because there is a space inside the dollars"),
        ("about $d_k$4 of", "$d", "this $ opens no formula, because a digit follows the closing one"),
        ("$$\nx", "$$", "$$ is shown as typed here: it opens or closes no formula"),
        ("a\n\n$$\nx\n\ny\n$$", "$$", "$$ is shown as typed here: it opens or closes no formula"),
        ("[latex]x[/latex]", "[latex]", "[latex] is shown as typed: it is Anki's"),
        ("[$]x[/$]", "$]", "[$] and [/$] are Anki's"),
        ("[sound:a.mp3]", "[sound", "sounds are not part of card text"),
        ("an ==important== word", "==i", "== marks nothing here"),
        ("see [[Attention]]", "[[", "[[ makes no link here"),
        ("so[^1]", "[^", "footnotes are not part of card text"),
        ("an __important point__ is", "__i", "__ is shown as typed"),
        ("an _important point_ is", "_i", "_ is shown as typed"),
        ("[ ] to do", "[ ]", "tick boxes are not part of card text"),
        ("- [x] done", "[x]", "tick boxes are not part of card text"),
        ("see <https://example.org>", "<h", "links are not part of card text"),
        ("![[picture.png]]", "![[", "pictures are not part of card text"),
        ("| a | b |\n| 1 | 2 |", "| a", "this row belongs to no table"),
        ("• a\n• b", "• a", f"• {ITEM}"),
        ("so:\n1、甲\n2、乙", "1、", f"1、 {ITEM}"),
        ("（1）甲\n（2）乙", "（1", f"（1） {ITEM}"),
        ("①甲\n②乙", "①", f"① {ITEM}"),
        ("1\u20e3 a\n2\u20e3 b", "1", f"1\u20e3 {ITEM}"),
        ("1.甲\n2.乙", "1.", f"1. {ITEM}"),
        ("-甲\n-乙", "-甲", f"- {ITEM}"),
        ("— a\n  more\n— b", "— a", f"— {ITEM}"),
        ("```python\nx = 1", "```p", "this fence is never closed: all that follows is shown as code"),
        ("```\nx = 1\n``", "```\n", "this fence is never closed: all that follows is shown as code"),
        ("|a|b|\n|-|-|\n|1|2|\n|1|2|3|4|5|", "|1|2|3", "this row has 5 cells and the head of the table 2: the others would be lost"),
        ("|p|q|\n|-|-|\n| P(A|B) | x |", "| P", "this row has 3 cells and the head of the table 2: the others would be lost"),
    ],
)  # fmt: skip
def test_what_would_be_shown_as_typed_is_told(text: str, place: str, message: str) -> None:
    """At its place, with what to write instead."""
    remark = text_problems(text)[0]
    assert message == remark.message
    assert text[remark.offset :].startswith(place)
    assert remark.hint


@pytest.mark.parametrize(
    "text",
    [
        "<s> and </s>, <pad>, <unk>, <mask>, <bos>, <|endoftext|>, <extra_id_0>",
        "a < b > c, a<b>c, List<int>, <i, j>, <q, k>",
        "AT&T; R&D; x & y; &foo;",
        "$5 and $6, US$, A$AP, between $5-$6, $5/$10, $1.5M",
        "set $HOME and $CUDA_VISIBLE_DEVICES",
        r"C:\new\files",
        "a == b and c == d, a==b==c",
        "[[1, 2], [3, 4]] and W[i][j]",
        "__init__, d_k, _x_, snake_case, x_1 and y_2",
        "p(x|y) and |x|",
        "— as one says",
        "-0.5\n-0.3\n1.5\n2.5",
        "- a\n- b\n\n1. c\n2. d",
        "|a|b|\n|-|-|\n|1|\n|`x\\|y`|2|",
        "```\n<b> &lt; $x \\frac\n```",
        "`<b>`, `&lt;`, `$x`, `\\frac`, `__a b__`",
        "$a <b> c$ and $x_{raw}$",
        "E[x_t | x_{<t}] and {a, b}",
        "~~~\nx\n~~~",
        "> 0.5"[2:],
    ],
)
def test_what_only_looks_like_it_is_not_told(text: str) -> None:
    """Tokens of models, comparisons, money, paths, code and formulas are what they are."""
    assert () == text_problems(text)


@pytest.mark.parametrize(
    "text",
    [
        "\\[" * 9_000,
        "$ x_ " * 380,
        "<b " * 6_000,
        "_a " * 6_000,
        "== a" * 5_000,
        "- a\n•" * 390,
        "&a" * 9_000,
        "[[a" * 6_000,
        "__a b" * 4_000,
    ],
)
def test_much_of_it_is_looked_through_soon(text: str) -> None:
    """No pattern takes long with what resembles it twenty thousand times."""
    began = time.process_time()
    text_problems(text)
    assert time.process_time() - began < 2
