"""Part of multi_head: what wrong splits and merges do to a layer and to many, what one head does, what heads cost."""

from __future__ import annotations

import torch
from torch import nn

from engine.assemble import Numbers
from engine.textbook.attention import (
    Merge,
    MultiHeadAttention,
    Split,
    causal_mask,
    merge_heads,
    merge_heads_by_transpose,
    merge_heads_by_view,
    split_heads,
    split_heads_by_view,
)
from engine.textbook.differences import largest
from engine.textbook.many_layers import ManyLayers
from engine.textbook.multi_head_variants import (
    Probe,
    head_similarity,
    loop_over_heads,
    random_layer,
    rewired,
    score_rank,
    without_head,
)

BERT = 768
SCORES_AT = 512  # tokens, for the memory of the scores
LAYERS = 64  # random layers behind an average
SPLITS: dict[str, Split] = {"right": split_heads, "view": split_heads_by_view}
MERGES: dict[str, Merge] = {"right": merge_heads, "view": merge_heads_by_view, "transpose": merge_heads_by_transpose}


def split_and_merge(layer: MultiHeadAttention, chosen: MultiHeadAttention, probe: Probe) -> Numbers:
    """Three wrong layers with the same weights beside the right one: their error, what leaks back, what no longer gets through."""
    view, transpose = rewired(layer, split_heads_by_view, merge_heads_by_view), rewired(layer, split_heads, merge_heads_by_transpose)
    mixed = rewired(layer, split_heads_by_view, merge_heads)
    output = probe.output(layer)
    return {
        "right_error": largest(loop_over_heads(layer, probe.x[0], probe.mask) - output),
        "wrong_split_error": largest(probe.output(view) - output),
        "wrong_merge_error": largest(probe.output(transpose) - output),
        "chosen_error": largest(probe.output(chosen) - output),
        "leak_right": probe.leak(layer),
        "leak_wrong_split": probe.leak(view),
        "leak_mixed": probe.leak(mixed),
        "leak_wrong_merge": probe.leak(transpose),
        "chosen_leak": probe.leak(chosen),
        "reach_right": probe.reach(layer),
        "reach_wrong_split": probe.reach(view),
        "chosen_reach": probe.reach(chosen),
    }


def averages(heads: int, d_model: int, tokens: int, silenced: int, split: str, merge: str, causal: str, seed: int) -> Numbers:
    """The same measures, each a mean over many random layers and inputs: one layer's leak is anything between half and twice as much."""
    right = random_layer(d_model, heads, seed)
    chosen, wrong_merge = rewired(right, SPLITS[split], MERGES[merge]), rewired(right, split_heads, merge_heads_by_transpose)
    mask = causal_mask(tokens, tokens) if causal == "yes" else None
    many = ManyLayers.random(right, LAYERS, tokens, mask, torch.Generator().manual_seed(10_000 + seed))
    return {
        "mean_reach_right": many.reach(),
        "mean_head_similarity": many.similarity(),
        "mean_silenced_share": many.change(without_head(right, silenced)),
        "mean_chosen_error": many.error(chosen),
        "mean_chosen_leak": many.leak(chosen),
        "mean_wrong_merge_error": many.error(wrong_merge),
        "mean_wrong_merge_leak": many.leak(wrong_merge),
    }


def sizes(d_model: int, heads: int) -> Numbers:
    return {
        "parameters": parameters(d_model, heads),
        "parameters_bert": parameters(BERT, heads),
        "parameters_bert_full_size_heads": full_size_parameters(BERT, heads),
        "score_mebibytes": heads * SCORES_AT**2 * 4 / 2**20,
    }


def parameters(d_model: int, heads: int) -> int:
    """Counted on the layer itself; the meta device allocates nothing."""
    return sum(each.numel() for each in MultiHeadAttention(d_model, heads, device="meta").parameters())


def full_size_parameters(d_model: int, heads: int) -> int:
    """The layer that many have in mind: every head as wide as the model, and a W_O that brings h·D numbers back to D."""
    projections = [nn.Linear(d_model, heads * d_model, device="meta") for _ in range(3)]
    return sum(each.numel() for part in (*projections, nn.Linear(heads * d_model, d_model, device="meta")) for each in part.parameters())


def head_statistics(layer: MultiHeadAttention, probe: Probe, silenced: int) -> Numbers:
    """What a single head does, and how far heads differ."""
    output = probe.output(layer)
    change = probe.output(without_head(layer, silenced)) - output
    return {
        "silenced_change": largest(change),
        "silenced_share": change.norm() / output.norm(),
        "head_similarity": head_similarity(probe.weights(layer)[0]),
        "score_rank": score_rank(layer, probe.x),
    }
