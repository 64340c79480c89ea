"""A deck's own computations, as far as their text can be judged."""

from __future__ import annotations

import pytest

from content.deck import plain_json
from content.deck.cards import Deck
from content.deck.checks import all_problems
from content.deck.computations import computation_problems
from content.deck.library import Given, LoadedDeck, load

OWN = """
deck: own
title: Own
experiments:
  nucleus:
    title: Top-p keeps what it needs
    parameters:
      T: {default: 1.0, low: 0.1, high: 10, scale: log}
      seed: {default: 0}
    compute:
      probs: softmax(3 * randn(50, seed) / T)
      trained: {repeat: 3, do: {w: 1 + T}, keep: w}
      entropy: -sum(probs * log(probs))
    arms: {wrong: w, right: entropy}
    figures: [{bars: probs}, {curve: entropy, over: T, mark: w}]
    ranges: {entropy: [0, 4]}
cards:
  - {id: a, question: q, answer: a, verify: {experiment: nucleus}}
"""

LARGER = "a larger step, or a smaller range"


def loaded(text: str) -> LoadedDeck:
    library = load([Given("own.yaml", text.encode())])
    assert library.decks, library.problems
    return library.decks[0]


def said(text: str) -> list[tuple[str, str]]:
    return [(problem.message, problem.hint) for problem in computation_problems(loaded(text), ["saturation"])]


def test_a_sound_computation_has_no_problem() -> None:
    assert [] == said(OWN)


def test_a_card_has_its_computation_at_hand() -> None:
    deck = loaded(OWN).deck

    assert deck.cards[0].verify
    assert deck.experiments["nucleus"] == deck.cards[0].verify.computation


def test_the_cache_keeps_computations() -> None:
    """What is written as JSON comes back the same, with the computation in the card."""
    deck: Deck = loaded(OWN).deck
    again = plain_json.loads(plain_json.dumps(deck))

    assert deck == again
    assert again.cards[0].verify
    assert deck.experiments["nucleus"] == again.cards[0].verify.computation


@pytest.mark.parametrize(
    ("right", "wrong", "message", "hint"),
    [
        ("/ T)", "/ t)", "t is no parameter, and no line above makes it", "above it there are T, seed"),
        ("log(probs)", "ln(probs)", "there is no function ln", "write log(x)"),
        ("keep: w", "keep: v", "v is no parameter, and no line above makes it", "above it there are T, seed, probs, w"),
        ("-sum(probs", "sum(later", "later is no parameter, and no line above makes it", "above it there are T, seed, probs, w, trained"),
        ("right: entropy", "right: entrop", "there is no line entrop", "did you mean entropy?"),
        ("over: T", "over: p", "there is no parameter p", "there are T, seed"),
        ("bars: probs", "bars: prob", "there is no line prob", "did you mean probs?"),
        ("  nucleus:", "  saturation:", "there is an experiment saturation already", "choose another name"),
        ("low: 0.1", "low: 0", "a log scale begins above 0", "write low: 0.01, or leave scale out"),
        ("low: 0.1, ", "", "the parameter T needs low and high", "write T: {default: 1.0, low: ..., high: ...}"),
        ("high: 10", "high: 0.5", "T goes from 0.1 to 0.5, with 1.0 at first", "low < high, and default between them"),
        ("low: 0.1", "low: none", "low is none; it must be a number", "write digits, such as 0.25 or 64"),
        ("low: 0.1", "step: 1, low: 0.1", "a step of 1 never arrives", "more than 1 on a log scale, where a step multiplies; else above 0"),
        ("default: 0}", "default: 1000}", "seed is a whole number in 0..99; not 1000", "write 0, or low and high"),
        ("default: 0}", "default: 0.5}", "seed is a whole number in 0..99; not 0.5", "write 0, or low and high"),
        ("high: 10,", "high: 10, step: 1.0001,", "T goes from 0.1 to 10 in more than 10,000 steps", LARGER),
        ("high: 10, scale: log", "high: 2e3, step: 0.1", "T goes from 0.1 to 2e3 in more than 10,000 steps", LARGER),
        ("0.1, high: 10", "1e-300, high: 1e300", "T goes from 1e-300 to 1e300 in more than 10,000 steps", LARGER),
        ("[0, 4]", "[9, 1]", "entropy cannot lie between 9 and 1", "the smaller number comes first"),
        ("trained: {", "entropy_over_T: {", "entropy_over_T is the curve of entropy over T, and a line's name", "rename the line"),
        ("      probs: softmax", "      softmax: softmax", "softmax is a word of the language", "choose another name"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(right: str, wrong: str, message: str, hint: str) -> None:
    assert (message, hint) in said(OWN.replace(right, wrong))


def test_a_refused_deck_knows_its_own_computations() -> None:
    """What is wrong elsewhere does not make a card's experiment unknown."""
    cards = "cards:\n  - {id: a, question: Q, answer: A, verify: {experiment: own}}\n  - {id: b}\n"
    text = f"deck: a\ntitle: A\nexperiments: {{own: {{title: A, compute: {{n: '1'}}}}}}\n{cards}"
    library = load([Given("a.yaml", text.encode())])

    assert [] == [problem.message for problem in all_problems(library, ()) if "experiment own" in problem.message]


def all_said(text: str) -> list[tuple[int, str, str]]:
    return [(one.line, one.message, one.hint) for one in all_problems(load([Given("own.yaml", text.encode())]), ["saturation"])]


def test_a_refused_deck_s_computations_are_read() -> None:
    """Whatever is wrong in a card, or in another computation, a line that cannot be read is told in the same run."""
    text = OWN.replace("answer: a,", "answer: a, level: 9,").replace("-sum(", "-summ(").replace("wrong: w", "wrong: ww")
    lines = [line for line, _, _ in all_said(text)]

    assert [13, 14, 18] == sorted(lines)


def test_a_figure_of_no_kind_hides_no_line() -> None:
    """The kind is asked after, and the lines are read all the same."""
    text = OWN.replace("-sum(", "-averge(").replace("{bars: probs}", "{bar: probs}")
    found = [(line, message.split(": ", 1)[-1], hint) for line, message, hint in all_said(text)]

    assert (15, "bar is no kind of figure; did you mean bars?", "") in found
    assert (13, "there is no function averge", "write mean(x, dim=all)") in found


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{do: {w: 1 + T}, keep: w}", ["a line that is repeated needs repeat"]),
        ("{repeat: 3, do: {w: [1]}, keep: w, kep: w}", ["w is a list; it must be a text", "kep is not a key of a line that is repeated"]),
        ("[1, 2]", ["trained is a list; it must be a text"]),
    ],
)
def test_a_line_is_a_text_or_turns(line: str, told: list[str]) -> None:
    """What is wrong is said of the shape that it has, in no words but ours."""
    found = [message.split(";")[0] for _, message, _ in all_said(OWN.replace("{repeat: 3, do: {w: 1 + T}, keep: w}", line))]

    assert [each.split(";")[0] for each in told] == found[: len(told)]
