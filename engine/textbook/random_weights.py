"""Random weights that leave torch's global random state alone: modules are made on the meta device and filled from their own generator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import torch
from torch import Tensor, nn

Module = TypeVar("Module", bound=nn.Module)


def build_on_meta(make: Callable[[], Module]) -> Module:
    """The module without its numbers: shapes that can be counted, nothing allocated."""
    with torch.device("meta"):
        return make()


def count_parameters(module: nn.Module) -> int:
    """How many numbers it learns; a tied matrix counts once."""
    return sum(parameter.numel() for parameter in module.parameters())


def with_normal_weights(make: Callable[[], Module], std: float, seed: int, dtype: torch.dtype = torch.float64) -> Module:
    """Matrices from N(0, std²), biases 0, norm weights 1: BERT's initialisation with std = 0.02. No gradients."""
    module = build_on_meta(make)
    generator = torch.Generator().manual_seed(seed)

    def drawn(name: str, shape: torch.Size) -> Tensor:
        if len(shape) > 1:
            return std * torch.randn(shape, generator=generator, dtype=dtype)
        return torch.full(shape, 1.0 if name.endswith("norm.weight") else 0.0, dtype=dtype)

    module.load_state_dict({name: drawn(name, parameter.shape) for name, parameter in module.named_parameters()}, assign=True)
    return module.requires_grad_(False)
