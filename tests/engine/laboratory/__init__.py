"""Experiments that behave and misbehave, for the tests of the catalog and the worker."""
