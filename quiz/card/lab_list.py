"""The list of experiments: those that are pinned, those that were used last, then all in their groups; or what a search finds. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from engine import Description
from engine.contents import grouped
from engine.label import Label
from quiz.card.lab_history import LabHistory
from quiz.card.text_search import Folded, folded, search
from quiz.words.i18n import Words

LAST = 3  # used ones that are listed on top


@dataclass(frozen=True)
class LabRow:
    """A heading, or an experiment in its section: the same one may stand in several."""

    section: str
    name: str = ""
    title: str = ""

    @property
    def id(self) -> str:
        return f"{self.section}.{self.name}"


def lab_rows(known: Collection[str], history: LabHistory, words: Words) -> list[LabRow]:
    """Everything, with headings; what is gone from the program is not listed."""
    pinned = [name for name in history.pinned if name in known]
    used = [name for name in history.used if name in known and name not in pinned][:LAST]
    rows = [*_section("pinned", words("lab.pinned"), pinned), *_section("used", words("lab.used"), used)]
    for group in grouped(known):
        rows += _section(group.name, words.label(group.title), group.experiments)
    return rows


def found_rows(index: Mapping[str, Folded], query: str) -> list[LabRow]:
    """What a search finds, the best first, without headings."""
    names = list(index)
    return [LabRow("found", names[place]) for place in search(list(index.values()), query)]


def index_labs(found: Mapping[str, Description]) -> dict[str, Folded]:
    """What is searched of each, in the order of the groups: names and keywords, then the summary, then all that it shows."""
    ordered = [name for group in grouped(found) for name in group.experiments]
    return {name: _texts(found[name]) for name in ordered}


def _section(name: str, title: str, experiments: Iterable[str]) -> list[LabRow]:
    rows = [LabRow(name, experiment) for experiment in experiments]
    return [LabRow(name, title=title), *rows] if rows else []


def _texts(one: Description) -> Folded:
    shown = (*(parameter.label for parameter in one.parameters), *(measure.label for measure in one.measures))
    return folded(
        (
            " ".join((one.name, one.name.replace("_", " "), *_both([one.title]), *one.keywords)),
            " ".join((*_both([one.summary]), one.claim)),
            " ".join(_both(shown)),
        )
    )


def _both(labels: Iterable[Label]) -> Iterable[str]:
    return (said for label in labels for said in (label.en, label.zh))
