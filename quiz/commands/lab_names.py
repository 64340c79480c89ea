"""`qkv lab NAME --names`: what a card may call an experiment's parameters and results, with values in one run and in any."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from rich.table import Column, Table
from rich.text import Text

from content.claims.ranges import EVERYTHING, Range
from content.text.numbers import number_range, significant
from engine import Description, Parameter, Result, Value
from quiz.card.declared import known_experiment
from quiz.card.typeset import Span, text_of, wrap
from quiz.commands.printer import Printer
from quiz.words.i18n import Words

VALUE = 24  # columns of a value at most
GAPS = 6  # columns: before a name, and between two columns


@dataclass(frozen=True)
class Word:
    """A name, what it is in this run, and what it means."""

    name: str
    value: str
    meaning: str


def parameters(description: Description, values: Mapping[str, Value], words: Words) -> Iterator[Word]:
    """What `set` takes: each parameter at its value, and the values that it may have."""
    for one in description.parameters:
        label = words.label(one.label)
        meaning = (spelled_range(one), words.label(one.rule) if one.rule else "", "" if label == one.name else label)
        yield Word(one.name, str(values[one.name]), " · ".join(filter(None, meaning)))


def spelled_range(one: Parameter) -> str:
    """The values of a parameter: `1..4096`, `causal | full`; nothing for a text."""
    if one.scale == "text":
        return ""
    return " | ".join(choice.value for choice in one.choices) if one.scale == "choice" else f"{one.low:g}..{one.high:g}"


def numbers(description: Description, result: Result, constant: Collection[str], words: Words) -> Iterator[Word]:
    """What claims, live numbers and `quantity` take: each quantity in this run, the range that it can have in any, the way of computing
    that it belongs to, and whether a slider moves it."""
    ranges = known_experiment(description).quantities
    for one in result.quantities:
        if one.name in description.helpers:
            continue
        within = ranges.get(one.name, EVERYTHING)
        still = words("lab.names.constant") if one.name in constant and within[0] != within[1] else ""
        label = words.label(one.label)
        way = words(f"lab.names.{one.arm}") if one.arm else ""
        meaning = (_range(within, one.unit, words), "" if label == one.name else label, way, still)
        yield Word(one.name, f"{significant(one.value)} {one.unit}".rstrip(), " · ".join(filter(None, meaning)))


def _range(within: Range, unit: str, words: Words) -> str:
    spelled = number_range(*within)
    measured = f"{spelled} {unit}".rstrip() if spelled else ""
    return words("lab.names.always", value=measured) if within[0] == within[1] else measured


def vectors(description: Description, result: Result, words: Words) -> Iterator[Word]:
    """What claims take element by element: a series with its length, a matrix with its rows and columns."""
    for one in result.series:
        if one.name in description.helpers:
            continue
        yield Word(one.name, f"[{len(one.y)}]", words.label(one.label))
    for matrix in result.matrices:
        if matrix.name in description.helpers:
            continue
        yield Word(matrix.name, f"[{len(matrix.rows)}][{len(matrix.columns)}]", words.label(matrix.label))


def print_names(
    description: Description, values: Mapping[str, Value], result: Result, words: Words, constant: Collection[str] = ()
) -> None:
    """Prints the three lists, and the lines that only lead to others. `constant` are the numbers that no slider moves."""
    console = Printer()
    console.print(Text.assemble((description.name, "bold"), "  ", words.label(description.title)))
    for key, listed in (
        ("lab.names.parameters", parameters(description, values, words)),
        ("lab.names.numbers", numbers(description, result, constant, words)),
        ("lab.names.vectors", vectors(description, result, words)),
    ):
        _print_words(console, words(key), listed)
    if description.helpers:
        said = words("lab.names.helpers", names=", ".join(description.helpers))
        console.print()
        for line in wrap((Span(said),), console.width):
            console.print(Text(text_of(line), "dim"), no_wrap=True)


def _print_words(console: Printer, heading: str, named: Iterable[Word]) -> None:
    listed = tuple(named)
    if not listed:
        return
    taken = max(len(word.name) for word in listed) + min(max(cell_len(word.value) for word in listed), VALUE)
    room = max(console.width - taken - GAPS, 20)
    grid = Table.grid(Column(no_wrap=True), Column(justify="right", max_width=VALUE, overflow="fold"), Column(no_wrap=True), padding=(0, 2))
    for word in listed:
        meaning = "\n".join(map(text_of, wrap((Span(word.meaning),), room)))  # rich would break Chinese at its few spaces only
        grid.add_row(Text(f"  {word.name}", "bold"), Text(word.value), Text(meaning, "dim"))
    console.print(Text(f"\n{heading}"))
    console.print(grid)
