"""Random expressions of both kinds, as many as wanted: each ends in a value or in a sentence, never in another exception or in a warning.

`python -m tests.fuzz_expressions --each 100000` stops at the first that does not, with the expression and the command that repeats it.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from types import FrameType
from typing import NoReturn

import torch

from content.claims import single_numbers, teeth
from content.claims.computation import CONSTANTS, USAGE
from content.claims.evaluator import evaluate, number
from content.claims.idle import why_idle
from content.claims.mutation import killing_mutations
from content.claims.parser import FUNCTIONS, parse, parse_number
from content.claims.tokens import ClaimError
from content.claims.tolerances import passing_neighbour, tolerances
from content.text import placeholders
from engine.computed.experiment import experiment
from engine.computed.recipe import ComputeError
from engine.label import ExperimentError
from engine.result import Result
from tests.engine.computed.recipes import recipe, repeat, step

PATIENCE = 10  # seconds of the processor; no single line may take so long, however busy the machine is
DEPTH = 3
OPERATORS = ("+", "-", "*", "/", "%", "**", "+", "*", "-", "/", "@")
BROKEN = 0.2  # of the expressions get a token too many or too few
TOKENS = (
    *"()[],:.@*/%<>=!+-",
    "**",
    "==",
    " and ",
    " or ",
    " not ",
    "dim=",
    "-1",
    "1e400",
    "9**9**9",
    "0.5",
    "inf",
    "lambda: 0",
    "_",
    "“",
    "×",
)
NUMBERS = ("0", "1", "2", "-1", "3", "0.5", "-2.5", "1e-9", "1e300", "1e308 * 10", "10**9", "2**53", "n", "t")
CLAIMED: Mapping[str, object] = {
    "n": 4, "t": 0.5, "zero": 0.0, "huge": 1e308, "nan_": float("nan"), "inf_": float("inf"), "row": (0.25, 0.75, 1.0), "empty": (),
    "text": "causal", "m": ((0.25, 0.75), (0.5, 0.5)), "ragged": ((1.0,), (1.0, 2.0)), "masked": ((0.0, float("-inf")), (1.0, 2.0)),
}  # fmt: skip
MADE = ("A", "v", "w", "c", "loss", "cube", *CONSTANTS)


def expression(chance: random.Random, names: tuple[str, ...], functions: tuple[str, ...], depth: int = DEPTH) -> str:
    """One that is well-formed, with names, functions and operators that may not fit each other."""

    def part() -> str:
        return expression(chance, names, functions, depth - 1)

    if depth == 0 or chance.random() < 0.15:
        return chance.choice(names if chance.random() < 0.7 else NUMBERS)
    match chance.randrange(9):
        case 0 | 1:
            return f"{part()} {chance.choice(OPERATORS)} {part()}"
        case 2:
            return f"({part()} {chance.choice(('<', '<=', '>', '==', '!=', 'and', 'or'))} {part()})"
        case 3:
            return f"{chance.choice(('-', 'not ', '+'))}({part()})"
        case 4:
            index = chance.choice(("0", "-1", ":", "1:3", "::2", "5", ":, 0", "[0, 1]", part()))
            return f"{chance.choice(names)}[{index}]"
        case 5 if chance.random() < 0.3:
            return f"[{', '.join(part() for _ in range(chance.randrange(4)))}]"
    function = chance.choice(functions)
    arguments = [part() for _ in range(_arity(chance, function))]
    if chance.random() < 0.1:
        arguments.append(f"{chance.choice(('dim', 'k', 'descending', 'eps'))}={chance.choice(('0', '1', '-1', '2', 'true', 'n'))}")
    return f"{function}({', '.join(arguments)})"


def _arity(chance: random.Random, function: str) -> int:
    """As many values as a function takes, mostly."""
    if function in USAGE and chance.random() < 0.9:
        return USAGE[function].count(",") + 1 - USAGE[function].count("=")
    return FUNCTIONS[function].least if function in FUNCTIONS and chance.random() < 0.9 else chance.randrange(1, 4)


def mutated(chance: random.Random, text: str) -> str:
    """The same, sometimes with a token too many or a piece too few."""
    while chance.random() < BROKEN:
        place = chance.randrange(len(text) + 1)
        text = text[:place] + (chance.choice(TOKENS) + text[place:] if chance.random() < 0.6 else text[place + chance.randrange(4) :])
    return text


def claim(chance: random.Random) -> str:
    return mutated(chance, expression(chance, tuple(CLAIMED), tuple(FUNCTIONS)))


def line(chance: random.Random) -> str:
    return mutated(chance, expression(chance, MADE, tuple(USAGE)))


def attempt_claim(text: str) -> str:
    """All that is done with a claim, a number and a live number."""
    written = f"It is {{{{{text}:.2f}}}}."
    placeholders.fill(written, CLAIMED)
    placeholders.placeholder_problems(written)
    try:
        found = parse_number(text)
        return "no value" if number(found, CLAIMED)[0] is None else "number"
    except ClaimError:
        pass
    try:
        found = parse(text)
    except ClaimError as error:
        return _told(error, "refused")
    outcome = evaluate(found, CLAIMED)
    assert outcome.holds or outcome.told
    killing_mutations(found, CLAIMED, CLAIMED)
    single_numbers.misuse(found, ("n", "t"))
    teeth.of_the_wrong_way(found, CLAIMED, ("n", "t"))
    teeth.too_wide(found)
    teeth.by_definition(found, [CLAIMED] * 5, tuple(CLAIMED), ())
    for name in found.names:
        why_idle(found, CLAIMED, name)
    for tolerance in tolerances(found):
        passing_neighbour(tolerance, [CLAIMED], [{**CLAIMED, "t": 0.6}])
    teeth.always_the_same(found, [CLAIMED] * 5, tuple(CLAIMED), ())
    return "true" if outcome.holds else "false"


def attempt_line(text: str) -> str:
    """A line below others, by itself and in a loop: described, which finds the shapes alone, then computed."""
    try:
        made = experiment(
            recipe(
                step("A", "randn(3, n, seed)"), step("v", "[3, 1, 2]"), step("w", "randn(n, seed + 1)"), step("c", "2 * n"),
                step("loss", "sum((A @ w - v) ** 2)"), step("cube", "rand(2, 3, n, seed)"), step("out", text),
                repeat("turns", "3", "sum(out)", out=text),
            )
        )  # fmt: skip
    except ClaimError as error:
        return _told(error, "refused")
    except ExperimentError as error:
        return _told(error, "impossible" if isinstance(error, ComputeError) and error.step else "")
    try:
        found = made.measure(made.accept({}))
    except ComputeError as error:
        return _told(error, "no value")
    assert isinstance(found, Result)
    return "computed"


def _told(error: Exception, outcome: str) -> str:
    """An error is a sentence, and of a line that cannot be computed it says which."""
    assert str(error)
    assert outcome, f"no line is named: {error}"
    return outcome


KINDS: Mapping[str, tuple[Callable[[random.Random], str], Callable[[str], str]]] = {
    "claims": (claim, attempt_claim),
    "lines": (line, attempt_line),
}


def run(kind: str, seed: int, numbers: range) -> Counter[str]:
    """What came out, counted. Raises AssertionError with the expression where something else than a value or a sentence did."""
    make, attempt = KINDS[kind]
    counts: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for each in numbers:
            text = make(random.Random(f"{kind}:{seed}:{each}"))
            signal.setitimer(signal.ITIMER_PROF, PATIENCE)
            try:
                counts[attempt(text)] += 1
            except Exception as error:
                again = f"python -m tests.fuzz_expressions --kind {kind} --seed {seed} --first {each} --each 1"
                raise AssertionError(f"{traceback.format_exc()}\n{text!r}\n{again}") from error
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
    return counts


def _slow(number: int, frame: FrameType | None) -> NoReturn:
    raise TimeoutError(f"it took more than {PATIENCE} s")


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz_expressions", description="Random claims, numbers and lines.")
    options.add_argument("--each", type=int, default=10_000, help="how many of each kind")
    options.add_argument("--kind", choices=KINDS, help="only these")
    options.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(10**6), help="the same seed gives the same expressions"
    )
    options.add_argument("--first", type=int, default=0, help="the number of the first")
    asked = options.parse_args()
    torch.set_num_threads(1)  # as in the process that computes
    attempt_line("grad(sum(A), A) + randn(3, n, seed)")  # what torch imports late is no line's fault
    signal.signal(signal.SIGPROF, _slow)
    for kind in [asked.kind] if asked.kind else KINDS:
        try:
            counts = run(kind, asked.seed, range(asked.first, asked.first + asked.each))
        except AssertionError as broken:
            print(broken)
            return 1
        print(f"{kind}, seed {asked.seed}: " + ", ".join(f"{count:,} {outcome}" for outcome, count in counts.most_common()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
