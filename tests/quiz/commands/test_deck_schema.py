"""The schema that editors get, with the experiments in it, against an independent validator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from content.deck.json_schema import PATH
from content.deck.library import bundled
from content.deck.new_card import sample_deck
from engine import names
from quiz.commands.deck_schema import text

SCHEMA = json.loads(PATH.read_text(encoding="utf-8"))

SAMPLE = """\
deck: sample
title: Sample
cards:
  - id: one
    question: Why?
    answer: So.
    verify:
      experiment: attention_mask
      set: {kind: causal, fill: -1e9, queries: 5, fully_masked: no}
"""


def errors(deck: str) -> list[str]:
    """What the validator says of a deck as an editor sees it: numbers are numbers, dates are texts."""
    seen: Any = json.loads(json.dumps(yaml.load(deck, Loader=yaml.CSafeLoader), default=str))
    return [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(seen)]


def test_the_file_is_current() -> None:
    """The schema in the repository is that of the model and of the experiments; `python -m quiz.commands.deck_schema` writes it."""
    assert text() == PATH.read_text(encoding="utf-8")


def test_it_is_a_schema() -> None:
    """It is valid JSON Schema, draft 2020-12."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_it_lists_every_experiment() -> None:
    """An editor offers the experiments' names, and for each the parameters that it has, each with a description."""
    verify = SCHEMA["$defs"]["Verification"]
    parameters = [one["then"]["properties"]["set"]["properties"] for one in verify["allOf"]]

    assert list(names()) == verify["properties"]["experiment"]["enum"]
    assert all(one["description"] for known in parameters for one in known.values())


@pytest.mark.parametrize("path", bundled(), ids=lambda path: path.stem)
def test_every_bundled_deck_passes(path: Path) -> None:
    """No editor underlines anything in the decks that come with the program."""
    assert [] == errors(path.read_text(encoding="utf-8"))


def test_a_new_deck_passes() -> None:
    """Nor in what `qkv new` writes."""
    assert [] == errors(sample_deck("mine", "en"))


def test_the_sample_passes() -> None:
    """Numbers and truths are taken where a choice is spelled like one."""
    assert [] == errors(SAMPLE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("attention_mask", "attention_maks"),
        ("queries: 5", "queries: 9"),
        ("queries: 5", "queries: 1.5"),
        ("queries: 5", "querys: 5"),
        ("kind: causal", "kind: casual"),
        ("fully_masked: no", "fully_masked: 3"),
    ],
)
def test_a_wrong_setting_does_not_pass(old: str, new: str) -> None:
    """An editor underlines experiments and parameters that do not exist, and values out of range."""
    assert old in SAMPLE
    assert errors(SAMPLE.replace(old, new))
