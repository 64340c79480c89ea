"""The decks that come with the program are held to their own rules: what `qkv check --strict` accepts breaks no test of ours."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from content.deck.deck_files import bundled
from quiz.cli import qkv

ANOTHER = """\

  - id: another
    kind: choice
    asked: 3
    tags: [training]
    question: {en: What does dropout divide by in training?, zh: 训练时 dropout 要除以什么？}
    hint: [{en: Think of the mean., zh: 想想均值。}]
    options:
      - {text: {en: by 1 − p, zh: 除以 1 − p}, right: true, why: {en: the mean stays, zh: 均值不变}}
      - {text: {en: by p, zh: 除以 p}, why: {en: that is the share that is lost, zh: 那是丢掉的比例}}
      - {text: {en: by nothing, zh: 不除}, why: {en: the mean shrinks, zh: 均值变小}}
    key_points:
      - {en: What is kept grows., zh: 保留下来的数变大。}
      - {en: The mean stays as it is at test time., zh: 均值与测试时一致。}
      - {en: Nothing is left to do at test time., zh: 测试时什么都不用做。}
    answer: {en: By the share that is kept., zh: 除以保留的比例。}
    verify:
      experiment: dropout
      set: {p: 0.2}
      claims:
        - {says: {en: The mean stays as it is., zh: 均值保持不变。}, check: 'close(training_mean, test_mean, 0.03)'}
        - says: {en: Without the division it shrinks., zh: 不除的话均值变小。}
          check: 'close(plain_training_mean, (1 - p) * test_mean, 0.03)'
    sources: [Srivastava et al. 2014]
    checked: 2026-11-29
"""


ALONE = """\
deck: alone
title: {en: Alone, zh: 单独}
defaults: {level: 2}
cards:
"""


def strictly(*arguments: str) -> dict[str, Any]:
    """The report of `qkv check --strict`."""
    done = CliRunner().invoke(qkv, ["check", "--strict", "--json", *arguments])
    report: dict[str, Any] = json.loads(done.stdout)

    assert bool(report["problems"]) == bool(done.exit_code)
    return report


def test_the_strict_check_has_nothing_to_say() -> None:
    """No error and no warning, and every house rule kept. Claims and listings are run by `make check`, which is a part of
    `make test-all`; `make test` runs those of the first deck."""
    report = strictly("--no-run", *map(str, bundled()))

    assert [] == report["problems"]
    assert 0 < report["claims"]


def test_make_test_all_runs_every_claim() -> None:
    """And every listing; what is not run here is run there, with other seeds, or nowhere. `make test` has time for a deck."""
    made = Path("Makefile").read_text(encoding="utf-8")

    assert re.search(r"(?m)^test-all: check ", made)
    assert re.search(r"(?m)^test: .*\n\t.* check-few ", made)
    assert re.search(r"(?m)^check: .*\n\t\$\(BIN\)/qkv check --strict --code content/decks$", made)


def test_a_card_may_stand_on_any_experiment(tmp_path: Path) -> None:
    """A deck of ours takes a card on an experiment that its other cards have not used: no list of experiments is kept anywhere."""
    path = tmp_path / "alone.yaml"
    path.write_text(ALONE + ANOTHER, encoding="utf-8")
    report = strictly("--code", str(path))

    assert [] == report["problems"]
    assert 2 == report["held"]
