"""Decks: YAML files of questions, read, checked and kept with the places of everything in them."""

from content.cards import LANGUAGES, Card, Claim, Deck, Kind, Language, Text, Verification
from content.clean import clean
from content.library import Library, LoadedDeck, bundled, load
from content.problems import Problem, render

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
