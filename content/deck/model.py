"""The form of a deck as one declarative model: it validates, it names every error's place, it becomes the JSON Schema.

What it lets pass leaves it as the plain values of `content.deck.cards`: whoever only shows cards loads no schema library.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from content.deck import cards
from content.deck.computation_model import Arms, Computation, ComputedFigure, ComputedParameter, Line, Turns
from content.deck.deck_files import is_file_name
from content.deck.model_parts import Answer, Link, Model, Name, Question, Short, Slug, Texts, Tolerance, Within, becomes
from content.deck.numerals import COMPUTED, DAY, EXPRESSION, WHOLE
from content.deck.run_model import Claim, Preset, Run, Verification
from content.format import (
    CARDS_LIMIT,
    CLAIM_LIMIT,
    EXPERIMENTS_LIMIT,
    FORMAT,
    HINTS_LIMIT,
    INCLUDES_LIMIT,
    LINES_LIMIT,
    PARTS,
    SHORT_LIMIT,
    Kind,
)
from content.messages.sentence import say

Measured = Annotated[str, Field(min_length=1, max_length=CLAIM_LIMIT), EXPRESSION]


class Predict(Model):
    """A number to guess before the run shows it."""

    ask: Short = Field(description="The question that the number answers; {{name}} may use what `set` gives.")
    quantity: Measured = Field(description="What the guess is compared with: a quantity of the experiment, or an expression of some.")
    within: Within = Field(
        default=Tolerance("20%"), validate_default=True, description="How near is right: 5 (absolute) or 10% (relative)."
    )
    unit: str = Field(default="", max_length=20, description="What the number counts, such as % or bytes.")


class Option(Model):
    """One answer of a choice card."""

    text: Short = Field(description="The answer as it is offered.")
    right: bool = Field(default=False, description="Whether it is right.")
    why: Short | None = Field(default=None, description="Why it is right or wrong, shown after the choice.")


class Number(Model):
    """The number that a number card asks for: measured by the run, or fixed."""

    quantity: Measured | None = Field(default=None, description="The answer: a quantity of the experiment, or an expression of some.")
    value: Annotated[float | None, COMPUTED] = Field(default=None, allow_inf_nan=False, description="The answer, where no run measures it.")
    within: Within = Field(default=Tolerance("5%"), validate_default=True, description="How near is right: 5 (absolute) or 10% (relative).")
    unit: str = Field(default="", max_length=20, description="What the number counts, such as % or bytes.")

    @model_validator(mode="after")
    def _one_answer(self) -> Number:
        if (self.quantity is None) == (self.value is None):
            raise ValueError(say("give either quantity (measured by the run) or value (a fixed number)"))
        return self


class Code(Model):
    """A listing with one wrong line."""

    listing: str = Field(max_length=4_000, description="The code, as a block: `listing: |` and the lines below it.")
    wrong_line: Annotated[int, WHOLE] = Field(ge=1, description="The number of the wrong line; the first is 1.")
    right: str = Field(max_length=200, description="The line as it should be.")
    inputs: dict[Name, Line] = Field(
        default_factory=dict,
        max_length=LINES_LIMIT,
        description="What `qkv check --code` runs it with: names, and lines as of a computation.",
    )
    compare: str = Field(
        default="",
        max_length=CLAIM_LIMIT,
        description="What must differ between the listing and its correction, in Python: a name, or a call such as attention(q, k, v)[0].",
    )
    agrees: str = Field(
        default="",
        max_length=CLAIM_LIMIT,
        description="A check over `wrong` and `right`, the two values of compare, and results of the run: it is the mistake that was run.",
    )

    @model_validator(mode="after")
    def _something_is_compared(self) -> Code:
        if not self.compare and (beside := next((key for key in ("inputs", "agrees") if getattr(self, key)), "")):
            raise ValueError(say("{key} needs compare beside it: the name or the call whose value is compared", key=beside))
        return self

    @model_validator(mode="after")
    def _line_exists(self) -> Code:
        if self.wrong_line > (lines := len(self.listing.splitlines())):
            raise PydanticCustomError("no_such_line", "no such line", {"part": "wrong_line", "line": self.wrong_line, "lines": lines})
        return self


class Card(Model):
    """One question."""

    id: Slug = Field(description="Stable for ever: progress hangs on it.")
    formerly: tuple[Slug, ...] = Field(default=(), description="Earlier ids, so that a rename loses nothing.")
    kind: Kind = Field(default="explain", description="How it is asked and answered.")
    level: Annotated[int, WHOLE] = Field(default=2, ge=1, le=5, description="1 warm-up ... 5 senior.")
    asked: Annotated[int | None, WHOLE] = Field(
        default=None, ge=1, le=5, description="How often interviewers ask it: 1 seldom, 5 nearly always."
    )
    tags: tuple[Slug, ...] = Field(default=(), description="Topics, to choose cards by.")
    question: Question = Field(description="What the interviewer asks.")
    hint: Texts = Field(
        default=(),
        max_length=HINTS_LIMIT,
        description="Help before the answer, shown one by one when it is asked for: the smallest first.",
    )
    predict: Annotated[Predict, becomes(cards.Predict)] | None = Field(
        default=None, description="A number to guess before the answer is shown."
    )
    options: tuple[Annotated[Option, becomes(cards.Option)], ...] = Field(
        default=(), max_length=9, description="The answers of a choice card."
    )
    number: Annotated[Number, becomes(cards.Number)] | None = Field(default=None, description="The answer of a number card.")
    order: tuple[Short, ...] = Field(default=(), max_length=9, description="The items of an order card, in the right order.")
    code: Annotated[Code, becomes(cards.Code)] | None = Field(default=None, description="The listing of a code card.")
    key_points: tuple[Short, ...] = Field(default=(), max_length=9, description="What an interviewer ticks off.")
    answer: Answer | None = Field(default=None, description="What you would say in 30 seconds.")
    detail: Answer | None = Field(default=None, description="The longer version of the answer.")
    formula: str | None = Field(default=None, max_length=SHORT_LIMIT, description="LaTeX, without dollars.")
    trap: Answer | None = Field(default=None, description="The answer that is often given and is wrong, and why.")
    verify: Annotated[Verification, becomes(cards.Verification)] | None = Field(
        default=None, description="The experiment that decides whether the answer is true."
    )
    follow_ups: tuple[Link, ...] = Field(
        default=(), description="The cards that an interviewer would ask next: ids of this deck, or deck/card of another."
    )
    sources: tuple[str, ...] = Field(default=(), description="Where the answer can be read up.")
    checked: Annotated[date | None, DAY] = Field(default=None, description="The day on which a person last checked the card: 2026-11-29.")

    @model_validator(mode="after")
    def _has_its_own_parts_only(self) -> Card:
        """A part of another kind would be shown to nobody."""
        for part, kind in PARTS.items():
            if kind != self.kind and getattr(self, part):
                raise PydanticCustomError("misfit", "{part} of {kind}", {"part": part, "kind": kind})
        if self.number and self.predict:
            raise PydanticCustomError("second_number", "a second number", {"part": "predict"})
        return self

    @model_validator(mode="after")
    def _has_an_answer(self) -> Card:
        problem = _MISSING[self.kind](self)
        if problem:
            raise ValueError(problem)
        return self


_MISSING: dict[Kind, Callable[[Card], str]] = {
    "explain": lambda card: "" if card.answer else say("an explain card needs an answer"),
    "choice": lambda card: (
        ""
        if len(card.options) >= 2 and any(option.right for option in card.options)
        else say("a choice card needs at least two options, and right: true on one")
    ),
    "number": lambda card: "" if card.number else say("a number card needs number: with a quantity or a value"),
    "order": lambda card: "" if len(card.order) >= 3 else say("an order card needs order: with at least three items"),
    "code": lambda card: "" if card.code else say("a code card needs code: with listing, wrong_line and right"),
}


PlainCard = Annotated[Card, becomes(cards.Card)]
PlainComputation = Annotated[Computation, becomes(cards.Computation)]


class Defaults(Model):
    """What every card of the deck has unless it says otherwise."""

    kind: Kind | None = Field(default=None, description="How the cards are asked and answered.")
    level: Annotated[int | None, WHOLE] = Field(default=None, ge=1, le=5, description="1 warm-up ... 5 senior.")
    asked: Annotated[int | None, WHOLE] = Field(default=None, ge=1, le=5, description="How often interviewers ask them.")
    tags: tuple[Slug, ...] | None = Field(default=None, description="The topics of cards that name none.")


def _listed(value: object) -> object:
    """One file may be named without brackets."""
    return [value] if isinstance(value, str) else value


def _file_beside(name: str) -> str:
    if not is_file_name(name):
        raise PydanticCustomError("not_beside", "not a file beside the deck", {})
    return name


FileName = Annotated[str, AfterValidator(_file_beside)]


class Deck(Model):
    """One YAML file, and those that it includes."""

    format: Annotated[int, WHOLE] = Field(
        default=FORMAT, ge=1, description="The format that the deck is written in; without it, 1.", json_schema_extra={"enum": [FORMAT]}
    )
    deck: Slug = Field(description="The deck's id; progress hangs on it.")
    formerly: tuple[Slug, ...] = Field(default=(), description="Earlier ids, so that a rename loses nothing.")
    title: Short = Field(description="The deck's name on the screen.")
    include: Annotated[tuple[FileName, ...], BeforeValidator(_listed)] = Field(
        default=(), max_length=INCLUDES_LIMIT, description="Files beside this one with more cards, experiments and defaults of the deck."
    )
    defaults: Defaults = Field(default_factory=Defaults, description="What every card has unless it says otherwise.")
    experiments: dict[Name, PlainComputation] = Field(
        default_factory=dict, max_length=EXPERIMENTS_LIMIT, description="Computations of the deck's own, by their names."
    )
    cards: tuple[PlainCard, ...] = Field(min_length=1, max_length=CARDS_LIMIT, description="The questions.")


MODELS: tuple[type[Model], ...] = (
    *(Deck, Defaults, Computation, ComputedParameter, Turns, Arms, ComputedFigure),
    *(Card, Predict, Option, Number, Code, Verification, Run, Preset, Claim),
)


def parse_deck(root: object) -> cards.Deck:
    """The deck that a tree is. Raises ValidationError."""
    found = dict(Deck.model_validate(root).__dict__)
    del found["defaults"]  # they stand in the cards
    return cards.with_computations(cards.Deck(**found))


def parse_card(root: object) -> cards.Card:
    """The card that a tree is. Raises ValidationError."""
    return cards.Card(**Card.model_validate(root).__dict__)


def is_slug(text: str) -> bool:
    """Whether a text can be the id of a card or a deck."""
    try:
        TypeAdapter(Slug).validate_python(text)
    except ValidationError:
        return False
    return True
