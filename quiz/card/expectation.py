"""What somebody expects before the sliders move: which number is asked for, what was said, and how far it was off."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from content.deck.cards import Text, Tolerance
from content.text.numbers import significant
from content.yaml.clean import clean
from engine.label import Label
from quiz.card.card_parts import Part, guess_line, text_lines
from quiz.card.hero import said
from quiz.card.number_line import MEASURED, number_line
from quiz.card.typeset import Span
from quiz.words.i18n import Words
from quiz.words.numbers import with_unit

if TYPE_CHECKING:
    from engine.parameter import Parameter, Value
    from engine.result import Quantity, Result

EXACT = Tolerance("0")  # nobody is judged here, so nothing is near


@dataclass(frozen=True)
class Move:
    """What a slider stands at, and where it will stand."""

    parameter: Parameter
    before: Value
    after: Value

    def text(self, words: Words) -> str:
        """`d_k 64 → 4096`"""
        texts = [f"{_value_text(self.parameter, value, words)} {self.parameter.unit}".rstrip() for value in (self.before, self.after)]
        return clean(f"{words.label(self.parameter.label)} {texts[0]} → {texts[1]}")


def _value_text(parameter: Parameter, value: Value, words: Words) -> str:
    if isinstance(value, str):
        return next((words.label(choice.label) for choice in parameter.choices if choice.value == value), value)
    return str(value) if isinstance(value, int) else significant(value)


def moves(parameters: Iterable[Parameter], before: Mapping[str, Value], after: Mapping[str, Value]) -> tuple[Move, ...]:
    """Every slider that will move, also those that a setting does not name: it puts them back."""
    return tuple(Move(one, before[one.name], after[one.name]) for one in parameters if before[one.name] != after[one.name])


@dataclass(frozen=True)
class Expectation:
    """`name` is where the sliders will go, to `values`; `sweeps` says that they will move there. `now` is the quantity as it is before,
    `moves` what will be different.

    `number` is what was said, None for nothing, once it `is_given`.
    """

    name: Text | Label
    values: Mapping[str, Value]
    now: Quantity
    sweeps: bool = False
    moves: tuple[Move, ...] = ()
    number: float | None = None
    is_given: bool = False

    def with_number(self, number: float) -> Expectation:
        """What was said; the sliders go now."""
        return replace(self, number=number, is_given=True)


def number_to_guess(result: Result, marked: Sequence[str], spoken: Sequence[str], fixed: Collection[str] = ()) -> Quantity | None:
    """The number that is asked for. `spoken` are the ones that the setting's sentence is about, the most telling first, `marked` those
    on which the picture can show a guess; what no slider moves is no riddle."""
    moving = {one.name: one for one in result.quantities if one.name not in fixed}
    wanted = (*(name for name in spoken if name in marked), *marked, *spoken, *moving)
    return next((moving[name] for name in wanted if name in moving), None)


def question_parts(expected: Expectation, words: Words) -> list[Part]:
    """Where the sliders will go, the number that is asked for there, and below it what it is where they stand now."""
    now = with_unit(expected.now.value, expected.now.unit)
    name, quantity = clean(said(expected.name, words)), clean(words.label(expected.now.label))
    question = Span(words("expect.question", name=name, quantity=quantity), "strong")
    there = "  ".join((*(move.text(words) for move in expected.moves), words("expect.now", now=now)))
    return [text_lines((question,), (Span(there, "dim"),))]


def gap_parts(expected: Expectation, measured: float, words: Words) -> list[Part]:
    """What was said beside what was measured, and both on one line."""
    if expected.number is None:
        return []
    unit = expected.now.unit
    found = Span(f"{MEASURED} ", "measured"), Span(words("reveal.measured") + " ", "dim"), Span(with_unit(measured, unit), "measured")
    quantity = Span(clean(words.label(expected.now.label)), "dim")
    return [
        text_lines((*guess_line(expected.number, unit, words), Span("   "), *found, Span("   "), quantity)),
        Part(partial(number_line, expected.number, measured, EXACT, unit)),
    ]
