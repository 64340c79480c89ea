"""Which experiments there are: listing them reads a folder and imports nothing; a name that is not listed is never imported."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import BrokenExperiment, UnknownExperiment, excerpt
from engine.experiment import Description, Experiment
from engine.fixed_numbers import FIXED
from engine.label import ExperimentError
from engine.package import PACKAGE
from engine.source import docstring, sources


@dataclass(frozen=True)
class Survey:
    """Every experiment of a package: what it is, or the sentence that says why it cannot be used."""

    found: Mapping[str, Description]
    broken: Mapping[str, ExperimentError]

    def describe(self, name: str) -> Description:
        """Raises the experiment's own ExperimentError, or UnknownExperiment."""
        if name in self.found:
            return self.found[name]
        raise self.broken[name] if name in self.broken else _unknown(name, (*self.found, *self.broken))


def names(package: str = PACKAGE) -> tuple[str, ...]:
    """The experiments' names in alphabetical order. Raises ModuleNotFoundError where there is no such package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"There is no package {package}.", name=package)
    modules = pkgutil.iter_modules(spec.submodule_search_locations)
    return tuple(sorted(module.name for module in modules if not module.ispkg and not module.name.startswith("_")))


def load(name: str, package: str = PACKAGE) -> Experiment:
    """Imports one experiment. Raises UnknownExperiment or BrokenExperiment."""
    known = names(package)
    if name not in known:
        raise _unknown(name, known)
    try:
        experiment = importlib.import_module(f"{package}.{name}").EXPERIMENT
    except Exception as error:  # whatever one file does wrong, the others still work
        raise _broken(name, f"{type(error).__name__}: {error}") from error
    if not isinstance(experiment, Experiment):
        raise _broken(name, "EXPERIMENT is not an Experiment")
    return experiment


def describe(name: str, package: str = PACKAGE) -> Description:
    """All that can be known of an experiment without running it. Raises UnknownExperiment or BrokenExperiment."""
    experiment = load(name, package)
    try:
        claim, code = docstring(f"{package}.{name}"), sources(f"{package}.{name}")
    except (SyntaxError, OSError) as error:
        raise _broken(name, f"its source cannot be read: {error}") from error
    if not claim:
        raise _broken(name, "its docstring, the claim, is missing")
    return Description(
        name,
        claim,
        experiment.title,
        experiment.summary,
        experiment.parameters,
        experiment.deadline,
        code,
        experiment.measures,
        experiment.figures,
        experiment.rules,
        experiment.arms,
        experiment.presets,
        FIXED.get(name, ()) if package == PACKAGE else (),
    )


def survey(package: str = PACKAGE) -> Survey:
    """Describes every experiment; a broken one is reported and hides no other."""
    found: dict[str, Description] = {}
    broken: dict[str, ExperimentError] = {}
    for name in names(package):
        try:
            found[name] = describe(name, package)
        except ExperimentError as error:
            broken[name] = error
    return Survey(found, broken)


def _unknown(name: str, known: tuple[str, ...]) -> UnknownExperiment:
    near = difflib.get_close_matches(name[:80], known, n=1)
    hint_en, hint_zh = (
        (f" Did you mean {near[0]}?", f"是否想找 {near[0]}？")
        if near
        else (f" There are {', '.join(known)}.", f"可用的有 {'、'.join(known)}。")
    )
    return UnknownExperiment(f"There is no experiment {excerpt(name)}.{hint_en}", f"没有实验 {excerpt(name)}。{hint_zh}")


def _broken(name: str, reason: str) -> BrokenExperiment:
    return BrokenExperiment(f"The experiment {name} cannot be used: {excerpt(reason)}.", f"实验 {name} 无法使用：{excerpt(reason)}。")
