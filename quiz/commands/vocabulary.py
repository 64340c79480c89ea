"""`qkv lab NAME --names`: what a card may call an experiment's parameters, with their ranges, and everything that a run measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from content.text.numbers import significant
from engine import Description, Parameter, Result, Value
from quiz.commands.printing import said
from quiz.speech import say


@dataclass(frozen=True)
class Word:
    """A name, what it is in this run, and what it means."""

    name: str
    value: str
    meaning: str


def parameters(description: Description, values: Mapping[str, Value], language: str) -> Iterator[Word]:
    """What `set` takes: each parameter at its value, and the values that it may have."""
    for one in description.parameters:
        label = said(one.label, language)
        meaning = (spelled_range(one), "" if label == one.name else label)
        yield Word(one.name, str(values[one.name]), " · ".join(filter(None, meaning)))


def spelled_range(one: Parameter) -> str:
    """The values of a parameter: `1..4096`, `causal | full`; nothing for a text."""
    if one.scale == "text":
        return ""
    return " | ".join(choice.value for choice in one.choices) if one.scale == "choice" else f"{one.low:g}..{one.high:g}"


def numbers(result: Result, language: str) -> Iterator[Word]:
    """What claims, live numbers and `quantity` take."""
    for one in result.quantities:
        yield Word(one.name, f"{significant(one.value)} {one.unit}".rstrip(), said(one.label, language))


def vectors(result: Result, language: str) -> Iterator[Word]:
    """What claims take element by element: a series with its length, a matrix with its rows and columns."""
    for one in result.series:
        yield Word(one.name, f"[{len(one.y)}]", said(one.label, language))
    for matrix in result.matrices:
        yield Word(matrix.name, f"[{len(matrix.rows)}][{len(matrix.columns)}]", said(matrix.label, language))


def show(description: Description, values: Mapping[str, Value], result: Result, language: str) -> None:
    """Prints the three lists."""
    console = Console(highlight=False)
    console.print(Text.assemble((description.name, "bold"), "  ", said(description.title, language)))
    for key, words in (
        ("lab.names.parameters", parameters(description, values, language)),
        ("lab.names.numbers", numbers(result, language)),
        ("lab.names.vectors", vectors(result, language)),
    ):
        _print(console, say(language, key), words)


def _print(console: Console, heading: str, words: Iterable[Word]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", max_width=24, overflow="fold")
    grid.add_column(overflow="fold")
    for word in words:
        grid.add_row(Text(f"  {word.name}", "bold"), Text(word.value), Text(word.meaning, "dim"))
    if grid.row_count:
        console.print(Text(f"\n{heading}"))
        console.print(grid)
