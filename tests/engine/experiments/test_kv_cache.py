"""The KV cache against the full forward pass, a Hugging Face decoder's cache, and torch's own operation counter."""

from __future__ import annotations

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from engine.experiments.kv_cache import EXPERIMENT, WIDTH
from engine.textbook.cached_decoding import decode, empty_cache, forward, generate
from engine.textbook.multi_head_variants import random_layer
from engine.textbook.serving_costs import SHAPES, cache_bytes
from tests.engine.runs import runs_of

run, quantities = runs_of(EXPERIMENT)


def tokens(count: int) -> torch.Tensor:
    return torch.randn(1, count, WIDTH, generator=torch.Generator().manual_seed(5), dtype=torch.float64)


@pytest.mark.parametrize("layers", [2, 4])
@pytest.mark.parametrize("heads", [1, 4])
@pytest.mark.parametrize(("prompt", "generated"), [(1, 6), (6, 1), (4, 3)])
def test_cached_equals_full(layers: int, heads: int, prompt: int, generated: int) -> None:
    """Stepwise with a cache, every token's output is that of the full causal pass."""
    assert quantities(layers=layers, heads=heads, prompt=prompt, generated=generated)["cached_error"] < 1e-13


def test_full_pass_is_torchs() -> None:
    """The full pass is torch's own layers: LayerNorm without weights, nn.MultiheadAttention with a causal mask, a residual."""
    layers = [random_layer(WIDTH, 2, seed) for seed in (1, 2)]
    x = expected = tokens(5)
    for layer in layers:
        theirs = torch.nn.MultiheadAttention(WIDTH, 2, bias=False, batch_first=True, dtype=torch.float64, device="meta").to_empty(
            device="cpu"
        )
        theirs.load_state_dict(
            {"in_proj_weight": torch.cat([w.weight for w in (layer.W_Q, layer.W_K, layer.W_V)]), "out_proj.weight": layer.W_O.weight}
        )
        normed = torch.nn.functional.layer_norm(expected, (WIDTH,))
        expected = expected + theirs(normed, normed, normed, attn_mask=torch.ones(5, 5, dtype=torch.bool).triu(1), need_weights=False)[0]

    assert torch.allclose(expected, forward(layers, x, empty_cache(layers))[0], atol=1e-12)
    assert torch.allclose(expected, decode(layers, x, empty_cache(layers)), atol=1e-12)


def test_a_missing_mask_needs_two_layers_to_show() -> None:
    """Without a mask in prefill the new tokens are right after one layer and wrong after two."""
    assert quantities(layers=1)["unmasked_prefill_error"] < 1e-13
    assert quantities(layers=2)["unmasked_prefill_error"] > 1e-3
    assert run(layers=1).notes


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("seed", [0, 7])
def test_wrong_ways_differ(layers: int, seed: int) -> None:
    """Without k and v of the new token, or with positions that restart, even one layer goes wrong."""
    found = quantities(layers=layers, seed=seed)

    assert found["query_only_error"] > 1e-2
    assert found["restarted_positions_error"] > 1e-2


def test_errors_are_where_they_belong() -> None:
    """The prompt itself is right in every way but the unmasked one, and there its last token reads the same in the first layer."""
    unmasked, query_only, restarted, cached = run().matrices[0].values

    assert min(unmasked[:3]) > 1e-3
    assert max(query_only[:4] + restarted[:4] + cached) < 1e-13
    assert min(query_only[4:] + restarted[4:]) > 1e-3


def test_prefix_can_be_shared() -> None:
    """A later change moves no earlier key; a change of the first token moves later keys from the second layer on."""
    found = quantities()

    assert 0.0 == found["earlier_keys_moved"] == found["later_keys_moved_first_layer"]
    assert found["later_keys_moved_last_layer"] > 1e-3


@pytest.mark.parametrize(("layers", "prompt", "generated"), [(2, 4, 3), (3, 1, 5)])
def test_operations_are_those_that_torch_counts(layers: int, prompt: int, generated: int) -> None:
    """The formulas give exactly the operations of the run's matrix products."""
    stack = [random_layer(WIDTH, 2, seed) for seed in range(layers)]
    for layer in stack:
        for linear in (layer.W_Q, layer.W_K, layer.W_V, layer.W_O):
            linear.register_parameter("bias", None)
    x = tokens(prompt + generated)
    with FlopCounterMode(display=False) as cached:
        generate(stack, x, prompt)
    with FlopCounterMode(display=False) as uncached:
        for length in range(prompt, prompt + generated + 1):
            forward(stack, x[:, :length], empty_cache(stack))

    found = quantities(layers=layers, prompt=prompt, generated=generated)

    assert cached.get_total_flops() == found["run_flops_cached"]
    assert uncached.get_total_flops() == found["run_flops_uncached"]


@pytest.mark.parametrize(
    ("model", "numbers", "mebibytes"),
    [("llama-7b", "fp16", 0.5), ("llama-2-70b", "fp16", 0.3125), ("llama-7b", "int8", 0.25), ("gpt-2", "fp32", 0.0703125)],
)
def test_memory_of_a_token(model: str, numbers: str, mebibytes: float) -> None:
    """LLaMA-7B keeps half a MiB a token in fp16, LLaMA-2-70B with 8 KV heads .3125."""
    assert mebibytes == quantities(model=model, numbers=numbers)["mebibytes_per_token"]


def test_memory_is_linear_in_the_context() -> None:
    """1 GiB at 2048 tokens, twice that at twice the tokens."""
    assert (1.0, 2.0) == (quantities(context=2048)["cache_gibibytes"], quantities(context=4096)["cache_gibibytes"])
    assert 2 * 3 * 12 * 12 * 64 * 2 == cache_bytes(3, 12, 12, 64, 2)


def test_memory_is_that_of_a_real_cache() -> None:
    """Hugging Face's cache of a small GPT-2 holds as many bytes as the formula says."""
    from transformers import GPT2Config, GPT2Model

    model = GPT2Model(GPT2Config(n_embd=32, n_layer=3, n_head=4, vocab_size=50, n_positions=16))
    cache = model(torch.arange(7)[None], use_cache=True).past_key_values
    held = sum(part.numel() * part.element_size() for layer in cache.layers for part in (layer.keys, layer.values))

    assert held == cache_bytes(7, layers=3, kv_heads=4, width=8, number_bytes=4)


@pytest.mark.parametrize("model", ["llama-7b", "gpt-2"])
@pytest.mark.parametrize("context", [128, 4096, 131072])
def test_ratio_of_work(model: str, context: int) -> None:
    """Without a cache every token is a step of its own length again: n times the work where weights cost most, n/2 where attention does."""
    shape = SHAPES[model]
    steps = [2 * shape.parameters + 4 * shape.layers * shape.d_model * length for length in range(1, context + 1)]
    ratio = quantities(model=model, context=context)["flops_ratio"]

    assert sum(steps) / steps[-1] == pytest.approx(ratio)
    assert context / 2 < ratio < context
    assert 0.99 < quantities(context=128)["flops_ratio"] / 128
    assert quantities(model="gpt-2", context=131072)["flops_ratio"] / 131072 < 0.53
