"""Every word of the interface, in both languages, from locale/*.yaml."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml

from content.format import LANGUAGES
from engine.label import Label

NAMES = {"en": "English", "zh": "中文"}


@cache
def strings(language: str) -> Mapping[str, str]:
    """The interface's strings of a language, by key."""
    text = files("quiz.words").joinpath("locale", f"{language}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, str] = yaml.load(text, Loader=yaml.CSafeLoader)
    return loaded


def say(language: str, key: str, /, **values: object) -> str:
    """One string of the interface, its {names} filled in; KEY.one where there is one and count is 1. An unknown key is a KeyError."""
    known = strings(language)
    singular = known.get(f"{key}.one") if values.get("count") == 1 else None
    return (singular or known[key]).format(**values)


def label_text(label: Label, language: str) -> str:
    """What the engine says, in a language."""
    return label.zh if language == "zh" else label.en


def other_language(language: str) -> str:
    """The language that the language key switches to."""
    return LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]


def preferred_language() -> str:
    """The language to start in: QKV_LANG, else the environment's locale, else English."""
    names = ("QKV_LANG", "LC_ALL", "LC_MESSAGES", "LANG")
    first = next((value for name in names if (value := os.environ.get(name))), "en")
    return first[:2] if first[:2] in LANGUAGES else "en"
