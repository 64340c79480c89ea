"""Draws from a generator of its own and, as nobody should, from the global one."""

import torch

from engine import Result

from ._bench import declare, measured, number


def run(*, seed: int) -> Result:
    own = torch.rand((), generator=torch.Generator().manual_seed(seed))
    return measured(own=float(own), common=float(torch.rand(())))


EXPERIMENT = declare(run, number("seed", 0, 0, 99))
