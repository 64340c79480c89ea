"""Settings beside a card's, as the engine computes them: which claims with a tolerance they pass."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from content.deck.library import Given, load
from content.messages.sentence import in_language
from engine import Worker
from quiz.card.judge import JudgedCard, judge_card
from quiz.card.recipes import describe_own
from quiz.card.settings import OtherSettings

CARD = """\
deck: d
title: T
experiments:
  noise:
    title: Noise
    parameters:
      n: {{default: 400, low: 100, high: 6400, step: 2, scale: log}}
      g: {{default: 2, low: 1, high: 3, step: 0.01}}
      seed: {{default: 0}}
    compute: {{draw: "g * randn(n, seed)", level: std(draw), area: n ** 2, half: area / 2}}
    arms: {{wrong: half, right: level}}
cards:
  - id: a
    question: Why?
    answer: So.
    verify:
      {verify}
      claims: [{{says: So., check: "{check}"}}]
"""
OWN = "experiment: noise\n      set: {n: 400}"
SOFT = "experiment: softmax_saturation\n      set: {d_k: 64, keys: 64, sigma_q: 3, sigma_k: 3, seed: 3}"
TWO = "runs: {short: {experiment: noise, set: {n: 200}}, long: {experiment: noise, set: {n: 400}}}"


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with Worker() as worker:
        yield worker


def judged(worker: Worker, verify: str, check: str, count: int = 3) -> JudgedCard:
    (loaded,) = load([Given("a.yaml", CARD.format(verify=verify, check=check).encode())]).decks
    assert [] == describe_own(loaded, worker)[1]
    return judge_card(loaded, 0, loaded.deck.cards[0], worker, OtherSettings(worker), count)


@pytest.mark.parametrize(
    ("verify", "check"),
    [
        (OWN, "close(area, n * n, 0.4)"),  # a quarter, or four times as much: no neighbour passes
        (OWN, "close(level, g, 0.2)"),  # at g = 1.99 the numbers are nearly the same: no tolerance that the seeds allow would tell
        (OWN, "level > g / 2 and area >= 10000"),
        (SOFT, "close(raw_std, sigma_q * 24, 0.1)"),  # three seeds are nearer than 2.9 is to 3; of twenty, three are not
        (OWN, "abs(level - 2) < 0.3"),  # said of a draw of n, and true of every n
        (SOFT, "close(raw_std, 9 * sqrt(d_k), 0.02)"),
        (SOFT, "close(scaled_std, raw_std / sqrt(d_k), 0.2) and scaled_std > 1"),
        (TWO, "close(long.area, 4 * short.area, 0.49)"),  # a law of two runs
        (TWO, "close(long.area, 160000, 0.3) and short.area < long.area"),
    ],
)
def test_nothing_is_said(worker: Worker, verify: str, check: str) -> None:
    """Of inequalities, of laws, of a tolerance that refuses the neighbours, and of neighbours that no tolerance could refuse."""
    warned = [problem.message for problem in judged(worker, verify, check).problems if "pass as well" in problem.message]

    assert [] == warned


@pytest.mark.parametrize(
    ("verify", "check", "said", "narrow"),
    [
        (
            OWN,
            "abs(area - n * n) < 130000",
            "within 130000, the numbers at n = 200 pass as well: 40000 and 160000 are near enough",
            "60000",
        ),
        (SOFT, "close(raw_std, 72, 0.45)", "within 45 %, the numbers at d_k = 32 pass as well: 50.73 and 72 are near enough", "0.094"),
        (TWO, "abs(long.area - 160000) < 130000 and short.area > 1", "within 130000, the numbers at long.n = 200 pass as well", "60000"),
    ],
)
def test_a_tolerance_that_lets_a_neighbour_pass_is_a_warning(worker: Worker, verify: str, check: str, said: str, narrow: str) -> None:
    """With the neighbour, both numbers, and a tolerance that would do."""
    (problem,) = judged(worker, verify, check).problems

    assert "warning" == problem.severity
    assert said in problem.message
    assert f"narrow the tolerance: {narrow} tells them apart" == problem.hint


def test_a_wide_tolerance_in_chinese(worker: Worker) -> None:
    """Both numbers are named, where each is one number."""
    (two,) = judged(worker, SOFT, "close(raw_std, 72, 0.45)").problems
    (many,) = judged(worker, TWO, "abs(long.area - 160000) < 130000 and short.area > 1").problems

    assert (
        "断言说明不了什么：容差为 45 % 时，d_k = 32 的数也能通过：50.73 与 72 已经足够接近",
        "请收紧容差：0.094 就能区分两者",
    ) == (in_language(two.message, "zh"), in_language(two.hint, "zh"))
    assert in_language(many.message, "zh").startswith("断言说明不了什么：容差为 130000 时，long.n = 200 的数也能通过")


def test_of_a_median_nothing_is_said(worker: Worker) -> None:
    """How far the median of five seeds goes by luck is not known."""
    wide = "close(raw_std, 72, 0.45)"

    assert ["warning"] == [problem.severity for problem in judged(worker, SOFT, wide).problems]
    assert () == judged(worker, f"{SOFT}\n      seeds: 5", wide).problems
