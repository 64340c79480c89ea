"""Raises, with a message that would colour a terminal."""

from engine import Result

from ._bench import declare


def run() -> Result:
    raise ValueError("heads must\n\033[31mdivide\033[0m d_model.")


EXPERIMENT = declare(run)
