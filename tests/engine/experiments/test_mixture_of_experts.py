"""Routing against a dense sum over all experts, Hugging Face's Mixtral, and the share that chance gives."""

from __future__ import annotations

import pytest
import torch

from engine.experiments.mixture_of_experts import EXPERIMENT, parameters_of
from engine.textbook.expert_routing import balance_loss, dropped_tokens, expert_load, mixture, route
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(3), dtype=torch.float64)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_mixture_is_a_dense_sum(k: int) -> None:
    """The output is Σ weight · expert(x) over all experts, with weight 0 where a token was not sent."""
    x, logits, matrices = drawn(9, 4), drawn(9, 5) * 2, drawn(5, 4, 4)
    experts = [lambda each, W=W: torch.tanh(each @ W) for W in matrices]
    masked = logits.masked_fill(logits < logits.sort(descending=True).values[:, k - 1 : k], -torch.inf)

    expected = torch.einsum("ne,end->nd", masked.softmax(-1), torch.tanh(torch.einsum("nd,edf->enf", x, matrices)))

    assert torch.allclose(expected, mixture(x, logits, experts, k), atol=1e-12)


def test_routing_is_mixtrals() -> None:
    """Softmax over the chosen is what Mixtral does: softmax over all, top-k, renormalised."""
    logits = drawn(20, 8)
    top = logits.softmax(-1).topk(2, -1)

    indices, weights = route(logits, 2)

    assert torch.equal(top.indices, indices)
    assert torch.allclose(top.values / top.values.sum(-1, keepdim=True), weights)


def test_reference_loads() -> None:
    """Top-2 of 8: no load is further than .015 from 1/8 without a preference, about .30 for an expert preferred by 1."""
    biased, even = run().matrices[0].values

    assert all(abs(share - 1 / 8) < 0.015 for share in even)
    assert 0.30 == pytest.approx(biased[0], abs=0.02)
    assert biased[0] == quantities()["biased_largest_load"]
    assert 1.0 == pytest.approx(sum(biased))


def test_balance_loss_is_mixtrals() -> None:
    """The loss is Hugging Face's, which counts each of the k choices, over k; 1 when balanced."""
    from transformers.models.mixtral.modeling_mixtral import load_balancing_loss_func

    logits = drawn(64, 4)

    assert float(load_balancing_loss_func((logits,), 4, 2)) / 2 == pytest.approx(balance_loss(logits, 2))
    assert 1.0 == pytest.approx(quantities()["balanced_balance_loss"], abs=0.01)
    assert quantities()["biased_balance_loss"] > 1.1


def test_dropped() -> None:
    """Eight assignments to one of four experts, capacity twice the even share of two: four of eight are dropped."""
    logits = torch.zeros(8, 4)
    logits[:, 2] = 1.0

    assert [0, 0, 1, 0] == expert_load(logits, 1).tolist()
    assert 0.5 == dropped_tokens(logits, 1, 2.0)


def test_offsets_balance() -> None:
    """Correction by correction the largest load comes down to nearly even."""
    found = quantities()

    assert found["corrected_largest_load"] < 0.14 < 0.28 < found["biased_largest_load"]
    curve = next(series.y for series in run().series if series.name == "corrected_load_over_steps")
    assert found["biased_largest_load"] == curve[0] > curve[10] > curve[30]


def test_parameters_are_mixtrals() -> None:
    """Eight experts, two a token: 46,702,792,704 parameters as counted on the meta device, of which a token uses 12,879,925,248."""
    from transformers import MixtralConfig, MixtralForCausalLM

    config = MixtralConfig(num_key_value_heads=8, num_local_experts=8, num_experts_per_tok=2)
    with torch.device("meta"):
        model = MixtralForCausalLM(config)

    found = quantities()

    assert 46_702_792_704 == sum(each.numel() for each in model.parameters()) == found["total_parameters"]
    assert 12_879_925_248 == found["active_parameters"]
    assert parameters_of(4) < parameters_of(8)


def test_weights_of_the_chosen() -> None:
    """Over the chosen the weights sum to 1; over all, cut off, they do not."""
    found = quantities()

    assert 1.0 == pytest.approx(found["weight_sum"])
    assert found["weight_sum_over_all"] < 0.9


def test_all_experts_are_no_mixture() -> None:
    """With as many choices as experts every load is even, and a note says so."""
    found = quantities(experts=2, chosen=4)

    assert 0.5 == found["biased_largest_load"] == found["balanced_largest_load"]
    assert 2 == len(run(experts=2, chosen=4).notes)


def test_loads_as_bars() -> None:
    """A bar an expert: where each token goes to both of two, a half each; eight share what there is, and the preferred one has most."""
    halves = {matrix.name: matrix.values for matrix in run(experts=2, chosen=2).matrices}
    eight = {matrix.name: matrix.values[0] for matrix in run(experts=8, preference=2.0).matrices if matrix.name.endswith("_load")}

    assert ((0.5, 0.5),) == halves["biased_load"] == halves["balanced_load"]
    assert [1.0, 1.0] == [pytest.approx(sum(load)) for load in eight.values()]
    assert 0 == eight["biased_load"].index(max(eight["biased_load"]))
