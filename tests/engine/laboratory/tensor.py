"""Returns a row where a number was declared."""

import torch

from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    return {"fine": torch.ones(()), "row": torch.ones(3)}


EXPERIMENT = declare(run, gives=("fine", "row"))
