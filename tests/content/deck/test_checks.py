"""What is wrong with a deck's text, found without running anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck.checks import deck_problems
from content.deck.library import Draft, LoadedDeck, load

EXPERIMENTS = ("softmax_saturation", "multi_head")

DECK = """\
deck: sample
title: Sample
cards:
  - id: one
    question: Why?
    answer: So.
    {}
"""


def messages(tmp_path: Path, text: str) -> list[tuple[int, int, str, str]]:
    """Line, column, message and hint of every problem, of the reading and of the checks."""
    path = tmp_path / "deck.yaml"
    path.write_text(text, encoding="utf-8")
    library = load((path,))
    files: list[LoadedDeck | Draft] = [*library.decks, *library.drafts]
    found = [*library.problems, *(problem for loaded in files for problem in deck_problems(loaded, EXPERIMENTS))]
    return [(problem.line, problem.column, problem.message, problem.hint) for problem in sorted(found)]


def test_a_sound_card_has_no_problem(tmp_path: Path) -> None:
    """Claims that parse, known names, text that can be shown: nothing to say."""
    verify = "verify: {experiment: multi_head, set: {heads: 4}, claims: [{says: 'h is {{heads}}', check: leak == 0}]}"

    assert [] == messages(tmp_path, DECK.format(verify))


@pytest.mark.parametrize(
    ("field", "message", "hint"),
    [
        ("verify: {experiment: multi_haed}", "there is no experiment multi_haed", "did you mean multi_head?"),
        ("verify: {experiment: nothing_like_it}", "there is no experiment nothing_like_it", "`qkv lab` lists them"),
        ("predict: {ask: How many?, quantity: x}", "x is measured by nothing", "give the card a verify with an experiment"),
        ("detail: 'It is {{x}}.'", "{{x}} has no value here", "give the card a verify, or write the number"),
        ("detail: 'It is {{x'", "{{ opens no live number here", ""),
        ("formula: '\\nonsense'", "\\nonsense cannot be shown", ""),
    ],
)
def test_what_is_found(tmp_path: Path, field: str, message: str, hint: str) -> None:
    """Each slip is one problem, at its place, with what to do."""
    ((line, _, found, advice),) = messages(tmp_path, DECK.format(field))

    assert (7, message) == (line, found)
    assert hint in advice


def test_before_the_reveal_only_set_is_known(tmp_path: Path) -> None:
    """A question cannot use what only the run measures: it would give the answer away, and there is no run yet."""
    text = DECK.replace("Why?", "'{{{{d_k}}}} and {{{{raw_std}}}}?'").format("verify: {experiment: softmax_saturation, set: {d_k: 4}}")
    ((_, _, message, hint),) = messages(tmp_path, text)

    assert "{{raw_std}} has no value here" == message
    assert "before the reveal only the parameters under verify: set: are known" == hint


def test_a_default_is_not_set(tmp_path: Path) -> None:
    """A card that has a run and sets nothing is told of set, and not to have a run."""
    ((*_, hint),) = messages(tmp_path, DECK.replace("Why?", "'{{{{d_k}}}}?'").format("verify: {experiment: softmax_saturation}"))

    assert "before the reveal only the parameters under verify: set: are known" == hint


def test_before_the_reveal_only_numbers_are_filled_in(tmp_path: Path) -> None:
    """A text that `set` gives would be shown as …: only numbers are live."""
    text = DECK.replace("Why?", "'{{{{mask}}}} and {{{{n}}}}?'").format("verify: {experiment: multi_head, set: {mask: causal, n: 4}}")
    ((line, column, message, hint),) = messages(tmp_path, text)

    assert (5, 16, "{{mask}} is a text here, causal; only numbers are filled in", "write it out") == (line, column, message, hint)


def test_a_claim_that_cannot_be_read(tmp_path: Path) -> None:
    """The claim's own message stands at the claim."""
    text = DECK.format("verify: {experiment: multi_head, claims: [{says: It holds., check: leak = 0}]}")
    ((_, _, message, hint),) = messages(tmp_path, text)

    assert ("= gives a value; a claim compares", "write ==") == (message, hint)


def test_a_refused_card_hides_nothing_of_the_others(tmp_path: Path) -> None:
    """Wrong values of one card and wrong claims of another are told in one run."""
    text = DECK.format("level: 9") + "  - {id: two, question: Why?, answer: '{{x}}'}\n"

    assert ["level is 9; it must be a whole number, 1 to 5", "{{x}} has no value here"] == [
        message for _, _, message, _ in messages(tmp_path, text)
    ]


@pytest.mark.parametrize(
    ("answer", "line", "column"),
    [
        ("|-\n      One.\n\n      Two and {{x}}.", 9, 15),
        (">-\n      One {{\n      and $\\nonsense$.", 8, 12),
        ("'It is {{x}}, isn''t it?'", 6, 20),
        ("It is {{x}}, here", 6, 19),
        ('"\\u007b{x}} is {{ x }}"', 6, 13),
    ],
)
def test_a_problem_stands_where_the_text_has_it(tmp_path: Path, answer: str, line: int, column: int) -> None:
    """In a text of many lines the place is that of the word itself; where the file spells it otherwise, the text's start."""
    text = DECK.replace("So.", answer.replace("{", "{{").replace("}", "}}")).format("level: 2")

    assert (line, column) in [(found, at) for found, at, _, _ in messages(tmp_path, text)]


@pytest.mark.parametrize("name", ["heads", "leak", "d_k", "margin"])
def test_a_name_of_the_run_in_one_pair_of_braces_is_told(tmp_path: Path, name: str) -> None:
    """What `set`, the claims and the guess name is known without the engine; another word in braces is a set."""
    verify = (
        f"detail: 'It is {{{name}}} of {{x}}.'\n    predict: {{ask: Q, quantity: margin}}\n"
        "    verify: {experiment: multi_head, set: {heads: 4}, claims: [{says: S, check: leak == 0}]}"
    )

    assert [(7, f"{{{name}}} is shown as typed: a live number has two braces", f"write {{{{{name}}}}}")] == [
        (line, message, hint.split(" if ")[0]) for line, _, message, hint in messages(tmp_path, DECK.format(verify))
    ]


def test_what_cannot_be_answered_is_among_the_problems(tmp_path: Path) -> None:
    """Equal options are found without an engine."""
    text = DECK.format("kind: choice\n    options: [{text: a, right: true}, {text: a}]")

    assert ["options 1 and 2 read the same"] == [message for _, _, message, _ in messages(tmp_path, text)]


@pytest.mark.parametrize(
    ("formula", "message"), [("$x$", "$ has no place here: the whole text is a formula"), ("\\foo", "\\foo cannot be shown")]
)
def test_a_formula_is_checked_at_its_place(tmp_path: Path, formula: str, message: str) -> None:
    """Dollars around it, and what cannot be shown."""
    assert [(7, message)] == [(line, said) for line, _, said, _ in messages(tmp_path, DECK.format(f"formula: '{formula}'"))]
