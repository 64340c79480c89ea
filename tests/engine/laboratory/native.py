"""One torch operation of many seconds: no Python instruction in it, so nothing can ask it to stop."""

from collections.abc import Generator

import torch

from engine import Progress, Result

from ._bench import declare, measured


def run() -> Generator[Progress, None, Result]:
    square = torch.rand(3000, 3000, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    yield Progress(0)
    return measured(largest=float(torch.linalg.eigvals(square).abs().amax()))


EXPERIMENT = declare(run, deadline=60)
