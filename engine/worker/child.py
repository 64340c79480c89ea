"""The process that computes: it warms torch up, then answers one request after the other until its parent is gone.

Two threads: the main one computes, the other listens, so that the parent's death and a Stop are noticed in the middle of a computation.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import queue
import signal
import threading
from collections.abc import Callable, Generator
from typing import IO

from engine import catalog
from engine.assemble import MeasureError
from engine.computed.recipe import Recipe
from engine.errors import not_as_declared, run_failed, superseded
from engine.experiment import Description, Experiment
from engine.label import ExperimentError
from engine.result import Progress, Result
from engine.worker import protocol
from engine.worker.processor_time import limited

IDLE = 1.0  # seconds without a request
LATER = ("sympy", "torch._dynamo")  # what the first meta tensor and the first optimizer import: 0.7 s and 1.6 s of somebody's deadline

Tell = Callable[[object], None]
Outcome = Result | catalog.Survey | Description | ExperimentError


def main(package: str) -> None:
    """Serves requests from stdin, answers on stdout."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl+c belongs to the parent
    requests, answers = _private_pipes()
    work: queue.SimpleQueue[protocol.Request] = queue.SimpleQueue()
    stops: set[int] = set()
    threading.Thread(target=_listen, args=(requests, work, stops), daemon=True).start()
    _warm_up()
    writing = threading.Lock()  # what computes writes, and what watches how long that takes

    def tell(message: object) -> None:
        with writing:
            protocol.send(answers, message)

    tell(protocol.Ready())
    later = list(LATER)
    while True:
        request = _next(work, later)
        tell(protocol.Answered(_answer(request, package, tell, stops)))


def _private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Own copies of stdin and stdout; what a computation prints, also from native code, goes to stderr, and it reads nothing."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


def _listen(requests: IO[bytes], work: queue.SimpleQueue[protocol.Request], stops: set[int]) -> None:
    try:
        for message in protocol.messages(requests):
            if isinstance(message, protocol.Stop):
                stops.add(message.number)
            elif isinstance(message, protocol.Request):
                work.put(message)
    finally:
        os._exit(0)  # the parent is gone: end at once, whatever is being computed


def _warm_up() -> None:
    import torch

    torch.set_num_threads(1)  # small operations are 20 times faster than with two, and sums do not depend on the machine
    square = torch.ones(4, 4)
    torch.softmax(square @ square, -1)


def _next(work: queue.SimpleQueue[protocol.Request], later: list[str]) -> protocol.Request:
    """The next request; a pause before it is used for one of the late imports."""
    while later:
        try:
            return work.get(timeout=IDLE)
        except queue.Empty:
            with contextlib.suppress(ImportError):
                importlib.import_module(later.pop(0))
    return work.get()


def _answer(request: protocol.Request, package: str, tell: Tell, stops: set[int]) -> Outcome:
    if isinstance(request, protocol.Survey):
        return catalog.survey(package)
    try:
        return _described(request.recipe) if isinstance(request, protocol.Describe) else _run(request, package, tell, stops)
    except ExperimentError as error:
        return error
    except MeasureError as error:
        return not_as_declared(_name(request), error)
    except Exception as error:  # an experiment may fail in any way; the process goes on
        return run_failed(_name(request), error)


def _name(request: protocol.Describe | protocol.Run) -> str:
    return request.name if isinstance(request, protocol.Run) else request.recipe.name


def _described(recipe: Recipe) -> Description:
    from engine.computed.describe import describe

    return describe(recipe)


def _computed(recipe: Recipe) -> Experiment:
    from engine.computed.experiment import experiment  # its tables of functions, which only an author's deck needs

    return experiment(recipe)


def _run(request: protocol.Run, package: str, tell: Tell, stops: set[int]) -> Result:
    """Raises ExperimentError, and whatever the experiment raises."""
    experiment = catalog.load(request.experiment, package) if isinstance(request.experiment, str) else _computed(request.experiment)
    parameters = experiment.accept(request.parameters)
    experiment.afford(parameters)
    tell(protocol.Started(experiment.deadline))
    with limited(experiment.deadline, lambda: tell(protocol.Overdue(request.number, experiment.deadline))):
        outcome = experiment.measure(parameters)
        return _advance(outcome, request, tell, stops) if isinstance(outcome, Generator) else outcome


def _advance(steps: Generator[Progress, None, Result], request: protocol.Run, tell: Tell, stops: set[int]) -> Result:
    """Passes on what a long run yields; raises Superseded when the parent no longer wants it."""
    while True:
        try:
            progress = next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]  # StopIteration.value is Any
        if request.number in stops:
            steps.close()
            raise superseded()
        tell(protocol.Advanced(progress))
