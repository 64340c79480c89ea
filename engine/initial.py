"""Random weights that leave torch's global random state alone: modules are made on the meta device and filled from their own generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import nn

Module = TypeVar("Module", bound=nn.Module)


def on_meta(make: Callable[[], Module]) -> Module:
    """The module without its numbers: shapes that can be counted, nothing allocated."""
    with torch.device("meta"):
        return make()


def parameters_of(module: nn.Module) -> int:
    """How many numbers it learns; a tied matrix counts once."""
    return sum(parameter.numel() for parameter in module.parameters())


def with_normal_weights(make: Callable[[], Module], std: float, seed: int, dtype: torch.dtype = torch.float64) -> Module:
    """Matrices from N(0, std²), biases 0, norm weights 1: BERT's initialisation with std = 0.02. No gradients."""
    module = on_meta(make).to(dtype).to_empty(device="cpu").requires_grad_(False)
    generator = torch.Generator().manual_seed(seed)
    for name, parameter in module.named_parameters():
        if parameter.dim() > 1:
            parameter.normal_(0, std, generator=generator)
        else:
            parameter.fill_(1.0 if name.endswith("norm.weight") else 0.0)
    return module
