"""A parameter: the values it may have, how a slider walks through them, and the sentence for a value outside; a rule between two."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from engine.label import Label, ParameterError

Value = int | float | str
Scale = Literal["linear", "log", "choice", "text"]
TEXT_LIMIT = 500
DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")  # as a deck writes a number


@dataclass(frozen=True)
class Choice:
    value: str
    label: Label


@dataclass(frozen=True)
class Parameter:
    """One slider. `step` is added on a linear scale and multiplied on a log scale; an int default means whole numbers.

    Between two ticks any number can be typed; of whole ones, multiples of `multiple_of` and, where it is given, divisors of `divisor_of`.
    A text that `names_model` is the folder of a pretrained model: what a deck writes there, the quiz looks at before it is a value.
    Of a text, `form` says what it has to be, and `pattern` is the same for a program.
    """

    name: str
    label: Label
    default: Value
    low: float = 0
    high: float = 0
    step: float = 1
    scale: Scale = "linear"
    choices: tuple[Choice, ...] = ()
    unit: str = ""
    multiple_of: int = 1
    divisor_of: int = 0
    names_model: bool = False
    pattern: str = ""
    form: Label | None = None

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
        number = float(value)

        def distance(tick: int) -> float:
            return abs(float(self.value_at(tick)) - number)

        tick = min(self._around(number), key=distance)
        while tick and distance(tick - 1) <= distance(tick):  # rounded to whole numbers, several ticks have one value
            tick -= 1
        return tick

    def _around(self, number: float) -> tuple[int, ...]:
        """The ticks between which a number stands."""
        number = min(max(number, self.low), self.high)
        log = self.scale == "log"
        place = math.floor(math.log(number / self.low, self.step) if log else (number - self.low) / self.step)
        return tuple(min(max(tick, 0), self.ticks) for tick in range(place - 1, place + 3))  # the formula may be one off

    def accept(self, raw: object) -> Value:
        """The value in `raw` (a number or its spelling). Raises ParameterError outside the range."""
        if self.scale == "choice":
            return self._accept_choice(str(raw))
        if self.scale == "text":
            return self._accept_text(str(raw))
        if not DECIMAL.fullmatch(text := str(raw).strip()):  # float() alone takes 1_0 for ten
            raise self._refusal(raw)
        number = float(text)
        if not (self.low <= number <= self.high):
            raise self._refusal(raw)
        if isinstance(self.default, int):
            if number != int(number) or not self._fits(int(number)):
                raise self._refusal(raw)
            return int(number)
        return number

    def _fits(self, whole: int) -> bool:
        divides = not self.divisor_of or (whole != 0 and self.divisor_of % whole == 0)
        return divides and whole % self.multiple_of == 0

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
        if self.pattern and not re.fullmatch(self.pattern, raw):
            raise self._refusal(raw)
        return raw

    @property
    def rule(self) -> Label | None:
        """What a value has to be beyond its range; None where the range is all."""
        if self.scale == "text":
            return self.form
        if self.divisor_of:
            return Label(f"a divisor of {self.divisor_of}", f"能整除 {self.divisor_of}")
        return Label(f"a multiple of {self.multiple_of}", f"为 {self.multiple_of} 的倍数") if self.multiple_of > 1 else None

    def _refusal(self, raw: object) -> ParameterError:
        if self.scale == "choice":
            allowed = ", ".join(choice.value for choice in self.choices)
            return ParameterError(f"{self.name} is one of {allowed}; not {raw}.", f"{self.name} 可取 {allowed}，不能是 {raw}。")
        if self.scale == "text" and self.form:
            return ParameterError(f"{self.name} is {self.form.en}; not {raw!r}.", f"{self.name} 应为{self.form.zh}，不能是 {raw!r}。")
        kind_en, kind_zh = ("a whole number", "整数") if isinstance(self.default, int) else ("a number", "数")
        span = f"{self.low:g}..{self.high:g}"
        rule_en, rule_zh = (f", {self.rule.en}", f"，且{self.rule.zh}") if self.rule else ("", "")
        return ParameterError(
            f"{self.name} is {kind_en} in {span}{rule_en}; not {raw}.", f"{self.name} 是 {span} 之间的{kind_zh}{rule_zh}，不能是 {raw}。"
        )


@dataclass(frozen=True)
class Divides:
    """A rule between two whole parameters: `part` divides `whole`. Where it is `capped`, a larger part counts as the whole."""

    part: str
    whole: str
    capped: bool = False

    def check(self, values: Mapping[str, Value]) -> None:
        """Raises ParameterError, which names the parts that would divide."""
        part, whole = int(values[self.part]), int(values[self.whole])
        if whole % part == 0 or (self.capped and part > whole):
            return
        fitting = [str(each) for each in range(1, whole + 1) if whole % each == 0]
        raise ParameterError(
            f"{self.part} = {part} does not divide {self.whole} = {whole}; a divisor is {', '.join(fitting)}.",
            f"{self.part} = {part} 不能整除 {self.whole} = {whole}；{whole} 的约数有 {'、'.join(fitting)}。",
        )


SEED = Parameter("seed", Label("seed", "随机种子"), 0, 0, 99)


def choice(name: str, label: Label, *options: tuple[str, str, str]) -> Parameter:
    """A parameter with a few named values, each given as (value, English, Chinese); the first is the default."""
    choices = tuple(Choice(value, Label(en, zh)) for value, en, zh in options)
    return Parameter(name, label, choices[0].value, scale="choice", choices=choices)
