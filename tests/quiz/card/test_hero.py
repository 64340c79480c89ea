"""A card's picture, its sentence and its settings to try: the card's own, else the experiment's."""

from __future__ import annotations

from dataclasses import replace

from content.deck.cards import Card, Preset, Text, Verification
from engine import Description, Label
from engine.figures import Figure
from engine.parameter import Parameter
from engine.preset import Preset as Suggested
from quiz.card.hero import Trial, caption, hero, preset_trials, trials

N, SIZE = Parameter("n", Label("n", "n"), 4, 1, 9), Parameter("size", Label("size", "大小"), 2, 1, 9)
FIRST, SECOND = Figure("curve", ("a", "b"), caption=Label("It grows.", "变大。")), Figure("bars", ("c",))
OWN, OURS = Text({"": "wide"}), Label("narrow", "窄")
SUGGESTED = Suggested(OURS, {"n": 1}, Label("Look.", "看。"), "a > 0")


def described(*figures: Figure) -> Description:
    label = Label("x", "x")
    return Description("x", "x", label, label, (N, SIZE), 3.0, (), figures=figures, presets=(SUGGESTED,))


def card(**verify: object) -> Card:
    return Card("one", OWN, verify=Verification("x", **verify))  # type: ignore[arg-type]


def test_the_first_figure_is_the_hero() -> None:
    """Unless the card names something that another one draws; an experiment may draw none."""
    assert FIRST == hero(card(), described(FIRST, SECOND))
    assert SECOND == hero(card(show="c"), described(FIRST, SECOND))
    assert None is hero(card(), described())


def test_the_caption_is_the_cards() -> None:
    """Else that of the figure, which may have none."""
    assert OWN == caption(card(caption=OWN), described(FIRST))
    assert Label("It grows.", "变大。") == caption(card(), described(FIRST, SECOND))
    assert None is caption(card(show="c"), described(FIRST, SECOND))


def test_a_preset_of_the_card_starts_from_the_card() -> None:
    """It changes what it names; the rest stays where the card has set it."""
    preset = Preset(OWN, {"n": "9"}, OWN, "a > 0")

    assert (Trial(OWN, {"n": 9, "size": 7}, OWN, ("a",)),) == trials(card(presets=(preset,)), described(FIRST), {"n": 2, "size": 7}, "en")


def test_a_preset_of_the_experiment_starts_from_its_defaults() -> None:
    """There its sentence was proved."""
    assert (Trial(OURS, {"n": 1, "size": 2}, SUGGESTED.watch, ("a",)),) == trials(card(), described(FIRST), {"n": 2, "size": 7}, "en")


def test_a_preset_says_what_it_is_about_and_where_it_is_seen() -> None:
    """The numbers of its condition or check; the figure that begins with what it shows before one that only has it, else the hero's."""
    elsewhere = Suggested(OURS, {"n": 1}, Label("Look.", "看。"), "a > 0 and b < n", show="c")
    third = Figure("bars", ("b", "c"))
    described_so = replace(described(FIRST, third, SECOND), presets=(elsewhere, SUGGESTED))
    own = Preset(OWN, {"n": "9"}, OWN, "close(a, b, 0.1)")

    assert [(("a", "b"), SECOND), (("a",), None)] == [(one.spoken, one.figure) for one in preset_trials(described_so)]
    assert [("a", "b")] == [one.spoken for one in trials(card(presets=(own,)), described(FIRST), {"n": 2, "size": 7}, "en")]
