"""A deck's own computation as the engine wants it: its lines read into trees, its sliders into parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from content.claims.computation import parse_computation
from content.claims.tokens import ClaimError
from content.deck.cards import Computation, ComputedFigure, ComputedParameter, Text, Turns
from content.deck.library import Draft, LoadedDeck
from content.yaml.numerals import real
from content.yaml.problems import Problem
from content.yaml.tree import Location
from engine import ComputeError, Description, ExperimentError, Figure, Label, Parameter, Recipe, Worker
from engine.computed.recipe import Repeat, Step, Sweep
from engine.parameter import SEED
from quiz.card.figure_shapes import misfits
from quiz.words.problems import reason

TICKS = 24  # of a slider whose step is not given


def describe_own(loaded: LoadedDeck | Draft, worker: Worker) -> tuple[dict[str, Description], list[Problem]]:
    """What a deck's own computations are, and what is wrong with those that cannot be computed: every line of them."""
    found, problems = dict[str, Description](), list[Problem]()
    for name, computation in loaded.computations.items():
        try:
            found[name] = worker.describe(recipe(name, computation)).result()
            problems += [loaded.problem(place, message, hint) for place, message, hint in misfits(name, computation, found[name])]
        except ClaimError:
            pass  # content.deck.computations has said so
        except ComputeError as error:
            for fault in (error, *_further(worker, recipe(name, computation), error)):
                problems.append(loaded.problem_in(step_place(name, computation, fault.step), fault.place[0], reason(fault)))
        except ExperimentError as error:
            problems.append(loaded.problem(("experiments", name), reason(error)))
    return found, problems


def _further(worker: Worker, asked: Recipe, error: ComputeError) -> Iterator[ComputeError]:
    """The errors of lines that need nothing of those that are wrong."""
    while (rest := _without(asked, error.step)) != asked:
        asked = rest
        try:
            worker.describe(asked).result()
        except ComputeError as fault:
            error = fault
            yield fault
        except ExperimentError:
            return
        else:
            return


def _without(asked: Recipe, step: str) -> Recipe:
    """A recipe's lines but for one, and for all that read it; nothing else of it is left."""
    gone, steps = set[str](), list[Step | Repeat]()
    for line in asked.steps:
        if step in line.makes or not gone.isdisjoint(line.reads):
            gone |= line.makes
        else:
            steps.append(line)
    return replace(asked, steps=tuple(steps), arms=("", ""), figures=(), sweeps=(), labels=(), ranges=(), units=()) if gone else asked


def step_place(name: str, computation: Computation, step: str) -> Location:
    """Where a line stands in the file."""
    for key, line in computation.compute.items():
        if isinstance(line, Turns) and step in line.do:
            return "experiments", name, "compute", key, "do", step
        if key == step:
            return ("experiments", name, "compute", key) + (("keep",) if isinstance(line, Turns) else ())
    return "experiments", name


def recipe(name: str, computation: Computation) -> Recipe:
    """Raises ClaimError where a line cannot be read; `content.deck.computations` has said so before."""
    arms = computation.arms
    sweeps = dict.fromkeys(Sweep(shown, figure.over) for figure in computation.figures if figure.over for shown in figure.shows)
    return Recipe(
        name,
        _label(computation.title),
        tuple(_parameter(key, parameter) for key, parameter in computation.parameters.items()),
        tuple(_line(key, line) for key, line in computation.compute.items()),
        (arms.wrong, arms.right) if arms else ("", ""),
        tuple(map(_figure, computation.figures)),
        tuple(sweeps),
        tuple((key, _label(text)) for key, text in computation.labels.items()),
        tuple(computation.ranges.items()),
        tuple(computation.units.items()),
        _source(computation),
    )


def _label(text: Text) -> Label:
    return Label(text.said("en"), text.said("zh"))


def _line(name: str, line: str | Turns) -> Step | Repeat:
    if isinstance(line, str):
        return Step(name, parse_computation(line))
    steps = tuple(Step(inner, parse_computation(text)) for inner, text in line.do.items())
    return Repeat(name, parse_computation(line.repeat), steps, parse_computation(line.keep))


def _figure(figure: ComputedFigure) -> Figure:
    shows = tuple(Sweep(name, figure.over).name if figure.over else name for name in figure.shows)
    return Figure(figure.kind, shows, figure.over, figure.mark)


def _parameter(name: str, written: ComputedParameter) -> Parameter:
    label = _label(written.label) if written.label else Label(name, name)
    given = [text for text in (written.default, written.low, written.high, written.step) if text is not None]
    default = real(written.default) or 0.0
    if written.low is None or written.high is None:
        return Parameter(name, label, int(default), SEED.low, SEED.high)
    low, high = real(written.low) or 0.0, real(written.high) or 0.0
    whole = all(text.strip().lstrip("+-").isdigit() for text in given)
    step = (real(written.step) if written.step else None) or _step(low, high, written.scale == "log", whole)
    return Parameter(name, label, int(default) if whole else default, low, high, step, written.scale, unit=written.unit)


def _step(low: float, high: float, log: bool, whole: bool) -> float:
    """A step that takes a slider from end to end in some two dozen."""
    if log:
        return 2 if whole else (high / low) ** (1 / TICKS)
    return max(1, round((high - low) / TICKS)) if whole else (high - low) / TICKS


def _source(computation: Computation) -> str:
    """The lines as the author wrote them."""
    lines = []
    for name, line in computation.compute.items():
        if isinstance(line, Turns):
            lines += [f"{name}:", f"  repeat: {line.repeat}", "  do:"]
            lines += [f"    {inner}: {text}" for inner, text in line.do.items()] + [f"  keep: {line.keep}"]
        else:
            lines.append(f"{name}: {line}")
    return "\n".join(lines) + "\n"
