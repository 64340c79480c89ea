"""Two matrices of 64 x 64, what a screen shows at most."""

import torch

from engine import Matrix, Result

from ._bench import NOTHING, declare


def run() -> Result:
    left = torch.linspace(0, 1, 64 * 64, dtype=torch.float64).reshape(64, 64)
    names = tuple(f"k{index}" for index in range(64))
    values = [tuple(map(tuple, matrix.tolist())) for matrix in (left, left @ left)]
    return Result(matrices=tuple(Matrix(f"m{index}", value, NOTHING, names, names) for index, value in enumerate(values)))


EXPERIMENT = declare(run)
