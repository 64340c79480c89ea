"""The picture that belongs to a card: which figure it is, the sentence below it, and the settings that are worth trying.

What a card does not say itself, its experiment says: a figure's caption, and its presets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from content.deck.cards import Text
from engine.conditions import comparisons
from engine.label import Label

if TYPE_CHECKING:
    from content.deck.cards import Card
    from engine import Description, Value
    from engine.figures import Figure
    from quiz.words.i18n import Words


@dataclass(frozen=True)
class Trial:
    """A setting to try: every parameter's value, and what is to be seen there.

    `spoken` are the numbers that its sentence is about, `figure` the one in which it is seen where that is not the hero.
    """

    name: Text | Label
    values: Mapping[str, Value]
    watch: Text | Label
    spoken: tuple[str, ...] = ()
    figure: Figure | None = None


def said(text: Text | Label, words: Words) -> str:
    """What a card or an experiment says, in the language of the reader."""
    return text.said(words.language) if isinstance(text, Text) else words.label(text)


def hero(card: Card, description: Description) -> Figure | None:
    """The figure that the card chooses, or the experiment's first; none where it draws none."""
    chosen = figure_with(card.verify.show if card.verify else "", description)
    return chosen or next(iter(description.figures), None)


def figure_with(name: str, description: Description) -> Figure | None:
    """The first figure that begins with something of this name, else the first that shows it."""
    there = [figure for figure in description.figures if name in figure.shows]
    return next((figure for figure in there if figure.shows[0] == name), next(iter(there), None))


def preset_trials(description: Description) -> tuple[Trial, ...]:
    """The settings that an experiment offers, from its defaults."""
    defaults = {parameter.name: parameter.default for parameter in description.parameters}
    return tuple(
        Trial(
            *(preset.name, defaults | dict(preset.values), preset.watch),
            spoken=tuple(name for name, _, _ in comparisons(preset.when)),
            figure=figure_with(preset.show, description),
        )
        for preset in description.presets
    )


def caption(card: Card, description: Description) -> Text | Label | None:
    """The sentence below the hero, if there is one."""
    figure = hero(card, description)
    own = card.verify.caption if card.verify else None
    return own or (figure.caption if figure else None)


def trials(card: Card, description: Description, values: Mapping[str, Value], language: str) -> tuple[Trial, ...]:
    """The settings that a card offers. `values` are the card's own run's: a preset of the card changes some of them, one of the experiment
    starts from its defaults. Raises ParameterError for one that is refused."""
    from quiz.card.planned_run import accepted  # a question needs none of it

    if card.verify and card.verify.presets:
        own = {name: str(value) for name, value in values.items()}
        return tuple(
            Trial(preset.name, accepted(own | preset.settings(language), description), preset.watch, _names_in(preset.check))
            for preset in card.verify.presets
        )
    return preset_trials(description)


def _names_in(check: str) -> tuple[str, ...]:
    """What a check is about; nothing where it cannot be read."""
    from content.claims.parser import parse
    from content.claims.tokens import ClaimError

    try:
        return parse(check).names
    except ClaimError:
        return ()
