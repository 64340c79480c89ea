"""What is wrong with a deck's own computations, as far as their text says it: lines that cannot be read, names that nothing makes."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping

from content.claims.computation import CONSTANTS, USAGE, Node, names_of, parse_computation
from content.claims.tokens import ClaimError
from content.deck.cards import Computation, ComputedParameter, Turns
from content.deck.library import Draft, LoadedDeck
from content.messages.sentence import say
from content.text.nearest import did_you_mean
from content.yaml.numerals import real
from content.yaml.problems import Problem
from content.yaml.tree import Location, problem_at

SEED = "seed"
SEEDS = range(100)
TICKS_LIMIT = 10_000  # of a slider


def computation_problems(loaded: LoadedDeck | Draft, experiments: Collection[str]) -> Iterator[Problem]:
    """Everything that can be said without computing. `experiments` are the names that the program has itself."""
    for name, computation in loaded.computations.items():
        here: Location = ("experiments", name)
        if name in experiments:
            yield loaded.problem(here, say("there is an experiment {name} already", name=name), say("choose another name"))
        for parameter in computation.parameters:
            yield from _parameter_problems(loaded, here, computation, parameter)
        yield from _line_problems(loaded, here, computation)
        yield from _named_problems(loaded, here, computation)


def _parameter_problems(loaded: LoadedDeck | Draft, here: Location, computation: Computation, name: str) -> Iterator[Problem]:
    parameter = computation.parameters[name]
    place = (*here, "parameters", name)
    if name in USAGE or name in CONSTANTS:
        yield loaded.problem(place, say("{name} is a word of the language", name=name), say("choose another name"))
    written = {key: getattr(parameter, key) for key in ("default", "low", "high", "step") if getattr(parameter, key) is not None}
    numbers = {key: number for key, value in written.items() if (number := real(value)) is not None}
    for key in written.keys() - numbers.keys():
        yield loaded.problem(
            (*place, key),
            say("{key} is {value}; it must be a number", key=key, value=written[key]),
            say("write digits, such as 0.25 or 64"),
        )
    if written.keys() != numbers.keys():
        return
    if {"low", "high"} <= numbers.keys():
        yield from _range_problems(loaded, place, parameter, numbers)
    elif name != SEED or {"low", "high"} & numbers.keys():
        yield loaded.problem(
            place,
            say("the parameter {name} needs low and high", name=name),
            say("write {name}: {{default: {default}, low: ..., high: ...}}", name=name, default=parameter.default),
        )
    elif numbers["default"] not in SEEDS:
        yield loaded.problem(
            (*place, "default"),
            say("{name} is a whole number in {low}..{high}; not {value}", name=name, low=SEEDS[0], high=SEEDS[-1], value=parameter.default),
            say("write 0, or low and high"),
        )


def _range_problems(
    loaded: LoadedDeck | Draft, place: Location, parameter: ComputedParameter, numbers: Mapping[str, float]
) -> Iterator[Problem]:
    """What is wrong with a slider whose numbers are all numbers."""
    if not numbers["low"] <= numbers["default"] <= numbers["high"] or numbers["low"] == numbers["high"]:
        yield loaded.problem(
            place,
            say(
                "{name} goes from {low} to {high}, with {default} at first",
                name=place[-1],
                low=parameter.low,
                high=parameter.high,
                default=parameter.default,
            ),
            say("low < high, and default between them"),
        )
    elif parameter.scale == "log" and numbers["low"] <= 0:
        yield loaded.problem((*place, "low"), say("a log scale begins above 0"), say("write low: 0.01, or leave scale out"))
    elif "step" in numbers and numbers["step"] <= (1 if parameter.scale == "log" else 0):
        yield loaded.problem(
            (*place, "step"),
            say("a step of {step} never arrives", step=parameter.step),
            say("more than 1 on a log scale, where a step multiplies; else above 0"),
        )
    elif not _ticks(numbers, parameter.scale) <= TICKS_LIMIT:
        yield loaded.problem(
            place,
            say(
                "{name} goes from {low} to {high} in more than {limit:,} steps",
                name=place[-1],
                low=parameter.low,
                high=parameter.high,
                limit=TICKS_LIMIT,
            ),
            say("a larger step, or a smaller range"),
        )


def _ticks(numbers: Mapping[str, float], scale: str) -> float:
    """How many steps a slider has; infinitely many where its range is no number itself. Without a step it has a few."""
    span = numbers["high"] / numbers["low"] if scale == "log" else numbers["high"] - numbers["low"]
    if "step" not in numbers or not math.isfinite(span):
        return 0 if math.isfinite(span) else math.inf
    return math.log(span) / math.log(numbers["step"]) if scale == "log" else span / numbers["step"]


def _line_problems(loaded: LoadedDeck | Draft, here: Location, computation: Computation) -> Iterator[Problem]:
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
            yield loaded.problem(place, say("{name} is a word of the language", name=name), say("choose another name"))
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
        hint = did_you_mean(name, known) or (
            say("above it there are {names}", names=tuple(known)) if known else say("nothing stands above it")
        )
        yield loaded.problem_in(place, offset, say("{name} is no parameter, and no line above makes it", name=name), hint)


def _unknown(tree: Node, known: Collection[str]) -> Iterator[tuple[str, int]]:
    seen = set(known)
    for name, offset in names_of(tree):
        if name not in seen:
            seen.add(name)
            yield name, offset


def _named_problems(loaded: LoadedDeck | Draft, here: Location, computation: Computation) -> Iterator[Problem]:
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
                    (*here, "figures", i),
                    say("{curve} is the curve of {line} over {over}, and a line's name", curve=curve, line=shown, over=figure.over),
                    say("rename the line"),
                )
    for name, (low, high) in computation.ranges.items():
        if not low <= high:
            yield loaded.problem(
                (*here, "ranges", name),
                say("{name} cannot lie between {low:g} and {high:g}", name=name, low=low, high=high),
                say("the smaller number comes first"),
            )
    for key in ("labels", "units", "ranges"):
        named += [((key, name), name, made) for name in getattr(computation, key)]
    for place, name, known in named:
        if name not in known:
            where, is_parameter = (*here, *place), known is computation.parameters
            yield problem_at(
                loaded.tree.key_place(where) if place[-1] == name else loaded.tree.place(where),
                say("there is no parameter {name}", name=name) if is_parameter else say("there is no line {name}", name=name),
                did_you_mean(name, known) or say("there are {names}", names=tuple(known)),
            )
