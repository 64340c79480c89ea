"""What a text may ask of a run."""

from __future__ import annotations

import pytest

from content.claims.scope import Scope
from content.text.placeholders import fill

RUN = Scope({"cache_gibibytes": 2.5, "n": 8, "row": (1.0, 2.0, 3.0), "weights": ((0.25, 0.75), (0.5, 0.5)), "long.flops": 6.4e7})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{{16 * cache_gibibytes:.1f}} GiB", "40.0 GiB"),
        ("{{n ** 2}} pairs, {{n**2 - 1:,}} others", "64 pairs, 63 others"),
        ("{{max(row)}}, {{sum(weights[:, 0]):.2f}}, {{row[1:3][0]}}", "3, 0.75, …"),
        ("{{row[-1] / row[0]:.0%}}", "300%"),
        ("{{long.flops:.1e}} and {{short.flops}}", "6.4e+07 and …"),
        ("{{row}} {{n > 2}} {{1 / (n - 8)}} {{n +}}", "… {{n > 2}} … …"),
        ("{{c1::n}}", "{{c1::n}}"),
    ],
)
def test_a_text_shows_what_an_expression_is_worth(text: str, shown: str) -> None:
    """A number that is computed from a run's names; … where there is none."""
    assert shown == fill(text, RUN)


def test_a_name_is_itself() -> None:
    assert 8 == RUN.get("n")
    assert RUN.get("m") is None
    assert 1.5 == RUN.get("m", 1.5)
