"""Live numbers and how a number is written."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.text import placeholders
from content.text.numbers import significant
from content.text.placeholders import placeholder_problems, single_braces

SCOPE: dict[str, object] = {
    "raw_std": 22.627416997,
    "share": 0.5859,
    "count": 109482240,
    "tiny": 1.2345e-16,
    "almost": -0.04,
    "none": 0.0,
    "row": (1.0, 2.0),
    "mask": "causal",
    "nothing": math.nan,
    "flag": True,
    "huge": 10**400,
}


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (0.998, "0.998"),
        (22.627416997, "22.63"),
        (-22.627416997, "-22.63"),
        (12345.678, "12346"),
        (109482240, "109482240"),
        (0.00069877, "0.0006988"),
        (1.2345e-16, "1.2e-16"),
        (6.02214e23, "6.022e23"),
        (10**20, "1e20"),
        (0.99996, "1"),
        (999.99, "1000"),
        (math.nan, "NaN"),
        (-math.inf, "-∞"),
    ],
)
def test_a_number_has_at_most_four_significant_digits(number: float, written: str) -> None:
    """Four digits are enough for a reader; whole numbers keep theirs, tiny ones get an exponent."""
    assert written == significant(number)


@settings(deadline=None)
@given(st.floats(-1e300, 1e300))
def test_writing_a_number_keeps_its_size(number: float) -> None:
    """What is written reads back as the number, to the precision that is shown."""
    assert float(significant(number)) == pytest.approx(number, rel=0.051, abs=0)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("about {{raw_std}}", "about 22.63"),
        ("{{raw_std:.1f}} and {{ raw_std : .1f }}", "22.6 and …"),
        ("{{count:,}} {{raw_std:,}}", "109,482,240 22.63"),
        ("{{share:.0%}} {{share:.1e}} {{count:,.0f}}", "59% 5.9e-01 109,482,240"),
        ("{{tiny}} {{almost:.1f}} {{nothing:.1f}}", "1.2e-16 0.0 NaN"),
        ("{{none:.0e}} {{none:.1e}} {{none:.1f}} {{tiny:.0e}}", "0 0 0.0 1e-16"),
        (r"$\sqrt{{{raw_std:.0f}}}$", r"$\sqrt{23}$"),
        ("{{row}} {{mask}} {{flag}} {{unknown}}", "… … … …"),
        ("{{raw_std.real}} {{row[0]}} {{raw_std:>99}} {{raw_std!r}}", "… … {{raw_std:>99}} {{raw_std!r}}"),
    ],
)
def test_live_numbers_are_filled(text: str, filled: str) -> None:
    """A name with a format becomes its number; texts, vectors and what the scope does not give become …; nothing else is touched."""
    assert filled == placeholders.fill(text, SCOPE)


def test_a_number_too_large_for_a_format_is_written_as_such() -> None:
    """A number that no format can hold is written with its exponent."""
    assert "1e400" == placeholders.fill("{{huge:.1f}}", SCOPE)


def test_names_come_once_in_order() -> None:
    """The names that a text wants are listed once each, in the order of the text."""
    assert [("b", 0), ("a", 6)] == list(placeholders.placeholder_names("{{b}} {{a:.1f}} {{ b }} {{bad!name}}").items())


def test_a_malformed_live_number_is_a_problem_at_its_place() -> None:
    """Two braces that open no live number are reported where they stand."""
    assert [8, 21] == [remark.offset for remark in placeholders.placeholder_problems("{{good}}{{bad!name}} {{ {{good:.1f}}")]


def test_blanked_text_keeps_every_offset() -> None:
    """For checking what stands around live numbers, each is a 0 as long as it was."""
    text = r"$\sqrt{{{d_k}}} + {{x:.1f}}$ {{"

    assert r"$\sqrt{0      } + 0        $ {{" == placeholders.blank_placeholders(text)
    assert len(text) == len(placeholders.blank_placeholders(text))


@pytest.mark.parametrize("text", ["{{c1::softmax}}", "It is {{c2::the softmax::hint}}.", "{{ c1 :: x }}"])
def test_a_cloze_is_called_one(text: str) -> None:
    """Notes of Anki have gaps; a card has a question and an answer."""
    (remark,) = placeholder_problems(text)
    assert (text.index("{{"), "this is a cloze of Anki, and a card has none") == (remark.offset, remark.message)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("It is {raw_std}.", "{{raw_std}}"),
        ("It is { leak }", "{{leak}}"),
        ("It is {leak:.1f}", "{{leak:.1f}}"),
        ("It is {share:.0%}", "{{share:.0%}}"),
        ("It is ${leak}", "{{leak}}"),
        ("It is {leak}}", "{{leak}}"),
        ("{{leak}} and {top_weight}", "{{top_weight}}"),
    ],
)
def test_a_name_in_one_pair_of_braces_is_told(text: str, written: str) -> None:
    """A name of the run, or what is written like one, would be shown as typed."""
    (remark,) = single_braces(text, ["leak"])
    assert remark.hint.startswith(f"write {written}")


def test_a_name_that_is_not_known_is_suggested_only_where_it_is_one() -> None:
    """Of a name that the card does not use itself nobody knows yet whether the run gives it."""
    (remark,) = single_braces("It is {raw_std}.", ["leak"])

    assert "write {{raw_std}} if the run gives raw_std here; code stands between `" == remark.hint


@pytest.mark.parametrize(
    "text",
    [
        "{x}",
        "{a, b}",
        "{{leak}}",
        "{{leak:.1f}}",
        "`{leak}` and `f'{raw_std}'`",
        "$x_{leak} {leak}$",
        "```\n{leak}\n```",
        "E[x_{leak}]",
        "{}",
        "\\frac{leak}{leak}",
    ],
)
def test_other_braces_are_not_told(text: str) -> None:
    """Sets, code, formulas and live numbers have braces of their own."""
    assert [] == list(single_braces(text, ["leak"]))
