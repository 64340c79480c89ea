"""A card's run and the learner's own beside it: which of them the answer, the claims and the guess go by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from content.deck.cards import Card
from content.deck.model import parse_card
from engine import ExperimentError, ParameterError, Worker
from quiz.card.card_run import CardRun, judge_claims, preset_values, run_card
from quiz.card.planned_run import PlannedRun, run_parameters
from quiz.words.i18n import Words
from tests.quiz.driving import FAKE, FakeEngine, fake_result

CLAIM = {"says": "It is about the root.", "check": "close(raw_std, sqrt(d_k), 0.01)"}


def card(**verify: Any) -> Card:
    run = {"experiment": "fake", "set": {"d_k": "64"}, "claims": [CLAIM, {"says": "Large.", "check": "raw_std > 10"}], **verify}
    return parse_card({
        "id": "a", "question": "Why?", "answer": "So.", "predict": {"ask": "How much?", "quantity": "raw_std"}, "verify": run,
    })  # fmt: skip


def holds(run: CardRun) -> list[bool]:
    return [verdict.outcome.holds for verdict in run.verdicts()]


PLAN = (PlannedRun("", "fake", FAKE, {"d_k": 64}),)
RAN = CardRun(card(), PLAN, fake_result(64))
MOVED = RAN.moved_to({"d_k": 256})


def test_before_the_run_there_are_the_cards_own_values() -> None:
    """A question may show what the card sets, as numbers where they are numbers; nothing is judged and nothing measured."""
    waiting = CardRun(card(set={"d_k": "64", "p": "0.5", "q": "2.0", "mask": "causal"}))

    assert {"d_k": 64, "p": 0.5, "q": 2.0, "mask": "causal"} == waiting.names
    assert [int, float, float, str] == [type(value) for value in waiting.names.values()]
    assert ((), None) == (waiting.verdicts(), waiting.measured())
    assert None is CardRun(card(set={"raw_std": "8"})).measured()
    assert {} == preset_values(parse_card({"id": "a", "question": "Why?", "answer": "So."}))


def test_a_run_is_judged_and_measured() -> None:
    """The names are the parameters and the results; each claim is held against them; the guess is held against its quantity."""
    assert {"d_k": 64, "raw_std": 8.0} == {name: RAN.names[name] for name in ("d_k", "raw_std")}
    assert [True, False] == holds(RAN)
    assert 8.0 == RAN.measured()
    assert 8.0 == CardRun(card(), PLAN).computed(fake_result(64)).measured()


def test_a_slider_moves_the_claims_and_not_the_answer() -> None:
    """Until the learner's own run is there the claims are those of the card's; then they go by it. The answer's numbers stay the card's."""
    tried = MOVED.computed(fake_result(256))

    assert [True, False] == holds(MOVED)
    assert [True, True] == holds(tried)
    assert (8.0, RAN.names, RAN.result) == (tried.measured(), tried.names, tried.result)


@pytest.mark.parametrize("run", [MOVED, MOVED.computed(fake_result(256))])
def test_back_at_its_values_it_is_the_cards_run(run: CardRun) -> None:
    """Sliders that were put back leave nothing behind."""
    assert run.moved_to({"d_k": 64}) == RAN
    assert {"d_k": 16} == run.moved_to({"d_k": 16}).moved


def test_a_result_ends_a_failure() -> None:
    """What went wrong is forgotten with the next result, or the next place of a slider."""
    failed = CardRun(card(), PLAN, failure=FAKE.title)

    assert None is failed.computed(fake_result(64)).failure
    assert None is failed.moved_to({"d_k": 64}).failure
    assert None is failed.moved_to({"d_k": 4}).failure
    assert None is failed.moved_to({"d_k": 4}).computed(fake_result(4)).failure


def test_a_claim_that_cannot_be_read_fails_with_the_reason() -> None:
    """A card shown before `qkv check` has seen it: the claim does not hold, and says why."""
    broken = card(claims=[{"says": "So.", "check": "raw_std <"}])
    (verdict,) = judge_claims(broken, {"raw_std": 1.0})

    assert (False, True) == (verdict.outcome.holds, bool(verdict.outcome.reason))
    assert () == judge_claims(parse_card({"id": "a", "question": "Why?", "answer": "So."}), {})


def test_parameters_are_the_cards_or_the_defaults() -> None:
    """What `set` gives is checked; what it does not give is the default; a parameter that there is not is refused with those there are."""
    verify, default, unknown = card().verify, card(set={}).verify, card(set={"dk": "1"}).verify
    assert verify
    assert default
    assert unknown

    assert ({"d_k": 64}, {"d_k": 16}) == (run_parameters(verify.settings("en"), FAKE), run_parameters(default.settings("en"), FAKE))
    with pytest.raises(ParameterError, match="fake has no parameter dk; it has d_k"):
        run_parameters(unknown.settings("en"), FAKE)


def test_a_card_is_run() -> None:
    """The card with its description, values and result; or as it was, with the sentence that says why there is none."""
    engine, waiting = FakeEngine(), CardRun(card())
    assert (RAN, "") == run_card(waiting, cast(Worker, engine), Words("en"))
    assert [{"d_k": 64}] == engine.asked
    engine.failure = ExperimentError("It broke.", "坏了。")
    same, sentence = run_card(waiting, cast(Worker, engine), Words("en"))

    assert waiting is same
    assert "It broke." in sentence


TWO = {
    "runs": {
        "short": {"experiment": "fake", "set": {"d_k": "64"}},
        "long": {"experiment": "fake", "set": {"d_k": {"en": "256", "zh": "4"}}},
    }
}


def two_runs(check: str = "long.raw_std == 2 * raw_std") -> Card:
    run = {**TWO, "claims": [{"says": "Twice.", "check": check}]}
    return parse_card({
        "id": "a", "question": "Why?", "answer": "So.", "predict": {"ask": "How much?", "quantity": "long.raw_std / short.raw_std"},
        "verify": run,
    })  # fmt: skip


def test_two_runs_are_computed() -> None:
    """Both run, once each; claims and the guess go by both, for the language of the reader."""
    engine = FakeEngine()
    english, _ = run_card(CardRun(two_runs()), cast(Worker, engine), Words("en"))
    chinese, _ = run_card(CardRun(two_runs()), cast(Worker, engine), Words("zh"))

    assert [{"d_k": 64}, {"d_k": 256}, {"d_k": 64}, {"d_k": 4}] == engine.asked
    assert ([True], 2.0) == (holds(english), english.measured())
    assert ([False], 0.25) == (holds(chinese), chinese.measured())


def test_until_all_runs_are_there_nothing_is_judged() -> None:
    """One half of a comparison is no number and no verdict."""
    whole, _ = run_card(CardRun(two_runs()), cast(Worker, FakeEngine()), Words("en"))
    half = replace(whole, found=())

    assert (False, (), None) == (half.complete, half.verdicts(), half.measured())
    assert {"d_k": 64, "short.d_k": 64, "long.d_k": 256} == half.names
    assert [{"d_k": 256}] == [planned.values for planned in half.due_further]
    assert whole == half.computed_further(fake_result(256))


def test_a_slider_moves_the_first_of_two_runs() -> None:
    """The others stay, and the claims are held against both."""
    run, _ = run_card(CardRun(two_runs()), cast(Worker, FakeEngine()), Words("en"))
    tried = run.moved_to({"d_k": 16}).computed(fake_result(16))
    (verdict,) = tried.verdicts()

    assert not verdict.outcome.holds
    assert "16 = 8" == verdict.outcome.told
    assert run.names == tried.names
    assert [True] == holds(run.moved_to({"d_k": 16}).moved_to({"d_k": 64}))
