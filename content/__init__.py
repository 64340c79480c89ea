"""Decks: YAML files of questions, read, checked and kept with the places of everything in them."""

from content.deck.cards import Card, Claim, Deck, Text, Verification
from content.deck.library import Library, LoadedDeck, bundled, load
from content.format import LANGUAGES, Kind, Language
from content.yaml.clean import clean
from content.yaml.problems import Problem, render

__all__ = [
    "LANGUAGES",
    "Card",
    "Claim",
    "Deck",
    "Kind",
    "Language",
    "Library",
    "LoadedDeck",
    "Problem",
    "Text",
    "Verification",
    "bundled",
    "clean",
    "load",
    "render",
]
