"""Declares something else."""

EXPERIMENT = "not an experiment"
