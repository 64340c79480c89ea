"""What an experiment is: parameters in, a Result of plain numbers out. Nothing here imports torch."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Literal

Value = int | float | str
Scale = Literal["linear", "log", "choice", "text"]

BYTES_LIMIT = 256 * 2**20
FLOPS_LIMIT = 2e10
TEXT_LIMIT = 500
DEADLINE = 3.0  # seconds, unless an experiment declares its own


@dataclass(frozen=True)
class Label:
    """A few words in both languages."""

    en: str
    zh: str


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


@dataclass(frozen=True)
class Choice:
    value: str
    label: Label


@dataclass(frozen=True)
class Parameter:
    """One slider. `step` is added on a linear scale and multiplied on a log scale; an int default means whole numbers."""

    name: str
    label: Label
    default: Value
    low: float = 0
    high: float = 0
    step: float = 1
    scale: Scale = "linear"
    choices: tuple[Choice, ...] = ()
    unit: str = ""

    @property
    def ticks(self) -> int:
        """The slider's last tick; the first is 0. A text has none."""
        if self.scale == "choice":
            return len(self.choices) - 1
        if self.scale == "text":
            return 0
        if self.scale == "log":
            return math.ceil(round(math.log(self.high / self.low, self.step), 9))
        return math.ceil(round((self.high - self.low) / self.step, 9))

    def value_at(self, tick: int) -> Value:
        """The value a tick stands for; ticks outside the slider are clamped to its ends."""
        tick = min(max(tick, 0), self.ticks)
        if self.scale == "choice":
            return self.choices[tick].value
        if self.scale == "text":
            return self.default
        raw = self.low * self.step**tick if self.scale == "log" else self.low + tick * self.step
        value = min(round(raw, 10), self.high)  # 0.1 * 3 is shown as 0.3
        return round(value) if isinstance(self.default, int) else float(value)

    def tick_of(self, value: Value) -> int:
        """The tick nearest to a value, for a slider that shows a number it was given."""
        if self.scale == "choice":
            return next((i for i, choice in enumerate(self.choices) if choice.value == value), 0)
        if self.scale == "text":
            return 0
        return min(range(self.ticks + 1), key=lambda tick: abs(float(self.value_at(tick)) - float(value)))

    def accept(self, raw: object) -> Value:
        """The value in `raw` (a number or its spelling). Raises ParameterError outside the range."""
        if self.scale == "choice":
            return self._accept_choice(str(raw))
        if self.scale == "text":
            return self._accept_text(str(raw))
        try:
            number = float(str(raw))
        except ValueError:
            raise self._refusal(raw) from None
        if not (self.low <= number <= self.high):  # also refuses nan
            raise self._refusal(raw)
        if isinstance(self.default, int):
            if number != int(number):
                raise self._refusal(raw)
            return int(number)
        return number

    def _accept_choice(self, raw: str) -> str:
        if raw not in {choice.value for choice in self.choices}:
            raise self._refusal(raw)
        return raw

    def _accept_text(self, raw: str) -> str:
        if len(raw) > TEXT_LIMIT:
            raise ParameterError(
                f"{self.name} takes at most {TEXT_LIMIT} characters, not {len(raw)}.",
                f"{self.name} 最多 {TEXT_LIMIT} 个字符，这里有 {len(raw)} 个。",
            )
        return raw

    def _refusal(self, raw: object) -> ParameterError:
        if self.scale == "choice":
            allowed = ", ".join(choice.value for choice in self.choices)
            return ParameterError(f"{self.name} is one of {allowed}; not {raw}.", f"{self.name} 可取 {allowed}，不能是 {raw}。")
        kind_en, kind_zh = ("a whole number", "整数") if isinstance(self.default, int) else ("a number", "数")
        span = f"{self.low:g}..{self.high:g}"
        return ParameterError(f"{self.name} is {kind_en} in {span}; not {raw}.", f"{self.name} 是 {span} 之间的{kind_zh}，不能是 {raw}。")


@dataclass(frozen=True)
class Cost:
    """What a run would need, from a formula: bytes allocated at the peak, floating-point operations."""

    bytes: float
    flops: float


@dataclass(frozen=True)
class Quantity:
    """One measured number. `arm` says which way of computing it belongs to; colour and comparison follow from it."""

    name: str
    value: float
    label: Label
    unit: str = ""
    arm: Literal["", "right", "wrong"] = ""


@dataclass(frozen=True)
class Series:
    """A curve. Series of the same `figure` share their axes."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    label: Label
    x_label: Label
    figure: str = ""
    log_x: bool = False
    arm: Literal["", "right", "wrong"] = ""


@dataclass(frozen=True)
class Matrix:
    """A named array, row by row. `product_of=(A, B)` says each cell is a row of A times a column of B (B already transposed if needed).

    `factor` is what the dot product is multiplied with; a reader can open a cell and see its terms.
    A cell may be -inf, a score that a mask forbids; nan and +inf never occur.
    """

    name: str
    values: tuple[tuple[float, ...], ...]
    label: Label
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    formula: str = ""  # LaTeX
    kind: Literal["weights", "signed", "magnitude"] = "signed"
    product_of: tuple[str, str] | None = None
    factor: float = 1.0
    arm: Literal["", "right", "wrong"] = ""


@dataclass(frozen=True)
class Table:
    name: str
    label: Label
    columns: tuple[Label, ...]
    rows: tuple[tuple[float | str | Label, ...], ...]


@dataclass(frozen=True)
class Step:
    """One line of a walk-through: a formula (LaTeX), the shape it gives, the matrix it made, and why."""

    label: Label
    formula: str = ""
    shape: tuple[int, ...] = ()
    matrix: str = ""


@dataclass(frozen=True)
class Result:
    """Everything a run measured, as plain Python numbers; equal parameters give an equal Result."""

    quantities: tuple[Quantity, ...] = ()
    matrices: tuple[Matrix, ...] = ()
    series: tuple[Series, ...] = ()
    tables: tuple[Table, ...] = ()
    steps: tuple[Step, ...] = ()
    notes: tuple[Label, ...] = ()

    def scope(self) -> dict[str, object]:
        """The names a claim or a live number may use: quantities as floats, series (their y) and matrices as tuples."""
        names: dict[str, object] = {quantity.name: quantity.value for quantity in self.quantities}
        names.update({series.name: series.y for series in self.series})
        names.update({matrix.name: matrix.values for matrix in self.matrices})
        return names


@dataclass(frozen=True)
class Progress:
    """What a long run yields on its way: how far it is (0..1) and what can already be drawn."""

    fraction: float
    result: Result = field(default_factory=Result)


Run = Callable[..., Result] | Callable[..., Generator[Progress, None, Result]]


@dataclass(frozen=True)
class Experiment:
    """A claim's computation. `arms` names two quantities, the wrong way and the right way, that a test proves to differ.

    `run` takes the parameters by keyword; a run of more than a moment is a generator that yields Progress.
    `shows` lists the engine functions whose source is displayed beside the numbers.
    """

    title: Label
    summary: Label
    parameters: tuple[Parameter, ...]
    run: Run
    cost: Callable[..., Cost]
    shows: tuple[Callable[..., object], ...]
    arms: tuple[str, str]
    deadline: float = DEADLINE

    def accept(self, raw: Mapping[str, object]) -> dict[str, Value]:
        """All parameters, the given ones checked, the others at their defaults. Raises ParameterError."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in raw:
            if name not in known:
                names = ", ".join(known)
                raise ParameterError(f"There is no parameter {name}; there are {names}.", f"没有参数 {name}；可用的有 {names}。")
        return {name: parameter.accept(raw.get(name, parameter.default)) for name, parameter in known.items()}

    def afford(self, parameters: Mapping[str, Value]) -> None:
        """Raises TooLarge when the formula says that a run would need more than the limits."""
        cost = self.cost(**parameters)
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


@dataclass(frozen=True)
class Source:
    """The code behind a figure: its name, its file below engine/ and its first line."""

    name: str
    file: str
    line: int
    code: str


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

    def parameter(self, name: str) -> Parameter | None:
        return next((parameter for parameter in self.parameters if parameter.name == name), None)
