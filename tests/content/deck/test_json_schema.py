"""The JSON Schema of a deck, against an independent validator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml

from content.deck.json_schema import ExperimentSchema, schema

SAMPLE = """\
deck: attention
title: {en: Attention, zh: 注意力机制}
defaults: {level: 2, tags: [attention]}
experiments:
  own:
    title: {en: Sampling, zh: 采样}
    parameters: {T: {default: 1.0, low: 0.1, high: 10, scale: log}, seed: {default: 0}}
    compute:
      n: 4
      losses: {repeat: 20, do: {w: 1 + T}, keep: w}
      kept: 2 * n
    arms: {wrong: n, right: kept}
    figures: [{bars: losses}, {curve: [n, kept], over: T, mark: n}]
    labels: {kept: words that stay}
    units: {kept: words}
    ranges: {kept: [0, 100.5]}
cards:
  - id: 2024
    formerly: [old]
    level: 2
    asked: 5
    question: {en: "Why?", zh: 为什么？}
    predict: {ask: How many?, quantity: rows, within: 5, unit: 1}
    hint: {en: Think of it., zh: 想一想。}
    key_points: [one, {en: two}]
    follow_ups: [two, other/two]
    answer: 4
    checked: 2026-11-29
    verify:
      experiment: softmax_saturation
      set: {d_k: 512, sigma: 1.5, scaled: no}
      claims:
        - {says: It is so., check: a < b}
  - id: two
    kind: choice
    question: Which?
    hint: [4, {en: again}]
    options: [{text: 4, right: true}, {text: no}]
  - id: three
    kind: number
    question: How many?
    number: {value: 3.5, within: 10%}
"""


def parsed(text: str) -> Any:
    """The deck as an editor sees it: numbers are numbers, dates are texts."""
    return json.loads(json.dumps(yaml.load(text, Loader=yaml.CSafeLoader), default=str))


def errors(deck: Any) -> list[str]:
    return [error.message for error in jsonschema.Draft202012Validator(schema()).iter_errors(deck)]


def test_it_is_a_schema() -> None:
    """It is valid JSON Schema, draft 2020-12, and has a name."""
    jsonschema.Draft202012Validator.check_schema(schema())
    assert "urn:qkv:schema:deck" == schema()["$id"]


def test_a_deck_passes_as_an_editor_parses_it() -> None:
    """Numbers and truth values are taken wherever a deck reads text."""
    assert [] == errors(parsed(SAMPLE))


CARDS = "cards: [{id: a, kind: choice, question: Q?, options: [{text: a, right: true}, {text: b}]}]"


@pytest.mark.parametrize(
    ("text", "passes"),
    [
        ("deck: a\ntitle: A\ninclude: [masks.yaml, shared.yaml]", True),
        ("deck: a\ntitle: A\ninclude: masks.yaml", True),
        (f"deck: a\ntitle: A\ninclude: masks.yml\n{CARDS}", True),
        (CARDS, True),
        ("defaults: {kind: choice}", True),
        ("cards: [{id: a, question: Q?, options: [{text: a, right: true}, {text: b}]}]", True),
        (f"experiments: {{own: {{title: A, compute: {{n: 1}}}}}}\n{CARDS}", True),
        ("deck: a\ntitle: A", False),
        ("deck: a\ninclude: [masks.yaml]", False),
        ("deck: a\ntitle: A\ninclude: [../masks.yaml]", False),
        ("deck: a\ntitle: A\ninclude: [.masks.yaml]", False),
        ("deck: a\ntitle: A\ninclude: [masks.txt]", False),
        (f"include: [masks.yaml]\n{CARDS}", False),
        ("{}", False),
        ("cards: [{id: a, question: Q?, answr: A}]", False),
    ],
)
def test_a_deck_in_several_files(text: str, passes: bool) -> None:
    """The deck's own file may have others beside it, and one of these needs no id: what it does not say is said elsewhere."""
    assert passes == (errors(parsed(text)) == [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("level: 2\n", "level: 9\n"),
        ("answer: 4", "answr: 4"),
        ("zh: 为什么？", "fr: quoi"),
        ("kind: choice", "kind: choise"),
        ("id: two", "id: Two Words"),
        ("formerly: [old]", "formerly: old"),
        ("experiment: softmax_saturation\n", "experiment: a-b\n"),
        ("check: a < b", "chek: a < b"),
        ("{text: no}", "{}"),
        ("{value: 3.5,", "{value: many,"),
        ("title: {en: Attention, zh: 注意力机制}", "title: {}"),
        ("set: {d_k: 512, sigma: 1.5, scaled: no}", "set: {d_k: [512]}"),
        ("deck: attention", "deck: attention\nformat: 2"),
        ("answer: 4", "detail: 4"),
        ("kind: choice", "kind: order"),
        ("    kind: choice\n", ""),
        ("{text: 4, right: true}, {text: no}", "{text: 4, right: true}"),
        ("number: {value", "order: [a, b, c]\n    number: {value"),
        ("number: {value", "predict: {ask: a, quantity: b}\n    number: {value"),
        ("level: 2, tags", "kind: order, tags"),
        ("bars: losses", "pie: losses"),
        ("bars: losses", "bars: losses, heatmap: losses"),
        ("over: T", "ovr: T"),
        ("low: 0.1", "lowest: 0.1"),
        ("scale: log", "scale: wide"),
        ("      n: 4\n", "      n n: 4\n"),
        ("keep: w", "kept: w"),
        ("wrong: n, ", ""),
        ("[0, 100.5]", "[0]"),
    ],
)
def test_a_broken_deck_does_not_pass(old: str, new: str) -> None:
    """Each mistake that an editor can underline is one for the schema."""
    assert old in SAMPLE
    assert errors(parsed(SAMPLE.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("level: 2, tags", "kind: explain, tags"),
        ("deck: attention", "deck: attention\nformat: 1"),
        ("level: 2, tags: [attention]}\n", "kind: choice}\n"),
    ],
)
def test_a_kind_may_come_from_the_defaults(old: str, new: str) -> None:
    """A card that does not say its kind has the parts of its deck's kind."""
    assert old in SAMPLE
    text = SAMPLE.replace(old, new)
    if "kind: choice}" in new:
        text = text.replace("    answer: 4\n", "    options: [{text: a, right: true}, {text: b}]\n")
    assert [] == errors(parsed(text))


def test_a_deck_s_own_experiments_are_known() -> None:
    """A card may name the program's experiments and its deck's own; a deck without any takes no name that the program does not know."""
    known = jsonschema.Draft202012Validator(
        schema([ExperimentSchema("softmax_saturation", {"d_k": {}, "sigma": {}, "scaled": {}}, {"rows": "r"})])
    )
    own = parsed(SAMPLE.replace("experiment: softmax_saturation", "experiment: own"))
    none = {key: value for key, value in own.items() if key != "experiments"}

    assert [True, True, False] == [known.is_valid(deck) for deck in (parsed(SAMPLE), own, none)]


def mappings(node: Any) -> Iterator[dict[str, Any]]:
    """Every mapping that the schema describes; the conditions under allOf only narrow what is described elsewhere."""
    if isinstance(node, dict):
        if isinstance(node.get("properties"), dict):
            yield node
        for key, value in node.items():
            yield from mappings(value if key != "allOf" else None)
    if isinstance(node, list):
        for value in node:
            yield from mappings(value)


def test_every_key_is_described_and_no_other_is_allowed() -> None:
    """An editor can explain each key of a deck, and underlines all others."""
    found = list(mappings(schema()))
    assert 10 <= len(found)
    assert [] == [mapping for mapping in found if mapping.get("additionalProperties") is not False]
    assert [] == [key for mapping in found for key, value in mapping["properties"].items() if not value.get("description")]
