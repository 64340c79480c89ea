"""Which experiments there are: listing them reads a folder and imports nothing; a name that is not listed is never imported."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from engine.errors import BrokenExperiment, UnknownExperiment, excerpt
from engine.experiment import Description, Experiment
from engine.fixed_numbers import FIXED
from engine.label import ExperimentError
from engine.package import PACKAGE
from engine.source import docstring, sources

FORMERLY = re.compile(r"^    formerly=\(([^)]*)\)", re.MULTILINE)  # in the declaration of an experiment


@dataclass(frozen=True)
class Survey:
    """Every experiment of a package: what it is, or the sentence that says why it cannot be used."""

    found: Mapping[str, Description]
    broken: Mapping[str, ExperimentError]

    @property
    def named(self) -> Mapping[str, Description]:
        """Every experiment under the name that it has, and under those that it had."""
        return {**self.found, **{old: one for one in self.found.values() for old in one.formerly}}

    def describe(self, name: str) -> Description:
        """Raises the experiment's own ExperimentError, or UnknownExperiment."""
        if name in self.named:
            return self.named[name]
        raise self.broken[name] if name in self.broken else _unknown(name, (*self.found, *self.broken))


def names(package: str = PACKAGE) -> tuple[str, ...]:
    """The experiments' names in alphabetical order. Raises ModuleNotFoundError where there is no such package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"There is no package {package}.", name=package)
    modules = pkgutil.iter_modules(spec.submodule_search_locations)
    return tuple(sorted(module.name for module in modules if not module.ispkg and not module.name.startswith("_")))


def known_names(package: str = PACKAGE) -> tuple[str, ...]:
    """The names that a deck may write: those of the experiments, and those that they had."""
    return (*names(package), *_former_names(package))


def current_name(name: str, package: str = PACKAGE) -> str:
    """The name of the experiment that has this name, or had it. Raises UnknownExperiment."""
    known = names(package)
    if name in known:
        return name
    if name in (former := _former_names(package)):
        return former[name]
    raise _unknown(name, known)


@lru_cache
def _former_names(package: str) -> Mapping[str, str]:
    """Names that experiments had, each with the present one. They are read in the files: a wrong name is no reason to import them all."""
    spec = importlib.util.find_spec(package)
    folders = (spec and spec.submodule_search_locations) or ()
    files = [file for folder in folders for name in names(package) if (file := Path(folder) / f"{name}.py").is_file()]
    said = {file.stem: FORMERLY.search(file.read_text("utf-8")) for file in files}
    return {old: name for name, found in said.items() if found for old in re.findall(r"\w+", found[1])}


def load(name: str, package: str = PACKAGE) -> Experiment:
    """Imports one experiment, by its name or one that it had. Raises UnknownExperiment or BrokenExperiment."""
    name = current_name(name, package)
    try:
        experiment = importlib.import_module(f"{package}.{name}").EXPERIMENT
    except Exception as error:  # whatever one file does wrong, the others still work
        raise _broken(name, f"{type(error).__name__}: {error}") from error
    if not isinstance(experiment, Experiment):
        raise _broken(name, "EXPERIMENT is not an Experiment")
    return experiment


def describe(name: str, package: str = PACKAGE) -> Description:
    """All that can be known of an experiment without running it. Raises UnknownExperiment or BrokenExperiment."""
    name = current_name(name, package)
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
        experiment.formerly,
        experiment.keywords,
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
