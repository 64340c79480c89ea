"""Parameters that many experiments have, declared in one line."""

from __future__ import annotations

from engine.experiment import Choice, Label, Parameter

SEED = Parameter("seed", Label("seed", "随机种子"), 0, 0, 99)


def choice(name: str, label: Label, *options: tuple[str, str, str]) -> Parameter:
    """A parameter with a few named values, each given as (value, English, Chinese); the first is the default."""
    choices = tuple(Choice(value, Label(en, zh)) for value, en, zh in options)
    return Parameter(name, label, choices[0].value, scale="choice", choices=choices)
