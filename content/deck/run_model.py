"""The form of what stands behind an answer: the run, or several by their names, and the claims."""

from __future__ import annotations

import keyword
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from content.deck import cards
from content.deck.model_parts import Model, Name, Short, Text, becomes
from content.deck.numerals import WHOLE
from content.format import CLAIM_LIMIT, CLAIMS_LIMIT, PRESETS_LIMIT, RUNS_LIMIT, SEEDS_LIMIT
from content.messages.sentence import say


def _setting(text: Text) -> cards.Setting:
    values: dict[str, str] = {str(language): value for language, value in text.root.items()}
    if not values:
        raise ValueError(say("there is no value; write one, or one for each language"))
    return values[""] if "" in values else cards.Text(values)


def _run_name(name: str) -> str:
    if keyword.iskeyword(name):
        raise ValueError(say("{name} is a word of the language of claims; choose another name", name=name))
    return name


Setting = Annotated[Text, AfterValidator(_setting)]
RunName = Annotated[Name, AfterValidator(_run_name)]
Seeds = Annotated[
    int,
    WHOLE,
    Field(ge=1, le=SEEDS_LIMIT, description="Over how many seeds each number is a median; name_low and name_high are its range."),
]


class Claim(Model):
    """A sentence of the answer and the expression that decides whether it is true."""

    says: Short = Field(description="The sentence that the check proves.")
    check: str = Field(max_length=CLAIM_LIMIT, description="An expression over the experiment's parameters and results.")


class Preset(Model):
    """A setting worth trying, and what is to be seen there."""

    name: Short = Field(description="Two or three words for its key.")
    set: dict[str, Setting] = Field(min_length=1, description="Parameters that differ from the card's.")
    watch: Short = Field(description="One sentence: what to look at.")
    check: str = Field(max_length=CLAIM_LIMIT, description="An expression that is true there and not at the card's own setting.")


class Run(Model):
    """One of several runs; a claim names its results as long.flops."""

    experiment: Name = Field(description="The experiment's name, as listed by `qkv lab`.")
    set: dict[str, Setting] = Field(default_factory=dict, description="Parameters that differ from the experiment's defaults.")
    seeds: Seeds = Field(
        default=1, ge=1, le=SEEDS_LIMIT, description="Over how many seeds each number is a median; name_low and name_high are its range."
    )


class Verification(Model):
    """The run that stands behind an answer."""

    experiment: Name = Field(default="", description="The experiment's name, as listed by `qkv lab`.")
    set: dict[str, Setting] = Field(default_factory=dict, description="Parameters that differ from the experiment's defaults.")
    seeds: Seeds = Field(
        default=1, ge=1, le=SEEDS_LIMIT, description="Over how many seeds each number is a median; name_low and name_high are its range."
    )
    runs: dict[RunName, Annotated[Run, becomes(cards.Run)]] = Field(
        default_factory=dict,
        max_length=RUNS_LIMIT,
        description="Several runs by their names, in place of experiment and set; the lab shows the first.",
    )
    claims: tuple[Annotated[Claim, becomes(cards.Claim)], ...] = Field(
        default=(), max_length=CLAIMS_LIMIT, description="What the run must show."
    )
    show: str = Field(default="", description="The card's picture: something that one of the experiment's figures draws; else its first.")
    caption: Short | None = Field(default=None, description="The sentence below the picture: what is to be seen in it.")
    presets: tuple[Annotated[Preset, becomes(cards.Preset)], ...] = Field(
        default=(), max_length=PRESETS_LIMIT, description="Settings worth trying; without them, the experiment's own."
    )

    @model_validator(mode="after")
    def _one_form(self) -> Verification:
        if not self.runs and not self.experiment:
            raise ValueError(say("verify needs experiment, or runs with an experiment in each"))
        beside = next((key for key in ("experiment", "set", "seeds") if key in self.model_fields_set), "") if self.runs else ""
        if beside:
            raise PydanticCustomError("beside_runs", "{part} beside runs", {"part": beside})
        return self
