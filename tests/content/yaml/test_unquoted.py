"""A value without quotes between braces that YAML ends too early: told once, at its comma, and the rest of the file as it was meant."""

from __future__ import annotations

import pytest

from content.yaml.reader import read
from content.yaml.tree import Node


def parsed(text: str) -> tuple[Node, list[tuple[int, int, str, str]]]:
    tree, problems = read("a.yaml", text.encode())
    return tree.root if tree else "", [(found.line, found.column, found.message, found.hint) for found in problems]


CUT = "the value of check ends at this comma: between braces it needs quotes"


@pytest.mark.parametrize(
    ("value", "ends"),
    [
        ("close(a, b)", ","),
        ("close(a, b, 0.1) and close(b, c)", ","),
        ("close(a[0], b)", ","),
        ("weights[:, 0] < 1", ","),
        ("sort(a, descending=true)[0] > 1", ","),
        ("max(f(a, b), g(c)[1], d) < 1", ","),
        ("a[0] < 1", "["),
        ("it is {{a}}", "{"),
        ("就像预期的那样, 会增大", ","),
        ("有 {{a}} 个时，会增大：两倍", "{"),
        ("共 1,000 个，都保留", ","),
        ("as expected, of course", ","),
        ("f({a: b[0]}, c)", ","),
        ("f(a, other: b[0])", ","),
    ],
)
@pytest.mark.parametrize("behind", ["", ", says: So it is.", ', "says": So it is.', ",\n    says: So it is."])
def test_a_value_is_cut_at_its_comma(value: str, ends: str, behind: str) -> None:
    """One problem, at the first comma or else at the bracket, with the quotes to write; the value is read as it was meant."""
    root, problems = parsed(f"first: 1\nclaims:\n  - {{check: {value}{behind}}}\nlast: 2\n")
    name = "comma" if ends == "," else ends

    assert [(3, 13 + value.index(ends), CUT.replace("comma", name), f'write check: "{value}"')] == problems
    assert {"first": "1", "claims": [{"check": value} | ({"says": "So it is."} if behind else {})], "last": "2"} == root


def test_each_value_of_a_file_is_told() -> None:
    """Those that stop libyaml and those that it reads as something else, in one run."""
    _, problems = parsed("- {a: f(x, y)}\n- {a: x[1], b: y[0]}\n- {a: [1, 2], b: 'x, y', c: 1}\n- {a: x[1, 2]}\n")

    assert [(1, 10), (2, 8), (2, 17), (4, 10)] == sorted((line, column) for line, column, *_ in problems)


@pytest.mark.parametrize(("value", "number"), [("1,5", "1.5"), ("-0,25", "-0.25"), ("12,000", "12000")])
def test_a_number_with_a_comma_needs_a_point(value: str, number: str) -> None:
    """Quotes would make it a text."""
    _, problems = parsed(f"set: {{rate: {value}, n: 2}}\n")

    assert [f"write rate: {number}"] == [hint for *_, hint in problems]


def test_a_value_over_two_lines() -> None:
    """A call that goes on in the next line is one value."""
    root, problems = parsed("- {check: close(a[0],\n     b), says: So.}\n")

    assert [(1, 21, CUT, 'write check: "close(a[0], b)"')] == problems
    assert [{"check": "close(a[0], b)", "says": "So."}] == root


@pytest.mark.parametrize(
    "written",
    [
        "{says: 'see {a: b, c}', check: x[0]}",
        '{says: "see, {a: b[0], c}", check: x[0]}',
        '{says: "a \\" {a: b[0]", check: x[0]}',
        "{says: 'it''s {a: b[0]', check: x[0]}",
    ],
)
def test_what_stands_in_quotes_is_left_alone(written: str) -> None:
    """Only the value without quotes is told; a text in quotes may look like anything."""
    root, problems = parsed(f"- {written}\n")
    assert isinstance(root, list)
    (node,) = root

    assert ["the value of check ends at this [: between braces it needs quotes"] == [message for _, _, message, _ in problems]
    assert isinstance(node, dict)
    assert "x[0]" == node["check"]
    assert "x" not in str(node["says"])


@pytest.mark.parametrize("text", ["a: [b, c]\n", "a: {b: [c, d], e: {f: g}}\n", "a: {b: c, d: e}\n", "a: f(b, c)[0]\n", "a: {b: f(c)}\n"])
def test_what_is_right_is_not_told(text: str) -> None:
    """Lists, mappings and values outside braces."""
    assert [] == parsed(text)[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: {b, c: d}\n", "b has no value"),
        ("a: {b: 'c', d, e: f}\n", "d has no value"),
        ("a: {b: [c], d, e: f}\n", "d has no value"),
        ("a: {b: c\n", "the mapping that opens with { is not closed"),
    ],
)
def test_what_is_another_slip_is_told_as_before(text: str, message: str) -> None:
    """A key without a value behind one that has quotes; brackets that nothing closes."""
    assert message in [said for _, _, said, _ in parsed(text)[1]]


@pytest.mark.parametrize(
    "piece", ["{a: x, ", "{a: f(x, ", "{a: b[0], ", ", y", "{a: x[", "{a: 'x' b, ", '{a: "', "[{a: x}, {b: y[", "{a: x: "]
)
def test_however_much_of_it_there_is(piece: str) -> None:
    """Half a megabyte of a slip ends in problems; each value is looked at once, and not to the end of the file."""
    for text in (piece * (2**19 // len(piece)), "k: {" + piece * (2**19 // len(piece)) + "}"):
        assert [] != parsed(text)[1]


def test_what_is_too_long_for_a_value_is_not_joined() -> None:
    """Somewhere a missing quote is more likely than a comma too many; and nothing is joined again and again."""
    assert any("is already given" in message for _, _, message, _ in parsed("k: {a: x" + ", y" * 1_000 + "}\n")[1])
