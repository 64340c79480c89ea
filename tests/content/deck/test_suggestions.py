"""What is suggested is accepted: whoever writes it has no problem at that place any more."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator

import pytest

from content.deck.checks import all_problems
from content.deck.known_experiments import KnownExperiment, declared_problems
from content.deck.library import Given, load
from content.yaml.problems import Problem

KNOWN = {
    "sat": KnownExperiment("sat", {"d_k": 64, "sigma": 1.0, "mask": "none"}, {"raw_std": (0, math.inf), "raw_mean": (-1, 1)}, ("masks",))
}
DECK = """\
deck: mine
title: {en: Mine, zh: 我的}
defaults: {level: 2}
experiments:
  nucleus:
    title: What is kept
    parameters:
      temperature: {default: 1, low: 0.1, high: 10}
      seed: {default: 0}
    compute:
      logits: 3 * randn(50, seed)
      probs: softmax(logits / temperature)
      kept: sum(probs > 0.01)
      losses: {repeat: 20, do: {weight: 1 + temperature}, keep: weight}
    arms: {wrong: kept, right: losses}
    figures: [{bars: probs, mark: kept}, {curve: kept, over: temperature}]
    labels: {kept: words}
cards:
  - id: scaling
    kind: explain
    asked: 3
    question: Why?
    hint: Think of it.
    predict: {ask: How many?, quantity: raw_std, within: 5}
    answer: It is {{raw_std:.0f}}, or {{2 * raw_mean}}, and no more than that.
    key_points: [one, two]
    verify:
      experiment: sat
      set: {d_k: 64, mask: none}
      claims:
        - says: It is so.
          check: close(raw_std, sqrt(d_k), 0.1) and max(masks) > sigma
    follow_ups: [choosing, attention/causal-mask, scaling]
    sources: [a paper]
  - id: choosing
    kind: choice
    question: Which?
    options:
      - {text: this, right: true, why: so}
      - {text: that}
  - id: counting
    kind: number
    question: How many?
    number: {value: 4, within: 1, unit: heads}
    verify: {runs: {short: {experiment: sat}, long: {experiment: nucleus}}, claims: [{says: So., check: short.raw_std > 1}]}
"""
WORD = re.compile(r"[A-Za-z][\w./-]{2,}")
SUGGESTED = re.compile(r"did you mean ([\w./-]+?)(?: or [\w./-]+)*\?|write ([\w./-]+)(?:[,:]|$)|write (\{\{[^}]*\}\})$")


def problems(text: str) -> list[Problem]:
    library = load([Given("mine", text.encode())])
    found = [*all_problems(library, (*KNOWN, "multi_head")), *(each for one in library.files for each in declared_problems(one, KNOWN))]
    return [problem for problem in found if "nothing proves" not in problem.message and "follows" not in problem.message]


def misspelt(draw: random.Random, word: str) -> str:
    """One slip of the fingers: a letter less, twice, exchanged, in the other case, another one."""
    at = draw.randrange(len(word) - 1)
    slips = (
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + word[at].swapcase() + word[at + 1 :],
        word[:at] + "x" + word[at + 1 :],
        f"2 * {word}",
    )
    return draw.choice(slips)


def applied(text: str, problem: Problem) -> Iterator[str]:
    """The deck with what a problem suggests, where it suggests a word."""
    found = SUGGESTED.search(problem.hint) or SUGGESTED.search(problem.message)
    if not found or not problem.line:
        return
    lines = text.split("\n")
    line, start = lines[problem.line - 1], problem.column - 1
    told = re.findall(r"[\w./*-]+(?: \* \w+)?", problem.message)
    token = re.match(r"(?:\d \* )?[\w./-]+", line[start:])
    suggested = next(filter(None, found.groups()))
    for old in dict.fromkeys([*([token[0]] if token else []), *(word for word in told if word in line[start:])]):
        at = line.index(old, start)
        yield "\n".join([*lines[: problem.line - 1], line[:at] + suggested + line[at + len(old) :], *lines[problem.line :]])


def test_the_deck_itself_is_sound() -> None:
    """Otherwise what is found below would mean nothing."""
    assert [] == [(problem.line, problem.message) for problem in problems(DECK)]


def suggesting(seed: int) -> list[tuple[str, Problem]]:
    """Decks with one slip each, and the problems of these that suggest something."""
    draw = random.Random(seed)
    found = []
    for _ in range(60):
        word = draw.choice([each for each in WORD.finditer(DECK) if each[0] not in ("Why", "How", "Which")])
        text = DECK[: word.start()] + misspelt(draw, word[0]) + DECK[word.end() :]
        found += [(text, problem) for problem in problems(text) if SUGGESTED.search(problem.hint)]
    return found


@pytest.mark.parametrize("seed", range(8))
def test_what_is_suggested_is_accepted(seed: int) -> None:
    """Of the ways to read the sentence one at least takes the problem away, and leaves none at its place."""
    useless = []
    for text, problem in suggesting(seed):
        after = [
            [one for one in problems(changed) if (one.line, one.column) == (problem.line, problem.column)]
            for changed in applied(text, problem)
        ]
        if after and all(after):
            useless.append((problem.source, problem.message, problem.hint, after[0][0].message))

    assert [] == useless


def test_slips_are_suggested_for() -> None:
    """The test above looks at many suggestions."""
    assert 100 <= sum(1 for seed in range(8) for text, problem in suggesting(seed) if any(True for _ in applied(text, problem)))
