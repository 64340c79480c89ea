"""Two matrices of 64 x 64, what a screen shows at most."""

import torch

from engine.assemble import Numbers
from engine.measures import Grid

from ._declare import NOTHING, declare


def run() -> Numbers:
    left = torch.linspace(0, 1, 64 * 64, dtype=torch.float64).reshape(64, 64)
    return {"m{0}": (left, left @ left)}


EXPERIMENT = declare(run, gives=(Grid("m{0}", NOTHING, "k{0}", "k{0}"),))
