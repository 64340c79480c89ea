from engine import Result

from ._bench import declare, measured


def run() -> Result:
    return measured()


EXPERIMENT = declare(run)
