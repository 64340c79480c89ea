"""A convolution sees 1 + L(k-1) tokens after L layers, with doubling dilation about 2^L(k-1); one attention layer sees all there are."""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor

from engine.experiment import Cost, Experiment
from engine.label import Label
from engine.parameter import Parameter
from engine.plain import grid
from engine.result import Matrix, Quantity, Result, Series
from engine.shorthand import SEED, measured, right, wrong
from engine.textbook.convolution import (
    causal_convolution,
    change_one_token,
    convolution_layers,
    dilated_layers_to_cover,
    last_token_sensitivity,
    layers_to_cover,
    receptive_field,
)
from engine.textbook.recurrent import last_attends

TOKENS = 64
WIDTH = 4
DEEPEST = 8
SHOWN = 12  # the last tokens, in the matrix
LAYERS = Label("layers L", "层数 L")
DILATIONS = tuple(2**layer for layer in range(DEEPEST))  # 1, 2, 4, ...

Arm = Literal["", "right", "wrong"]


def run(*, kernel: int, layers: int, seed: int) -> Result:
    generator = torch.Generator().manual_seed(seed)
    x, other = torch.randn(2, TOKENS, WIDTH, generator=generator, dtype=torch.float64)
    W_Q, W_K, W_V = torch.randn(3, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(WIDTH)
    kernels = torch.randn(DEEPEST, kernel, WIDTH, WIDTH, generator=generator, dtype=torch.float64) / math.sqrt(kernel * WIDTH)
    changed = change_one_token(x, other)  # (T + 1, T, D)
    plain, dilated = (
        [last_token_sensitivity(output[:, -1]) for output in convolution_layers(changed, kernels, gaps)]
        for gaps in ((1,) * DEEPEST, DILATIONS)
    )
    attention = last_token_sensitivity(last_attends(W_Q, W_K, W_V, changed))
    return Result(
        quantities=(
            wrong("convolution_field", _seen(plain[layers - 1]), "tokens seen, convolution", "可见词元数，卷积"),
            right("attention_field", _seen(attention), "tokens seen, one attention layer", "可见词元数，一层注意力"),
            measured("dilated_field", _seen(dilated[layers - 1]), "tokens seen, dilated convolution", "可见词元数，空洞卷积"),
            *_formulas(kernel, layers),
            wrong("convolution_layers_needed", layers_to_cover(TOKENS, kernel), "layers to see all, convolution", "看全所需层数，卷积"),
            measured(
                "dilated_layers_needed", dilated_layers_to_cover(TOKENS, kernel), "layers to see all, dilated", "看全所需层数，空洞卷积"
            ),
            right("attention_layers_needed", 1, "layers to see all, attention", "看全所需层数，注意力"),
        ),
        matrices=_matrices(plain[layers - 1], dilated[layers - 1], attention),
        series=_curves(plain, dilated, attention),
        notes=_notes(kernel, layers),
    )


def _seen(felt: Tensor) -> int:
    """Tokens that the last output depends on; a token out of reach moves it by exactly 0."""
    return int((felt > 0).sum())


def _formulas(kernel: int, layers: int) -> tuple[Quantity, ...]:
    return (
        measured("convolution_formula", receptive_field(kernel, (1,) * layers), "1 + L(k - 1)", "1 + L(k − 1)"),
        measured("dilated_formula", receptive_field(kernel, DILATIONS[:layers]), "1 + (2^L - 1)(k - 1)", "1 + (2^L − 1)(k − 1)"),
        wrong("kernel_times_layers", kernel * layers, "k·L, the overlaps forgotten", "k·L，忘了重叠"),
    )


def _matrices(plain: Tensor, dilated: Tensor, attention: Tensor) -> tuple[Matrix, ...]:
    """The last output's change with each of the last tokens, a row for each kind of layer."""
    columns = tuple(f"-{back}" if back else "0" for back in reversed(range(SHOWN)))

    def felt(name: str, changes: Tensor, en: str, zh: str, arm: Arm) -> Matrix:
        label = Label(f"change of the last output, {en}", f"最后输出的变化，{zh}")
        return Matrix(f"felt_by_{name}", grid(changes[None, -SHOWN:]), label, (f"o{TOKENS}",), columns, kind="magnitude", arm=arm)

    return (
        felt("convolution", plain, "convolution", "卷积", "wrong"),
        felt("dilated", dilated, "dilated convolution", "空洞卷积", ""),
        felt("attention", attention, "attention", "注意力", "right"),
    )


def _curves(plain: list[Tensor], dilated: list[Tensor], attention: Tensor) -> tuple[Series, ...]:
    x = tuple(float(layer) for layer in range(1, DEEPEST + 1))

    def curve(name: str, seen: list[int], en: str, zh: str, arm: Arm) -> Series:
        return Series(f"{name}_field_over_layers", x, tuple(map(float, seen)), Label(en, zh), LAYERS, "tokens seen", arm=arm)

    return (
        curve("convolution", [_seen(each) for each in plain], "convolution", "卷积", "wrong"),
        curve("dilated", [_seen(each) for each in dilated], "dilated", "空洞卷积", ""),
        curve("attention", [_seen(attention)] * DEEPEST, "attention", "注意力", "right"),
    )


def _notes(kernel: int, layers: int) -> tuple[Label, ...]:
    over = receptive_field(kernel, DILATIONS[:layers]) > TOKENS
    note = Label(
        f"The sequence has {TOKENS} tokens: the dilated stack could see further than it begins.",
        f"序列只有 {TOKENS} 个词元：空洞卷积本可以看得更远。",
    )
    return (note,) if over else ()


def cost(*, kernel: int, layers: int, seed: int) -> Cost:
    cells = (TOKENS + 1) * TOKENS * WIDTH
    depth = max(layers, DEEPEST)
    return Cost(
        bytes=8 * cells * (2 * depth + 12) + 8 * depth * kernel * WIDTH**2, flops=2 * depth * kernel * 2 * cells * WIDTH + 20 * cells
    )


EXPERIMENT = Experiment(
    title=Label("how far a convolution sees", "卷积能看多远"),
    summary=Label(
        "Change one token after the other and see whether the last output notices: convolution, dilated convolution, attention.",
        "逐个改动词元，看最后的输出是否察觉：卷积、空洞卷积、注意力。",
    ),
    parameters=(
        Parameter("kernel", Label("kernel k", "卷积核宽 k"), 3, 2, 7),
        Parameter("layers", LAYERS, 4, 1, DEEPEST),
        SEED,
    ),
    run=run,
    cost=cost,
    shows=(causal_convolution, receptive_field, layers_to_cover, dilated_layers_to_cover, last_attends),
    arms=("convolution_field", "attention_field"),
)
