"""What is wrong with a deck's own computations, as far as their text says it: lines that cannot be read, names that nothing makes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from content.claims.computation import CONSTANTS, USAGE, Node, names_of, parse_computation
from content.claims.tokens import ClaimError
from content.deck.cards import Computation, ComputedParameter, Turns
from content.deck.library import Draft, LoadedDeck
from content.text.nearest import did_you_mean
from content.text.numerals import real
from content.yaml.problems import Problem
from content.yaml.tree import Location, problem_at

SEED = "seed"
SEEDS = range(100)
TICKS_LIMIT = 10_000  # of a slider


def computation_problems(loaded: LoadedDeck, experiments: Collection[str]) -> Iterator[Problem]:
    """Everything that can be said without computing. `experiments` are the names that the program has itself."""
    for name, computation in loaded.deck.experiments.items():
        here: Location = ("experiments", name)
        if name in experiments:
            yield loaded.problem(here, f"there is an experiment {name} already", "choose another name")
        for parameter in computation.parameters:
            yield from _parameter_problems(loaded, here, computation, parameter)
        yield from _line_problems(loaded, here, computation)
        yield from _named_problems(loaded, here, computation)


def _parameter_problems(loaded: LoadedDeck, here: Location, computation: Computation, name: str) -> Iterator[Problem]:
    parameter = computation.parameters[name]
    place = (*here, "parameters", name)
    if name in USAGE or name in CONSTANTS:
        yield loaded.problem(place, f"{name} is a word of the language", "choose another name")
    written = {key: getattr(parameter, key) for key in ("default", "low", "high", "step") if getattr(parameter, key) is not None}
    numbers = {key: number for key, value in written.items() if (number := real(value)) is not None}
    for key in written.keys() - numbers.keys():
        yield loaded.problem((*place, key), f"{key} is {written[key]}; it must be a number", "write digits, such as 0.25 or 64")
    if written.keys() != numbers.keys():
        return
    if {"low", "high"} <= numbers.keys():
        yield from _range_problems(loaded, place, parameter, numbers)
    elif name != SEED or {"low", "high"} & numbers.keys():
        yield loaded.problem(
            place, f"the parameter {name} needs low and high", f"write {name}: {{default: {parameter.default}, low: ..., high: ...}}"
        )
    elif numbers["default"] not in SEEDS:
        yield loaded.problem(
            (*place, "default"), f"{name} is a whole number in {SEEDS[0]}..{SEEDS[-1]}; not {parameter.default}", "write 0, or low and high"
        )


def _range_problems(loaded: LoadedDeck, place: Location, parameter: ComputedParameter, numbers: Mapping[str, float]) -> Iterator[Problem]:
    """What is wrong with a slider whose numbers are all numbers."""
    if not numbers["low"] <= numbers["default"] <= numbers["high"] or numbers["low"] == numbers["high"]:
        yield loaded.problem(
            place,
            f"{place[-1]} goes from {parameter.low} to {parameter.high}, with {parameter.default} at first",
            "low < high, and default between them",
        )
    elif parameter.scale == "log" and numbers["low"] <= 0:
        yield loaded.problem((*place, "low"), "a log scale begins above 0", "write low: 0.01, or leave scale out")
    elif "step" in numbers and numbers["step"] <= (1 if parameter.scale == "log" else 0):
        yield loaded.problem(
            (*place, "step"),
            f"a step of {parameter.step} never arrives",
            "more than 1 on a log scale, where a step multiplies; else above 0",
        )
    elif not _ticks(numbers, parameter.scale) <= TICKS_LIMIT:
        yield loaded.problem(
            place,
            f"{place[-1]} goes from {parameter.low} to {parameter.high} in more than {TICKS_LIMIT:,} steps",
            "a larger step, or a smaller range",
        )


def _ticks(numbers: Mapping[str, float], scale: str) -> float:
    """How many steps a slider has; infinitely many where its range is no number itself. Without a step it has a few."""
    span = numbers["high"] / numbers["low"] if scale == "log" else numbers["high"] - numbers["low"]
    if "step" not in numbers or not math.isfinite(span):
        return 0 if math.isfinite(span) else math.inf
    return math.log(span) / math.log(numbers["step"]) if scale == "log" else span / numbers["step"]


def _line_problems(loaded: LoadedDeck, here: Location, computation: Computation) -> Iterator[Problem]:
    """Lines that cannot be read, and names that no line above has made."""
    known = dict.fromkeys(computation.parameters)
    for name, line in computation.compute.items():
        place = (*here, "compute", name)
        if isinstance(line, Turns):
            yield from unreadable(loaded, (*place, "repeat"), line.repeat, known)
            for inner, text in line.do.items():
                yield from unreadable(loaded, (*place, "do", inner), text, known)
                known[inner] = None
            yield from unreadable(loaded, (*place, "keep"), line.keep, known)
        else:
            yield from unreadable(loaded, place, line, known)
        if name in USAGE or name in CONSTANTS:
            yield loaded.problem(place, f"{name} is a word of the language", "choose another name")
        known[name] = None


def unreadable(loaded: LoadedDeck | Draft, place: Location, text: str, known: Collection[str] | None) -> Iterator[Problem]:
    """What is wrong with a line. `known` are the names above it; None leaves those to the run."""
    try:
        tree = parse_computation(text)
    except ClaimError as error:
        yield loaded.problem_in(place, error.column - 1, error.message, error.hint)
        return
    if known is None:
        return
    for name, offset in _unknown(tree, known):
        hint = did_you_mean(name, known) or (f"above it there are {', '.join(known)}" if known else "nothing stands above it")
        yield loaded.problem_in(place, offset, f"{name} is no parameter, and no line above makes it", hint)


def _unknown(tree: Node, known: Collection[str]) -> Iterator[tuple[str, int]]:
    seen = set(known)
    for name, offset in names_of(tree):
        if name not in seen:
            seen.add(name)
            yield name, offset


def _named_problems(loaded: LoadedDeck, here: Location, computation: Computation) -> Iterator[Problem]:
    """Names in arms, figures, labels, units and ranges that no line makes."""
    made = computation.lines
    named: list[tuple[Location, str, Collection[str]]] = []
    if computation.arms:
        named += [(("arms", "wrong"), computation.arms.wrong, made), (("arms", "right"), computation.arms.right, made)]
    for i, figure in enumerate(computation.figures):
        named += [(("figures", i, figure.kind, j), name, made) for j, name in enumerate(figure.shows)]
        named += [(("figures", i, "mark"), figure.mark, made)] if figure.mark else []
        named += [(("figures", i, "over"), figure.over, computation.parameters)] if figure.over else []
        for shown in figure.shows if figure.over else ():
            if (curve := f"{shown}_over_{figure.over}") in made:
                yield loaded.problem(
                    (*here, "figures", i), f"{curve} is the curve of {shown} over {figure.over}, and a line's name", "rename the line"
                )
    for name, (low, high) in computation.ranges.items():
        if not low <= high:
            yield loaded.problem(
                (*here, "ranges", name), f"{name} cannot lie between {low:g} and {high:g}", "the smaller number comes first"
            )
    for key in ("labels", "units", "ranges"):
        named += [((key, name), name, made) for name in getattr(computation, key)]
    for place, name, known in named:
        if name not in known:
            sort = "parameter" if known is computation.parameters else "line"
            hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
            where = (*here, *place)
            found = loaded.tree.key_place(where) if place[-1] == name else loaded.place(where)
            yield problem_at(found, f"there is no {sort} {name}", hint)
