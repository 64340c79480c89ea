"""Raises, with a message that would colour a terminal."""

from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    raise ValueError("heads must\n\033[31mdivide\033[0m d_model.")


EXPERIMENT = declare(run)
