"""What is true: experiments that compute the answers. A name's module is loaded when the name is used; torch by no name here.

A Worker runs experiments in a process of its own.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.catalog import Survey, known_names, names
    from engine.computed.recipe import ComputeError, Recipe
    from engine.errors import (
        BrokenExperiment,
        Cancelled,
        DeadlineExceeded,
        OutOfPatience,
        RunFailed,
        Superseded,
        UnknownExperiment,
        WorkerClosed,
        WorkerDied,
    )
    from engine.experiment import Cost, Description, Experiment
    from engine.figures import Figure
    from engine.label import ExperimentError, Label, MissingExtra, ParameterError, TooLarge
    from engine.measures import Curve, Grid, Measure, Note, Rows, Scalar, Walk
    from engine.parameter import Choice, Parameter, Value
    from engine.result import Matrix, Progress, Quantity, Result, Series, Step, Table
    from engine.source import Source
    from engine.worker.worker import Worker

__all__ = [
    "BrokenExperiment",
    "Cancelled",
    "Choice",
    "ComputeError",
    "Cost",
    "Curve",
    "DeadlineExceeded",
    "Description",
    "Experiment",
    "ExperimentError",
    "Figure",
    "Grid",
    "Label",
    "Matrix",
    "Measure",
    "MissingExtra",
    "Note",
    "OutOfPatience",
    "Parameter",
    "ParameterError",
    "Progress",
    "Quantity",
    "Recipe",
    "Result",
    "Rows",
    "RunFailed",
    "Scalar",
    "Series",
    "Source",
    "Step",
    "Superseded",
    "Survey",
    "Table",
    "TooLarge",
    "UnknownExperiment",
    "Value",
    "Walk",
    "Worker",
    "WorkerClosed",
    "WorkerDied",
    "known_names",
    "names",
]

_HOMES = {
    "engine.catalog": "Survey known_names names",
    "engine.computed.recipe": "ComputeError Recipe",
    "engine.errors": "BrokenExperiment Cancelled DeadlineExceeded OutOfPatience RunFailed Superseded UnknownExperiment WorkerClosed "
    "WorkerDied",
    "engine.experiment": "Cost Description Experiment",
    "engine.figures": "Figure",
    "engine.label": "ExperimentError Label MissingExtra ParameterError TooLarge",
    "engine.measures": "Curve Grid Measure Note Rows Scalar Walk",
    "engine.parameter": "Choice Parameter Value",
    "engine.result": "Matrix Progress Quantity Result Series Step Table",
    "engine.source": "Source",
    "engine.worker.worker": "Worker",
}

if not TYPE_CHECKING:  # a type checker would take every name for one of these

    def __getattr__(name: str) -> object:
        """One of the names above, at its first use."""
        home = next((module for module, known in _HOMES.items() if name in known.split()), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(home), name)
        return found
