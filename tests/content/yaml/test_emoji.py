"""What makes a sign an emoji is dropped; what hides something is refused."""

from __future__ import annotations

import pytest

from content.yaml.reader import read
from tests.content.yaml.reading import tree_of


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("⭐\ufe0f", "⭐"),
        ("⚠\ufe0f ✔\ufe0e", "⚠ ✔"),
        ("1\ufe0f\u20e3 *\ufe0f\u20e3", "1\u20e3 *\u20e3"),
        ("👩\u200d💻", "👩💻"),
        ("👩🏽\u200d🔬", "👩🏽🔬"),
        ("🏳\ufe0f\u200d🌈", "🏳🌈"),
        ("🤷\u200d♂\ufe0f", "🤷♂"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
        ("©\ufe0f ↔\ufe0f ™\ufe0f", "© ↔ ™"),
        ("葛\U000e0100", "葛"),
        ("🇨🇳 😀 ★", "🇨🇳 😀 ★"),
    ],
)
@pytest.mark.parametrize("style", ["a: x {}\n", 'a: "x {}"\n', "a: 'x {}'\n", "a: |-\n  x {}\n", "x {}: a\n"])
def test_what_belongs_to_an_emoji_is_dropped(typed: str, kept: str, style: str) -> None:
    """A sign with a selector, a joiner between two pictures: the visible characters stay, wherever text stands."""
    root = tree_of(style.replace("{}", typed)).root
    assert isinstance(root, dict)
    assert [f"x {kept}"] == [text for pair in root.items() for text in pair if text != "a"]


def test_an_escape_for_a_selector_is_dropped_too() -> None:
    """The code of an invisible character is the character."""
    assert {"a": "⭐"} == tree_of('a: "\\u2b50\\ufe0f"\n').root


@pytest.mark.parametrize(
    "hidden", ["a\u200db", "中\u200d文", "⭐\ufe0f\ufe0f", "\ufe0f", "x\u200b⭐", "\U000e0041", "🏴\U000e0041b", "⭐\u200d", "a \ufe0f"]
)
def test_what_hides_something_is_refused(hidden: str) -> None:
    """A joiner between letters, a second selector, tags without a flag."""
    problems = read("a.yaml", f"a: x{hidden}x\n".encode() if hidden != "\ufe0f" else "\ufe0fa: x\n".encode())[1]
    assert problems
    assert {"error"} == {problem.severity for problem in problems}
