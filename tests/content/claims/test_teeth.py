"""Claims that hold and still prove little."""

from __future__ import annotations

import pytest

from content.claims.mutation import killing_mutations
from content.claims.parser import parse
from content.claims.ranges import Range
from content.claims.teeth import always_the_same, by_definition, of_the_wrong_way, too_wide

RUN: dict[str, object] = {
    "d_k": 64,
    "context": 2048,
    "raw_std": 7.9,
    "scaled_std": 0.9875,
    "raw_entropy": 0.4,
    "scaled_entropy": 1.6,
    "max_weight": 0.7,
    "parameters": 0,
    "flops_ratio": 2048.0,
}
RANGES: dict[str, Range] = {"raw_entropy": (0, 2), "scaled_entropy": (0, 2), "max_weight": (0, 1), "parameters": (0, 10**12)}
RESULTS = RUN.keys() - {"d_k", "context"}
SETTINGS = [
    {
        **RUN,
        "d_k": d_k,
        "context": d_k * 2,
        "flops_ratio": d_k * 2.0,
        "raw_std": d_k**0.5 * 1.01,
        "scaled_std": 1.01,
        "raw_entropy": d_k / 100,
    }
    for d_k in (4, 16, 36, 100, 256, 1024)
]
DRAWN = {"raw_std", "scaled_std", "raw_entropy", "scaled_entropy"}
ARMS = ("raw_std", "scaled_std")


@pytest.mark.parametrize(
    ("text", "idle"),
    [
        ("raw_entropy >= 0", ["raw_entropy"]),
        ("max_weight <= 1", ["max_weight"]),
        ("close(raw_std, 8, 0.1) and scaled_entropy > -5", ["scaled_entropy"]),
        ("raw_entropy < scaled_entropy", []),
        ("max_weight > 0.5", []),
        ("parameters == 0", []),
    ],
)
def test_a_result_is_changed_within_what_it_can_be(text: str, idle: list[str]) -> None:
    """A sentence that is true of every share, entropy or count says nothing of this one."""
    deaths = killing_mutations(parse(text), RUN, RESULTS, RANGES)

    assert idle == [name for name, death in deaths.items() if death is None]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("scaled_std < 8", True),
        ("abs(scaled_std - 1) < 0.1", False),
        ("raw_std > 5 * scaled_std", False),
        ("raw_std > 5", False),
    ],
)
def test_what_holds_of_the_wrong_way_is_no_claim_about_the_right_one(text: str, refused: bool) -> None:
    """The other arm's value is put in its place, and the sentence must become false."""
    assert refused == bool(of_the_wrong_way(parse(text), RUN, ARMS))


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("close(raw_std, sqrt(d_k), 0.99)", True),
        ("close(raw_std, sqrt(d_k), 0.05)", False),
        ("not close(raw_std, scaled_std, 0.5)", False),
        ("not close(raw_std, scaled_std, 0.5) and close(raw_std, sqrt(d_k), 0.5)", True),
    ],
)
def test_a_tolerance_tells_a_value_from_twice_the_value(text: str, refused: bool) -> None:
    assert refused == bool(too_wide(parse(text)))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("not flops_ratio == context", ""),
        ("flops_ratio == context", "flops_ratio is context by definition: they are equal at 6 other settings, too"),
        (
            "close(scaled_std, raw_std / sqrt(d_k), 1e-9)",
            "scaled_std is raw_std / sqrt(d_k) by definition: they are equal at 6 other settings, too",
        ),
        ("context == flops_ratio", "flops_ratio is context by definition: they are equal at 6 other settings, too"),
        ("close(raw_std, sqrt(d_k), 0.05)", ""),
        ("raw_entropy == scaled_entropy / 4", ""),
        ("flops_ratio == 2048", ""),
    ],
)
def test_two_names_of_one_number_prove_nothing(text: str, sentence: str) -> None:
    """An equality of results that is exact at every setting says how a number is called, or computed."""
    assert sentence == by_definition(parse(text), SETTINGS, RESULTS, DRAWN)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("mha == 64 / kv_heads * gqa", False),
        ("close(gqa, mha * kv_heads / 64, 1e-9)", False),
        ("mha == 8 * gqa", False),
        ("gqa == 2 * 80 * kv_heads", False),
        ("mha == both / 2", True),
        ("mha == both * kv_heads / (2 * kv_heads)", True),
        ("mha == both / 2 + 0 * kv_heads", True),
    ],
)
def test_a_law_of_counts_is_a_claim(text: str, refused: bool) -> None:
    """A parameter in it could play another part; one that cancels out is none, and without any two names say one number."""
    settings = [{"kv_heads": n, "mha": 10240.0, "gqa": 160.0 * n, "both": 20480.0} for n in (1, 2, 4, 8, 16, 64)]

    assert refused == bool(by_definition(parse(text), settings, {"mha", "gqa", "both"}, ()))


CONSTANTS = [{"x": x, "one": 1 + x * 1e-16, "five": 5.0, "up": 3.0 * x, "low": 0.9 * x, "percent": 100.0 / x} for x in (1, 2, 3, 5, 8, 13)]


@pytest.mark.parametrize(
    ("text", "constant"),
    [
        ("close(one, 1, 1e-9)", "one"),
        ("close(one, 1, 1e-9) and up > 0", ""),
        ("close(one, 1, 1e-9) and five > 3", "one"),
        ("five > 4 and up > five", "five"),
        ("one < five", "one"),
        ("up > five", ""),
        ("low < five < up", ""),
        ("percent < 100 / five", ""),
        ("x < five", ""),
    ],
)
def test_a_constant_is_what_another_number_is_held_against(text: str, constant: str) -> None:
    """A part of a claim that names constants alone, and is true at every setting, cannot fail; rounding makes no constant a measurement."""
    found = always_the_same(parse(text), CONSTANTS, {"one", "five", "up", "low", "percent"}, ())

    assert constant == found.split(" ")[0]


def test_what_depends_on_nothing_proves_nothing() -> None:
    """A number that is the same at all settings is no measurement, unless the other way gives another."""
    assert "parameters is 0 whatever the parameters are: it depends on none of them" == always_the_same(
        parse("parameters == 0"), SETTINGS, RESULTS, ARMS
    )
    assert "" == always_the_same(parse("parameters == 0"), SETTINGS, RESULTS, {"parameters"})
    assert "" == always_the_same(parse("raw_std > 5"), SETTINGS, RESULTS, ARMS)


def test_a_table_of_a_formula_may_be_the_same_everywhere() -> None:
    """That it begins with sin 1 is a claim about the formula."""
    settings = [{"table": (0.84, 0.54)}] * 6

    assert "" == always_the_same(parse("table[0] > 0.8"), settings, {"table"}, ())
