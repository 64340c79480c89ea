"""Quantities in one line, each named after the way of computing that it belongs to."""

from __future__ import annotations

from engine.experiment import Label, Quantity


def right(name: str, value: float, en: str, zh: str, unit: str = "") -> Quantity:
    return Quantity(name, value, Label(en, zh), unit, "right")


def wrong(name: str, value: float, en: str, zh: str, unit: str = "") -> Quantity:
    return Quantity(name, value, Label(en, zh), unit, "wrong")


def measured(name: str, value: float, en: str, zh: str, unit: str = "") -> Quantity:
    """A number that belongs to neither way."""
    return Quantity(name, value, Label(en, zh), unit)
