"""Sentences about decks that only a run can find, and the engine's, as content makes its own."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from content.messages.sentence import Catalogue, Sentence, bilingual, load
from engine.label import ExperimentError, Label

CATALOGUE: Catalogue = partial(load, Path(__file__).parent / "locale" / "problems")
say = partial(Sentence, CATALOGUE)


def reason(error: ExperimentError) -> Sentence:
    """What the engine says, without a full stop: it becomes a part of a sentence, or stands before a hint."""
    return bilingual(error.label.en.rstrip("."), error.label.zh.rstrip("。"))


def of_label(label: Label) -> Sentence:
    """A few words of the engine's."""
    return bilingual(label.en, label.zh)
