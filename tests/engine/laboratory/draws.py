"""Draws from a generator of its own and, as nobody should, from the global one."""

import torch

from engine.assemble import Numbers

from ._declare import declare, number


def run(*, seed: int) -> Numbers:
    return {"own": torch.rand((), generator=torch.Generator().manual_seed(seed)), "common": torch.rand(())}


EXPERIMENT = declare(run, number("seed", 0, 0, 99), gives=("own", "common"))
