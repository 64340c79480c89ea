"""`qkv lab FILE NAME`: a deck's own computation from the command line."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from quiz.cli import qkv
from tests.content.deck.test_computations import OWN


def lab(folder: Path, *typed: str) -> tuple[int, str]:
    (folder / "own.yaml").write_text(OWN, encoding="utf-8")
    done = CliRunner().invoke(qkv, ["lab", str(folder / "own.yaml"), *typed])
    return done.exit_code, done.output


def test_a_deck_s_computation_is_run(tmp_path: Path) -> None:
    """With the parameters that are set, under the name that cards use."""
    code, told = lab(tmp_path, "nucleus", "--set", "T=3", "--json")

    assert 0 == code
    assert ("nucleus", 4.0) == (json.loads(told)["experiment"], json.loads(told)["quantities"]["w"])


def test_its_lines_are_its_source(tmp_path: Path) -> None:
    assert "# nucleus\nprobs: softmax(3 * randn(50, seed) / T)" in lab(tmp_path, "nucleus", "--source")[1]


def test_a_name_that_the_deck_does_not_have_is_told(tmp_path: Path) -> None:
    """With those that it has, and the exit code of a wrong command."""
    code, told = lab(tmp_path, "kernel", "--lang", "en")

    assert 2 == code
    assert told.replace("\n", "").endswith("own.yaml has no computation kernel; it has nucleus.")


def test_without_a_name_the_deck_s_computations_are_listed(tmp_path: Path) -> None:
    """With what each shows; of a deck without any, where they would stand."""
    (tmp_path / "bare.yaml").write_text("deck: b\ntitle: B\ncards: [{id: a, question: q, answer: a}]\n", encoding="utf-8")
    bare = CliRunner().invoke(qkv, ["lab", str(tmp_path / "bare.yaml"), "--lang", "en"])

    assert (0, "nucleus  Top-p keeps what it needs\n") == lab(tmp_path)
    assert "has no computation of its own" in bare.output.replace("\n", " ")
    assert ["nucleus"] == [one["name"] for one in json.loads(lab(tmp_path, "--json")[1])]


HELPERS = """\
deck: own
title: Own
experiments:
  sums:
    title: Sums
    parameters: {n: {default: 4, low: 1, high: 64}}
    compute: {helper: 2 * n, vector: arange(n), shares: sum(softmax(vector)), five: 2 + 3, total: sum(vector) + helper}
    arms: {wrong: five, right: total}
    labels: {shares: all shares, five: five, total: total}
cards: [{id: a, question: q, answer: a, verify: {experiment: sums}}]
"""


def test_names_tell_what_no_slider_moves_and_whose_way_it_is(tmp_path: Path) -> None:
    """What rounding alone moves is moved by nothing; lines without a label stand in one line, and not in the lab's numbers."""
    (tmp_path / "sums.yaml").write_text(HELPERS, encoding="utf-8")
    asked = ["lab", str(tmp_path / "sums.yaml"), "sums", "--lang", "en"]
    lines = CliRunner().invoke(qkv, [*asked, "--names"]).output.splitlines()
    told = {line.split()[0]: line.rstrip() for line in lines if line.startswith("  ")}

    assert ["n", "shares", "five", "total"] == list(told)
    assert told["shares"].endswith("all shares · no slider moves it")
    assert told["five"].endswith("the wrong way · no slider moves it")
    assert told["total"].endswith("the right way")
    assert "Lines without a label, which lead to others: helper, vector" == lines[-1]
    assert "helper" not in CliRunner().invoke(qkv, asked).output
