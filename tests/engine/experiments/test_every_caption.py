"""The sentence below a hero holds wherever the sliders are, as far as a run's own numbers can deny it."""

from __future__ import annotations

import pytest

from engine.catalog import load, names
from engine.conditions import comparisons, holds
from tests.engine.experiments.observed import observed

# What the sentence says, as comparisons of the run's numbers; those that speak of pictures or of what one should do are not here.
SAYS = {
    "attention_explanation": "output_difference < 1e-9",
    "attention_steps": "row_sum_error < 1e-9",
    "bert_encoder_layer": "torch_difference < 1e-9 and norm_inside_error > 0.01 and without_residual_error > 0.01 "
    "and pre_norm_error > 0.01 and without_output_projection_error > 0.01 and relu_error > 0.001",
    "bpe": "joins_back == 1",
    "convolution_reach": "convolution_field == convolution_formula and attention_field == 64",
    "cross_attention": "weight_rows == decoder_tokens and weight_columns == encoder_tokens",
    "dead_units": "relu_dead_gradient == 0",
    "distillation": "lynx_over_bus > 1",
    "flash_attention": "online_error < 1e-9",
    "gelu": "gelu_minimum < 0 and gelu_max_slope > 1",
    "kv_cache": "flops_ratio > 1",
    "linear_attention": "bracket_difference < 1e-9 and linear_rank <= width",
    "lora": "trained_parameters < full_parameters",
    "mixture_of_experts": "biased_largest_load >= even_load",
    "multi_head": "right_error < 1e-9",
    "order_blindness": "equivariance_error < 1e-9",
    "padding_side": "right_gathered_error < 1e-9 and left_error < 1e-9",
    "parallel_training": "honest_loss > 1.8 and unshifted_loss < 1",
    "positions_rotary": "shift_change < 1e-6",
    "quantization": "per_channel_error <= one_scale_error",
    "residual_gradient": "skip_gradient > 0.01",
    "sampling": "top_k_flat == top_k_peaked and nucleus_flat >= nucleus_peaked and min_p_flat >= min_p_peaked",
    "self_attention": "value_weight_change == 0 and query_outputs_moved == 1 and key_outputs_moved == tokens",
    "sentence_vectors": "centred_mean_cosine < 0.05 and centred_mean_cosine > -0.05",
    "sliding_window": "reach == reach_formula and one_layer_reach <= window",
    "softmax": "order_kept == 1 and smallest_weight > 0",
    "softmax_jacobian": "right_row_sum < 1e-9",
    "softmax_saturation": "raw_std >= scaled_std",
    "speculative_decoding": "residual_error < 1e-9",
    "two_relations": "one_head_loss > 0.4 and one_head_loss < 0.6",
}


@pytest.mark.parametrize("name", [name for name in names() if name in SAYS], scope="session")
def test_says_what_was_measured(name: str) -> None:
    """At the defaults, at the ends of every slider and anywhere."""
    condition = SAYS[name]
    everywhere = observed(name)

    assert [] == [left for left, _, _ in comparisons(condition) if left not in everywhere[0].everything]
    assert [] == [seen.given for seen in everywhere if not holds(condition, seen.everything)]


@pytest.mark.parametrize("name", names())
def test_is_one_sentence(name: str) -> None:
    """Two lines of 76 characters at most, ended by a full stop, in both languages."""
    hero = load(name).figures[0]
    if hero.caption:
        assert len(hero.caption.en) <= 2 * 76
        assert len(hero.caption.zh) <= 76
        assert hero.caption.en.endswith((".", "?"))
        assert hero.caption.zh.endswith(("。", "？"))
