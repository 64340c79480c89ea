"""What a setting may be, and how it is typed."""

from __future__ import annotations

import pytest

from quiz.settings.options import OPTIONS, Value


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("language", "zh", "zh"),
        ("theme", " Light ", "light"),
        ("new", "5", 5),
        ("reviews", "none", None),
        ("retention", "92%", 0.92),
        ("retention", "0.85", 0.85),
        ("ascii", "on", True),
        ("motion", "no", False),
        ("new", "default", 20),
    ],
)
def test_what_is_typed_is_read(name: str, text: str, expected: Value) -> None:
    """Words for switches, percentages for shares, `default` and `none` for what it is without a choice."""
    assert expected == OPTIONS[name].read(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [("language", "fr"), ("theme", "pink"), ("new", "1.5"), ("new", "-1"), ("reviews", "0"), ("retention", "3"), ("ascii", "2")],
)
def test_nothing_else_is(name: str, text: str) -> None:
    """A value that a setting cannot have is refused."""
    with pytest.raises(ValueError, match=text):
        OPTIONS[name].read(text)


@pytest.mark.parametrize(("name", "value"), [("new", True), ("ascii", 1), ("retention", "0.9"), ("language", 3), ("new", 2.0)])
def test_the_file_has_types(name: str, value: object) -> None:
    """In TOML a switch is true or false, and a count has no point."""
    assert not OPTIONS[name].accepts(value)


@pytest.mark.parametrize("name", OPTIONS)
def test_what_is_printed_can_be_typed(name: str) -> None:
    """`qkv settings NAME` prints what `qkv settings NAME VALUE` takes."""
    option = OPTIONS[name]
    values = [option.default, option.after(option.default, 1), option.after(option.default, -1)]

    assert values == [option.read(option.spell(value)) for value in values]
