"""Why a result does not matter to a claim, and a bound that would make it."""

from __future__ import annotations

import pytest

from content.claims.idle import MATTERS, why_idle
from content.claims.mutation import killing_mutations
from content.claims.parser import parse
from content.claims.ranges import EVERYTHING, Range

RUN: dict[str, object] = {"clipped": 0.5, "unclipped": 200.0, "share": 0.01, "hidden": 0.0, "n": 4}
TRIED = "no change of {name} makes the claim false; tried: ×0, ×-1, ×0.5, ×2, +1"


@pytest.mark.parametrize(
    ("text", "name", "hint"),
    [
        ("clipped < unclipped / 100", "clipped", "take a bound nearer than twice its value (0.5): clipped < unclipped / 270"),
        ("unclipped / 100 >= clipped", "clipped", "take a bound nearer than twice its value (0.5): clipped <= unclipped / 270"),
        ("clipped < 0.01 * unclipped", "clipped", "take a bound nearer than twice its value (0.5): clipped < 0.0037 * unclipped"),
        ("clipped < 10", "clipped", "take a bound nearer than twice its value (0.5): clipped < 0.75"),
        ("clipped < unclipped", "clipped", "take a bound nearer than twice its value (0.5): clipped < unclipped / 270"),
        ("clipped < unclipped - 100 < 400", "clipped", "take a bound nearer than twice its value (0.5): clipped < (unclipped - 100) / 130"),
        ("clipped > 0 - unclipped", "clipped", MATTERS),
    ],
)
def test_a_bound_that_is_too_far(text: str, name: str, hint: str) -> None:
    """What was tried is said, and how near a bound has to be for twice the value, or one more, to break it."""
    assert (TRIED.format(name=name), hint) == why_idle(parse(text), RUN, name)


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("clipped < unclipped / 100", EVERYTHING),
        ("clipped < 10", EVERYTHING),
        ("share < 0.8 * n", (0, 3.1)),
        ("clipped < unclipped", (0, 5)),
    ],
)
def test_the_bound_that_is_proposed_will_do(text: str, within: Range) -> None:
    """With it the claim holds, and a change breaks it."""
    name = text.split(" ")[0]
    assert killing_mutations(parse(text), RUN, [name], {name: within}) == {name: None}
    better = why_idle(parse(text), RUN, name, within)[1].split(": ")[1]

    assert None is not killing_mutations(parse(better), RUN, [name], {name: within})[name]


def test_a_result_that_can_have_no_other_value() -> None:
    """A range of one number is the reason."""
    assert ("hidden is 0 always: its range says so, and nothing can be claimed of it", "leave it out") == why_idle(
        parse("hidden == 0 and share < 1"), RUN, "hidden", (0, 0)
    )
