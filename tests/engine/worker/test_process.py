"""The process that computes: how it dies and ends, and what is left to do then."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import engine.worker.worker
from engine import Worker, WorkerClosed, WorkerDied
from engine.worker import protocol
from engine.worker.process import Process
from tests.engine.worker.waiting import HERE, PATIENCE, computing, fails, is_alive, until, value_in


def test_a_message_to_a_dead_process_does_not_hinder_its_burial() -> None:
    """What could not be sent stays in the pipe's buffer; closing it once raised BrokenPipeError, and the worker fell silent."""
    process = Process("tests.engine.laboratory")
    process.kill()
    assert [] == list(process.messages())
    process.send(protocol.Survey())

    assert "signal SIGKILL" == process.reap()


class TestDeath:
    @pytest.mark.parametrize(
        ("name", "said"), [("leaves", "(exit code 3: [31mout of paper [0m)"), ("segfault", "(signal SIGSEGV)")], ids=lambda value: value[:8]
    )
    def test_restart(self, light: Worker, name: str, said: str) -> None:
        """The run that took its process with it is told how; the next request is answered by a new one."""
        light.submit("quick", {}).result(PATIENCE)

        assert said in fails(light.submit(name, {}), WorkerDied)
        assert 2 == value_in(light.submit("quick", {}), "double")

    def test_waiting_run_survives(self, light: Worker) -> None:
        """A request that waited while the process died is computed by the next one."""
        pid = value_in(light.submit("quick", {}), "pid")
        running = computing(light, "deaf")
        waiting = light.submit("quick", {"n": 3})
        os.kill(int(str(pid)), signal.SIGKILL)

        assert "signal SIGKILL" in fails(running, WorkerDied)
        assert 6 == value_in(waiting, "double")

    def test_three_in_a_row(self, light: Worker) -> None:
        """After three deaths without an answer nothing is started again, and every later request says so at once."""
        light.survey.result(PATIENCE)
        said = [fails(light.submit("leaves", {}), WorkerDied) for _ in range(3)]

        assert ["being started again", "being started again", "3 times in a row"] == [
            next(text for text in ("being started again", "3 times in a row") if text in sentence) for sentence in said
        ]
        assert "3 times in a row" in fails(light.submit("quick", {}), WorkerDied)

    def test_answers_between(self, light: Worker) -> None:
        """Deaths with an answer between them are not in a row."""
        for _ in range(4):
            assert "being started again" in fails(light.submit("leaves", {}), WorkerDied)
            assert 2 == value_in(light.submit("quick", {}), "double")

    def test_survey_is_asked_again(self, unstarted: Worker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """A process that dies while it reads the experiments costs the survey nothing but time."""
        package = tmp_path / "folder" / "stumbling"
        package.mkdir(parents=True)
        (package / "once.py").write_text(f"import os\ntry: os.mkdir({str(tmp_path / 'seen')!r})\nexcept OSError: pass\nelse: os._exit(1)")
        monkeypatch.syspath_prepend(package.parent)

        with Worker("stumbling") as worker:
            assert {"once"} == set(worker.survey.result(PATIENCE).broken)

    def test_cannot_start(self, unstarted: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        """Without an interpreter to run, everything that waits fails with a sentence."""
        monkeypatch.setattr(sys, "executable", "/no/such/python")
        waiting = unstarted.submit("quick", {})
        unstarted.start()

        assert "cannot be started" in fails(waiting, WorkerDied)
        assert [WorkerDied, WorkerDied] == [type(future.exception(0)) for future in (unstarted.ready, unstarted.survey)]

    def test_cannot_warm_up(self, unstarted: Worker, tmp_path: Path) -> None:
        """A process that never gets warm, because torch is broken, is tried three times; its last line says why."""
        (tmp_path / "torch.py").write_text("raise ImportError('no CPU like this')")
        unstarted.start()

        assert "ImportError: no CPU like this" in fails(unstarted.submit("quick", {}), WorkerDied)
        assert WorkerDied is type(unstarted.ready.exception(0))


class TestSilence:
    """A process that says nothing: each wait for it has an end, whatever it waits for."""

    @pytest.fixture(autouse=True)
    def _short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engine.worker.worker, "SILENCE", 5.0)  # in which a healthy one starts, also on a loaded machine

    def test_torch_never_finishes_importing(self, unstarted: Worker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """What waits fails with a sentence, then the process is tried twice more, and nothing more is waited for."""
        monkeypatch.setattr(engine.worker.worker, "SILENCE", 1.0)
        (tmp_path / "torch.py").write_text("import time; time.sleep(600)")
        unstarted.start()

        assert "did not answer within 1 s and is being started again" in fails(unstarted.submit("quick", {}), WorkerDied)
        assert [WorkerDied, WorkerDied] == [type(future.exception(PATIENCE)) for future in (unstarted.ready, unstarted.survey)]
        until(lambda: "3 times in a row" in fails(unstarted.submit("quick", {}), WorkerDied))
        assert "3 times in a row" in str(unstarted.describe("quick").exception(PATIENCE))

    def test_slow_once(self, unstarted: Worker, tmp_path: Path) -> None:
        """The process that takes its place answers everything, also the survey, although that had failed."""
        torch = tmp_path / "torch.py"
        once = f"import os, time\ntry: os.mkdir({str(tmp_path / 'seen')!r})\nexcept OSError: pass\nelse: time.sleep(600)"
        torch.write_text(f"{torch.read_text()}\n{once}")
        unstarted.start()
        assert WorkerDied is type(unstarted.describe("quick").exception(PATIENCE))

        assert 2 == value_in(unstarted.submit("quick", {}), "double")
        assert "quick" == unstarted.describe("quick").result(PATIENCE).name

    def test_the_survey_hangs(self, unstarted: Worker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        """An experiment's file that never ends loading."""
        monkeypatch.setattr(engine.worker.worker, "SILENCE", 1.0)
        package = tmp_path / "folder" / "hanging"
        package.mkdir(parents=True)
        (package / "once.py").write_text("import time; time.sleep(600)")
        monkeypatch.syspath_prepend(package.parent)

        with Worker("hanging") as worker:
            assert WorkerDied is type(worker.survey.exception(PATIENCE))
            until(lambda: "not started again" in fails(worker.submit("once", {}), WorkerDied))

    def test_stopped_between_two_runs(self, light: Worker) -> None:
        """A process that somebody stopped does not begin a run: it is replaced, and the next run is answered."""
        pid = int(str(value_in(light.submit("quick", {}), "pid")))
        os.kill(pid, signal.SIGSTOP)

        assert "did not answer" in fails(light.submit("quick", {}), WorkerDied)
        assert pid != value_in(light.submit("quick", {}), "pid")
        until(lambda: not is_alive(pid))

    def test_a_long_run_is_not_silent(self, light: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
        """What has begun has its own deadline, however long."""
        monkeypatch.setattr(engine.worker.worker, "SILENCE", 1.0)

        assert 3 == value_in(light.submit("training", {"steps": 3, "pause": 1}), "made")


class TestClose:
    def test_in_native_code(self, light: Worker) -> None:
        """Closing takes a moment even in the middle of native code, leaves no process, and settles what is open."""
        pid = value_in(light.submit("quick", {}), "pid")
        future = computing(light, "deaf")
        waiting = light.submit("quick", {})
        start = time.monotonic()
        light.close()

        assert time.monotonic() - start < 5  # 20 would be the computation's own end; measured: 0.02
        until(lambda: not is_alive(pid))
        assert ["The lab is closed"] * 2 == [fails(open_, WorkerClosed)[:17] for open_ in (future, waiting)]

    def test_before_it_is_warm(self, unstarted: Worker) -> None:
        """A worker may be closed at any time, more than once; nothing that waits for it hangs, and it does not start again."""
        unstarted.start()
        unstarted.close()
        unstarted.close()
        unstarted.start()

        assert [WorkerClosed, WorkerClosed] == [type(future.exception(0)) for future in (unstarted.ready, unstarted.survey)]
        with pytest.raises(WorkerClosed):
            unstarted.submit("quick", {})

    def test_killed_parent(self) -> None:
        """A parent that is killed with -9 leaves no process behind, not even in the middle of a computation."""
        code = f"""
import sys
sys.path[:0] = [{str(HERE.parents[1])!r}, {str(HERE)!r}]
from engine import Worker
with Worker("laboratory") as worker:
    print(worker.submit("quick", {{}}).result().scope()["pid"], flush=True)
    worker.submit("native", {{}}, lambda _: print("computing", flush=True)).result()
"""
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout is not None
            pid, computing = parent.stdout.readline().strip(), parent.stdout.readline().strip()
            alive = is_alive(pid)
            parent.kill()

        assert ("computing", True) == (computing, alive)
        until(lambda: not is_alive(pid))
