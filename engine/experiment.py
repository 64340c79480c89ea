"""What an experiment is: parameters in, a Result of plain numbers out. Nothing here imports torch."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from engine.label import Label, ParameterError, TooLarge

if TYPE_CHECKING:  # who only reads a description needs none of what a run does
    from engine.assemble import Numbers
    from engine.figures import Figure
    from engine.measures import Measure
    from engine.parameter import Divides, Parameter, Value
    from engine.preset import Preset
    from engine.result import Progress, Result
    from engine.source import Source

BYTES_LIMIT = 256 * 2**20
FLOPS_LIMIT = 2e10
DEADLINE = 3.0  # seconds of computing, unless an experiment declares its own


@dataclass(frozen=True)
class Cost:
    """What a run would need, from a formula: bytes allocated at the peak, floating-point operations."""

    bytes: float
    flops: float


def check_cost(cost: Cost) -> None:
    """Raises TooLarge where this is more than a run may cost."""
    if cost.bytes > BYTES_LIMIT:
        need, limit = f"{cost.bytes / 2**20:,.0f} MiB", f"{BYTES_LIMIT / 2**20:,.0f} MiB"
        raise TooLarge(
            f"This would need {need}; the limit is {limit}. Choose smaller values.", f"这需要 {need}，上限是 {limit}。请调小参数。"
        )
    if cost.flops > FLOPS_LIMIT:
        need, limit = f"{cost.flops:.1e}", f"{FLOPS_LIMIT:.0e}"
        raise TooLarge(
            f"This would take {need} operations; the limit is {limit}. Choose smaller values.",
            f"这需要 {need} 次运算，上限是 {limit}。请调小参数。",
        )


Steps: TypeAlias = "Generator[tuple[float, Numbers], None, Numbers]"
Run: TypeAlias = "Callable[..., Numbers] | Callable[..., Steps]"


@dataclass(frozen=True)
class Experiment:
    """A claim's computation. `arms` names two quantities, the wrong way and the right way, that a test proves to differ.

    `run` takes the parameters by keyword and returns numbers under the names that `measures` declares; a run of more than a moment is a
    generator that yields how far it is (0..1) and what can already be drawn. `figures` says what is drawn together, the hero first;
    `presets` are two or three settings worth trying.
    `keywords` are other names by which somebody may look for it, in both languages.
    `rules` hold between two parameters. `cost` is a formula for what some setting of the parameters makes too large; without one
    nothing is refused. `formerly` are names of experiments that became part of this one: what decks and people wrote under them is
    answered by this one, so its parameters and numbers have to be here.
    """

    title: Label
    summary: Label
    parameters: tuple[Parameter, ...]
    arms: tuple[str, str]
    run: Run
    measures: tuple[Measure, ...]
    figures: tuple[Figure, ...]
    cost: Callable[..., Cost] | None = None
    deadline: float = DEADLINE
    rules: tuple[Divides, ...] = ()
    presets: tuple[Preset, ...] = ()
    formerly: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    def measure(self, parameters: Mapping[str, Value]) -> Result | Generator[Progress, None, Result]:
        """One run with parameters that were accepted. Raises whatever the experiment raises, and MeasureError."""
        from engine.assemble import assemble

        outcome = self.run(**parameters)
        return self._advance(outcome, parameters) if isinstance(outcome, Generator) else assemble(self.measures, outcome, parameters)

    def _advance(self, steps: Steps, parameters: Mapping[str, Value]) -> Generator[Progress, None, Result]:
        from engine.assemble import assemble
        from engine.result import Progress

        while True:
            try:
                fraction, numbers = next(steps)
            except StopIteration as end:
                return assemble(self.measures, end.value, parameters)
            yield Progress(float(fraction), assemble(self.measures, numbers, parameters))

    def accept(self, raw: Mapping[str, object]) -> dict[str, Value]:
        """All parameters, the given ones checked, the others at their defaults. Raises ParameterError."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in raw:
            if name not in known:
                en, zh = ", ".join(known), "、".join(known)
                raise ParameterError(f"There is no parameter {name}; there are {en}.", f"没有参数 {name}；可用的有 {zh}。")
        values = {name: parameter.accept(raw.get(name, parameter.default)) for name, parameter in known.items()}
        for rule in self.rules:
            rule.check(values)
        return values

    def afford(self, parameters: Mapping[str, Value]) -> None:
        """Raises TooLarge when the formula says that a run would need more than the limits."""
        if self.cost is not None:
            check_cost(self.cost(**parameters))


@dataclass(frozen=True)
class Description:
    """All that can be known of an experiment without running it; it crosses the pipe, so it holds no functions."""

    name: str
    claim: str
    title: Label
    summary: Label
    parameters: tuple[Parameter, ...]
    deadline: float
    sources: tuple[Source, ...]
    measures: tuple[Measure, ...] = ()
    figures: tuple[Figure, ...] = ()
    rules: tuple[Divides, ...] = ()
    arms: tuple[str, str] = ("", "")
    presets: tuple[Preset, ...] = ()
    fixed: tuple[str, ...] = ()  # numbers that no slider moves
    formerly: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()  # lines of an author's computation that only lead to others
    sizing: tuple[str, ...] = ()  # parameters of an author's computation that shapes may depend on

    def parameter(self, name: str) -> Parameter | None:
        return next((parameter for parameter in self.parameters if parameter.name == name), None)
