"""The worker against experiments that are slow, crash, print, hang and lie."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import cast

import pytest

from engine import (
    BrokenExperiment,
    Cancelled,
    DeadlineExceeded,
    ExperimentError,
    OutOfPatience,
    ParameterError,
    Progress,
    Recipe,
    Result,
    RunFailed,
    Superseded,
    TooLarge,
    UnknownExperiment,
    Worker,
)
from tests.engine.worker.waiting import PATIENCE, computing, fails, is_alive, until, value_in


class Deadly:
    """Ends the process that reads it."""

    def __reduce__(self) -> tuple[Callable[[int], object], tuple[int]]:
        return os._exit, (3,)


class TestAnswers:
    def test_result(self, worker: Worker) -> None:
        """A run's Result comes back equal to what a run in this process gives."""
        assert 14 == value_in(worker.submit("quick", {"n": 7}), "double")

    def test_spelled_parameters(self, worker: Worker) -> None:
        """Numbers may come as text, as a deck and a command line have them."""
        assert 14 == value_in(worker.submit("quick", {"n": "7"}), "double")

    def test_nan(self, worker: Worker) -> None:
        """NaN is a number for the pipe; the claims judge it."""
        value = value_in(worker.submit("nan", {}), "nothing")

        assert value != value

    def test_output_is_harmless(self, worker: Worker) -> None:
        """What a run prints, also from native code and from its children, does not disturb the pipe; stdin is empty for it."""
        assert 0 == value_in(worker.submit("chatty", {}), "read")
        assert 2 == value_in(worker.submit("quick", {}), "double")

    def test_whatever_ran_before(self, worker: Worker) -> None:
        """Equal parameters give equal numbers whatever ran before, and the process never seeds the global generator for anybody."""
        runs = []
        for other in ("quick", "training", "large", "raises"):
            runs.append(worker.submit("draws", {"seed": 5}).result(PATIENCE).scope())
            worker.submit(other, {}).exception(PATIENCE)

        assert (1, 4) == (len({run["own"] for run in runs}), len({run["common"] for run in runs}))

    def test_progress(self, worker: Worker) -> None:
        """A generator's progress arrives in order and before its Result; a callback that fails harms nobody."""
        seen: list[Progress] = []

        def note(progress: Progress) -> None:
            seen.append(progress)
            raise KeyError

        assert 3 == value_in(worker.submit("training", {"steps": 3}, note), "made")
        assert [(1 / 3, 0), (2 / 3, 1), (1, 2)] == [(progress.fraction, progress.result.scope()["step"]) for progress in seen]

    async def test_asyncio(self, worker: Worker) -> None:
        """A coroutine may wait for a run, and may give up waiting without harm."""
        abandoned = asyncio.wrap_future(computing(worker, "training", steps=1000, pause=0.05))
        abandoned.cancel()
        await asyncio.sleep(0)  # now asyncio has tried to cancel the future within
        result = await asyncio.wrap_future(worker.submit("quick", {"n": 4}))

        assert 8 == result.scope()["double"]

    def test_the_users_folder(self, unstarted: Worker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A file in the user's folder is never taken for a module."""
        here = tmp_path / "here"
        here.mkdir()
        for name in ("queue", "engine", "sympy"):
            (here / f"{name}.py").write_text("import os; os._exit(9)")
        monkeypatch.chdir(here)
        unstarted.start()

        assert 2 == value_in(unstarted.submit("quick", {}), "double")

    def test_submit_in_a_callback(self, worker: Worker) -> None:
        """An answer may be followed by the next request in its own callback."""
        following: Future[Future[Result]] = Future()
        worker.submit("quick", {}).add_done_callback(lambda _: following.set_result(worker.submit("quick", {"n": 8})))

        assert 16 == value_in(following.result(PATIENCE), "double")


class TestRefusals:
    @pytest.mark.parametrize(
        ("name", "parameters", "kind", "said"),
        [
            ("quick", {"n": "many"}, ParameterError, "n is a whole number"),
            ("quick", {"m": 1}, ParameterError, "There is no parameter m"),
            ("costly", {"gigabytes": 1}, TooLarge, "1,024 MiB"),
            ("quik", {}, UnknownExperiment, "Did you mean quick?"),
            ("broken", {}, BrokenExperiment, "no paper in this laboratory"),
            ("raises", {}, RunFailed, "0m d_model. Try other values."),
            ("tensor", {}, RunFailed, "tensor does not measure what it declares: row is declared as a number"),
            ("nothing", {}, RunFailed, "nothing does not measure what it declares: run must return numbers by their names, not NoneType"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_sentence(self, worker: Worker, name: str, parameters: dict[str, object], kind: type[ExperimentError], said: str) -> None:
        """Every refusal is a clean sentence that names what is wrong, and the same process answers the next request."""
        before = value_in(worker.submit("quick", {}), "pid")
        sentence = fails(worker.submit(name, parameters), kind)

        assert (True, True) == (said in sentence, sentence.isprintable())
        assert before == value_in(worker.submit("quick", {}), "pid")


class TestNewestWins:
    def test_burst(self, worker: Worker) -> None:
        """Of 200 requests in a row the last is computed, some are superseded, none hangs, none gets another one's answer."""
        futures = [worker.submit("quick", {"n": n}) for n in range(200)]
        outcomes = [future.exception(PATIENCE) or future.result() for future in futures]
        results = {n: outcome.scope()["double"] for n, outcome in enumerate(outcomes) if isinstance(outcome, Result)}

        assert 398 == results[199]
        assert {n: 2 * n for n in results} == results
        assert {Superseded} == {type(outcome) for outcome in outcomes if not isinstance(outcome, Result)}

    def test_burst_from_many_threads(self, worker: Worker) -> None:
        """Requests from several threads at once are all settled."""
        futures: list[Future[Result]] = []
        threads = [threading.Thread(target=lambda: futures.extend(worker.submit("quick", {}) for _ in range(50))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert {Superseded, type(None)} >= {type(future.exception(PATIENCE)) for future in futures}

    def test_generator_gives_way(self, worker: Worker) -> None:
        """A long run stops at its next yield when a newer request arrives; the process stays."""
        before = value_in(worker.submit("quick", {}), "pid")
        long = computing(worker, "training", steps=1000, pause=0.05)

        assert before == value_in(worker.submit("quick", {}), "pid")
        assert "newer" in fails(long, Superseded)

    def test_during_the_warm_up(self, light: Worker) -> None:
        """What is submitted before torch is there waits, the newest wins, and the survey comes first."""
        order: list[str] = []
        older, newest = light.submit("quick", {"n": 1}), light.submit("quick", {"n": 2})
        light.survey.add_done_callback(lambda _: order.append("survey"))
        newest.add_done_callback(lambda _: order.append("run"))

        assert (True, False) == (older.done(), light.ready.done())
        assert 4 == value_in(newest, "double")
        assert (None, ["survey", "run"]) == (light.ready.result(0), order)


class TestDescribe:
    def test_survey(self, worker: Worker) -> None:
        """All experiments are described before any run; a broken one hides no other."""
        survey = worker.survey.result(PATIENCE)

        assert (True, "no paper" in str(survey.broken["broken"])) == ("quick" in survey.found, True)

    def test_one(self, worker: Worker) -> None:
        """One description, at once, also while the process computes; an unknown or broken one fails with its sentence."""
        worker.survey.result(PATIENCE)

        assert "Doubling a number doubles it." == worker.describe("quick").result(0).claim
        assert BrokenExperiment is type(worker.describe("broken").exception(0))
        assert UnknownExperiment is type(worker.describe("quik").exception(0))

    def test_one_that_kills(self, light: Worker) -> None:
        """A recipe that its process does not survive is asked for once; whoever waits is told, and everything else goes on."""
        light.survey.result(PATIENCE)
        told = [str(light.describe(cast("Recipe", Deadly())).exception(PATIENCE)) for _ in range(2)]

        assert ["exit code 3" in sentence for sentence in told] == [True, True]
        assert 2 == value_in(light.submit("quick", {}), "double")


class TestStopping:
    def test_deadline(self, light: Worker) -> None:
        """A run that computes for longer than its experiment allows is killed; the next request gets a new process."""
        before = value_in(light.submit("quick", {}), "pid")
        sentence = fails(light.submit("busy", {}), DeadlineExceeded)

        assert "busy took longer than 0.2 s and was stopped. Choose smaller values." == sentence
        assert before != value_in(light.submit("quick", {}), "pid")
        until(lambda: not is_alive(before))

    def test_busy_machine(self, light: Worker) -> None:
        """Only computing counts: a run that the machine lets wait for longer than its deadline is answered."""
        assert 1 == value_in(light.submit("waits", {}), "finished")

    def test_patience(self, light: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        """A run that neither computes nor ends is stopped too, in words that do not blame its values."""
        monkeypatch.setattr("engine.worker.worker.PATIENCE", 2)
        sentence = fails(light.submit("waits", {"seconds": 30.0}), OutOfPatience)

        assert sentence.startswith("waits was not done after 0.4 s, as the machine is busy")
        assert 2 == value_in(light.submit("quick", {}), "double")

    def test_deadline_counts_from_the_start(self, unstarted: Worker, tmp_path: Path) -> None:
        """The time that torch takes to get warm is nobody's deadline."""
        torch = tmp_path / "torch.py"
        torch.write_text(torch.read_text() + "\nimport time; time.sleep(1)")
        unstarted.start()

        assert None is unstarted.submit("nan", {}).exception(PATIENCE)

    def test_ready(self, unstarted: Worker, tmp_path: Path) -> None:
        """Ready means that torch has been imported, not that the process exists."""
        torch, imported = tmp_path / "torch.py", tmp_path / "imported"
        torch.write_text(torch.read_text() + f"\nimport time; time.sleep(0.3); open({str(imported)!r}, 'w').close()")
        unstarted.start()
        unstarted.ready.result(PATIENCE)

        assert imported.exists()

    def test_ctrl_c(self, light: Worker) -> None:
        """Ctrl+C in the terminal reaches the process too, which leaves it to the program."""
        pid = value_in(light.submit("quick", {}), "pid")
        os.kill(int(str(pid)), signal.SIGINT)

        assert pid == value_in(light.submit("quick", {}), "pid")

    def test_cancel_generator(self, light: Worker) -> None:
        """A generator stops at its next yield, and its process goes on."""
        before = value_in(light.submit("quick", {}), "pid")
        long = computing(light, "training", steps=1000, pause=0.01)
        light.cancel()

        assert "Stopped." == fails(long, Cancelled)
        assert before == value_in(light.submit("quick", {}), "pid")

    @pytest.mark.parametrize(("kind", "name"), [("worker", "native"), ("light", "deaf")])
    def test_cancel_native_code(self, request: pytest.FixtureRequest, kind: str, name: str) -> None:
        """Native code, with or without the interpreter's lock, is cancelled at once and its process killed soon after."""
        worker: Worker = request.getfixturevalue(kind)
        before = value_in(worker.submit("quick", {}), "pid")
        future = computing(worker, name)
        worker.cancel()

        assert Cancelled is type(future.exception(0))
        until(lambda: not is_alive(before))
        assert 2 == value_in(worker.submit("quick", {}), "double")

    def test_cancel_what_waits(self, light: Worker) -> None:
        """A request that waits is cancelled with the one that runs, and cancelling nothing is nothing."""
        running = computing(light, "deaf")
        waiting = light.submit("quick", {})
        light.cancel()
        light.cancel()

        assert [Cancelled, Cancelled] == [type(future.exception(0)) for future in (running, waiting)]
        assert 2 == value_in(light.submit("quick", {}), "double")
