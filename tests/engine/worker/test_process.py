"""The child process as such: what is left to do when it has died."""

from __future__ import annotations

from engine.worker import protocol
from engine.worker.process import Process


def test_a_message_to_a_dead_process_does_not_hinder_its_burial() -> None:
    """What could not be sent stays in the pipe's buffer; closing it once raised BrokenPipeError, and the worker fell silent."""
    process = Process("tests.engine.laboratory")
    process.kill()
    assert [] == list(process.messages())
    process.send(protocol.Describe())

    assert "signal SIGKILL" == process.reap()
