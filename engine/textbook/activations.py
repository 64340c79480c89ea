"""Activation functions, number by number: GELU in the forms in use, what it is compared with, and the form that is often copied wrong."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

Activation = Callable[[Tensor], Tensor]


def relu(x: Tensor) -> Tensor:
    """max(0, x): lets a number through or not at all; the slope of what it stops is exactly 0."""
    return x.clamp_min(0.0)


def sigmoid(x: Tensor) -> Tensor:
    """1/(1 + e^-x): between 0 and 1, slope at most 1/4."""
    return torch.sigmoid(x)  # torch's own, because e^-x overflows


def silu(x: Tensor) -> Tensor:
    """x·σ(x), also called Swish: the gate is the logistic function. Source: Elfwing et al. 2017; Ramachandran et al. 2017."""
    return x * sigmoid(x)


def gelu(x: Tensor) -> Tensor:
    """x·Φ(x): each number times the share of a normal distribution that lies below it. Source: Hendrycks and Gimpel 2016; BERT."""
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


def gelu_tanh(x: Tensor) -> Tensor:
    """The approximation of GPT-2, within 4.8e-4 of gelu. The root multiplies the whole cubic, inside tanh."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def gelu_sigmoid(x: Tensor) -> Tensor:
    """x·σ(1.702x), the quick approximation, within 2.1e-2 of gelu."""
    return x * sigmoid(1.702 * x)


def gelu_misplaced(x: Tensor) -> Tensor:
    """Wrong, and often copied: tanh closes after the root, so the cubic is outside and nothing bounds it."""
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi)) * (x + 0.044715 * x**3))


def slope(activation: Activation, x: Tensor) -> Tensor:
    """The derivative at every number of x, by autograd."""
    x = x.detach().requires_grad_()
    (found,) = torch.autograd.grad(activation(x).sum(), x)
    return found


def minimum(activation: Activation, low: float, high: float) -> tuple[float, float]:
    """Where the function is smallest in low..high, and that value; its slope must go from negative to positive there.

    Bisection of the slope: 60 halvings leave less than float64 can tell apart.
    """
    for _ in range(60):
        middle = (low + high) / 2
        falls = float(slope(activation, torch.tensor(middle, dtype=torch.float64))) < 0
        low, high = (middle, high) if falls else (low, middle)
    return low, float(activation(torch.tensor(low, dtype=torch.float64)))
