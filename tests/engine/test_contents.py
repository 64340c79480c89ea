"""The experiments' table of contents, and the names by which they are found."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import names
from engine.catalog import describe
from engine.contents import CONTENTS, grouped


def test_every_experiment_stands_in_one_group() -> None:
    """None is missing in the lab's list, and none stands there twice or is gone."""
    assert Counter(names()) == Counter(name for group in CONTENTS for name in group.experiments)


def test_what_no_group_has_comes_last() -> None:
    """Also experiments that nobody has put anywhere are listed."""
    found = grouped(["zebra", "softmax", "bpe"])
    assert [("attention", ("softmax",)), ("tokens", ("bpe",)), ("others", ("zebra",))] == [(one.name, one.experiments) for one in found]


@pytest.mark.parametrize("name", names())
def test_every_experiment_has_other_names_in_both_languages(name: str) -> None:
    """Three at least, each once, one of them Chinese and one not; no name that says nothing new."""
    one = describe(name)
    keywords = [keyword.casefold() for keyword in one.keywords]
    assert len(keywords) >= 3
    assert len(set(keywords)) == len(keywords)
    assert {True, False} == {any("\u4e00" <= letter <= "\u9fff" for letter in keyword) for keyword in keywords}
    assert [] == [keyword for keyword in keywords if keyword == one.title.en.casefold()]
