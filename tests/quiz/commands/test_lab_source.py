"""`qkv lab NAME --source`: code that can be saved and compiled, and read on any terminal."""

from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from engine import Worker
from quiz.commands import lab


def test_every_source_compiles(worker: Worker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe the code of every experiment stands as in its files, whatever its width: the whole output is a program."""
    monkeypatch.setenv("COLUMNS", "40")
    for name, description in worker.survey.result().found.items():
        assert 0 == lab.source(name, language="en")
        printed = capsys.readouterr().out
        compile(printed, name, "exec")

        assert [] == [one.name for one in description.sources if one.code.rstrip("\n") not in printed]
        assert [f"# {one.file}:{one.line}" for one in description.sources] == [
            line for line in printed.splitlines() if line.startswith("# engine/")
        ]


def test_on_a_narrow_terminal_a_line_goes_on_under_itself() -> None:
    """Nothing is wider than the terminal, and the rest of a line stands right of its indentation."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, no_color=True, width=40, color_system=None)
    lab._print_code(console, "def run():\n    weights = softmax(scores * scale_of_queries, -1)\n    return weights")
    lines = file.getvalue().splitlines()

    assert ["def run():", "    weights = softmax(scores *", "      scale_of_queries, -1)", "    return weights", ""] == lines
    assert max(map(cell_len, lines)) <= 40
