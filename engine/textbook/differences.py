"""How far two ways of computing the same thing are apart."""

from __future__ import annotations

from torch import Tensor


def largest(change: Tensor) -> Tensor:
    """The largest magnitude of any number: 0 where nothing differs."""
    return change.abs().max()
