"""The process that runs a listing: one request from stdin, then three answers on stdout: ready, the corrected listing's, the listing's.

The corrected one comes first, so that a mistake that spoils what both stand on, such as torch's own state, cannot spoil it.
"""

from __future__ import annotations

import json
import math
import os
import sys
import traceback
import types
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict
from typing import IO, Any

import torch
from torch import nn
from torch.nn import functional

from engine.computed.recipe import ComputeError, Recipe, Step
from engine.computed.run import lines
from engine.errors import excerpt
from engine.label import Label
from engine.listing.kinds import Kind, as_python, kind_of
from engine.listing.limits import MEMORY, PRINTED, Overdue, Paper, Printed, deadline_of, limit, listing_builtins
from engine.listing.numbers import NoNumbers, plain
from engine.listing.request import NOTHING, Failure, Part, Request, overdue, read_request

LISTING, COMPARE = "<listing>", "<compare>"
GIVEN = {"torch": torch, "math": math, "nn": nn, "F": functional}  # what listings leave their imports off for
_OUT_OF_MEMORY = "can't allocate memory"  # in what torch says


def main(deadline: float) -> None:
    answers = _private_pipe()
    request = read_request(sys.stdin.buffer.readline())
    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)  # what the inputs are: a layer that the listing makes takes them
    _tell(answers, {"value": 1})
    limit(deadline)
    inputs = computed_inputs(request)
    if isinstance(inputs, Failure):
        _tell(answers, asdict(inputs))
    else:
        for source in (request.right, request.wrong):
            found = run(source, request.compare, {name: as_python(*value) for name, value in inputs.items()}, deadline)
            _tell(answers, asdict(found) if isinstance(found, Failure) else {"value": found})
    os._exit(0)  # what the listing has left behind, such as threads, is nobody's


def _private_pipe() -> IO[bytes]:
    """An own copy of stdout; what is printed, also from native code, goes nowhere."""
    answers = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return answers


def _tell(answers: IO[bytes], message: Mapping[str, Any]) -> None:
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()


def computed_inputs(request: Request) -> dict[str, tuple[Any, Kind]] | Failure:
    """Each input's value and what a listing gets it as; or where a line cannot be computed."""
    steps = tuple(Step(name, tree) for name, tree in request.inputs)
    try:
        found = lines(Recipe("inputs", Label("", ""), (), steps, ("", ""), ()), request.given or {})
    except ComputeError as error:
        return Failure(error.label, "inputs", name=error.step, column=error.place[0])
    except (MemoryError, RuntimeError) as error:
        return Failure(_reason(error, 0)[0], "inputs", hint=Label("make them smaller", "请减小输入"))
    kinds: dict[str, Kind] = {}
    for step in steps:
        kinds[step.name] = kind_of(step.tree, kinds)
    return {name: (value, kinds[name]) for name, value in found.items()}


def run(source: str, compare: str, inputs: Mapping[str, Any], deadline: float) -> Any:
    """What `compare` is worth after the source, as plain numbers, or a Failure.

    The inputs are this run's own: it may change them. Everything random begins anew.
    """
    module = types.ModuleType("listing")
    sys.modules[module.__name__] = module  # where a dataclass looks for its own
    scope = vars(module)
    scope.update({"__builtins__": listing_builtins(), **GIVEN, **inputs})
    torch.manual_seed(0)
    part: Part = "listing"
    paper = Paper()
    try:
        with redirect_stdout(paper), redirect_stderr(paper), deadline_of(deadline):
            exec(compile(source, LISTING, "exec"), scope)
            part = "compare"
            value = eval(compile(compare.strip(), COMPARE, "eval"), scope)
            return plain(value)
    except NoNumbers as error:
        hint = Label("compare a number, a tensor or a list of numbers", "请比较一个数、一个张量，或者由数组成的列表")
        return Failure(error.label, "compare", hint=hint)
    except BaseException as error:  # a listing may fail in any way
        return _failure(error, part, deadline)


def _failure(error: BaseException, part: Part, deadline: float) -> Failure:
    message, hint, raises = _reason(error, deadline)
    if isinstance(error, SyntaxError) and error.filename in (LISTING, COMPARE):
        return Failure(message, part, (error.lineno or 0) if error.filename == LISTING else 0, hint=hint)
    rows = [row for frame, row in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == LISTING]
    return Failure(message, "listing" if rows else part, rows[-1] if rows else 0, hint=hint, raises=raises)


def _reason(error: BaseException, deadline: float) -> tuple[Label, Label, bool]:
    """What happened, without its subject, what to do, and whether it is an error of Python's own in what can be run."""
    if isinstance(error, Overdue):
        return overdue(deadline).message, overdue(deadline).hint, False
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and _OUT_OF_MEMORY in str(error)):
        room = f"{MEMORY // 2**20:,} MiB"
        return Label(f"needs more than {room} of memory", f"需要超过 {room} 内存"), Label("make the inputs smaller", "请减小输入"), False
    if isinstance(error, Printed):
        told = Label(f"prints more than {PRINTED:,} characters", f"输出超过 {PRINTED:,} 个字符")
        return told, Label("leave the printing out", "请去掉 print"), False
    if isinstance(error, SystemExit):
        return Label("ends the program", "结束了程序"), Label("leave exit() out", "请去掉 exit()"), False
    if isinstance(error, SyntaxError):
        hint = Label("the listing and its corrected line must both be whole Python", "原来的代码和改正后的代码都要是完整的 Python")
        return Label(f"is no Python: {excerpt(error.msg)}", f"不是合法的 Python：{excerpt(error.msg)}"), hint, False
    try:
        said = excerpt(error)
    except BaseException:  # an exception of the listing's own may fail even to say what it is
        said = ""
    hint = Label("give it under inputs", "请在 inputs 里给出它") if isinstance(error, NameError) else NOTHING
    raised = f"{type(error).__name__}{': ' * bool(said)}{said}"
    return Label(f"raises {raised}", f"抛出 {raised}"), hint, True
