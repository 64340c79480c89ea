"""Every word of the interface, in both languages, from locale/*.yaml.

The files are YAML for those who write them, a key and a text in double quotes a line. That little is read here without a YAML library,
which would take longer to load than everything else that the first screen says; a test holds it to YAML's own reading.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from content.format import LANGUAGES, Language
from engine.label import Label
from quiz.settings.chosen import settings

LOCALE = Path(__file__).parent / "locale"
_LINE = re.compile(r'^([a-z0-9_.-]+): (".*")$', re.MULTILINE)
NAMES = {"en": "English", "zh": "中文"}


@cache
def strings(language: str) -> Mapping[str, str]:
    """The interface's strings of a language, by key."""
    lines = _LINE.findall((LOCALE / f"{language}.yaml").read_text(encoding="utf-8"))
    return dict(zip([key for key, _ in lines], json.loads(f"[{','.join(text for _, text in lines)}]"), strict=True))


@dataclass(frozen=True)
class Words:
    """The interface in one language: `words("home.loading")` is a string of it, whoever it is handed to."""

    language: str

    @classmethod
    def of(cls, language: str) -> Words:
        """In a language; without one, in the language to start in."""
        return cls(language or preferred_language())

    @property
    def other(self) -> Words:
        """In the language that the language key switches to."""
        return Words(LANGUAGES[(LANGUAGES.index(cast(Language, self.language)) + 1) % len(LANGUAGES)])

    def __call__(self, key: str, /, **values: object) -> str:
        """One string, its {names} filled in; KEY.one where there is one and count is 1. An unknown key is a KeyError."""
        known = strings(self.language)
        singular = known.get(f"{key}.one") if values.get("count") == 1 else None
        return (singular or known[key]).format(**values)

    def tag(self, name: str) -> str:
        """A tag by its name in this language; one that only an author knows by itself."""
        return strings(self.language).get(f"tag.{name}", name)

    def label(self, label: Label) -> str:
        """What the engine says, in this language."""
        return label.zh if self.language == "zh" else label.en


def preferred_language() -> str:
    """The language to start in: what was chosen (QKV_LANG, then settings.toml), else the environment's locale, else English."""
    if chosen := settings().language:
        return chosen
    first = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "en")
    return first[:2] if first[:2] in LANGUAGES else "en"
