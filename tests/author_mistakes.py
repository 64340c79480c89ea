"""Decks with one mistake that people really make, and the line where it was made; the same seed and number give the same deck.

    python -m tests.author_mistakes --count 50 --seed 1

prints what authors would be told, to be read by eye: each message must be right about the cause, and say what to do.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable
from typing import NamedTuple

from content.deck import checks
from content.deck.library import Given, load
from content.deck.new_card import sample_deck
from content.yaml.problems import Problem, render
from engine import names

Lines = list[str]
Mistake = Callable[[random.Random, Lines], int | None]  # changes the lines; which one, from 0, or None where it cannot be made


class Mistaken(NamedTuple):
    """`line` counts from 1."""

    name: str
    line: int
    text: str


def _rewritten(pattern: str, *replacements: str) -> Mistake:
    """One line that matches is changed to one of the replacements."""

    def change(draw: random.Random, lines: Lines) -> int | None:
        found = [index for index, line in enumerate(lines) if re.search(pattern, line)]
        if not found:
            return None
        index = draw.choice(found)
        lines[index] = re.sub(pattern, draw.choice(replacements), lines[index], count=1)
        return index

    return change


def _inserted(words: str) -> Mistake:
    """Words within an English answer that is a block of text."""
    return _rewritten(r"^(        [A-Z][a-z]+ [a-z]+ )(?=[a-z])", rf"\1{words} ")


def _check(expression: str) -> Mistake:
    return _rewritten(r"(check: ).*$", rf"\1{expression}")


_TEXT_LINE = r"^(\s+(?:- )?(?:en|says|text|question|answer): )(?!['\"{>|])(\w.*)$"

MISTAKES: dict[str, Mistake] = {
    "tab": _rewritten(r"^    (\w+:)", r"\t\1"),
    "full-width colon": _rewritten(r"^(\s+(?:- )?[a-z_]+):(?= )", r"\1："),
    "no space after the colon": _rewritten(r"^(\s+(?:- )?[a-z_]+): ", r"\1:"),
    "no colon": _rewritten(r"^(\s+(?:answer|question|verify|claims|says|experiment|code)):", r"\1"),
    "another dash": _rewritten(r"^(\s+)- (?=\w)", r"\1－ ", r"\1— ", r"\1– ", r"\1• ", r"\1* "),
    "no space after the dash": _rewritten(r"^(\s+)- (?=\w)", r"\1-"),
    "a space too few": _rewritten(r"^ (?= +\w+: \w)", ""),
    "no indentation": _rewritten(r"^    +(?=\w+: \w)", ""),
    "a space too many": _rewritten(r"^(    )(?=\w+:)", r"     "),
    "unclosed quote": _rewritten(_TEXT_LINE, r'\1"\2', r"\1'\2"),
    "quote inside quotes": _rewritten(_TEXT_LINE, r'\1"a "quoted" word \2"', r"\1'it's \2'"),
    "colon in a text": _rewritten(_TEXT_LINE, r"\1note: \2"),
    "number sign in a text": _rewritten(_TEXT_LINE, r"\1use # of heads, \2"),
    "text begins with a bracket": _rewritten(
        _TEXT_LINE, r"\1[CLS] \2", r"\1*\2*", r"\1`softmax` \2", r"\1> \2", r"\1@x \2", r"\1%x \2", r"\1& \2"
    ),
    "text begins with a live number": _rewritten(_TEXT_LINE, r"\1{{shift}} \2"),
    "smart quotes": _rewritten(_TEXT_LINE, r"\1“note: \2”"),
    "misspelt key": _rewritten(r"^(\s+(?:- )?)answer:", r"\1anwser:", r"\1Answer:", r"\1answers:"),
    "key of another place": _rewritten(r"^(    )verify:", r"\1claims:"),
    "no-break space": _rewritten(r"^(    )(?=\w)", "\u00a0   "),
    "zero-width space": _rewritten(r"^(    \w+: \w)", "\\1\u200b"),
    "empty value": _rewritten(r"^(    (?:level|kind|asked):) .*$", r"\1"),
    "level": _rewritten(r"^(    level:) .*$", r"\1 hard", r"\1 7", r"\1 ３", r"\1 2,5"),
    "kind": _rewritten(r"^(    kind:) .*$", r"\1 Explain", r"\1 multiple-choice", r"\1 quiz"),
    "right": _rewritten(r"^(        right:) true", r"\1 maybe", r"\1 ✓"),
    "id": _rewritten(r"^(  - id:) .*$", r"\1 My Card", r"\1 注意力", r"\1 a_b"),
    "conflict": _rewritten(r"^(    verify:)", r"<<<<<<< HEAD\n\1"),
    "unclosed bracket": _rewritten(r"(set: \{[^}]*)\}", r"\1"),
    "full-width comma": _rewritten(r"(\w), zh:", r"\1，zh:"),
    "LaTeX in double quotes": _rewritten(
        _TEXT_LINE, r'\1"$\\frac{a}{b}$ \2"', r'\1"$\\sigma$ \2"', r'\1"$\\nabla$ \2"', r'\1"$\\theta$ \2"'
    ),
    "unknown command": _inserted(r"$\\softmx(x)$"),
    "braces of math": _inserted(r"$\\frac{a}{b$"),
    "lone dollar": _inserted(r"the $d_k terms"),
    "spaces in dollars": _inserted(r"the $ d_k $ terms"),
    "HTML": _inserted("<b>not</b>"),
    "entity": _inserted("a &lt; b"),
    "parentheses of LaTeX": _inserted(r"\\(d_k\\)"),
    "cloze": _inserted("{{c1::softmax}}"),
    "one brace": _inserted("{overflow_at}"),
    "unknown number": _inserted("{{ overflow at }}"),
    "heading": _rewritten(r"^(      zh: \|-)$", r"\1\n        ## 标题\n"),
    "display math": _inserted("$$x"),
    "percent": _check("naive_unusable > 5%"),
    "grouped number": _check("naive_unusable < 1,000"),
    "decimal comma": _check("naive_unusable < 8,5"),
    "one equals sign": _check("naive_unusable = 3"),
    "no comparison": _check("naive_unusable"),
    "power": _check("naive_unusable^2 > 1"),
    "double bar": _check('"naive_unusable > 1 || shift > 1"'),
    "function": _check("average(weights) > 1"),
    "unclosed parenthesis": _check("abs(naive_unusable - 1 < 0.1"),
    "full-width claim": _check("naive_unusable ＞ 3"),
    "words in a claim": _check("naive_unusable is 3"),
    "experiment": _rewritten(r"(experiment: )softmax$", r"\1softmaxx", r"\1Softmax", r"\1soft max"),
    "within": _rewritten(r"(within: )0$", r"\g<1>5 percent", r"\g<1>900%", r"\g<1>0,5"),
    "wrong line": _rewritten(r"(wrong_line: )3", r"\g<1>30", r"\g<1>0", r"\g<1>three"),
    "sources": _rewritten(r"(sources: )\[(.*)\]", r"\1\2"),
}


def mistaken(seed: int, number: int, name: str = "") -> Mistaken:
    """The deck with a number, always the same for a seed; with a certain mistake, where one is named."""
    draw = random.Random(f"{seed}/{number}")
    name = name or draw.choice(sorted(MISTAKES))
    lines = sample_deck("mine", "en", "x").split("\n")
    changed = MISTAKES[name](draw, lines)
    assert changed is not None, f"the sample deck has no place for the mistake {name}"
    return Mistaken(name, changed + 1, "\n".join(lines))


def told(deck: Mistaken) -> list[Problem]:
    """What its author reads, in the order of the file."""
    return sorted(checks.all_problems(load([Given("mine.yaml", deck.text.encode())]), names()))


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m tests.author_mistakes", description="What authors are told of their mistakes.")
    options.add_argument("--count", type=int, default=50)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    for number in range(asked.count):
        deck = mistaken(asked.seed, number)
        print(f"--- {number}: {deck.name}, line {deck.line}", *map(render, told(deck)), sep="\n")


if __name__ == "__main__":
    main()
