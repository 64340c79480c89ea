"""What a walk over a recipe's lines costs, and where it has cost too much."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from engine.computed.values import BYTES, Value
from engine.experiment import Cost, check_cost


@dataclass
class Effort:
    """What a walk has cost so far: operations on numbers, each done `times` times in all, and the bytes of what it made.

    `forward` are the operations that a gradient goes back over; its own way back is none of them, so that two gradients cost three times
    as much as none, and not four times.
    """

    flops: float = 0
    bytes: float = 0
    forward: float = 0
    times: int = 1

    def made(self, value: Value, flops: float | None = None) -> None:
        """Raises TooLarge where this was too much."""
        count = value.numel() if isinstance(value, Tensor) else 1
        self.forward += count if flops is None else flops
        self.spent(count if flops is None else flops, count)

    def spent(self, flops: float, numbers: int = 0) -> None:
        """The same for what a gradient's way back does not lead over."""
        self.flops += flops * self.times
        self.bytes += numbers * BYTES
        check_cost(Cost(self.bytes, self.flops))
