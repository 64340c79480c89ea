"""Runs experiments in a process of their own, one at a time: the newest request wins, and the process is replaced when it hangs or dies."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine import errors
from engine.label import ExperimentError
from engine.package import PACKAGE
from engine.worker import protocol
from engine.worker.jobs import Job, Report, Telling, picked
from engine.worker.process import Process

if TYPE_CHECKING:  # what an answer is made of is loaded when one comes: an application has a worker before it has drawn anything
    from engine.catalog import Survey
    from engine.computed.recipe import Recipe
    from engine.experiment import Description
    from engine.result import Result

GRACE = 0.08  # seconds that a cancelled run has to stop by itself; killing it costs the start of a new process
PATIENCE = 20.0  # deadlines on the clock: of a busy machine a process gets a part; one that sleeps or hangs gets no further
SILENCE = 60.0  # seconds that a process may take to be ready, to describe and to begin a run: a cold disk is slow, a hang is for ever
DEATHS = 3  # in a row, without an answer: something is wrong that no restart heals
GOODBYE = 0.25  # seconds that close() waits for the killed process


class Worker:
    """Thread-safe. Futures are settled, and progress is reported, in threads of the worker; use asyncio.wrap_future in a coroutine.

    Everything fails with an ExperimentError. `ready` is done when torch is warm; `survey` (all experiments) comes next, before any run.
    Nothing is answered before start(), which `with Worker() as worker` does too.
    """

    def __init__(self, package: str = PACKAGE) -> None:
        warmup, survey = Job(), Job(protocol.Survey())
        self.ready: Future[None] = warmup.future
        self.survey: Future[Survey] = survey.future
        self._package = package
        self._numbers = itertools.count(1)
        self._process: Process | None = None
        self._listener: threading.Thread | None = None
        self._lock = threading.Lock()
        self._tellings: list[Telling] = []  # what is to be told as soon as the lock is free
        self._warmup = warmup
        self._warm = False
        self._running: Job | None = None  # what the process has been given
        self._waiting = [survey]  # and at most one run
        self._deaths = 0
        self._end: ExperimentError | None = None  # why nothing will ever be answered again

    def __enter__(self) -> Worker:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Starts the process and returns at once. A second call does nothing."""
        with self._turn():
            if self._process is None and self._end is None:
                self._launch()

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        """One experiment of the survey, or an author's own. Fails with UnknownExperiment, BrokenExperiment or ComputeError."""
        if isinstance(experiment, str):
            return picked(self.survey, experiment)
        with self._turn():
            job = Job(protocol.Describe(experiment))
            future: Future[Description] = job.future
            if self._end is None:
                self._waiting.append(job)
                self._next()
            else:
                self._tellings.append(job.outcome(self._end))
        return future

    def submit(self, experiment: str | Recipe, parameters: Mapping[str, object], progress: Report | None = None) -> Future[Result]:
        """Runs an experiment; takes the place of a run that still waits, and stops a running generator at its next yield.

        Fails with ParameterError, TooLarge, UnknownExperiment, BrokenExperiment, RunFailed, Superseded, Cancelled, DeadlineExceeded,
        OutOfPatience or WorkerDied. Raises WorkerClosed after close().
        """
        spelled = {str(key): str(value) for key, value in parameters.items()}  # as Parameter.accept reads them; always fit for the pipe
        with self._turn():
            if isinstance(self._end, errors.WorkerClosed):
                raise self._end
            job = Job(protocol.Run(next(self._numbers), experiment, spelled), progress)
            future: Future[Result] = job.future
            if self._end is None:
                self._drop_waiting_run(errors.superseded())
                self._waiting.append(job)
                self._ask_to_stop()
                self._next()
            else:
                self._tellings.append(job.outcome(self._end))
        return future

    def cancel(self) -> None:
        """The running and the waiting run fail with Cancelled at once; what does not stop by itself is killed in the background."""
        with self._turn():
            self._drop_waiting_run(errors.cancelled())
            if job := self._ask_to_stop():
                self._tellings.append(job.outcome(errors.cancelled()))
                job.limit(GRACE, lambda: self._stop(job, errors.cancelled()))

    def close(self) -> None:
        """Kills the process, also in the middle of native code; everything open fails with WorkerClosed. May be called again."""
        with self._turn():
            self._abandon(errors.closed())
            if self._process is not None:
                self._process.kill()
        if self._listener is not None and self._listener is not threading.current_thread():
            self._listener.join(GOODBYE)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The lock; telling comes after it, because it runs other people's code."""
        with self._lock:
            yield
            tellings, self._tellings = self._tellings, []
        for tell in tellings:
            tell()

    # Called within a turn.

    def _launch(self) -> None:
        try:
            self._process = Process(self._package)
        except OSError as error:
            self._abandon(errors.not_started(error))
            return
        self._listener = threading.Thread(target=self._listen, args=(self._process,), name="qkv-worker", daemon=True)
        self._listener.start()
        self._warmup.begun = False
        self._expect_word(self._warmup, self._process)

    def _next(self) -> None:
        if self._process and self._warm and not self._running and self._waiting:
            self._running = self._waiting.pop(0)
            self._running.begun = False
            self._process.send(self._running.request)
            self._expect_word(self._running, self._process)

    def _expect_word(self, job: Job, process: Process) -> None:
        job.limit(SILENCE, lambda: self._give_up(process, job))

    def _ask_to_stop(self) -> Job | None:
        """The running run, which now knows that it is not wanted any more."""
        job = self._running
        if not (self._process and job and isinstance(job.request, protocol.Run)):
            return None
        if not job.told_to_stop:
            job.told_to_stop = True
            self._process.send(protocol.Stop(job.request.number))
        return job

    def _drop_waiting_run(self, reason: ExperimentError) -> None:
        self._tellings += [job.outcome(reason) for job in self._waiting if isinstance(job.request, protocol.Run)]
        self._waiting = [job for job in self._waiting if not isinstance(job.request, protocol.Run)]

    def _open_jobs(self) -> list[Job]:
        return [self._warmup, *self._waiting, *([self._running] if self._running else [])]

    def _abandon(self, reason: ExperimentError) -> None:
        jobs = [self._warmup, *self._waiting, *([self._running] if self._running else [])]
        self._waiting, self._running, self._warm, self._end = [], None, False, reason
        for job in jobs:
            job.finish()
            self._tellings.append(job.outcome(reason))

    def _hear(self, message: object) -> None:
        job = self._running
        match message:
            case protocol.Ready():
                self._warm = self._warmup.begun = True
                self._warmup.finish()
                self._tellings.append(self._warmup.outcome(None))
                self._next()
            case protocol.Started(deadline) if job and isinstance(job.request, protocol.Run):
                job.begun = True
                error = errors.out_of_patience(job.request.name, PATIENCE * deadline)
                job.limit(PATIENCE * deadline, lambda: self._stop(job, error))
            case protocol.Overdue(number, deadline) if job and isinstance(job.request, protocol.Run) and job.request.number == number:
                self._end_run(job, errors.deadline_exceeded(job.request.name, deadline))
            case protocol.Advanced(progress) if job:
                self._tellings.append(job.progress(progress))
            case protocol.Answered(outcome) if job:
                job.begun = True
                job.finish()
                self._tellings.append(job.outcome(outcome))
                self._running, self._deaths = None, 0
                self._next()

    def _end_run(self, job: Job, reason: ExperimentError) -> None:
        if self._running is job and self._process is not None:
            self._tellings.append(job.outcome(reason))
            self._process.kill()
            self._warm = False

    # Called in the worker's own threads.

    def _listen(self, process: Process) -> None:
        for message in process.messages():
            with self._turn():
                if not process.killed:
                    self._hear(message)
        cause = process.reap()
        with self._turn():
            if self._end is None:
                self._replace(process, cause)

    def _replace(self, process: Process, cause: str) -> None:
        """Within a turn. What died with its process is told so: it might kill the next one. The survey alone is asked again."""
        job, self._running, self._warm = self._running, None, False
        self._warmup.finish()
        self._deaths += process.silent or not process.killed
        if self._deaths < DEATHS:
            reason = errors.died(cause)
        else:
            reason = errors.silent_for_good(DEATHS, SILENCE) if process.silent else errors.died_for_good(DEATHS, cause)
        if job:
            job.finish()
            if isinstance(job.request, protocol.Survey):
                self._waiting.insert(0, job)
            else:
                self._tellings.append(job.outcome(reason))
        if self._deaths < DEATHS:
            self._launch()
        else:
            self._abandon(reason)

    def _give_up(self, process: Process, job: Job) -> None:
        """Whoever waits is told that the process says nothing; another one takes its place, and is asked for the survey again."""
        with self._turn():
            if process is not self._process or process.killed or job.begun or self._end is not None:
                return
            jobs = [self._warmup, *self._waiting, *([self._running] if self._running else [])]
            self._tellings += [each.outcome(errors.silent(SILENCE)) for each in jobs]
            self._waiting = [each for each in self._waiting if isinstance(each.request, protocol.Survey)]
            for each in jobs:
                if isinstance(each.request, protocol.Survey):
                    self.survey = each.future
            process.silent = True
            process.kill()
            self._warm = False

    def _stop(self, job: Job, reason: ExperimentError) -> None:
        with self._turn():
            self._end_run(job, reason)
