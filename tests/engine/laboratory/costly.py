"""Asks for more memory than anybody gets."""

from engine import Cost
from engine.assemble import Numbers

from ._declare import declare, number


def run(*, gigabytes: int) -> Numbers:
    return {"allocated": gigabytes}


EXPERIMENT = declare(run, number("gigabytes", 1, 0, 100), gives=("allocated",), cost=lambda gigabytes: Cost(gigabytes * 2**30, 0))
