from engine.assemble import Numbers

from ._declare import declare


def run() -> Numbers:
    return {}


EXPERIMENT = declare(run)
