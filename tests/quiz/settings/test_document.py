"""settings.toml as a text: what is read, what is told, and that a change leaves all the rest as it was."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quiz.settings.document import Fault, Unreadable, change, read

OURS = """\
# mine
language = "zh"   # 中文
new = 5
mine = [1,
  2]

[keys]
# the lab on x
"home.lab" = 'x'

[other]
new = 7
"""

LINES = ["# note\n", "\n", "foo = 1\n", "new = 5 # n\n", 'theme = "dark"\n', "[keys]\n", "[more]\n", '"home.lab" = "x"\n']


def test_what_is_right_is_taken_and_what_is_not_is_told() -> None:
    """Each thing that does not count has its line; the others count."""
    found, faults = read('theme = "pink"\nnew = 3\nexam = 2027-01-01\nfoo = 1\n[keys]\nhome.lab = "x"\n"home.stats" = 4\n')

    assert {"new": 3, "keys": {"home.lab": "x"}} == found
    assert [
        Fault("value", 1, "theme", "pink"),
        Fault("exam", 3),
        Fault("unknown", 4, "foo"),
        Fault("value", 7, "home.stats", "4"),
    ] == faults


@pytest.mark.parametrize(("text", "line"), [("new = 3\nfoo = [\n1", 3), ("a = 1\na = 2\n", 2), ("new\n", 1), ("[" * 3000, 1)])
def test_no_toml_is_told_with_its_line(text: str, line: int) -> None:
    """Nothing of such a file counts, and nothing raises."""
    found, (fault,) = read(text)

    assert ({}, "toml", line) == (found, fault.kind, fault.line)


def test_a_value_is_changed_in_its_line() -> None:
    """Comments, order, other tables and unknown keys stay, to the letter."""
    assert OURS.replace('"zh"   # 中文', '"en"   # 中文') == change(OURS, "language", "en")
    assert OURS.replace("'x'", '"y,z"') == change(OURS, "home.lab", "y,z", table="keys")
    assert OURS.replace("new = 5\n", "") == change(OURS, "new", None)


def test_a_new_key_stands_with_its_table() -> None:
    """Below the last line of its part; a table that is missing is begun."""
    assert OURS.replace("  2]\n", "  2]\nmotion = false\n") == change(OURS, "motion", False)
    assert 'new = 3\n\n[keys]\n"home.lab" = "x"\n' == change("new = 3", "home.lab", "x", table="keys")
    assert OURS.replace("'x'\n", '\'x\'\n"home.stats" = "z"\n') == change(OURS, "home.stats", "z", table="keys")


@pytest.mark.parametrize("text", ["foo = [", 'language = """\nzh"""\n', "keys = {}\n", "language = {}\n"])
def test_what_one_line_does_not_hold_is_left_alone(text: str) -> None:
    """A file that qkv cannot change without losing something is not changed."""
    with pytest.raises(Unreadable):
        change(text, "home.lab" if "keys" in text else "language", "x", table="keys" if "keys" in text else "")


@given(
    st.lists(
        st.sampled_from(["# note\n", "\n", "foo = 1\n", "new = 5 # n\n", 'theme = "dark"\n', "[keys]\n", "[more]\n", '"home.lab" = "x"\n'])
    ),
    st.sampled_from([("new", 7, ""), ("new", None, ""), ("home.lab", "ctrl+g", "keys"), ("home.lab", None, "keys")]),
)
def test_a_change_changes_nothing_else(lines: list[str], asked: tuple[str, str | int | None, str]) -> None:
    """Whatever stands in a file, it afterwards says the same but for the one key; or is refused."""
    name, value, table = asked
    try:
        changed = tomllib.loads(change("".join(lines), name, value, table=table))
    except Unreadable:
        return
    before = tomllib.loads("".join(lines))
    for tree in (before, changed):
        (tree.get(table, {}) if table else tree).pop(name, None)
        if table and not tree.get(table):
            tree.pop(table, None)

    assert before == changed
