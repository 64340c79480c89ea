"""What stands behind an answer, as plain values: runs, claims, settings worth trying. `content.deck.run_model` says what may be in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from content.deck.plain_computation import Computation
from content.deck.plain_parts import Part, Text

Setting = str | Text  # what a run's parameter is set to, or that for each language
UNREAD = "\0"  # the check of a claim whose own was refused: no file can hold this


@dataclass(frozen=True, slots=True)
class Claim(Part):
    """A sentence of the answer and the expression that decides whether it is true."""

    says: Text
    check: str


def settings(written: Mapping[str, Setting], language: str) -> dict[str, str]:
    """What is set for who reads a language."""
    return {name: value.said(language) if isinstance(value, Text) else value for name, value in written.items()}


@dataclass(frozen=True, slots=True)
class Preset(Part):
    """A setting of the card's own run worth trying: `check` proves what is to be seen there."""

    name: Text
    set: Mapping[str, Setting]
    watch: Text
    check: str

    def settings(self, language: str) -> dict[str, str]:
        """What it sets for who reads a language."""
        return settings(self.set, language)


@dataclass(frozen=True, slots=True)
class Run(Part):
    """An experiment with its settings; over several seeds, its numbers are medians."""

    experiment: str
    set: Mapping[str, Setting] = field(default_factory=dict)
    seeds: int = 1
    computation: Computation | None = field(default=None, compare=False)  # the deck's own experiment of this name

    def settings(self, language: str) -> dict[str, str]:
        """What is set for who reads a language."""
        return settings(self.set, language)


@dataclass(frozen=True, slots=True)
class Verification(Part):
    """What stands behind an answer: one run, or several by their names, of which the first is the card's own.

    `show` names something that the card's picture draws, `caption` is the sentence below it; without them and without `presets`, the
    experiment's own stand there.
    """

    experiment: str = ""
    set: Mapping[str, Setting] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    seeds: int = 1
    runs: Mapping[str, Run] = field(default_factory=dict)
    show: str = ""
    caption: Text | None = None
    presets: tuple[Preset, ...] = ()
    computation: Computation | None = field(default=None, compare=False)

    @property
    def every_run(self) -> Mapping[str, Run]:
        """The runs by their names; one alone has none."""
        return self.runs or {"": Run(self.experiment, self.set, self.seeds, self.computation)}

    @property
    def own(self) -> Run:
        """The run that the lab shows."""
        return next(iter(self.every_run.values()))

    def settings(self, language: str) -> dict[str, str]:
        """What is set, as texts may name it: the own run's parameters alone, those of every named run behind its name."""
        named = {f"{run}.{name}": value for run, one in self.runs.items() for name, value in one.settings(language).items()}
        return self.own.settings(language) | named

    def checks(self) -> Iterator[tuple[tuple[str, int], str]]:
        """What each claim and each preset checks, with its place."""
        parts: tuple[tuple[str, tuple[Claim | Preset, ...]], ...] = (("claims", self.claims), ("presets", self.presets))
        return (((key, place), part.check) for key, named in parts for place, part in enumerate(named) if part.check != UNREAD)


def run_place(name: str) -> tuple[str, ...]:
    """Where a run stands in its card."""
    return ("verify", "runs", name) if name else ("verify",)
