"""The decks that come with the program are held to their own rules: what `qkv check --strict` accepts breaks no test of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from content.deck.deck_files import bundled
from quiz.cli import qkv

ANOTHER = """\

  - id: another
    kind: choice
    asked: 3
    tags: [training]
    question: {en: What does dropout divide by in training?, zh: 训练时 dropout 要除以什么？}
    options:
      - {text: {en: by 1 − p, zh: 除以 1 − p}, right: true, why: {en: the mean stays, zh: 均值不变}}
      - {text: {en: by p, zh: 除以 p}, why: {en: that is the share that is lost, zh: 那是丢掉的比例}}
      - {text: {en: by nothing, zh: 不除}, why: {en: the mean shrinks, zh: 均值变小}}
    key_points:
      - {en: What is kept grows., zh: 保留下来的数变大。}
      - {en: The mean stays as it is at test time., zh: 均值与测试时一致。}
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


def strictly(path: Path) -> dict[str, Any]:
    """The report of `qkv check --strict --code`."""
    done = CliRunner().invoke(qkv, ["check", "--strict", "--code", "--json", str(path)])
    report: dict[str, Any] = json.loads(done.stdout)

    assert bool(report["problems"]) == bool(done.exit_code)
    return report


@pytest.mark.parametrize("path", bundled(), ids=lambda path: path.stem)
def test_the_strict_check_has_nothing_to_say(path: Path) -> None:
    """No error and no warning, every house rule kept, every claim true, able to fail, and by each result that it names; every listing runs,
    differs from its correction, and is the mistake that the card's run has measured."""
    report = strictly(path)

    assert [] == report["problems"]
    assert 0 < report["held"] == report["claims"]
    assert report["proved"] == report["listings"]


def test_a_card_may_stand_on_any_experiment(tmp_path: Path) -> None:
    """A deck of ours takes a card on an experiment that its other cards have not used: no list of experiments is kept anywhere."""
    path = tmp_path / "attention.yaml"
    text = next(each for each in bundled() if each.stem == path.stem).read_text(encoding="utf-8")
    path.write_text(text + ANOTHER, encoding="utf-8")

    assert [] == strictly(path)["problems"]
