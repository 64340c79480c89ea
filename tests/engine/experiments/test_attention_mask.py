"""Masks, and the ways to apply them that do not hold."""

from __future__ import annotations

import pytest
import torch

from engine.experiments._mask_alignment import both_alignments
from engine.experiments.attention_mask import EXPERIMENT
from engine.parameter import Value
from engine.textbook.mask_fills import FILLS, KINDS
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def matrix(name: str, **given: Value) -> tuple[tuple[float, ...], ...]:
    return next(matrix.values for matrix in run(**given).matrices if matrix.name == name)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("queries", "keys"), [(5, 5), (3, 7), (7, 3), (1, 6), (8, 8)])
@pytest.mark.parametrize("fully_masked", ["no", "yes"])
def test_minus_infinity_never_leaks(kind: str, queries: int, keys: int, fully_masked: str) -> None:
    """With -inf no output moves that must not, whichever key changes, and no forbidden key gets any weight."""
    for changed in range(keys):
        found = quantities(kind=kind, queries=queries, keys=keys, changed=changed, fully_masked=fully_masked)

        assert 0.0 == found["leak"]
        assert 0.0 == found["masked_weight"]
        assert found["row_sum_min"] == pytest.approx(found["row_sum_max"], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("fill", ["-1e-9", "0", "after-softmax"])
def test_wrong_fills_leak(fill: str, seed: int) -> None:
    """-1e-9, 0 and masking after softmax let the changed token through."""
    assert quantities(fill=fill, seed=seed)["leak"] > 1e-3


def test_unmasked_leak() -> None:
    """Without a mask the same outputs move, and -1e-9 is no better than that."""
    found = quantities(fill="-1e-9")

    assert found["unmasked_leak"] > 0.1
    assert found["unmasked_leak"] == pytest.approx(found["leak"], abs=1e-8)


@pytest.mark.parametrize(
    ("fill", "row_sum", "is_nan"), [("-inf", 0, 1), ("-1e9", 1, 0), ("-1e4", 1, 0), ("-1e-9", 1, 0), ("after-softmax", 0, 0)]
)
def test_fully_masked_row(fill: str, row_sum: float, is_nan: float) -> None:
    """A row with nothing to attend to: NaN with -inf in the usual softmax, a full row of weights with any finite number."""
    found = quantities(fill=fill, fully_masked="yes")

    assert 1 == found["fully_masked_rows"]
    assert row_sum == pytest.approx(found["fully_masked_row_sum"], abs=1e-9)
    assert is_nan == found["fully_masked_nan"]


def test_fully_masked_row_is_uniform_or_unmasked() -> None:
    """-1e9 in place of every score makes the row uniform; -1e4 added to every score gives the row without a mask."""
    unmasked = matrix("weights", kind="none")[0]

    assert [0.2] * 5 == pytest.approx(matrix("weights_as_filled", fill="-1e9", fully_masked="yes")[0])
    assert list(unmasked) == pytest.approx(matrix("weights_as_filled", fill="-1e4", fully_masked="yes")[0], abs=1e-9)


def test_more_queries_than_keys_leaves_rows_empty() -> None:
    """Aligned to the last key, the first T - S queries of a causal mask have nothing to attend to."""
    found = quantities(queries=6, keys=4)

    assert 2 == found["fully_masked_rows"]
    assert 1 == found["fully_masked_nan"]


def test_masking_after_softmax_loses_weight() -> None:
    """Masked after softmax, row i keeps only the unmasked weights of its allowed keys."""
    unmasked = matrix("weights", kind="none")
    found = quantities(fill="after-softmax")

    assert min(sum(row[: i + 1]) for i, row in enumerate(unmasked)) == pytest.approx(found["row_sum_min"])
    assert 1.0 == pytest.approx(found["row_sum_max"])


@pytest.mark.parametrize(("kind", "pairs"), [("none", 36), ("causal", 21), ("padding", 24), ("window", 15), ("prefix", 22)])
def test_allowed_pairs(kind: str, pairs: int) -> None:
    """T², T(T+1)/2, T(S-2), 3T-3 and the causal ones with one more at T = S = 6."""
    assert pairs == quantities(kind=kind, queries=6, keys=6)["allowed_pairs"]


def test_mixed_up_polarity() -> None:
    """A causal mask with True and False exchanged sends weight to later keys only: the last but one query gives 1 to the last key."""
    assert 1.0 == quantities()["flipped_masked_weight"]
    assert 0.0 == quantities(kind="none")["flipped_masked_weight"]


def test_is_causal_returns_the_first_value_when_decoding() -> None:
    """With one query and six keys torch's is_causal=True returns the first value, where decoding needs all six keys."""
    found = quantities(queries=1, keys=6)

    assert (6, 1) == (found["last_query_sees"], found["last_query_sees_top_left"])
    assert 0.0 == pytest.approx(found["is_causal_first_value"], abs=1e-12)
    assert found["is_causal_error"] > 0.1


def test_is_causal_is_right_on_a_square() -> None:
    """With as many queries as keys both alignments are the same."""
    assert 0.0 == pytest.approx(quantities()["is_causal_error"], abs=1e-12)


def test_only_allowed_outputs_move() -> None:
    """When the last key changes under a causal mask, the last output moves and the others stay at exactly 0."""
    change = matrix("output_change")

    assert [0.0] * 16 == [cell for row in change[:4] for cell in row]
    assert max(map(abs, change[4])) > 0.01


def test_a_key_that_does_not_exist_is_said() -> None:
    """A changed token beyond the last key means the last one, and a note says so."""
    assert ["There is no k8; k5 changes."] == [note.en for note in run(changed=7).notes]
    assert run(changed=7).quantities == run(changed=4).quantities


@pytest.mark.parametrize("fill", FILLS)
def test_the_right_weights_do_not_depend_on_the_fill(fill: str) -> None:
    """The matrix beside the chosen fill is always the right one."""
    assert matrix("weights", fill=fill) == matrix("weights_as_filled", fill="-inf")


def test_averages_are_of_many_draws() -> None:
    """An average over 400 draws is nearly the same with every seed, where one draw is anything."""
    given = {"kind": "padding", "fill": "-1e-9", "queries": 4, "keys": 6, "changed": 5}
    single, means = ([quantities(**given, seed=seed)[name] for seed in range(6)] for name in ("masked_weight", "mean_masked_weight"))

    assert max(means) < 1.1 * min(means)
    assert max(single) > 1.5 * min(single)
    assert 0.39 == pytest.approx(means[0], abs=0.02)


def test_who_gives_nan_in_an_empty_row() -> None:
    """torch's function gives 0 there; nn.MultiheadAttention as it comes gives NaN, and without weights it does not."""
    found = quantities(fully_masked="yes")

    assert (0, 1, 0) == (found["sdpa_nan"], found["multihead_nan"], found["multihead_without_weights_nan"])
    assert 0 == quantities()["multihead_nan"]


def test_how_a_nan_spreads() -> None:
    """Two of five outputs are NaN; one layer on all are. With those rows left out of the loss W_Q's gradient is sound, W_V's is not."""
    found = quantities(fully_masked="yes")

    assert (0.4, 1.0) == (found["rows_nan"], found["next_layer_rows_nan"])
    assert (0.0, 1.0) == (found["query_gradient_nan"], found["value_gradient_nan"])


@pytest.mark.parametrize(("queries", "keys"), [(1, 6), (3, 7), (7, 8)])
def test_both_alignments_are_shown_with_a_cache(queries: int, keys: int) -> None:
    """From the top left the last query sees as many keys as there are queries, to the bottom right all of them; each is a whole row."""
    *_, from_the_left = matrix("weights_is_causal", queries=queries, keys=keys)
    *_, to_the_right = matrix("weights_decoding", queries=queries, keys=keys)

    assert [True] * queries + [False] * (keys - queries) == [weight > 0 for weight in from_the_left]
    assert all(weight > 0 for weight in to_the_right)
    assert [pytest.approx(1.0)] * 2 == [sum(from_the_left), sum(to_the_right)]


@pytest.mark.parametrize("given", [{"kind": "causal", "queries": 5, "keys": 5}, {"kind": "padding", "queries": 1, "keys": 6}])
def test_where_both_are_the_same_neither_is_shown(given: dict[str, Value]) -> None:
    """With as many queries as keys, and with another mask, there are no two alignments to tell apart."""
    assert set() == {"weights_is_causal", "weights_decoding"} & {matrix.name for matrix in run(**given).matrices}


def test_the_alignment_is_torchs() -> None:
    """What is drawn as is_causal=True is what torch computes with it."""
    generator = torch.Generator().manual_seed(0)
    Q, K, V = (torch.randn(length, 4, generator=generator, dtype=torch.float64) for length in (3, 7, 7))
    weights = both_alignments(Q, K, V)["weights_is_causal"]
    torchs = torch.nn.functional.scaled_dot_product_attention(Q[None], K[None], V[None], is_causal=True)[0]

    assert torch.allclose(torchs, weights @ V)
