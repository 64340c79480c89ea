"""The settings that there are: what each may be, what it is without a word, and the variable of the environment that wins over the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from content.format import LANGUAGES

Value = str | int | float | bool | None
THEMES = ("dark", "light")
_TRUE, _FALSE = ("on", "yes", "true", "1"), ("off", "no", "false", "0")
_NOTHING = ("none", "default", "-")  # what is typed for a setting that is to be as without a word


@dataclass(frozen=True)
class Settings:
    """What counts. `language` is empty where the system's locale decides; `new` and `reviews` are cards a day, None is no limit.

    `keys` are bindings by id with the keys that they have instead of their own, separated by commas.
    """

    language: str = ""
    theme: str = "dark"
    new: int = 20
    reviews: int | None = None
    retention: float = 0.9
    ascii: bool = False
    motion: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)

    def with_value(self, name: str, value: Any) -> Settings:
        """The settings with another value of one; None is what it is without a choice."""
        return replace(self, **{name: getattr(DEFAULTS, name) if value is None else value})


DEFAULTS = Settings()


@dataclass(frozen=True)
class Option:
    """A setting: its values in the order in which a key goes through them, or the range of a number with a key's step."""

    name: str
    variable: str
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 0
    step: float = 0
    switch: bool = False

    @property
    def default(self) -> Value:
        return getattr(DEFAULTS, self.name)  # type: ignore[no-any-return]

    def accepts(self, value: object) -> bool:
        """Whether a value of the file is one that it may have."""
        if self.switch or isinstance(value, bool):
            return self.switch and isinstance(value, bool)
        if self.choices:
            return value in self.choices
        whole = isinstance(self.step, int)
        return isinstance(value, int if whole else (int, float)) and self.low <= value <= self.high

    def read(self, text: str) -> Value:
        """What is typed on a command line, in a field, or set in the environment. Raises ValueError."""
        text = text.strip().lower()
        if text in _NOTHING:
            return self.default
        value: object = text
        if self.switch:
            value = text in _TRUE if text in (*_TRUE, *_FALSE) else text
        elif self.step:
            value = _number(text, whole=isinstance(self.step, int))
        if not self.accepts(value):
            raise ValueError(text)
        return value  # type: ignore[return-value]

    def spell(self, value: Value) -> str:
        """A value as `read` takes it."""
        if value is None or value == "":
            return _NOTHING[0]
        if isinstance(value, bool):
            return "on" if value else "off"
        return f"{value:g}" if isinstance(value, float) else str(value)

    def after(self, value: Any, steps: int) -> Value:
        """The value that a key goes on to."""
        if self.switch:
            return not value
        if self.choices:
            at = self.choices.index(value) if value in self.choices else -1 if steps > 0 else 0
            return self.choices[(at + steps) % len(self.choices)]
        start = self.high if value is None else value
        moved = min(max(start + steps * self.step, self.low), self.high)
        return moved if isinstance(self.step, int) else round(moved, 4)


def _number(text: str, *, whole: bool) -> float | int | str:
    """A number as it is written here; 90 % is 0.9."""
    try:
        if text.endswith("%"):
            return float(text.removesuffix("%")) / 100
        return int(text) if whole else float(text)
    except ValueError:
        return text


OPTIONS = {
    each.name: each
    for each in (
        Option("language", "QKV_LANG", choices=LANGUAGES),
        Option("theme", "QKV_THEME", choices=THEMES),
        Option("new", "QKV_NEW", low=0, high=999, step=1),
        Option("reviews", "QKV_REVIEWS", low=1, high=9999, step=10),
        Option("retention", "QKV_RETENTION", low=0.7, high=0.97, step=0.01),
        Option("ascii", "QKV_ASCII", switch=True),
        Option("motion", "QKV_MOTION", switch=True),
    )
}
