"""Mutated decks, as many as wanted: whatever is in the bytes, there are problems and never an exception.

`python -m tests.fuzz --decks 1000000` stops at the first exception with the command that repeats it; the same seed gives the same decks.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from content import checks, markup
from content.claims import ClaimError, evaluate, killers, parse
from content.clean import unclean
from content.library import Draft, Given, LoadedDeck, bundled, load
from content.problems import render
from content.style import texts

EXPERIMENTS = ("softmax_saturation", "multi_head")
SCOPE = {"d_k": 64, "raw_std": 8.0, "leak": 0.0, "nan": float("nan"), "weights": ((0.25, 0.75), (0.5, 0.5)), "row": (0.25, 0.75)}
PATIENCE = 10.0  # CPU seconds; no small file may take so long
ROUND = 50_000  # decks between two words about the progress
WHOLE = 0.002  # of the decks are mutated bundled ones, which are slow; the others are small

SMALL = (
    b"deck: a\ntitle: T\ncards:\n  - {id: one, question: Why?, answer: So.}\n",
    b"deck: a\ntitle: {en: T, zh: \xe9\xa2\x98}\ncards:\n  - id: one\n    question: {en: 'Why $d_k$?'}\n"
    b"    answer: |\n      - *a*\n      - `b`\n",
    b"deck: a\ntitle: T\ncards:\n  - id: one\n    question: Why?\n    answer: It is {{raw_std:.1f}}.\n    verify:\n"
    b"      experiment: multi_head\n      set: {d_k: 64}\n"
    b"      claims: [{says: So., check: 'abs(raw_std / sqrt(d_k) - 1) < 0.1 and max(row) < 1'}]\n",
    b"deck: a\ntitle: T\ncards:\n  - {id: one, kind: choice, question: Q, options: [{text: x, right: true}, {text: y, why: z}]}\n"
    b"  - {id: two, kind: number, question: Q, number: {value: 1e-3, within: 10%}, formerly: [old]}\n",
    b"deck: a\ntitle: T\ndefaults: {level: 2, tags: [x]}\ncards:\n"
    b"  - {id: one, kind: order, question: Q, order: [x, y, z], follow_ups: [one]}\n"
    b'  - {id: two, kind: code, question: Q, code: {listing: "a = 1\\nb = 2", wrong_line: 2, right: b}, checked: 2026-11-29}\n',
    b"deck: a\ntitle: T\ncards:\n  - id: one\n    question: >-\n      Why\n      so?\n    answer: 'It''s $\\frac{a}{b}$.'\n"
    b"    formula: '\\mathrm{softmax}\\left(\\frac{QK^\\top}{\\sqrt{d_k}}\\right)V'\n",
)
TOKENS = (
    *(b"{{", b"}}", b"{{x", b"{{raw_std:.1f}}", b"$", b"$$", b"\\frac{", b"\\sqrt", b"\\left(", b"\\begin{matrix}", b"*", b"**", b"`"),
    *(b"```\n", b"|", b"|-|-|\n", b": ", b":", b"- ", b"-", b"\n", b"\r\n", b"\t", b"  ", b" #", b"#", b"[", b"]", b"{", b"}", b"'", b'"'),
    *(b"&a ", b"*a ", b"!t ", b"<<", b"? ", b"---\n", b"...\n", b"%", b"@", b">", b"null", b"~", b"true", b"id: one", b"zh: ", b"check: "),
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xef\xbc\x9a", b"\xc2\xa0", b"\\u202e", b"\\e]52;", b"\x1b"),
    *(b"9**9**9", b"1e999", b"-0", b"nan", b"not ", b" or ", b"== ", b"<", b"(", b")", b",", b"x.y", b"x[0]", b"lambda: 0"),
    *(b"__import__('os')", b"sum(row)", b"len(", b"weights[0][1]", b"close(raw_std, 8, 0.1)"),
)

Mutation = Callable[[random.Random, bytearray], None]


def _span(draw: random.Random, data: bytearray) -> tuple[int, int]:
    start = draw.randrange(len(data) + 1)
    return start, min(len(data), start + int(draw.expovariate(1 / 12)))


def insert(draw: random.Random, data: bytearray) -> None:
    """A piece of syntax where it does not belong."""
    place = draw.randrange(len(data) + 1)
    data[place:place] = draw.choice(TOKENS) * draw.choice((1, 1, 1, 1, 2, 40))


def delete(draw: random.Random, data: bytearray) -> None:
    start, end = _span(draw, data)
    del data[start:end]


def double(draw: random.Random, data: bytearray) -> None:
    start, end = _span(draw, data)
    data[start:start] = data[start:end] * draw.choice((1, 1, 30))


def change(draw: random.Random, data: bytearray) -> None:
    """Another byte."""
    if data:
        data[draw.randrange(len(data))] = draw.randrange(256)


def splice(draw: random.Random, data: bytearray) -> None:
    """The end of another deck."""
    other = draw.choice(SMALL)
    data[draw.randrange(len(data) + 1) :] = other[draw.randrange(len(other)) :]


def swap(draw: random.Random, data: bytearray) -> None:
    """Two lines change places."""
    lines = data.split(b"\n")
    first, second = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    data[:] = b"\n".join(lines)


def token(draw: random.Random, data: bytearray) -> None:
    """A word is another piece of syntax: what is still YAML reaches the checks behind the reader."""
    start = data.find(b" ", draw.randrange(len(data) + 1)) + 1
    end = min((place for mark in b" ,}\n" if (place := data.find(mark, start)) > 0), default=len(data))
    data[start:end] = draw.choice(TOKENS)


MUTATIONS: tuple[Mutation, ...] = (insert, insert, token, token, delete, double, change, splice, swap)


@cache
def _whole() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in bundled())


def deck(seed: int, number: int) -> bytes:
    """The deck with a number, always the same for a seed."""
    draw = random.Random(f"{seed}/{number}")
    data = bytearray(draw.choice(_whole() if draw.random() < WHOLE else SMALL))
    for _ in range(draw.choice((1, 1, 2, 3, 6))):
        draw.choice(MUTATIONS)(draw, data)
    return bytes(data)


def attempt(data: bytes) -> str:
    """All that is done with a deck before its experiments run; tells how far it came. Whatever it raises is a defect."""
    library = load([Given("fuzz.yaml", data)])
    problems = list(checks.found(library, EXPERIMENTS))
    for problem in problems:
        assert problem.message
        assert not unclean(render(problem)), "a problem shows what a terminal would obey"
    for loaded in library.files:
        _shown(loaded)
    assert library.decks or any(problem.severity == "error" for problem in problems), "refused without a reason"
    return "deck" if library.decks else "draft" if library.drafts else "refused"


def _shown(loaded: LoadedDeck | Draft) -> None:
    for card in loaded.cards.values():
        for _, text in texts(card, ()):
            for said in text.root.values():
                markup.filled(markup.parse(said), SCOPE)
        for claim in card.verify.claims if card.verify else ():
            try:
                expression = parse(claim.check)
            except ClaimError:
                continue
            evaluate(expression, SCOPE)
            killers(expression, SCOPE, SCOPE)


@dataclass(frozen=True)
class Broken(Exception):
    """A deck that raised, or took too long."""

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


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Mutated decks: there may be problems, never an exception.")
    options.add_argument("--decks", type=int, default=10_000, help="how many")
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="the same seed gives the same decks")
    options.add_argument("--first", type=int, default=0, help="the number of the first deck")
    asked = options.parse_args()
    began, told = time.monotonic(), Counter[str]()
    print(f"seed {asked.seed}", flush=True)
    try:
        for outcome in run(asked.seed, range(asked.first, asked.first + asked.decks)):
            told[outcome] += 1
            if told.total() % ROUND == 0:
                print(f"{told.total():,} decks, {told.total() / (time.monotonic() - began):,.0f} a second", file=sys.stderr)
    except Broken as broken:
        path = Path(f"fuzz-{broken.seed}-{broken.number}.yaml")
        path.write_bytes(deck(broken.seed, broken.number))
        print(f"{broken.reason}\nThe deck is {path}; `python -m tests.fuzz --seed {broken.seed} --first {broken.number} --decks 1`.")
        return 1
    rate = told.total() / (time.monotonic() - began)
    print(f"{told.total():,} decks without an exception, {rate:,.0f} a second: {', '.join(f'{n:,} {name}' for name, n in told.items())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
