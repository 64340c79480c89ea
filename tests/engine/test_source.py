"""The code behind a figure: nothing that makes a number may be missing from it, and the ideas come before their plumbing."""

from __future__ import annotations

import ast
import dis
import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

from engine.source import ROOTS, Source, sources
from tests.engine.experiments.observed import every, observed


def sources_of(name: str) -> tuple[Source, ...]:
    return sources(f"engine.experiments.{name}")


def listed(code: tuple[Source, ...]) -> set[tuple[str, str]]:
    """File and name of everything in a list of sources, constants each by itself."""
    return {(source.file, name) for source in code for name in source.name.split(", ")}


def place(module: str, name: str) -> tuple[str, str]:
    return module.replace(".", "/") + ".py", name


def is_ours(module: object) -> bool:
    return str(module).startswith(ROOTS)


def at_work(name: str) -> set[tuple[str, CodeType]]:
    """The module and the code of every function of the engine that runs at any setting that is tried."""
    called = {code: module for seen in observed(name) for code, module in seen.called.items()}
    return {(module, code) for code, module in called.items() if is_ours(module) and code.co_filename.endswith(".py")}


def globals_read(module: str, code: CodeType) -> Iterator[tuple[str, str]]:
    """What a function's bytecode reads from its module: functions and classes of the engine where they are defined, and constants."""
    for instruction in dis.get_instructions(code):
        if instruction.opname not in ("LOAD_GLOBAL", "LOAD_NAME") or instruction.argval not in vars(sys.modules[module]):
            continue
        value: Any = inspect.unwrap(vars(sys.modules[module])[instruction.argval])
        if isinstance(value, ModuleType) or not is_ours(getattr(value, "__module__", module)):
            continue
        if hasattr(value, "__qualname__"):
            yield place(value.__module__, value.__qualname__)
        elif home := next(defining(module, instruction.argval), ""):
            yield place(home, instruction.argval)


def defining(module: str, name: str) -> Iterator[str]:
    """The module of the engine in which a constant gets its value: this one, or the one from which it is imported."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    imported = {alias.name: node.module for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    home = imported.get(name, module)
    if is_ours(home):
        yield str(home)


@every
def test_run_comes_first(name: str) -> None:
    """Whoever asks for the source reads what the experiment does before what it is made of."""
    first, *others = sources_of(name)

    assert ("run", f"engine/experiments/{name}.py") == (first.name, first.file)
    assert others


@every
def test_nothing_is_left_out(name: str) -> None:
    """Every function of the engine that was seen at work, and every function, class and constant that it reads, is listed."""
    there = listed(sources_of(name))
    called = at_work(name)

    functions = {place(module, code.co_qualname.partition(".")[0]) for module, code in called if code.co_name != "<lambda>"}
    read = {found for module, code in called for found in globals_read(module, code)}

    assert len(functions) > 1
    assert set() == (functions | read) - there


@every
def test_each_piece_can_be_read_alone(name: str) -> None:
    """Every piece is a whole definition, and stands where it says."""
    for source in sources_of(name):
        compile(textwrap.dedent(source.code), source.file, "exec")


@every
def test_pages_are_not_mixed(name: str) -> None:
    """The experiment's own functions come first, then one page after the other."""
    files = [source.file for source in sources_of(name)]
    in_order = list(dict.fromkeys(files))

    assert f"engine/experiments/{name}.py" == files[0]
    assert sorted(files, key=in_order.index) == files


def test_first_lines() -> None:
    """A piece says in which line of its file it begins."""
    for source in sources_of("softmax_saturation"):
        lines = (Path(__file__).parents[2] / source.file).read_text().splitlines()

        assert lines[source.line - 1] == source.code.splitlines()[0]


def test_a_threshold_is_shown() -> None:
    """A reader of "58 % saturated" finds from where a weight counts as saturated."""
    assert any("SATURATED" in source.name and "0.99" in source.code for source in sources_of("softmax_saturation"))


@pytest.mark.parametrize("name", ["pretrained_attention", "wordpiece"])
def test_ideas_come_before_reading_files(name: str) -> None:
    """How a checkpoint is read from its folder comes after everything that is computed with it."""
    files = list(dict.fromkeys(source.file for source in sources_of(name)))

    assert len(files) > 3
    assert "engine/textbook/checkpoint.py" == files[-1]
