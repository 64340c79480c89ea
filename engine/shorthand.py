"""What many experiments declare, in one line each: quantities by the way of computing they belong to, and common parameters."""

from __future__ import annotations

from engine.label import Label
from engine.parameter import Choice, Parameter
from engine.result import Quantity

SEED = Parameter("seed", Label("seed", "随机种子"), 0, 0, 99)


def choice(name: str, label: Label, *options: tuple[str, str, str]) -> Parameter:
    """A parameter with a few named values, each given as (value, English, Chinese); the first is the default."""
    choices = tuple(Choice(value, Label(en, zh)) for value, en, zh in options)
    return Parameter(name, label, choices[0].value, scale="choice", choices=choices)


def right(name: str, value: float, en: str, zh: str, unit: str = "") -> Quantity:
    return Quantity(name, value, Label(en, zh), unit, "right")


def wrong(name: str, value: float, en: str, zh: str, unit: str = "") -> Quantity:
    return Quantity(name, value, Label(en, zh), unit, "wrong")


def measured(name: str, value: float, en: str, zh: str, unit: str = "") -> Quantity:
    """A number that belongs to neither way."""
    return Quantity(name, value, Label(en, zh), unit)
