"""One torch operation of many seconds: no Python instruction in it, so nothing can ask it to stop."""

import torch

from engine.experiment import Steps

from ._declare import declare


def run() -> Steps:
    square = torch.rand(3000, 3000, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    yield 0, {}
    return {"largest": torch.linalg.eigvals(square).abs().amax()}


EXPERIMENT = declare(run, gives=("largest",), deadline=60)
