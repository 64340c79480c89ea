"""Asks for more memory than anybody gets."""

from engine import Cost, Result

from ._bench import declare, measured, number


def run(*, gigabytes: int) -> Result:
    return measured(gigabytes=gigabytes)


EXPERIMENT = declare(run, number("gigabytes", 1, 0, 100), cost=lambda gigabytes: Cost(gigabytes * 2**30, 0))
