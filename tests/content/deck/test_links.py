"""Follow-ups that lead to cards of this deck, of other decks and of the bundled ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from content.deck.deck_files import bundled
from content.deck.library import load
from content.deck.link_checks import GUESSES, link_problems
from content.deck.links import linked, linked_card

DECK = """\
deck: {deck}
title: Sample
cards:
  - id: one
    formerly: [first]
    question: Why?
    answer: So.
    follow_ups: [{links}]
"""


def problems(tmp_path: Path, links: str, other: str = "one") -> list[tuple[str, str]]:
    """What is said of the links of one deck that is checked together with another, called other."""
    for name, text in (("mine", links), ("other", other)):
        (tmp_path / f"{name}.yaml").write_text(DECK.format(deck=name, links=text), encoding="utf-8")
    return [(problem.message, problem.hint) for problem in link_problems(load((tmp_path,))) if problem.path.endswith("mine.yaml")]


@pytest.mark.parametrize("link", ["one", "first", "mine/one", "other/one", "other/first", "attention/causal-mask", "mine/first, other/one"])
def test_a_link_that_leads_somewhere(tmp_path: Path, link: str) -> None:
    """A card of this deck, of one that is checked beside it, of one that comes with the program; by an earlier id as well."""
    assert [] == problems(tmp_path, link)


@pytest.mark.parametrize(
    ("link", "message", "hint"),
    [
        ("on", "there is no card on in this deck", "did you mean one?"),
        ("causal-mask", "there is no card causal-mask in this deck", "write attention/causal-mask: another deck has it"),
        ("other/onne", "there is no card onne in the deck other", "did you mean other/one?"),
        ("attention/causal-mas", "there is no card causal-mas in the deck attention", "did you mean attention/causal-mask?"),
        (
            "atention/causal-mask",
            "there is no deck atention among those that are checked together, and none that comes with qkv",
            "did you mean attention/causal-mask?",
        ),
        (
            "elsewhere/nothing-like-it",
            "there is no deck elsewhere among those that are checked together, and none that comes with qkv",
            "check both decks together: qkv check THIS.yaml OTHER.yaml",
        ),
    ],
)
def test_a_link_that_leads_nowhere(tmp_path: Path, link: str, message: str, hint: str) -> None:
    """It is a warning with the nearest link that leads somewhere."""
    assert [(message, hint)] == problems(tmp_path, link)


@pytest.mark.parametrize(
    "link", ["on", "causal-mask", "other/onne", "attention/causal-mas", "atention/causal-mask", "mine/oen", "othr/frist"]
)
def test_what_is_suggested_leads_somewhere(tmp_path: Path, link: str) -> None:
    """Whoever writes what the hint says has no problem any more."""
    ((_, hint),) = problems(tmp_path, link)
    suggested = hint.removeprefix("did you mean ").removeprefix("write ").split(":")[0].rstrip("?")

    assert [] == problems(tmp_path, suggested)


def test_a_refused_deck_has_links_too(tmp_path: Path) -> None:
    """Its own are checked, and those to it are right, whatever else is wrong in it."""
    (tmp_path / "mine.yaml").write_text(DECK.format(deck="mine", links="other/one"), encoding="utf-8")
    (tmp_path / "other.yaml").write_text(DECK.format(deck="other", links="mine/oen") + "    level: 9\n", encoding="utf-8")

    assert ["there is no card oen in the deck mine"] == [problem.message for problem in link_problems(load((tmp_path,)))]


def test_only_the_first_unknown_links_get_a_guess(tmp_path: Path) -> None:
    """To look for a similar id among ten thousand takes a while, ten thousand times that hours: the others get the sentence alone."""
    found = problems(tmp_path, ", ".join(f"one{i}" for i in range(GUESSES + 5)))

    assert (GUESSES + 5, GUESSES) == (len(found), sum(bool(hint) for _, hint in found))


def test_a_card_is_found_by_every_name_that_it_had(tmp_path: Path) -> None:
    """A deck's and a card's earlier ids lead to what took their place; who is called so now comes first."""
    text = "deck: new\nformerly: [old]\ntitle: T\ncards:\n  - {id: a, formerly: [b], question: Q, answer: A}\n"
    (tmp_path / "new.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "old.yaml").write_text("deck: old\ntitle: T\ncards: [{id: b, question: Other, answer: A}]\n", encoding="utf-8")
    decks = [loaded.deck for loaded in load((tmp_path,)).decks]

    found = {link: linked_card(link, "new", decks) for link in ("a", "b", "old/a", "old/b", "old/c", "none/a")}
    said = {link: pair[1].question.said("en") if pair else "" for link, pair in found.items()}
    assert {"a": "Q", "b": "Q", "old/a": "Q", "old/b": "Other", "old/c": "", "none/a": ""} == said


def test_a_link_without_a_deck_stays_in_its_own() -> None:
    """deck/card leads elsewhere, an id alone to the same deck."""
    assert [("mine", "one"), ("other", "one")] == [linked(link, "mine") for link in ("one", "other/one")]


@pytest.mark.parametrize(
    ("link", "hint"),
    [("Other/Card One", ""), ("a/b/c", ""), ("My Card", ""), ("On_e", "write one")],
)
def test_a_link_that_is_none(tmp_path: Path, link: str, hint: str) -> None:
    """It is refused with the nearest that is one."""
    path = tmp_path / "deck.yaml"
    path.write_text(DECK.format(deck="d", links=f"'{link}'"), encoding="utf-8")
    (problem,) = load((path,)).problems

    assert ("or two of these as deck/card" in problem.message, hint) == (True, problem.hint)


def test_all_links_of_the_bundled_decks_lead_somewhere() -> None:
    """Also those between them."""
    assert [] == list(link_problems(load(bundled())))
