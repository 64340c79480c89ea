"""What YAML finds wrong, in words for people: the slip that was made, where it was made, and what to do."""

from __future__ import annotations

import pytest

from content.yaml.reader import read
from tests.content.yaml.reading import first, tree_of

SLIPS = [
    ("a: 1\nb:2\n", 2, 2, "a space is missing after the colon"),
    ("a:2\nb: 3\n", 1, 2, "a space is missing after the colon"),
    ("a:\n  - x\n  -y\n  - z\n", 3, 3, "a space is missing after the dash"),
    ("a: 1\nb：2\n", 2, 2, "a full-width colon stands after the key"),
    ("标题：x\nb: 2\n", 1, 3, "a full-width colon stands after the key"),
    ("a:\n  - b\n\u3000 - c\n", 3, 1, "the line starts with a space of another kind"),
    ("a:\u00a02\nb: 1\n", 1, 3, "a space of another kind stands after the colon"),
    ("a: [CLS] is first\n", 1, 4, "a text cannot start with ["),
    ("a: {en: x, zh: [CLS] 在前}\n", 1, 16, "a text cannot start with ["),
    ("a: {x} y\n", 1, 4, "a text cannot start with {"),
    ("a: *bold* x\n", 1, 4, "a text cannot start with *"),
    ("- **bold**\n", 1, 3, "a text cannot start with *"),
    ("a: @x\n", 1, 4, "a text cannot start with @"),
    ("a: `x`\n", 1, 4, "a text cannot start with `"),
    ("a: %x\n", 1, 4, "a text cannot start with %"),
    ("a: , x\n", 1, 4, "a text cannot start with ,"),
    ("a: > text\n", 1, 4, "text stands on the line of the | or >"),
    ("a: ? b\n", 1, 4, "a text cannot start with ? and a space"),
    ("a: - b\n", 1, 4, "a list cannot start on the line of its key"),
    ("a: 'x\nb: c\n", 1, 4, "the quote that opens here is never closed"),
    ('a: "x\nb: c\n', 1, 4, "the quote that opens here is never closed"),
    ("a: 'don't do'\n", 1, 8, "the text ends at this apostrophe"),
    ('a: "say "hi" x"\n', 1, 9, "the text ends at this quote"),
    ("a: b: c\n", 1, 5, "a colon and a space inside a text without quotes"),
    ("a: {b: c: d}\n", 1, 9, "a colon and a space inside a text without quotes"),
    ('a: "\\sum"\n', 1, 5, "this backslash is not an escape that YAML knows"),
    ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", 2, 1, "a merge conflict was left in the file"),
    ("a: [x, y\nb: c\n", 1, 4, "the list that opens with [ is not closed"),
    ("a: {x: y\nb: c\n", 1, 4, "the mapping that opens with { is not closed"),
    ("a: 1\n  b: 2\n", 2, 4, "a colon is not expected here"),
    ("a:\n  - b: 1\n   c: 2\n", 3, 4, "this does not line up with the list above"),
    ("  a: 1\nb: 2\n", 2, 1, "this line does not belong to what stands above"),
    ("a: b\n- c\n", 2, 1, "this item does not line up with a list above"),
    ("a: b\nc\n", 2, 1, "this line has no key"),
    ("a: [x, , y]\n", 1, 8, "a value is missing here"),
    ("%x\na: b\n", 1, 1, "a line cannot start with %"),
    ("{" * 100_000, 1, 1_001, "too many brackets are nested here"),
]
DASHES = "－—–−‐‑‒―﹣﹘⁃•●◦○▪▫■□‣∙·・►▶➤✓+*"
SLIPS += [
    case
    for dash in DASHES
    for case in (
        (f"cards:\n  {dash} id: a\n    question: b\n", 2, 3, f"{dash} begins no item of a list"),
        (f"cards:\n  - id: a\n  {dash} id: b\n", 3, 3, f"{dash} begins no item of a list"),
        (f"cards:\n  - id: a\n  {dash}id: b\n    question: c\n", 3, 3, f"{dash} begins no item of a list"),
        (f"tags:\n  - a\n  {dash} b\n", 3, 3, f"{dash} begins no item of a list"),
        (f"tags:\n  - a\n  {dash} b\n  - c\nid: d\n", 3, 3, f"{dash} begins no item of a list"),
    )
]
SLIPS += [
    ("```\na: b: c\n", 1, 1, "this is a fence of Markdown; the file itself is YAML"),
    ("Here it is:\n```yaml\na: b\n```\n", 2, 1, "this is a fence of Markdown; the file itself is YAML"),
    ("options:\n  - [x] a\n", 2, 5, "a tick box has no meaning in YAML"),
    ("a: b\nc:\n  • d\n  • e\n", 3, 3, "• begins no item: the lines are one text"),
    ("a: b\nc:\n  - d\n    • e\n", 4, 5, "• begins no item: the lines are one text"),
    ("a: {{x}} is large\n", 1, 4, "a text cannot start with {{"),
    ("a:\n  - {{x}}\n", 2, 5, "a text cannot start with {{"),
    (
        "cards:\n  - id: a\n    verify:\n      claims:\n        - says: b\ncheck: c\n        - says: d\n",
        6,
        1,
        "check stands in the first column, among the deck's keys",
    ),
    ("cards:\n  - id: a\n    verify:\n      experiment softmax\n      set: {a: 1}\n", 4, 17, "a colon is missing after the key"),
    ("set: {p:0.3}\n", 1, 7, "a space is missing after the colon"),
    ("set: {p：0.3}\n", 1, 7, "a full-width colon stands after the key"),
    ("title: {en: a，zh: b}\n", 1, 14, "a full-width comma stands between two values"),
    ('title: {en: "a"， zh: "b"}\n', 1, 16, "a full-width comma stands between two values"),
    ("set: ｛p: 1｝\n", 1, 6, "｛ is a full-width bracket"),
    ("a: “b: c”\n", 1, 4, "“ is no quotation mark to YAML"),
    ("a:\n  -\u00a0b: c\n   - d: e\n", 2, 4, "a space of another kind stands after the dash"),
    ("a:\n  - ? who knows\n", 2, 7, "a text cannot start with ? and a space"),
    ("||||||| base\na: b: c\n", 1, 1, "a merge conflict was left in the file"),
    ('a: "x\nb: "y"\n', 1, 4, "the quote that opens here is closed only in line 2"),
    ("a:\n  - 'x\n  - y\n  - {z: 'w'}\n", 2, 5, "the quote that opens here is closed only in line 4"),
    ('a: {b: "c}\nd: ["e"]\n', 1, 8, "the quote that opens here is closed only in line 2"),
    ('a: {b: "c" d: e}\n', 1, 10, "the text ends at this quote"),
    ("a: [b]]\n", 1, 7, "this ] closes nothing"),
    ("a: b\nc: [\n", 2, 4, "the list that opens with [ is not closed"),
    ("a: b\nc: {\n", 2, 4, "the mapping that opens with { is not closed"),
    ("a: [b,\n", 1, 4, "the list that opens with [ is not closed"),
    ("a: {b: c,\n", 1, 4, "the mapping that opens with { is not closed"),
    ("a: {b: c}}  # d: e\n", 1, 10, "this } closes nothing"),
    ("a: {b: c  # note: d\ne: f\n", 1, 4, "the mapping that opens with { is not closed"),
    ("a:\n   - b\n  - c\n", 3, 3, "this item does not line up with a list above"),
    ("a:\n  b: >-\n    c\n d\n", 4, 2, "this line has no key"),
]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a: #1 is first\n", "what begins with # is a comment; if it is the text, put it in quotes"),
        ("a: > half of them\n", "if the text itself begins with | or >, put it in quotes"),
        ('a: "Dropout" drops\n', "put the whole text in single quotes"),
        ("a: {x, y}\n", "a text with a comma in it, or one that begins with {, needs quotes here"),
        ("a: - x\n", "if this is a text, put it in quotes"),
        ("a:\n  b: c\n  d e\n  f: g\n", "with a colon after the key"),
    ],
)
def test_the_hint_is_the_one_that_helps(text: str, hint: str) -> None:
    """Where a text was meant, the hint says how to write it as one."""
    assert hint in first(text)[3]


@pytest.mark.parametrize(("text", "line", "column", "message"), SLIPS, ids=[repr(case[0][:20]) for case in SLIPS])
def test_what_people_really_do(text: str, line: int, column: int, message: str) -> None:
    """A slip of the keyboard is named in plain words, where it was made, with what to do."""
    *place, said, hint = first(text)
    assert [message, line, column] == [said, *place]
    assert hint


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("a: use # of heads\n", 8, "the text ends before this #: what follows is a comment"),
        ('a: "the \\nabla operator"\n', 9, "\\nabla in double quotes is a line break and the letters abla"),
        ("a:\n  - b\n    - c\n", 5, "this dash begins no item: it stands deeper than the list, in the text above"),
    ],
)
def test_what_is_lost_in_silence_is_a_warning(text: str, column: int, message: str) -> None:
    """A text that loses its end to a comment, a letter to an escape or a list its item is read, with a warning."""
    tree, (problem,) = read("a.yaml", text.encode())
    assert tree is not None
    assert ("warning", column, message) == (problem.severity, problem.column, problem.message)


@pytest.mark.parametrize(
    "text",
    ["a: b  # said on purpose\n", 'a: "two\\nlines"\n', "a: '\\nabla'\n", "a: x#y\n", "a: 'x # y'\n", "a: b - c\n", "a: b\n  c - d\n"],
)
def test_what_is_meant_is_no_warning(text: str) -> None:
    """Two spaces before a comment, a real line break, LaTeX in single quotes and a dash within a line are fine."""
    assert tree_of(text)
