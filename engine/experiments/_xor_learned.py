"""Part of feed_forward: the same two layers trained on XOR without and with the activation; only with it they learn it."""

from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor

from engine.assemble import Numbers
from engine.label import Label
from engine.measures import Curve, Grid, Measure, note, right, wrong
from engine.textbook.activations import gelu
from engine.textbook.training_loop import SEEDS, seeds_beside
from engine.textbook.xor import ANSWERS, CORNERS, learn_xor, plane, xor_outputs

STEPS, CELLS = 300, 17  # of the training on XOR; of the plane that it answers


def identity(x: Tensor) -> Tensor:
    """No activation at all."""
    return x


@lru_cache(16)  # the slider of the steps walks along one training
def trained_on_xor(units: int, seeds: range) -> tuple[Tensor, Tensor]:
    """From the same weights, without and with the activation: θ (2, steps + 1, S, P) and errors (2, steps + 1, S)."""
    weights, errors = zip(*(learn_xor(activation, units, seeds, STEPS) for activation in (identity, gelu)), strict=True)
    return torch.stack(weights), torch.stack(errors)


def xor(units: int, steps: int, seed: int) -> Numbers:
    """The same two layers from the same weights, without and with the activation, after so many steps of training."""
    weights, errors = (each[:, :, seed % SEEDS] for each in trained_on_xor(units, seeds_beside(seed)))
    straight, bent = weights[:, steps]
    answers = (ANSWERS, xor_outputs(straight, CORNERS, identity), xor_outputs(bent, CORNERS, gelu))
    return {
        "linear_xor_error": errors[0, steps],
        "gelu_xor_error": errors[1, steps],
        "xor_answers": torch.stack(answers, -1),
        "linear_plane": plane(straight, identity, CELLS),
        "gelu_plane": plane(bent, gelu, CELLS),
        "linear_xor_over_steps": (range(STEPS + 1), errors[0].clamp(max=TALLEST)),
        "gelu_xor_over_steps": (range(STEPS + 1), errors[1].clamp(max=TALLEST)),
        "units": units,
    }


STEP = Label("XOR steps", "异或步数")
TALLEST = 1.0  # of the curves: the first steps reach 60, beside which .25 and nothing look the same

PLACES = tuple(f"{2 * place / (CELLS - 1) - 0.5:.3g}" for place in range(CELLS))

XOR_MEASURES: tuple[Measure, ...] = (
    wrong("linear_xor_error", "XOR: mean squared error of four answers, no activation", "异或：四个回答的平均平方误差，无激活"),
    right("gelu_xor_error", "XOR: mean squared error of four answers, GELU", "异或：四个回答的平均平方误差，GELU"),
    Grid(
        "xor_answers",
        Label("XOR of two inputs, and what each layer answers", "两个输入的异或，以及两种前馈层的回答"),
        ("0, 0", "0, 1", "1, 0", "1, 1"),
        ("XOR", "linear", "GELU"),
    ),
    Grid("linear_plane", Label("no activation: answers around the corners", "无激活：四个角周围的回答"), PLACES, PLACES, arm="wrong"),
    Grid("gelu_plane", Label("GELU: answers around the corners", "GELU：四个角周围的回答"), PLACES, PLACES, arm="right"),
    Curve(
        "linear_xor_over_steps",
        Label("XOR: squared error up to 1, no activation", "异或：平方误差（最多画到 1），无激活"),
        STEP,
        "xor",
        arm="wrong",
    ),
    Curve("gelu_xor_over_steps", Label("XOR: squared error up to 1, GELU", "异或：平方误差（最多画到 1），GELU"), STEP, "xor", arm="right"),
    note(
        "not_learned",
        "gelu_xor_error > 0.02",
        "After {xor_steps} steps the {units} units with GELU have not learned XOR: more steps or units help. Without it nothing does.",
        "{xor_steps} 步之后，{units} 个带 GELU 的单元还没有学会异或：多训练几步或多给几个单元就行；没有激活则怎样都不行。",
    ),
)
