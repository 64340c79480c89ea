"""What is true: experiments that compute the answers. Importing it loads no torch; a Worker runs them in a process of its own."""

from engine.catalog import Survey, names
from engine.errors import BrokenExperiment, Cancelled, DeadlineExceeded, RunFailed, Superseded, UnknownExperiment, WorkerClosed, WorkerDied
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
    "Parameter",
    "ParameterError",
    "Progress",
    "Quantity",
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
    "names",
]
