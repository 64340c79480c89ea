"""The share of slow cases that `make test` tries."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.extent import SHARE, SLOW, a_share


def taken(cases: list[str]) -> list[str]:
    return [case for case, one in zip(cases, a_share(cases), strict=True) if one]


@pytest.mark.parametrize("count", range(1, 12))
@pytest.mark.parametrize("folder", SLOW)
def test_of_a_slow_test_every_seventh_case(folder: str, count: int) -> None:
    """At least one, and never two neighbours; whatever stands beside them in the list."""
    cases = [f"{folder}x.py::test_all[{n}]" for n in range(count)]
    places = [cases.index(case) for case in taken(cases)]

    assert max(1, count // SHARE) <= len(places) <= -(-count // SHARE)
    assert all(later - earlier == SHARE for earlier, later in pairwise(places))
    assert taken(cases) == [case for case in taken(["tests/a.py::test_b[1]", *cases, f"{folder}y.py::test_c"]) if case in cases]


def test_the_quick_ones_all() -> None:
    """Every case of a test that starts nothing, and every test without cases."""
    cases = [*(f"tests/content/test_a.py::test_b[{n}]" for n in range(5)), "tests/quiz/tui/test_app.py::test_c"]

    assert cases == taken(cases)


def test_of_two_languages_either() -> None:
    """It is not always the first case: of tests with two, some are tried with the second."""
    cases = [f"tests/quiz/tui/test_a.py::test_{n}[{language}]" for n in range(20) for language in ("en", "zh")]
    languages = [case.partition("[")[2] for case in taken(cases)]

    assert 20 == len(languages)
    assert {"en]", "zh]"} == set(languages)


def test_of_a_list_the_same() -> None:
    """Two tests that go through all experiments try the same share of them."""
    names = [f"experiment_{n}]" for n in range(40)]
    first, second = ([f"tests/engine/experiments/test_every_{what}.py::test[{name}" for name in names] for what in ("note", "label"))

    assert [case.partition("[")[2] for case in taken(first)] == [case.partition("[")[2] for case in taken(second)]
