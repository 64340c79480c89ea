"""What is true: experiments that compute the answers. Importing it loads no torch; a Worker runs them in a process of its own."""

from engine.catalog import Survey, names
from engine.errors import BrokenExperiment, Cancelled, DeadlineExceeded, RunFailed, Superseded, UnknownExperiment, WorkerClosed, WorkerDied
from engine.experiment import Cost, Description, Experiment
from engine.label import ExperimentError, Label, MissingExtra, ParameterError, TooLarge
from engine.parameter import Choice, Parameter, Value
from engine.result import Matrix, Progress, Quantity, Result, Series, Step, Table
from engine.source import Source
from engine.worker.worker import Worker

__all__ = [
    "BrokenExperiment",
    "Cancelled",
    "Choice",
    "Cost",
    "DeadlineExceeded",
    "Description",
    "Experiment",
    "ExperimentError",
    "Label",
    "Matrix",
    "MissingExtra",
    "Parameter",
    "ParameterError",
    "Progress",
    "Quantity",
    "Result",
    "RunFailed",
    "Series",
    "Source",
    "Step",
    "Superseded",
    "Survey",
    "Table",
    "TooLarge",
    "UnknownExperiment",
    "Value",
    "Worker",
    "WorkerClosed",
    "WorkerDied",
    "names",
]
