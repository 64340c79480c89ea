"""Mutated decks, made from small ones and the bundled ones; the same seed and number give the same deck."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

from content.deck.deck_files import bundled

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
