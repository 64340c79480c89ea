"""What holds for every experiment of the folder when it runs, whoever wrote it."""

from __future__ import annotations

import importlib
import math
import random
import re
import time
from collections.abc import Iterator

import pytest
import torch

from engine.assemble import counted
from engine.catalog import load, names
from engine.experiment import Experiment
from engine.label import Label, ParameterError, TooLarge
from engine.measures import Measure, Note, Scalar, Walk
from engine.parameter import Parameter, Value
from engine.result import Matrix, Result
from tests.engine.experiments.observed import Seen, every, observed, usual
from tests.engine.runs import briefly, ends, run
from tests.extent import some

LONGEST = 5.0  # seconds, for the ones that train; a slow machine has a longer deadline
ROUNDING = 1e-6  # of a number, or of 1: a share that float32 adds up is 1.0000001
ALL, SOME = some(12, 40), 3  # whole numbers that are all tried, and how many are tried of more
SETTINGS = some(2, 4)  # in which nothing is at its default
SLOW = 3.0  # seconds: a training has a longer deadline, and fewer values are tried

NAMES = names()

# More than an end of one slider is needed before these experiments have everything to show.
COINCIDENCES: dict[str, tuple[dict[str, Value], ...]] = {
    "attention_explanation": ({"redundancy": 0.25, "keys": 4},),
    "attention_sink": ({"strength": -1.5, "window": 64, "sinks": 2, "seed": 60},),
    "coreference": ({"reason": "hungry", "language": "zh", "steps": 50, "seed": 3},),
    "flash_attention": ({"keys": 3, "causal": "yes"},),
    "gelu": ({"x": 0.0},),
    "gradient_clipping": ({"limit": 16.0, "seed": 69}, {"limit": 32.0, "outlier": 3.0, "seed": 96}),
    "kl_divergence": ({"distance": 1.0},),
    "mixture_of_experts": ({"experts": 2, "chosen": 4}, {"experts": 4, "chosen": 2, "preference": 0.0229436, "seed": 28}),
    "positions_alibi": ({"heads": 5}, {"heads": 1, "length": 16, "sigma": 5.0, "seed": 75}),
    "pretrained_attention": (
        {"sentence": "the kitten did not eat the fish because it was not hungry " * 2},
        {"sentence": "the kitten ate the fish because it was ☃"},
        {"rival": ""},
        {"contrast": ""},
    ),
    "recurrent_dilution": ({"gain": 2.0, "seed": 10},),
    "residual_gradient": ({"layers": 54, "activation": "relu"}, {"layers": 100, "gain": 2.0}),
    "softmax": ({"score_1": -10.0, "score_2": 7.0}, {"shift": 0}),
    "softmax_saturation": ({"d_k": 1, "keys": 2, "sigma_q": 10.0, "sigma_k": 10.0},),
    "two_relations": ({"head_1": 0.1},),
}
WITHOUT_EXTRA = {"missing", "beyond_heads"}  # notes for those without the bert extra, and with a model of fewer heads

UNDEFINED = {"rank_agreement"}  # NaN where a note says so


def settings(experiment: Experiment) -> Iterator[dict[str, Value]]:
    """The defaults, and both ends of every slider with the others at their defaults."""
    yield {}
    for parameter in experiment.parameters:
        yield from (briefly(experiment, {parameter.name: value}) for value in ends(parameter))


def between(parameter: Parameter, some: int) -> list[int]:
    """Some whole numbers of the range that a person can type and no tick shows."""
    if parameter.scale in ("choice", "text") or not isinstance(parameter.default, int):
        return []
    shown = {parameter.value_at(tick) for tick in range(parameter.ticks + 1)}
    rest = [value for value in range(int(parameter.low), int(parameter.high) + 1) if value not in shown]
    if parameter.name == "steps":
        return rest[:1]  # of a training
    return rest if len(rest) <= ALL else [*rest[:some], *random.Random(parameter.name).sample(rest, some), *rest[-some:]]


def few(experiment: Experiment, count: int) -> int:
    return 1 if experiment.deadline > SLOW else count


def anywhere(experiment: Experiment, draw: random.Random) -> dict[str, Value]:
    """A value of its range for every parameter but texts, trainings as short as they can be."""
    return briefly(
        experiment, {each.name: inside(each, draw) for each in experiment.parameters if each.scale != "text" and each.name != "steps"}
    )


def inside(parameter: Parameter, draw: random.Random) -> Value:
    if parameter.scale == "choice":
        return draw.choice(parameter.choices).value
    if isinstance(parameter.default, int):
        return draw.choice((int(parameter.low), int(parameter.high), draw.randint(int(parameter.low), int(parameter.high))))
    return draw.choice((parameter.low, parameter.high, draw.uniform(parameter.low, parameter.high)))


def problems(experiment: Experiment, result: Result) -> Iterator[str]:
    """What is wrong with the numbers of one run."""
    if not result.quantities:
        yield "no quantities"
    excused = UNDEFINED if result.notes else set()
    yield from (f"{name} = {value}" for name, value in numbers(result) if not math.isfinite(value) and name not in excused)
    ranges = {each.name: each.within for each in experiment.measures if isinstance(each, Scalar)}
    for each in (*result.quantities, *result.timings):
        low, high = ranges[each.name]
        room = ROUNDING * max(1, abs(each.value))
        if not (low - room <= each.value <= high + room or math.isnan(each.value)):
            yield f"{each.name} = {each.value} is outside {low}..{high}"
    matrices = {matrix.name for matrix in result.matrices}
    yield from (f"a step without its matrix {step.matrix}" for step in result.steps if step.matrix and step.matrix not in matrices)


def numbers(result: Result) -> Iterator[tuple[str, float]]:
    """Every number of a Result with the name of its figure; -inf in a matrix is a masked score, and fine."""
    yield from ((quantity.name, quantity.value) for quantity in result.quantities)
    yield from ((series.name, value) for series in result.series for value in (*series.x, *series.y))
    yield from ((matrix.name, cell) for matrix in result.matrices for row in matrix.values for cell in row if cell != -math.inf)
    yield from ((table.name, cell) for table in result.tables for row in table.rows for cell in row if isinstance(cell, int | float))


@every
def test_at_both_ends_of_every_slider(name: str) -> None:
    """A run is affordable, its numbers are finite or a note says why not, and every quantity is in the range that it declares.

    Every measure that is declared appears in one of the runs.
    """
    experiment = load(name)
    for given in settings(experiment):
        experiment.afford(experiment.accept(given))
    seen = (*observed(name), *(Seen(experiment, given) for given in COINCIDENCES.get(name, ())))
    measures = [measure for measure in experiment.measures if isinstance(measure, Walk) or measure.name not in WITHOUT_EXTRA]

    assert [] == [f"{each.given}: {problem}" for each in seen for problem in problems(experiment, each.result)]
    assert [] == [measure for measure in measures if not any(appears(measure, each.result) for each in seen)]


@every
def test_between_the_ticks(name: str) -> None:
    """A whole number that a person types between two ticks is computed as well, or refused with a sentence in both languages."""
    experiment = load(name)
    found: list[str] = []
    for given in ({each.name: value} for each in experiment.parameters for value in between(each, few(experiment, SOME))):
        found += outcome(experiment, briefly(experiment, dict(given)))

    assert [] == found


@every
def test_anywhere(name: str) -> None:
    """So is every combination of values in the ranges, drawn at random: what is refused is refused before the run."""
    experiment, draw = load(name), random.Random(name)

    assert [] == [problem for _ in range(few(experiment, SETTINGS)) for problem in outcome(experiment, anywhere(experiment, draw))]


def outcome(experiment: Experiment, given: dict[str, Value]) -> list[str]:
    """What is wrong with one run, or with the sentence that refuses it; nothing but `accept` may."""
    try:
        experiment.accept(given)
    except ParameterError as refusal:
        return [] if says_it(refusal.label) else [f"{given}: {refusal}"]
    try:
        return [f"{given}: {problem}" for problem in problems(experiment, run(experiment, **given))]
    except Exception as error:
        return [f"{given}: {type(error).__name__}: {error}"]


def appears(measure: Measure, result: Result) -> bool:
    if isinstance(measure, Note):
        return any(fits(measure.label, note) for note in result.notes)
    if isinstance(measure, Walk):
        return any(fits(measure.label, step.label) for step in result.steps)
    return counted(measure.name, 0) in {name for name, _ in figures(result)}


def fits(declared: Label, shown: Label) -> bool:
    """Whether words are the declared ones, with anything where these mention a value."""
    return re.fullmatch(re.sub(r"\\\{.*?\\\}", ".*", re.escape(declared.en)), shown.en) is not None


@every
def test_same_parameters_give_the_same_result(name: str) -> None:
    """A run neither reads nor moves torch's global random state: equal parameters give an equal Result.

    Warm, it stays within its deadline, of processor time; it is printed (pytest -s) for those who compare.
    """
    experiment = load(name)
    first = usual(name).result
    torch.manual_seed(2)
    before = torch.random.get_rng_state()

    start = time.process_time()
    second = run(experiment)
    seconds = time.process_time() - start

    assert first == second
    assert torch.equal(before, torch.random.get_rng_state())
    print(f"{name}: {1000 * seconds:.1f} ms warm at the defaults")
    assert seconds < min(experiment.deadline, LONGEST)


@every
def test_arms_differ(name: str) -> None:
    """The wrong way and the right way are quantities, and their numbers differ."""
    values = {quantity.name: quantity.value for quantity in usual(name).result.quantities}

    wrong, right = load(name).arms

    assert abs(values[wrong] - values[right]) > 1e-6


def figures(result: Result) -> list[tuple[str, Label]]:
    """The name and the label of everything that a Result shows."""
    groups = (result.quantities, result.timings, result.series, result.matrices, result.tables)
    return [(each.name, each.label) for group in groups for each in group]


@every
def test_names_are_an_interface(name: str) -> None:
    """Quantities, series, matrices and parameters have distinct names that a claim can write."""
    used = [name for name, _ in figures(usual(name).result)] + [parameter.name for parameter in load(name).parameters]

    assert len(set(used)) == len(used)
    assert [] == [each for each in used if not each.isidentifier()]


@every
def test_speaks_both_languages(name: str) -> None:
    """Every label has an English and a Chinese text of one line, and the module's docstring states the claim."""
    experiment, result = load(name), usual(name).result
    labels = [experiment.title, experiment.summary, *(each.label for each in experiment.parameters)]
    labels += [choice.label for parameter in experiment.parameters for choice in parameter.choices]
    labels += [measure.label for measure in experiment.measures]
    labels += [label for _, label in figures(result)] + [step.label for step in result.steps]
    labels += [*(series.x_label for series in result.series), *result.notes]

    assert [] == [label for label in labels if not says_it(label)]
    assert (importlib.import_module(f"engine.experiments.{name}").__doc__ or "").strip()


def says_it(label: Label) -> bool:
    return all(text.strip() and "\n" not in text for text in (label.en, label.zh))


@every
def test_a_product_is_the_product(name: str) -> None:
    """A matrix that says product_of=(A, B) is A times B times its factor, cell by cell."""
    result = usual(name).result
    known = {matrix.name: torch.tensor(matrix.values, dtype=torch.float64) for matrix in result.matrices}

    for matrix in result.matrices:
        if matrix.product_of:
            assert multiplied(matrix, known).tolist() == [pytest.approx(row, abs=1e-9) for row in matrix.values]


def multiplied(matrix: Matrix, known: dict[str, torch.Tensor]) -> torch.Tensor:
    assert matrix.product_of is not None
    left, right = matrix.product_of
    return matrix.factor * (known[left] @ known[right])


def test_a_cost_formula_refuses_something() -> None:
    """An experiment says what a run would cost only if its sliders reach what is too large; the limit itself is tested where it stands."""
    for experiment in filter(lambda each: each.cost, map(load, NAMES)):
        with pytest.raises(TooLarge):
            experiment.afford({parameter.name: ends(parameter)[-1] for parameter in experiment.parameters})
