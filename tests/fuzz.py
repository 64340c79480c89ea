"""Mutated decks, as many as wanted: whatever is in the bytes, there are problems and never an exception.

`python -m tests.fuzz --decks 1000000` stops at the first exception with the command that repeats it. The decks are tried in a process
of their own: one that hangs, ends the process or eats the memory is named, too, and a run that is stopped says how to go on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator, MutableSequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from types import FrameType
from typing import NoReturn

from content.claims.evaluator import evaluate
from content.claims.mutation import killing_mutations
from content.claims.parser import parse
from content.claims.tokens import ClaimError
from content.deck import checks
from content.deck.house_rules import broken_rules
from content.deck.known_experiments import KnownExperiment, declared_problems
from content.deck.library import Draft, Given, LoadedDeck, load
from content.deck.lint import texts_of
from content.text import markup
from content.yaml.clean import unclean
from content.yaml.problems import render
from tests.mutated_decks import deck

EXPERIMENTS = ("softmax_saturation", "multi_head")
SCOPE = {"d_k": 64, "raw_std": 8.0, "leak": 0.0, "nan": float("nan"), "weights": ((0.25, 0.75), (0.5, 0.5)), "row": (0.25, 0.75)}
KNOWN = {name: KnownExperiment(name, {"d_k": 64, "mask": "none"}, {"raw_std": (0, 9.5), "leak": (0, 1)}, ("row",)) for name in EXPERIMENTS}
OUTCOMES = ("deck", "draft", "refused")
PATIENCE = 10.0  # CPU seconds; no small file may take so long
SILENCE = 60.0  # seconds between two words about the progress; without any there is a hang
MEMORY = 2 * 2**30  # bytes


def attempt(data: bytes) -> str:
    """All that is done with a deck before its experiments run; tells how far it came. Whatever it raises is a defect."""
    library = load([Given("fuzz.yaml", data)])
    problems = list(checks.all_problems(library, EXPERIMENTS))
    problems += [problem for loaded in library.files for problem in (*declared_problems(loaded, KNOWN), *broken_rules(loaded))]
    for problem in problems:
        assert problem.message
        assert not unclean(render(problem)), "a problem shows what a terminal would obey"
    for loaded in library.files:
        _shown(loaded)
    assert library.decks or any(problem.severity == "error" for problem in problems), "refused without a reason"
    return "deck" if library.decks else "draft" if library.drafts else "refused"


def _shown(loaded: LoadedDeck | Draft) -> None:
    for card in loaded.cards.values():
        for _, text in texts_of(card, ()):
            for said in text.root.values():
                markup.filled(markup.parse(said), SCOPE)
        for claim in card.verify.claims if card.verify else ():
            try:
                expression = parse(claim.check)
            except ClaimError:
                continue
            evaluate(expression, SCOPE)
            killing_mutations(expression, SCOPE, SCOPE)


@dataclass(frozen=True)
class Broken(Exception):
    """A deck that raised, took too long or ended the process."""

    seed: int
    number: int
    reason: str


def run(seed: int, numbers: range) -> Iterator[str]:
    """How far each deck came. Raises Broken at the first that raises."""
    for number in numbers:
        began = time.process_time()
        try:
            yield attempt(deck(seed, number))
        except Exception:
            raise Broken(seed, number, traceback.format_exc()) from None
        if (spent := time.process_time() - began) > PATIENCE:
            raise Broken(seed, number, f"it took {spent:.1f} s")


def watched(seed: int, numbers: range, counts: MutableSequence[int]) -> None:
    """Runs the decks in a process of their own and counts how far they came. Raises Broken, also for one that hangs or kills."""
    system = multiprocessing.get_context("fork")
    reasons, told = system.Pipe(duplex=False)
    child = system.Process(target=_run, args=(seed, numbers, counts, told), daemon=True)
    child.start()
    while child.is_alive():
        before = sum(counts)
        child.join(SILENCE)
        print(f"{sum(counts):,} decks, the next is {numbers.start + sum(counts)}", file=sys.stderr, flush=True)
        if child.is_alive() and sum(counts) == before:
            child.kill()
            raise Broken(seed, numbers.start + before, f"it had no end after {SILENCE:.0f} s")
    if reasons.poll():
        raise Broken(seed, numbers.start + sum(counts), reasons.recv())
    if sum(counts) < len(numbers):
        raise Broken(seed, numbers.start + sum(counts), f"the process ended with {child.exitcode}")


def _run(seed: int, numbers: range, counts: MutableSequence[int], told: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says how far it came, and takes this process with it
    try:
        for outcome in run(seed, numbers):
            counts[OUTCOMES.index(outcome)] += 1
    except Broken as broken:
        told.send(broken.reason)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Mutated decks: there may be problems, never an exception.")
    options.add_argument("--decks", type=int, default=10_000, help="how many")
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="the same seed gives the same decks")
    options.add_argument("--first", type=int, default=0, help="the number of the first deck")
    asked = options.parse_args()
    counts = RawArray("q", len(OUTCOMES))
    again = f"python -m tests.fuzz --seed {asked.seed} --first"
    print(f"{again} {asked.first} --decks {asked.decks}", flush=True)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        watched(asked.seed, range(asked.first, asked.first + asked.decks), counts)
    except Broken as broken:
        path = Path(f"fuzz-{broken.seed}-{broken.number}.yaml")
        path.write_bytes(deck(broken.seed, broken.number))
        print(f"{broken.reason}\nThe deck is {path}; `{again} {broken.number} --decks 1`.")
        return 1
    except KeyboardInterrupt:
        done = sum(counts)
        print(f"Stopped after {done:,} decks without an exception; `{again} {asked.first + done} --decks {asked.decks - done}` goes on.")
        return 130
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    came = ", ".join(f"{count:,} {outcome}" for count, outcome in zip(counts, OUTCOMES, strict=True))
    print(f"{sum(counts):,} decks without an exception: {came}; {used.ru_utime + used.ru_stime:.0f} CPU seconds, {used.ru_maxrss:,} KiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
