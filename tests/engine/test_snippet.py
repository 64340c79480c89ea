"""An experiment's run as a program of its own."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from engine import names
from engine.catalog import describe
from engine.snippet import snippet

SAMPLE = ("softmax", "attention_mask", "bert_architecture", "layer_norm")  # plain; names that two pages have; classes; tables of constants
STEPPED = ("parallel_training",)


def program(name: str, **settings: float) -> str:
    one = describe(name)
    given = {parameter.name: parameter.default for parameter in one.parameters} | settings
    return snippet(one, given, one.figures[0].shows)


@pytest.mark.parametrize("name", names())
def test_every_program_can_be_compiled_and_needs_nothing_of_ours(name: str) -> None:
    """No import of the engine is left, and each name is given once."""
    tree = ast.parse(program(name))
    imported = [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    defined = [node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]

    assert [] == [module for module in imported if module.startswith(("engine", "quiz", "content"))]
    assert len(set(defined)) == len(defined)


@pytest.mark.parametrize("name", [*SAMPLE, *STEPPED])
def test_a_program_prints_what_the_figure_shows(name: str, tmp_path: Path) -> None:
    """In a fresh interpreter that knows no module of ours, in an empty folder."""
    one = describe(name)
    done = subprocess.run([sys.executable, "-I", "-c", program(name)], capture_output=True, text=True, cwd=tmp_path, check=False)
    printed = [line.partition(" = ")[0] for line in done.stdout.splitlines()]

    assert "" == done.stderr
    assert set(one.figures[0].shows) & set(printed)


def test_the_numbers_are_those_of_the_run(tmp_path: Path) -> None:
    """The settings are those of the sliders."""
    from engine.catalog import load

    one = describe("softmax_saturation")
    settings = {parameter.name: parameter.default for parameter in one.parameters} | {"d_k": 64}
    result = load(one.name).measure(settings)
    code = snippet(one, settings, ("raw_std",))
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert not hasattr(result, "send")
    measured = {quantity.name: quantity.value for quantity in result.quantities}

    name, _, value = done.stdout.strip().partition(" = ")
    assert "raw_std" == name
    assert pytest.approx(measured["raw_std"], rel=1e-6) == float(value.removeprefix("tensor(").removesuffix(")"))
