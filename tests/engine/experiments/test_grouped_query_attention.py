"""Grouped-query attention against torch's own, its two ends, Hugging Face's cache, and a plain loop for MLA."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from engine.experiments.grouped_query_attention import EXPERIMENT
from engine.label import ParameterError
from engine.textbook.attention import causal_mask
from engine.textbook.grouped_attention import (
    absorbed_scores,
    grouped_attention,
    latent_scores,
    mean_pooled,
    repeat_groups,
    rotated_latent_scores,
    rotation_matrices,
)
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def drawn(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)), dtype=torch.float64)


@pytest.mark.parametrize(("heads", "groups"), [(6, 3), (4, 2), (8, 1), (4, 4)])
def test_is_torchs(heads: int, groups: int) -> None:
    """With more keys than queries and a mask the outputs are those of torch's own grouped attention."""
    query, key, value = drawn(heads, 3, 4), drawn(groups, 5, 4), drawn(groups, 5, 7)
    mask = causal_mask(3, 5)

    expected = functional.scaled_dot_product_attention(query[None], key[None], value[None], mask, enable_gqa=True)[0]

    assert torch.allclose(expected, grouped_attention(query, key, value, mask), atol=1e-12)


def test_is_the_librarys() -> None:
    """The order is that of Hugging Face's repeat_kv."""
    from transformers.models.llama.modeling_llama import repeat_kv

    shared = drawn(3, 2, 4)

    assert torch.equal(repeat_kv(shared[None], 2)[0], repeat_groups(shared, 6))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("heads", [4, 8])
def test_arms(heads: int, seed: int) -> None:
    """Groups 0, 0, 1, 1 are right; 0, 1, 0, 1 give other outputs although every shape fits."""
    found = quantities(heads=heads, seed=seed)

    assert found["grouped_error"] < 1e-14
    assert found["tiled_error"] > 0.1


@pytest.mark.parametrize("groups", [1, 4])
def test_ends_hide_the_mistake(groups: int) -> None:
    """At g = 1 and at g = h the tiled order is right too, and a note says so."""
    assert quantities(groups=groups)["tiled_error"] < 1e-14
    assert run(groups=groups).notes


def test_groups_that_cannot_share_evenly() -> None:
    """Three groups share six heads and not four."""
    assert quantities(heads=6, groups=3)["grouped_error"] < 1e-14
    with pytest.raises(ParameterError, match=r"^groups = 3 does not divide heads = 4; a divisor is 1, 2, 4\.$"):
        run(heads=4, groups=3)


def test_ends_are_multi_head_and_multi_query() -> None:
    """g = h is multi-head attention, g = 1 is multi-query attention."""
    found = quantities(heads=8)

    assert max(found["multi_head_difference"], found["multi_query_difference"]) < 1e-14


def test_who_reads_what() -> None:
    """The drawn groups are 1, 1, 2, 2 and 1, 2, 1, 2."""
    assert ((1.0, 1.0, 2.0, 2.0), (1.0, 2.0, 1.0, 2.0)) == matrix("group_of_head")


def test_who_shares() -> None:
    """As multi-head, grouped and multi-query attention: a head each, two to one, all to one."""
    assert ((1.0, 2.0, 3.0, 4.0), (1.0, 1.0, 2.0, 2.0), (1.0,) * 4) == matrix("sharing")


def matrix(name: str) -> tuple[tuple[float, ...], ...]:
    return next(each.values for each in run().matrices if each.name == name)


def test_memory() -> None:
    """The 70B shape caches 2.5 MiB a token as MHA, .3125 with 8 KV heads, .039 with one."""
    found = quantities()

    assert (2.5, 0.3125, 0.0390625) == (found["mha_mebibytes"], found["gqa_mebibytes"], found["mqa_mebibytes"])
    assert 8 == found["cache_ratio"]


def test_latent_memory() -> None:
    """MLA caches 34,560 numbers a token instead of 1,966,080: 1.76 %, as GQA with 2.25 groups would."""
    found = quantities()

    assert (34_560, 1_966_080, 2.25) == (found["mla_numbers"], found["mla_as_mha_numbers"], found["mla_equivalent_groups"])
    assert 1.76 == pytest.approx(found["mla_percent"], abs=0.005)


def test_mean_pooling_is_a_mean_of_neighbours() -> None:
    """Group j is the mean of its own heads 2j and 2j + 1, and pooling to g = h changes nothing."""
    each = drawn(4, 5, 3)

    assert torch.allclose((each[2] + each[3]) / 2, mean_pooled(each, 2)[1])
    assert quantities(heads=4, groups=4)["pooled_loss"] < 1e-14 < 0.1 < quantities(heads=4, groups=2)["pooled_loss"]


def test_absorbed() -> None:
    """Absorbing W_UK into the query gives the scores of rebuilt keys, head by head."""
    query, latent, W_UK = drawn(2, 3, 4), drawn(5, 6), drawn(2, 4, 6)
    expected = torch.stack(
        [torch.stack([torch.stack([q @ (up @ c) for c in latent]) for q in rows]) for rows, up in zip(query, W_UK, strict=True)]
    )

    assert torch.allclose(expected, latent_scores(query, latent, W_UK), atol=1e-12)
    assert torch.allclose(expected, absorbed_scores(query, latent, W_UK), atol=1e-12)


def test_rotation_cannot_be_absorbed() -> None:
    """With a rotation by the key's position the absorbed form is wrong; without one (all turns the identity) it is right."""
    query, latent, W_UK = drawn(2, 3, 4), drawn(5, 6), drawn(2, 4, 6)
    still = torch.eye(4, dtype=torch.float64).expand(5, 4, 4)
    expected = torch.stack([query[1] @ (rotation_matrices(5, 4)[s] @ (W_UK[1] @ latent[s])) for s in range(5)], dim=-1)

    assert torch.allclose(expected, rotated_latent_scores(query, latent, W_UK, rotation_matrices(5, 4))[1], atol=1e-12)
    assert torch.allclose(absorbed_scores(query, latent, W_UK), rotated_latent_scores(query, latent, W_UK, still), atol=1e-12)
    assert quantities()["absorbed_rotation_error"] > 0.1
