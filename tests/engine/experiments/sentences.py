"""What each note says, once more as a comparison of numbers; written without looking at the note's own condition.

A note of GENERAL says something of the field or of the figure, and no number of the run could deny it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from tests.engine.experiments.observed import Values

Meaning = Callable[[Values], bool]


def near(one: float, other: float, within: float = 1e-9) -> bool:
    return math.isclose(one, other, rel_tol=within, abs_tol=within)


GENERAL = {
    "attention_steps": {"causal"},
    "coreference": {"detour"},
    "attention_sink": {"missing"},
    "dropout": {"always_on"},
    "positions_learned": {"original_bert"},
    "recurrent_dilution": {"while_training"},
    "wordpiece": {"missing"},
}

MEANING: dict[str, dict[str, Meaning]] = {
    "additive_vs_dot": {
        "narrow": lambda v: v.curve_width == 64 < v.d_k,
        "small": lambda v: v.dot_std < v.additive_std and v.dot_saturated_percent == 0,
        "entries": lambda v: v.scaled_saturated_percent > v.additive_saturated_percent and v.sigma > 1,
    },
    "attention_explanation": {
        "determined": lambda v: near(v.weight_difference, 0),
        "no_distance": lambda v: near(v.weight_difference, 0),
        "no_order": lambda v: len({round(each, 12) for each in v.effects[0]}) == 1,
    },
    "attention_mask": {
        "no_such_key": lambda v: v.asked > v.keys >= v.key,
        "all_see_it": lambda v: v.leak == v.unmasked_leak == 0,
        "aligned": lambda v: v.last_query_sees >= 1 and v.mask[-1][-1],
        "empty_row": lambda v: v.fully_masked_rows > 0 and v.fully_masked_nan and v.fully_masked_row_sum == 0,
        "leaks": lambda v: v.leak > 0 and v.fill != "-inf",
    },
    "attention_sink": {
        "none_kept": lambda v: v.sink_error == v.window_error,
        "no_sink": lambda v: v.sink_weight < 2 * v.uniform_weight,
        "short": lambda v: v.sink_length < v.window_length and v.sink_error < v.window_error,
        "no_help": lambda v: v.sink_error >= v.window_error,
    },
    "beam_search": {
        "width_of_one": lambda v: near(v.greedy_probability, v.beam_probability) and v.greedy_found == v.beam_found,
        "lucky": lambda v: near(v.greedy_probability, v.best_probability),
    },
    "bert_architecture": {"unpublished": lambda v: "quoted_parameters" not in v},
    "bert_encoder_layer": {"nothing_hidden": lambda v: near(v.padding_leak, v.unmasked_padding_leak)},
    "bpe": {"nothing_left": lambda v: v.all_merges < v.merges and v.best_count_over_merges[1][-1] == 0},
    "convolution_reach": {"beyond": lambda v: v.dilated_field == v.tokens < v.dilated_formula},
    "coreference": {
        "uncut": lambda v: near(v.cut_probability, v.probability, 1e-6) and v.cut_resolved_percent == v.resolved_percent,
        "lucky": lambda v: v.cut_probability > 0.5 and v.edge == "referent",
        "harmless": lambda v: v.cut_resolved_percent >= v.resolved_percent,
    },
    "cross_attention": {"single": lambda v: v.weight_columns == 1 and near(v.reordered_change, 0) and near(v.keys_only_change, 0)},
    "cross_entropy": {
        "hard": lambda v: v.best_gap == 1e9,
        "surely_wrong": lambda v: v.right_class_probability < 0.01 and v.ce_gradient < -0.99 and abs(v.mse_gradient) < 0.05,
    },
    "dead_units": {
        "none_silent": lambda v: v.dead_percent == 0 and v.relu_dead_gradient == v.gelu_dead_gradient == 0,
        "gelu_falls": lambda v: v.gelu_fires_after == 0 and v.gelu_firing_over_steps[1][-1] <= v.gelu_firing_over_steps[1][0],
        "relu_learns": lambda v: v.relu_firing_over_steps[1][0] > 0,
        "too_slow": lambda v: v.leaky_fires_after == 0,
    },
    "distillation": {"nothing_to_restore": lambda v: v.scaled_gradient == v.plain_gradient},
    "dropout": {
        "early": lambda v: near(v.start_left, (1 - v.momentum) ** v.steps) and v.start_left > 0.1,
        "nothing_dropped": lambda v: (
            v.dropped_percent == 0 and near(v.shrunk_test_mean, v.test_mean) and near(v.training_mean, v.test_mean)
        ),
    },
    "feed_forward": {
        "not_learned": lambda v: max(abs(row[0] - row[2]) for row in v.xor_answers) > 0.14 and v.linear_xor_error > 0.2,
    },
    "flash_attention": {
        "single": lambda v: v.blocks == 1 and v.rescalings == 0 and near(v.no_rescaling_error, 0),
        "still": lambda v: v.blocks > 1 and v.rescalings == 0 and near(v.no_rescaling_error, 0),
    },
    "gelu": {"at_zero": lambda v: v.misplaced_at_x == v.gelu_at_x == v.relu_at_x == v.silu_at_x == 0},
    "gradient_clipping": {
        "not_clipped": lambda v: near(v.norm_length, v.gradient_norm) and near(v.value_length, v.gradient_norm),
        "value_idle": lambda v: near(v.value_cosine, 1) and near(v.value_length, v.gradient_norm) and v.norm_length < v.gradient_norm,
        "mild": lambda v: v.spike_clipped >= v.spike_unclipped,
    },
    "grouped_query_attention": {
        "clamped": lambda v: v.g == v.heads < v.groups,
        "accident": lambda v: near(v.tiled_error, 0) and v.g in (1, v.heads),
    },
    "initialization": {
        "doubled": lambda v: v.kaiming_std > v.xavier_std and v.kaiming_arm == "wrong" and v.xavier_arm == "right",
        "pressed": lambda v: v.xavier_std < 1 and v.xavier_std <= v.kaiming_std < 1 and v.kaiming_arm != "right",
    },
    "kl_divergence": {
        "coincide": lambda v: near(v.covering_forward, 0) and near(v.seeking_backward, 0),
        "same": lambda v: v.covering_backward == v.seeking_backward and v.covering_forward == v.seeking_forward,
        "undecided": lambda v: v.seeking_spread > 1.3 * v.spread,
    },
    "kv_cache": {
        "one_layer": lambda v: near(v.unmasked_prefill_error, 0),
        "one_token": lambda v: near(v.unmasked_prefill_error, 0),
    },
    "layer_norm": {
        "a_row": lambda v: v.line in "a1 a2 a3 b1 b2 b3" and len(v.line_names) == 6 and near(v.layer_norm_line_mean, 0),
        "a_column": lambda v: v.line in "d1 d2 d3 d4" and len(v.line_names) == 8 and near(v.batch_norm_line_mean, 0),
        "epsilon_counts": lambda v: v.layer_norm_first < 0.996 * math.sqrt(v.width - 1),
        "scale_counts": lambda v: v.layer_norm_scale_change > 0.001,
    },
    "linear_attention": {
        "equal": lambda v: near(v.softmax_difference, 0),
        "few": lambda v: v.quadratic_multiply_adds < v.linear_multiply_adds and v.tokens < v.width,
        "cut": lambda v: len(v.linear_weights) == v.shown < v.tokens,
    },
    "lora": {
        "out_of_reach": lambda v: v.share_in_reach < 100 and v.update_rank <= v.rank < v.needed_rank,
        "full_rank": lambda v: near(v.share_in_reach, 100, 1e-6) and v.rank == v.toy_width == len(v.update),
    },
    "masking_rule": {
        "no_gain": lambda v: v.span_input >= v.mlm_positions,
        "all_masked": lambda v: v.visible_asked == 0 and v.kept_percent == v.random_percent == 0,
        "none_masked": lambda v: v.masked_percent < 0.02 and 0.4 * v.asked_percent < v.kept_percent < 0.6 * v.asked_percent,
    },
    "mixture_of_experts": {
        "clamped": lambda v: v.k == v.experts < v.chosen,
        "every": lambda v: near(v.biased_largest_load, v.even_load, 1e-6) and near(v.balanced_largest_load, v.even_load, 1e-6),
        "too_small": lambda v: v.biased_largest_load <= v.balanced_largest_load and v.preference < 0.5,
        "no_preference": lambda v: v.biased_largest_load == v.balanced_largest_load,
    },
    "multi_head": {
        "clamped": lambda v: v.heads < v.silenced,
        "accident": lambda v: near(v.wrong_split_error, 0),
    },
    "order_blindness": {
        "no_positions": lambda v: near(v.positions_error, v.equivariance_error) and near(v.positions_pooled_change, v.pooled_change)
    },
    "padding_side": {
        "no_padding": lambda v: all(
            near(v[f"{way}_error"], 0) for way in ("right_last", "right_gathered", "left_unmasked", "left_counted", "left")
        ),
    },
    "parallel_training": {
        "random_tokens": lambda v: v.honest_loss > v.least_honest_loss - 0.2 and near(v.floor, v.least_honest_loss / v.tokens)
    },
    "perplexity": {"uncut": lambda v: near(v.token_perplexity, v.word_perplexity) and v.token_count == 200},
    "parameter_count": {"idle_experts": lambda v: v.model == "deepseek-v3" and v.active_parameters < v.total_parameters / 10},
    "positions_alibi": {
        "no_such_head": lambda v: v.chosen == v.heads < v.head,
        "uneven": lambda v: v.heads not in (1, 2, 4, 8, 16),
        "few_anyway": lambda v: v.alibi_window >= v.plain_window,
        "wide": lambda v: v.alibi_growth > 1.1 and v.half_distance > v.length / 20,
    },
    "positions_learned": {
        "still": lambda v: near(v.absolute_shift_change, 0),
        "shared_row": lambda v: v.rows_used == 2 * v.farthest + 1 == v.table_rows,
        "refused": lambda v: v.is_index_error and v.length > v.rows and f"position {v.rows} " in v.error,
        "clamped": lambda v: v.shift > v.farthest_shift,
        "fits": lambda v: v.positions_missing == v.truncated_tokens == 0 and not v.is_index_error,
    },
    "positions_sinusoidal": {"still": lambda v: v.shifted_scores_change == 0},
    "pre_vs_post_norm": {
        "not_too_long": lambda v: (
            v.uncorrected_first_step <= 1.00001 and near(v.uncorrected_first_step, (1 - v.beta_1) / math.sqrt(1 - v.beta_2))
        ),
        "stuck": lambda v: abs(v.post_plain_loss - math.log(8)) < 0.3,
        "unharmed": lambda v: v.post_plain_loss < v.post_warmed_loss,
    },
    "precision": {
        "lost": lambda v: v.updated_weight == 1 < v.exact_weight,
        "no_difference": lambda v: v.updated_weight == v.master_weight,
        "rounded_up": lambda v: v.updated_weight > v.master_weight and v.updated_weight > v.exact_weight,
    },
    "pretrained_attention": {
        "beyond_layers": lambda v: v.layer_shown == v.model_layers - 1 < v.layer,
        "beyond_heads": lambda v: v.head_shown == v.model_heads - 1 < v.head,
        "below_the_mean": lambda v: v.head_weight < v.mean_weight,
        "cropped": lambda v: len(v.head_weights) < v.token_count,
        "unknown": lambda v: v.unknown >= 1,
        "no_rival": lambda v: v.rival_weight == v.contrast_rival_weight == 0,
        "no_contrast": lambda v: v.contrast_weight == v.contrast_rival_weight == 0,
    },
    "quantization": {
        "no_outlier": lambda v: v.outlier <= v.clean_largest,
        "ternary": lambda v: v.levels == 3 and {cell for row in v.whole_per_channel for cell in row} <= {-1, 0, 1},
    },
    "query_key_symmetry": {
        "cropped": lambda v: len(v.shared_weights) == v.shown < v.tokens,
        "narrow": lambda v: v.shared_self_weight < 0.5,
    },
    "recurrent_dilution": {
        "few_tokens": lambda v: v.rnn_chain <= v.attention_chain,
        "dilution": lambda v: v.attention_path == 1 and v.tokens_read == v.distance + 1,
        "grows": lambda v: v.rnn_over_distance[1][-1] > v.rnn_over_distance[1][-2] or v.rnn_kept_per_step > 1,
        "near": lambda v: v.rnn_gradient > v.attention_gradient,
    },
    "residual_gradient": {
        "skip_grows": lambda v: v.skip_gradient > 1 and v.skip_factor > 1,
        "plain_explodes": lambda v: v.plain_gradient > 1 and v.plain_factor > 1,
        "plain_ahead": lambda v: v.plain_gradient > v.skip_gradient,
        "sigmoid": lambda v: near(v.slope_power, 0.25**v.layers),
    },
    "sampling": {
        "unchanged": lambda v: near(v.kept_heated_first, v.kept_heated_last),
        "no_penalty": lambda v: near(v.repeat_penalised, v.repeat_unpenalised) and near(v.repeat_logit_divided, v.repeat_unpenalised),
    },
    "self_attention": {"clamped": lambda v: v.position > v.tokens},
    "sentence_vectors": {"no_padding": lambda v: near(v.padded_pool_cosine, v.masked_pool_cosine)},
    "sliding_window": {
        "alone": lambda v: v.reach == 1 and set(v.reach_over_layers[1]) == {1},
        "ends": lambda v: v.reach == v.tokens == v.reach_formula,
        "one_layer": lambda v: v.claimed_reach == v.reach,
    },
    "softmax": {
        "sum_is_zero": lambda v: "linear_shift_change" not in v,
        "still_works": lambda v: v.naive_unusable == v.stable_unusable == 0,
    },
    "softmax_jacobian": {
        "cut": lambda v: len(v.jacobian) == v.shown < v.keys,
        "no_difference": lambda v: near(v.wrong_error, v.right_error),
    },
    "softmax_saturation": {
        "all_saturated": lambda v: v.scaled_saturated_percent == v.raw_saturated_percent > 0,
        "winner": lambda v: 148 == round(math.exp(5)) and near(v.expected_std, v.sigma_q * v.sigma_k * math.sqrt(v.d_k)),
        "none_saturated": lambda v: v.raw_saturated_percent == v.scaled_saturated_percent == 0,
        "entries": lambda v: v.scaled_saturated_percent > 0 and v.sigma_q * v.sigma_k > 1,
    },
    "speculative_decoding": {
        "same": lambda v: near(v.acceptance, 1) and near(v.acceptance_sampled, 1) and near(v.draft_error, 0),
        "slower": lambda v: v.speed_up_factor < 1,
    },
    "train_with_and_without_scaling": {"small_width": lambda v: v.raw_saturated_percent < 5},
    "two_relations": {"alike": lambda v: near(v.two_heads_loss, v.one_head_loss)},
}
