"""Forgets to convert."""

from typing import Any

import torch

from engine import Result

from ._bench import declare, measured


def run() -> Result:
    value: Any = torch.ones(())
    return measured(fine=1, forgotten=value)


EXPERIMENT = declare(run)
