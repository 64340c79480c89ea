"""Recipes of these tests, written as an author would."""

from __future__ import annotations

from content.claims.computation import parse_computation
from engine.computed.recipe import Recipe, Repeat, Step, Sweep
from engine.label import Label
from engine.parameter import SEED, Parameter

SLIDERS = (Parameter("n", Label("n", "n"), 4, 1, 10**9), Parameter("t", Label("t", "t"), 0.5, 0.1, 10.0, 1.2, "log"), SEED)


def step(name: str, text: str) -> Step:
    return Step(name, parse_computation(text))


def repeat(name: str, times: str, keep: str, **steps: str) -> Repeat:
    return Repeat(name, parse_computation(times), tuple(step(*line) for line in steps.items()), parse_computation(keep))


def recipe(*steps: Step | Repeat, sweeps: tuple[Sweep, ...] = (), arms: tuple[str, str] = ("wrong", "right")) -> Recipe:
    return Recipe("own", Label("own", "自写"), SLIDERS, steps, arms, (), sweeps)
