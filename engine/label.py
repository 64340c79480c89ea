"""What the engine says to a person: a few words, or the sentence of an error, in both languages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Label:
    """A few words in both languages."""

    en: str
    zh: str


@dataclass(frozen=True)
class Verbatim(Label):
    """Words that are shown as they are: an author's own, in which a brace is a brace and no place for a value of the run."""


class ExperimentError(Exception):
    """A sentence for a person, in both languages: what happened and what to do."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.label = Label(en, zh)

    def __reduce__(self) -> tuple[type[ExperimentError], tuple[str, str]]:
        return type(self), (self.label.en, self.label.zh)  # both sentences survive the pipe


class ParameterError(ExperimentError):
    """A parameter that does not exist, or a value outside its range."""


class TooLarge(ExperimentError):
    """Refused before anything was allocated."""


class MissingExtra(ExperimentError):
    """The experiment needs an optional package that is not installed; nothing is wrong."""
