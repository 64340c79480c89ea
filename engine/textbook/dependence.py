"""Which tokens an output depends on. The derivative knows it: exactly 0 where no path leads there, and nowhere else.

A finite change does not: two runs of one sum may round differently, and a change that passed many layers may be rounded away.
"""

from __future__ import annotations

import torch
from torch import Tensor


def depends_on(output: Tensor, tokens: Tensor) -> Tensor:
    """Of tokens (..., T, D) from which an output was computed with gradients: (..., T), True where it depends on them."""
    (slope,) = torch.autograd.grad(output.sum(), tokens, retain_graph=True)
    return slope.abs().amax(-1) > 0
