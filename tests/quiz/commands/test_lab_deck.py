"""`qkv lab FILE NAME`: a deck's own computation from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from quiz.cli import qkv
from tests.content.deck.test_computations import OWN


def lab(folder: Path, *typed: str) -> tuple[int, str]:
    (folder / "own.yaml").write_text(OWN, encoding="utf-8")
    done = CliRunner().invoke(qkv, ["lab", str(folder / "own.yaml"), *typed])
    return done.exit_code, done.output


def test_a_deck_s_computation_is_run(tmp_path: Path) -> None:
    """With the parameters that are set, under the name that cards use."""
    code, told = lab(tmp_path, "nucleus", "--set", "T=3", "--json")

    assert 0 == code
    assert ("nucleus", 4.0) == (json.loads(told)["experiment"], json.loads(told)["quantities"]["w"])


def test_its_lines_are_its_source(tmp_path: Path) -> None:
    assert "# nucleus\nprobs: softmax(3 * randn(50, seed) / T)" in lab(tmp_path, "nucleus", "--source")[1]


def test_a_name_that_the_deck_does_not_have_is_told(tmp_path: Path) -> None:
    """With those that it has, and the exit code of a wrong command."""
    code, told = lab(tmp_path, "kernel", "--lang", "en")

    assert 2 == code
    assert told.replace("\n", "").endswith("own.yaml has no computation kernel; it has nucleus.")
