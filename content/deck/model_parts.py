"""What every part of a deck's model is made of: ids, names, texts with their limits, tolerances."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, RootModel

from content.deck import cards
from content.deck.numerals import better_tolerance
from content.format import ANSWER_LIMIT, QUESTION_LIMIT, SHORT_LIMIT
from content.messages.sentence import say
from content.yaml.yaml_mistakes import excerpt

Slug = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Link = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)?$", max_length=161)]
Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=80)]


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def becomes(part: Callable[..., object]) -> AfterValidator:
    """A valid model leaves as the plain value with the same fields."""
    return AfterValidator(lambda model: part(**model.__dict__))


def _by_language(value: object) -> object:
    """A plain string is a text for every language."""
    return {"": value} if isinstance(value, str) else value


class Text(RootModel[Annotated[dict[Literal["", "en", "zh"], str], BeforeValidator(_by_language)]]):
    """A text, or one text a language. A missing language falls back to English, then to whatever there is."""


def _at_most(limit: int) -> AfterValidator:
    def check(text: Text) -> cards.Text:
        texts: dict[Any, str] = text.root
        if not texts:
            raise ValueError(say("the text is empty"))
        for language, said in texts.items():
            if not said.strip():
                raise ValueError(say("the {language} is empty", language=language) if language else say("the text is empty"))
            if len(said) > limit:
                raise ValueError(say("{count:,} characters; the limit is {limit:,}", count=len(said), limit=limit))
        return cards.Text(texts)

    return AfterValidator(check)


Question = Annotated[Text, _at_most(QUESTION_LIMIT)]
Answer = Annotated[Text, _at_most(ANSWER_LIMIT)]
Short = Annotated[Text, _at_most(SHORT_LIMIT)]


def _listed(value: object) -> object:
    """One text is a list of one."""
    return value if isinstance(value, list | tuple) else [value]


Texts = Annotated[tuple[Short, ...], BeforeValidator(_listed)]


class Tolerance(RootModel[str]):
    """How far a number may be off: `5` is absolute, `10%` is relative to the measured value."""


def _readable(model: Tolerance) -> cards.Tolerance:
    tolerance = cards.Tolerance(model.root)
    if not tolerance.is_readable:
        raise ValueError(
            say("{written} is not a tolerance; write {tolerance}", written=excerpt(model.root), tolerance=better_tolerance(model.root))
        )
    return tolerance


Within = Annotated[Tolerance, AfterValidator(_readable)]
