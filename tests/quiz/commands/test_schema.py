"""`qkv schema`: the schema that editors get, with the experiments in it, against an independent validator, and where it is laid."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from content.deck.deck_files import bundled
from content.deck.new_card import sample_deck
from engine import Description, Label, WorkerDied, names
from quiz.cli import qkv
from quiz.commands import schema as command
from quiz.commands.schema import ensure_schema, refresh_schema, schema_address, schema_path, text

SAMPLE = """\
deck: sample
title: Sample
cards:
  - id: one
    question: Why?
    answer: So.
    predict: {ask: How many?, quantity: allowed_pairs}
    verify:
      experiment: attention_mask
      set: {kind: causal, fill: -1e9, queries: 5, fully_masked: no}
"""


@pytest.fixture(scope="module")
def made() -> str:
    """What `qkv schema` prints, made once."""
    done = CliRunner().invoke(qkv, ["schema"])

    assert 0 == done.exit_code, done.output
    return done.stdout


@pytest.fixture(scope="module")
def schema(made: str) -> Any:
    return json.loads(made)


def errors(schema: Any, deck: str) -> list[str]:
    """What the validator says of a deck as an editor sees it: numbers are numbers, dates are texts."""
    seen: Any = json.loads(json.dumps(yaml.load(deck, Loader=yaml.CSafeLoader), default=str))
    return [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(seen)]


def test_it_is_a_schema(schema: Any) -> None:
    """It is valid JSON Schema, draft 2020-12."""
    jsonschema.Draft202012Validator.check_schema(schema)


def test_it_lists_every_experiment(schema: Any) -> None:
    """An editor offers the experiments' names, and for each the parameters that it has, each with a description."""
    verify = schema["$defs"]["Verification"]
    parameters = [one["then"]["properties"]["set"]["properties"] for one in verify["allOf"]]

    assert list(names()) == verify["properties"]["experiment"]["anyOf"][0]["enum"]
    assert all(one["description"] for known in parameters for one in known.values())


def test_it_lists_what_each_experiment_measures(schema: Any) -> None:
    """For the experiment of a card an editor offers its quantities, each with its words; a time that was measured is none."""
    asked = [one["then"]["properties"] for one in schema["$defs"]["Card"]["allOf"] if "predict" in one["then"]["properties"]]
    offered = [one["predict"]["properties"]["quantity"] for one in asked if one["predict"]]
    saturation = offered[names().index("softmax_saturation")]
    timed = offered[names().index("recurrent_dilution")]

    assert len(names()) == len(offered)
    assert all(len(one["anyOf"][0]["enum"]) == len(one["anyOf"][0]["enumDescriptions"]) for one in offered)
    assert all(len(one["anyOf"][0]["enum"]) == len(one["description"].split("\n")) for one in offered)
    words = dict(zip(saturation["anyOf"][0]["enum"], saturation["anyOf"][0]["enumDescriptions"], strict=True))
    assert " · " in words["raw_std"]
    assert "rnn_microseconds" not in timed["anyOf"][0]["enum"]


def test_an_expression_may_be_asked_for(schema: Any) -> None:
    """Where a quantity stands, arithmetic with quantities may stand as well; a name alone has to be one of them."""
    asked = [one["then"]["properties"] for one in schema["$defs"]["Card"]["allOf"] if "predict" in one["then"]["properties"]]
    quantity = next(one["predict"]["properties"]["quantity"] for one in asked if one["predict"])
    accepts = jsonschema.Draft202012Validator(quantity).is_valid

    assert (True, True, False) == (accepts("100 * a / b"), accepts("run.total"), accepts("no_such_name"))


@pytest.mark.parametrize("path", bundled(), ids=lambda path: path.stem)
def test_every_bundled_deck_passes(schema: Any, path: Path) -> None:
    """No editor underlines anything in the decks that come with the program."""
    assert [] == errors(schema, path.read_text(encoding="utf-8"))


def test_a_new_deck_passes(schema: Any) -> None:
    """Nor in what `qkv new` writes."""
    assert [] == errors(schema, sample_deck("mine", "en", schema_address()))


def test_the_sample_passes(schema: Any) -> None:
    """Numbers and truths are taken where a choice is spelled like one."""
    assert [] == errors(schema, SAMPLE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("attention_mask", "attention_maks"),
        ("queries: 5", "queries: 9"),
        ("queries: 5", "queries: 1.5"),
        ("queries: 5", "querys: 5"),
        ("kind: causal", "kind: casual"),
        ("fully_masked: no", "fully_masked: 3"),
        ("allowed_pairs", "alowed_pairs"),
        ("allowed_pairs", "raw_std"),
        ("answer: So.\n    predict: {ask: How many?, quantity: allowed_pairs}", "kind: number\n    number: {quantity: raw_std}"),
    ],
)
def test_a_wrong_setting_does_not_pass(schema: Any, old: str, new: str) -> None:
    """An editor underlines experiments, parameters and quantities that do not exist, and values out of range."""
    assert old in SAMPLE
    assert errors(schema, SAMPLE.replace(old, new))


@pytest.mark.parametrize(
    ("experiment", "fits", "fails"),
    [
        ("positions_sinusoidal", "width: 10", "width: 9"),
        ("multi_head", "heads: 6", "heads: 5"),
        ("kv_cache", "heads: '4'", "heads: '3'"),
        ("bpe", "word: lower", "word: two words"),
        ("bpe", "words: 'low:5, 小猫：2'", "words: 'low:x'"),
    ],
)
def test_more_than_a_range(schema: Any, experiment: str, fits: str, fails: str) -> None:
    """Multiples, divisors and forms of texts are known to an editor, too."""
    deck = SAMPLE.replace("predict: {ask: How many?, quantity: allowed_pairs}", "").replace("attention_mask", experiment)
    found = [errors(schema, re.sub("set: .*", f"set: {{{given}}}", deck)) for given in (fits, fails)]

    assert ([], 1) == (found[0], len(found[1]))


def test_a_file_says_which_line_names_it(made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`qkv schema FILE` writes what `qkv schema` prints, into folders that it makes, and tells the line for a deck."""
    monkeypatch.setattr(command, "_made", lambda: made)
    path = tmp_path / "a folder" / "deck.json"
    done = CliRunner().invoke(qkv, ["schema", str(path), "--lang", "en"])
    address = done.stderr.strip().rpartition("$schema=")[2]

    assert (0, "", made) == (done.exit_code, done.stdout, path.read_text(encoding="utf-8"))
    assert path == Path(unquote(urlparse(address).path))


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit 2, the reason, and nothing left behind."""
    monkeypatch.setattr(command, "_made", lambda: "{}")
    (tmp_path / "file").touch()
    done = CliRunner().invoke(qkv, ["schema", str(tmp_path / "file" / "deck.json"), "--lang", "en"])

    assert 2 == done.exit_code
    assert "cannot be written: " in done.stderr
    assert ["file"] == [path.name for path in tmp_path.iterdir()]


LABEL = Label("x", "x")
ONE = Description("one", "", LABEL, LABEL, (), 3, ())


class TestTheCopyOfThePerson:
    def test_it_is_made_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """`qkv new` starts the engine for the first deck, not for the others."""
        engines = iter([text([ONE])])
        monkeypatch.setattr(command, "_made", lambda: next(engines))
        ensure_schema()
        ensure_schema()

        assert text([ONE]) == schema_path().read_text(encoding="utf-8")

    def test_without_an_engine_it_knows_the_keys(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Where PyTorch does not work, an editor still completes everything but the experiments."""

        def dead() -> str:
            raise WorkerDied("dead", "dead")

        monkeypatch.setattr(command, "_made", dead)
        ensure_schema()

        assert text(()) == schema_path().read_text(encoding="utf-8")

    def test_it_is_kept_up_to_date(self) -> None:
        """`qkv check` writes it anew where it differs, and makes none where there is none."""
        refresh_schema([ONE])
        before = schema_path().exists()
        schema_path().parent.mkdir(exist_ok=True)
        schema_path().write_text(text(()), encoding="utf-8")
        refresh_schema([ONE])

        assert (False, text([ONE])) == (before, schema_path().read_text(encoding="utf-8"))

    def test_a_check_keeps_it_up_to_date(self, made: str, tmp_path: Path) -> None:
        """The command that people run while they write is the one that does it."""
        schema_path().parent.mkdir()
        schema_path().write_text("{}", encoding="utf-8")
        (tmp_path / "deck.yaml").write_text(SAMPLE, encoding="utf-8")
        CliRunner().invoke(qkv, ["check", "--no-run", str(tmp_path / "deck.yaml")])

        assert made == schema_path().read_text(encoding="utf-8")

    def test_one_that_cannot_be_written_stops_nothing(self) -> None:
        """A folder in its place is left alone."""
        schema_path().mkdir(parents=True)
        refresh_schema([ONE])

        assert [] == list(schema_path().iterdir())
