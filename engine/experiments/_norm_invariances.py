"""Part of layer_norm: what moves a normalised token: its own shift and scale, another token, another sentence."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from engine.assemble import Numbers
from engine.measures import Measure, measured, right, wrong
from engine.textbook.normalization import batch_norm, layer_norm, layer_norm_whole_sentence, rms_norm

Norm = Callable[[Tensor, float], Tensor]


def invariance(tokens: Tensor, scale: float, shift: float, eps: float) -> Numbers:
    """What happens to the normalised tokens when x becomes x·scale + shift."""

    def change(norm: Norm, scale: float, shift: float) -> Tensor:
        return (norm(tokens * scale + shift, eps) - norm(tokens, eps)).abs().max()

    centred = tokens - tokens.mean(-1, keepdim=True)
    return {
        "layer_norm_shift_change": change(layer_norm, 1, shift),
        "rms_norm_shift_change": change(rms_norm, 1, shift),
        "layer_norm_scale_change": change(layer_norm, scale, 0),
        "rms_norm_scale_change": change(rms_norm, scale, 0),
        "rms_norm_centred_difference": (rms_norm(centred, eps) - layer_norm(tokens, eps)).abs().max(),
    }


def leaks(tokens: Tensor, eps: float) -> Numbers:
    """How far sentence a's first two tokens move when another token changes: its third, or all of sentence b."""
    third, other = tokens.clone(), tokens.clone()
    third[0, 2] *= -10
    other[1] *= -10

    def leak(norm: Norm, changed: Tensor) -> Tensor:
        return (norm(changed, eps) - norm(tokens, eps))[0, :2].abs().max()

    return {
        "layer_norm_leak": leak(layer_norm, third),
        "whole_sentence_leak": leak(layer_norm_whole_sentence, third),
        "layer_norm_batch_leak": leak(layer_norm, other),
        "batch_norm_leak": leak(batch_norm, other),
        "batch_norm_of_one": batch_norm(tokens[0, :1], eps).abs().max(),
    }


INVARIANCE_MEASURES: tuple[Measure, ...] = (
    right("layer_norm_shift_change", "tokens shifted: largest change, LayerNorm", "平移词元：最大变化，LayerNorm"),
    measured("rms_norm_shift_change", "tokens shifted: largest change, RMSNorm", "平移词元：最大变化，RMSNorm"),
    right("layer_norm_scale_change", "tokens scaled: largest change, LayerNorm", "缩放词元：最大变化，LayerNorm"),
    measured("rms_norm_scale_change", "tokens scaled: largest change, RMSNorm", "缩放词元：最大变化，RMSNorm"),
    measured(
        "rms_norm_centred_difference",
        "RMSNorm of centred tokens - LayerNorm: largest difference",
        "先减均值的 RMSNorm 与 LayerNorm：最大差",
    ),
    right("layer_norm_leak", "one token changed: largest move of others, LayerNorm", "改变一个词元：其余的最大变化，LayerNorm"),
    wrong("whole_sentence_leak", "one token changed: largest move of others, whole sentence", "改变一个词元：其余的最大变化，整句归一化"),
    right("layer_norm_batch_leak", "one sentence changed: largest move of others, LayerNorm", "改变一句：另一句的最大变化，LayerNorm"),
    wrong("batch_norm_leak", "one sentence changed: largest move of others, BatchNorm", "改变一句：另一句的最大变化，BatchNorm"),
    wrong("batch_norm_of_one", "BatchNorm of a single token: largest |number|", "只有一个词元时的 BatchNorm：最大 |数|"),
)
