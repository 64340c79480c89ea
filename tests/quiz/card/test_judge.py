"""Cards with several runs, seeds and examples by language, held against what the engine computes of them."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import cast

import pytest

from content.deck.library import Given, load
from engine import Description, Recipe, Result, Worker
from quiz.card.card_run import CardRun
from quiz.card.judge import FEWEST, FIRST, JudgedCard, judge_card
from quiz.card.recipes import describe_own
from quiz.card.settings import SETTINGS, Names, OtherSettings
from quiz.card.shared_runs import Computing

CARD = """\
deck: d
title: T
cards:
  - id: a
    question: Why?
    answer: So.
    verify:
      {verify}
      claims: [{{says: So., check: "{check}"}}]
"""
TWO = "runs: {short: {experiment: attention_cost, set: {tokens: 128}}, long: {experiment: attention_cost, set: {tokens: 256}}}"
MET = "runs: {cost: {experiment: attention_cost}, soft: {experiment: softmax_saturation, set: {d_k: 64}}}"
SPOKEN = "{experiment: bpe, set: {word: {en: lowest, zh: zzzz}}}"
OWN = """\
experiments:
  noise:
    title: Noise
    parameters: {n: {default: 4, low: 1, high: 64}, seed: {default: 0}}
    compute: {draw: "randn(n, seed)", level: mean(draw * draw)}
"""


def judged(
    worker: Worker,
    verify: str,
    check: str,
    own: str = "",
    count: int = 3,
    *,
    through: Computing | None = None,
    others: OtherSettings | None = None,
) -> JudgedCard:
    text = CARD.format(verify=verify, check=check).replace("cards:\n", own + "cards:\n")
    (loaded,) = load([Given("a.yaml", text.encode())]).decks
    assert [] == describe_own(loaded, worker)[1]
    engine = through or worker
    return judge_card(loaded, 0, loaded.deck.cards[0], engine, others or OtherSettings(engine), count)


def told(card: JudgedCard) -> list[tuple[int, int, str]]:
    return [(problem.line, problem.column, problem.message) for problem in card.problems]


@pytest.mark.parametrize(
    ("verify", "check"),
    [
        (TWO, "close(long.pairs_multiply_adds, 4 * short.pairs_multiply_adds, 1e-4)"),
        (TWO, "close(long.pairs_multiply_adds / pairs_multiply_adds, 4, 1e-4)"),
        (TWO.replace("tokens: 128", "d_model: 96").replace("tokens: 256", "d_model: 384"), "long.score_mebibytes == score_mebibytes"),
        (MET, "close(soft.raw_std, 8, 0.05) and 9 < cost.pairs_percent < 11"),
        ("experiment: softmax_saturation\n      set: {d_k: 64}\n      seeds: 5", "raw_std_low > 7 and raw_std_high < 9"),
        (
            TWO.replace("tokens: 128", "tokens: {en: 128, zh: 64}"),
            "close(long.pairs_multiply_adds / short.pairs_multiply_adds, (long.tokens / short.tokens)**2, 1e-4)",
        ),
    ],
)
def test_what_runs_show(worker: Worker, verify: str, check: str) -> None:
    """A claim that holds over two lengths, two experiments, several seeds, or whichever language's example, has nothing against it."""
    assert JudgedCard(held=1) == judged(worker, verify, check)


def test_a_claim_of_two_runs_that_is_false(worker: Worker) -> None:
    """It is told with what all runs used, each behind its name."""
    (problem,) = judged(worker, TWO, "close(long.pairs_multiply_adds, 2 * short.pairs_multiply_adds, 0.1)").problems

    assert problem.message.startswith("the claim is false: ")
    assert "short.tokens=128, " in problem.hint
    assert "long.tokens=256, " in problem.hint
    assert "used tokens" not in problem.hint


def test_a_run_that_does_not_matter(worker: Worker) -> None:
    """Each result that is named must be able to make the claim false, those of a second run too."""
    card = judged(worker, TWO, "pairs_multiply_adds > 1e5 and long.pairs_multiply_adds >= 0")

    assert [(9, 35, "no change of long.pairs_multiply_adds makes the claim false; tried: ×0, ×-1, ×0.5, ×2, +1")] == told(card)


def test_the_wrong_way_of_a_second_run(worker: Worker) -> None:
    """A claim about its right way is false with its wrong way in the place of it."""
    swapped = judged(worker, MET, "soft.scaled_saturated_percent < 50")

    assert ["the claim is no claim about the right way: it holds as well with soft.raw_saturated_percent"] == [
        message.split(",")[0] for _, _, message in told(swapped) if "right way" in message
    ]


def test_one_claim_of_one_language_is_false(worker: Worker) -> None:
    """The runs of each language are judged where they differ; a fault says whose it is."""
    runs = TWO.replace("tokens: 256", "tokens: {en: 256, zh: 1024}")
    card = judged(worker, runs, "close(long.pairs_multiply_adds, 4 * short.pairs_multiply_adds, 1e-4)")

    assert (0, 1) == (card.held, len(card.problems))
    assert card.problems[0].message.endswith(" (with the values for zh)")


@pytest.mark.parametrize(
    ("verify", "expected"),
    [
        (TWO.replace("{tokens: 256}", "{token: 256}"), (8, 112, "attention_cost has no parameter token; it has tokens, d_model, heads")),
        ("experiment: attention_cost\n      seeds: 3", (9, 7, "attention_cost draws nothing: it has no seed")),
        (TWO.replace("{tokens: 256}", "{tokens: 256}, seeds: 3"), (8, 126, "attention_cost draws nothing: it has no seed")),
    ],
)
def test_a_setting_is_refused_at_its_place(worker: Worker, verify: str, expected: tuple[int, int, str]) -> None:
    """In the run that it stands in."""
    assert [expected] == told(judged(worker, verify, "pairs_percent > 0"))


def test_luck_over_seeds(worker: Worker) -> None:
    """What is true of one draw only is lucky; the median over twenty is what it is."""
    one = "experiment: noise\n      set: {n: 4}"
    lucky = judged(worker, one, "1.5 < level < 2", OWN).problems
    held = judged(worker, one + "\n      seeds: 20", "0.1 < level_low < 0.4 and 1.9 < level_high < 3 and 0.5 < level < 0.7", OWN)

    assert ["the claim holds only by luck: it is false with 2 of 3 seeds (1, 2)"] == [each.message.split(";")[0] for each in lucky]
    assert JudgedCard(held=1) == held


def test_a_decks_own_computation_in_two_runs(worker: Worker) -> None:
    """It may be compared with itself, and with the program's."""
    runs = "runs: {few: {experiment: noise, set: {n: 4}, seeds: 20}, many: {experiment: noise, set: {n: 64}, seeds: 20}}"
    held = judged(worker, runs, "few.level_low < 0.5 * many.level_low and few.level_high > 1.5 * many.level_high", OWN)

    assert JudgedCard(held=1) == held


def test_what_a_card_sets_is_told_at_the_line_that_it_breaks(worker: Worker) -> None:
    """A number that is none stands in the computation, not in the card that asked for it."""
    own = OWN.replace("level: mean(draw * draw)", "level: sum(log(n - 2 * ones(2)))")
    card = judged(worker, "experiment: noise\n      set: {n: 1}", "level > 0", own)

    assert [(7, 50, "as a sets it: level is not a number (NaN), from log(...)")] == told(card)


class Recording:
    """An engine, and the curves of all that it was asked to compute."""

    def __init__(self, worker: Worker) -> None:
        self.worker, self.curves = worker, list[list[str]]()

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        return self.worker.describe(experiment)

    def submit(self, experiment: str | Recipe, parameters: Mapping[str, object]) -> Future[Result]:
        self.curves.append([sweep.name for sweep in cast(Recipe, experiment).sweeps])
        return self.worker.submit(experiment, parameters)


CURVED = OWN.replace("compute:", "figures: [{curve: level, over: n}, {curve: spread, over: n}]\n    compute:").replace(
    '"randn(n, seed)"', '"randn(n, seed)", spread: max(draw)'
)


@pytest.mark.parametrize(("check", "expected"), [("0.001 < level < 8", []), ("max(level_over_n) < 12 and level > 0.001", ["level_over_n"])])
def test_curves_that_nothing_names_are_computed_once(worker: Worker, check: str, expected: list[str]) -> None:
    """The card's own run has them all, since a learner sees them; the runs that it is held against have those that a claim names."""
    recording = Recording(worker)
    card = judged(worker, "experiment: noise", check, CURVED, through=recording)
    first, *further = recording.curves

    assert 1 == card.held
    assert ["level_over_n", "spread_over_n"] == first
    assert {tuple(expected)} == set(map(tuple, further))
    assert len(further) >= 2 + 1 + FIRST  # seeds, the defaults, other settings


DOUBLED = OWN.replace("level: mean(draw * draw)", "level: mean(draw * draw), twice: 2 * level")


class Few(OtherSettings):
    """Of an experiment that refuses most settings."""

    def of(self, card_run: CardRun, most: int = SETTINGS) -> tuple[Names, ...]:
        return super().of(card_run, min(most, FEWEST - 1))


@pytest.mark.parametrize(("others", "refused"), [(OtherSettings, True), (Few, False)])
def test_of_a_few_settings_nothing_is_said(worker: Worker, others: type[OtherSettings], refused: bool) -> None:
    """That two names are one number is said of as many settings as it takes to say always."""
    card = judged(worker, "experiment: noise", "close(twice, 2 * level, 1e-9)", DOUBLED, others=others(worker))

    assert refused == any("twice is 2 * level by definition" in message for _, _, message in told(card))


@pytest.mark.parametrize(("check", "most"), [("0.001 < level < 8", FIRST), ("close(twice, 2 * level, 1e-9)", SETTINGS)])
def test_other_settings_are_run_until_a_claim_is_refuted(worker: Worker, check: str, most: int) -> None:
    """Most claims are false or differ at the first; only what seems to hold everywhere is tried at all of them."""
    recording = Recording(worker)
    judged(worker, "experiment: noise", check, DOUBLED, count=1, through=recording)

    assert 1 + 1 + most == len(recording.curves)  # the card's own, the defaults', the others
