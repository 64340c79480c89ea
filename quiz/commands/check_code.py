"""`qkv check --code`: each code card's listing is run beside its correction. This runs the deck's code, so nothing else may import it.

The two values of `compare` must differ by more than rounding: by more than 1e-5 of the largest number in them, and by more than 1e-12.
Other shapes are a difference; so is a NaN beside a number, and two NaNs are none. Where only the listing raises, that is its difference:
whoever runs it sees the mistake, and `agrees` speaks of the corrected one alone. What is no Python, hangs, takes too much memory, prints
without end or ends its process is refused in both: none of it can be told from a slip of the author's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from content.claims.computation import parse_computation
from content.claims.tokens import ClaimError
from content.deck.cards import Card, Code
from content.deck.known_experiments import lab_name
from content.deck.library import Draft, LoadedDeck
from content.format import LANGUAGES
from content.text.numbers import significant
from content.yaml.problems import Problem
from content.yaml.tree import Location
from engine import ExperimentError
from engine.listing.copies import copies
from engine.listing.process import run_listing
from engine.listing.request import Failure, Ran, Request, Value
from quiz.card.card_run import run_of
from quiz.card.card_runs import CardRuns
from quiz.card.judge import of_languages
from quiz.card.shared_runs import Computing
from quiz.commands.check_agreement import agreement_faults
from quiz.commands.check_report import CodeReport
from quiz.words.problems import of_label, say

ROUNDING, NOTHING = 1e-5, 1e-12
NO_COMPARE = say("add compare: (a name, or a call such as f(x)), and under inputs: what the listing needs")
NO_AGREES = say("add agrees: such as close(wrong, RESULT, 0.05), with a result of the card's run")
UNCHANGED = say("choose inputs for which the wrong line matters, or compare what it changes")
THE_LISTING, THE_CORRECTED = say("the listing"), say("the corrected listing")


CodeCard = tuple[LoadedDeck | Draft, int, Card]
RunListing = Callable[[Request], Ran]


def code_cards(files: Iterable[LoadedDeck | Draft]) -> list[CodeCard]:
    """Every card with a listing, with its place."""
    return [(loaded, index, card) for loaded in files for index, card in loaded.cards.items() if card.code]


@contextmanager
def many_listings() -> Iterator[RunListing]:
    """What runs one listing after the other without waiting for torch each time."""
    with copies() as begin:
        yield partial(run_listing, begin=begin)


def without_compare(cards: Iterable[CodeCard]) -> int:
    """How many listings cannot be run, as their cards do not say what to compare."""
    return sum(not card.code.compare for _, _, card in cards if card.code)


def code_report(found: Iterable[list[Problem] | None], bare: int) -> CodeReport:
    """What was found in the listings together; of them, `bare` had nothing to run."""
    found = list(found)
    problems = [problem for each in found if each for problem in each]
    return CodeReport(len(found), sum(each == [] for each in found), found.count(None) + bare, tuple(problems))


def problems_or_none(card: CodeCard, computing: Computing | None, run: RunListing) -> list[Problem] | None:
    """None where the listing could not be run, and why is told elsewhere: of the card's run by quiz.card.judge, of the inputs by
    content.deck.listings."""
    try:
        return list(card_problems(*card, computing, run))
    except (ExperimentError, ClaimError):
        return None


def card_problems(loaded: LoadedDeck | Draft, index: int, card: Card, computing: Computing | None, run: RunListing) -> Iterator[Problem]:
    """What is wrong with one card's listing; once for each language whose run differs. Raises ExperimentError and ClaimError."""
    assert card.code is not None
    here: Location = ("cards", index, "code")
    if not card.code.compare:
        message = say("the listing is not run: the card does not say what to compare")
        yield loaded.problem_in((*here, "listing"), 0, message, NO_COMPARE, "warning")
        return
    if card.verify and not card.code.agrees:
        message = say("nothing says that the wrong line is the mistake of which the claims speak")
        yield loaded.problem((*here, "wrong_line"), message, NO_AGREES, "warning")
    settings = {tuple(card.verify.settings(language).items()): language for language in reversed(LANGUAGES)} if card.verify else {(): "en"}
    yield from of_languages({one: list(_judged(loaded, here, card, computing, run, one)) for one in reversed(settings.values())})


def _judged(
    loaded: LoadedDeck | Draft, here: Location, card: Card, computing: Computing | None, run: RunListing, language: str
) -> Iterator[Problem]:
    assert card.code is not None
    runs = CardRuns(run_of(card, computing, loaded.folder, language)) if card.verify and computing else None
    request = _request(card.code, _parameters(runs) if runs else {})
    ran = run(request)
    faults = list(_faults(card.code, ran))
    if not faults and runs and card.code.agrees:
        asked = lab_name(loaded, runs.described[0][1].name)
        faults = [(("agrees",), 0, *fault) for fault in agreement_faults(card.code.agrees, runs, ran, asked)]
    for place, offset, message, hint in faults:
        yield loaded.problem_in((*here, *place), offset, message, hint)


def _parameters(runs: CardRuns) -> Mapping[str, int | float]:
    """The parameters of the card's own run, which inputs may use."""
    return {name: value for name, value in runs.names.items() if name not in runs.results and isinstance(value, int | float)}


def _request(code: Code, numbers: Mapping[str, int | float]) -> Request:
    """Raises ClaimError where an input cannot be read."""
    inputs = tuple((name, parse_computation(line)) for name, line in code.inputs.items())
    return Request(corrected(code), code.listing, code.compare, inputs, numbers)


def corrected(code: Code) -> str:
    """The listing with its wrong line as it should be."""
    lines = code.listing.splitlines()
    return "\n".join([*lines[: code.wrong_line - 1], code.correction, *lines[code.wrong_line :]]) + "\n"


Fault = tuple[Location, int, str, str]  # where in `code`, at which character, what, and what to do


def _faults(code: Code, ran: Ran) -> Iterator[Fault]:
    """What is wrong with the two values, before anything is said of what they are."""
    if isinstance(ran.right, Failure):
        yield _failed(code, ran.right, THE_CORRECTED)
    elif isinstance(ran.wrong, Failure):
        if not ran.wrong.raises:
            yield _failed(code, ran.wrong, THE_LISTING)
    elif not differ(ran.wrong, ran.right):
        told = say("the wrong line changes nothing: compare is {value} with it and without", value=_shown(ran.right))
        yield ("listing",), _row(code, code.wrong_line), told, UNCHANGED


def _failed(code: Code, failure: Failure, subject: str) -> Fault:
    found, hint = of_label(failure.message), of_label(failure.hint)
    told = say("{subject} {failure}", subject=subject, failure=found)
    match failure:
        case Failure(part="inputs", name=""):
            return ("inputs",), 0, say("computing the inputs {failure}", failure=found), hint
        case Failure(part="inputs"):
            return ("inputs", failure.name), failure.column, found, hint
        case Failure(part="compare"):
            return ("compare",), 0, say("compare {failure}, with {subject}", failure=found, subject=subject), hint
        case Failure(line=code.wrong_line) if subject == THE_CORRECTED:
            return ("right",), 0, told, hint
    return ("listing",), _row(code, failure.line), told, hint


def _row(code: Code, line: int) -> int:
    """Where the words of a line of the listing begin; those of the first one, where there is no such line."""
    rows = code.listing.splitlines(keepends=True)
    before = rows[: line - 1] if 1 <= line <= len(rows) else []
    row = rows[len(before)]
    return sum(map(len, before)) + len(row) - len(row.lstrip())


def differ(wrong: Value, right: Value) -> bool:
    """Whether two values are not the same but for rounding."""
    pairs = list(_pairs(wrong, right))
    if None in pairs:
        return True
    numbers = [pair for pair in pairs if pair]
    if any(_is_odd(a) or _is_odd(b) for a, b in numbers if not (a == b or (a != a and b != b))):
        return True
    finite = [(a, b) for a, b in numbers if not (_is_odd(a) or _is_odd(b))]
    largest = max((abs(each) for pair in finite for each in pair), default=0.0)
    return any(abs(a - b) > max(ROUNDING * largest, NOTHING) for a, b in finite)


def _is_odd(number: float) -> bool:
    return isinstance(number, float) and not math.isfinite(number)


def _pairs(wrong: Value, right: Value) -> Iterator[tuple[float, float] | None]:
    """Numbers that stand at the same place; None where there is no counterpart."""
    if isinstance(wrong, tuple) and isinstance(right, tuple) and len(wrong) == len(right):
        for a, b in zip(wrong, right, strict=True):
            yield from _pairs(a, b)
    else:
        yield None if isinstance(wrong, tuple) or isinstance(right, tuple) else (wrong, right)


def _shown(value: Value) -> str:
    """A number; of several the first ones."""
    flat = list(_flat(value))
    shown = ", ".join(map(significant, flat[:3]))
    return shown if not isinstance(value, tuple) else f"[{shown}{', ...' if len(flat) > 3 else ''}]"


def _flat(value: Value) -> Iterator[float]:
    if isinstance(value, tuple):
        for part in value:
            yield from _flat(part)
    else:
        yield value
