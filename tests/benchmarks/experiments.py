"""How long every experiment takes, warm, at its defaults and at both ends of every parameter: `python -m tests.benchmarks.experiments`."""

from __future__ import annotations

import time
from collections.abc import Iterator

from engine import Description, Parameter, Value, Worker
from tests.benchmarks._size import asked_share, part

GOAL = 200.0  # milliseconds; the ones that train have a deadline of their own
DEADLINE = 60.0  # seconds


def ends(parameter: Parameter) -> tuple[Value, ...]:
    if parameter.scale == "choice":
        return tuple(choice.value for choice in parameter.choices)
    return () if parameter.scale == "text" else (parameter.value_at(0), parameter.value_at(parameter.ticks))


def settings(description: Description) -> Iterator[dict[str, Value]]:
    yield {}
    for parameter in description.parameters:
        for value in ends(parameter):
            yield {parameter.name: value}


def milliseconds(worker: Worker, name: str, given: dict[str, Value]) -> float:
    """The faster of two runs, as a request to the engine's process."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        worker.submit(name, given).result(DEADLINE)
        times.append(1000 * (time.perf_counter() - start))
    return min(times)


def main(share: float) -> None:
    with Worker() as worker:
        found = worker.survey.result(DEADLINE).found
        for name, description in list(found.items())[: part(len(found), share)]:
            worker.submit(name, {}).result(DEADLINE)
            times = {str(given): milliseconds(worker, name, given) for given in settings(description)}
            slowest = max(times, key=lambda given: times[given])
            mark = " " if times[slowest] < GOAL else "trained" if description.deadline > 3 else "SLOW"
            print(
                f"{name:32} {times['{}']:7.1f} ms, slowest {times[slowest]:7.1f} ms ({times[slowest] / GOAL:5.2f}) {mark} {slowest}",
                flush=True,
            )


if __name__ == "__main__":
    main(asked_share())
