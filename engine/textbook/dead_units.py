"""Units that never fire: a ReLU whose input is negative for every sample passes no gradient, so nothing can ever wake it.

Inputs x are (N, D), weights (H, D), biases (H,).
"""

from __future__ import annotations

import torch
from torch import Tensor

from engine.textbook.activations import Activation, slope


def pre_activation(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    """What goes into the activations: (N, H)."""
    return x @ weight.T + bias


def never_fires(inputs: Tensor) -> Tensor:
    """(H,): units whose input is below 0 for all samples (N, H)."""
    return (inputs < 0).all(0)


def gradient_of_weights(x: Tensor, weight: Tensor, bias: Tensor, activation: Activation, back: Tensor) -> Tensor:
    """(H, D): Σ over samples of back · activation'(input) · x, with `back` (N, H) arriving from the layers above."""
    return (back * slope(activation, pre_activation(x, weight, bias))).T @ x


def leaky_relu(x: Tensor, leak: float) -> Tensor:
    """x above 0, leak·x below: never quite silent. Source: Maas et al. 2013."""
    return torch.where(x > 0, x, leak * x)
