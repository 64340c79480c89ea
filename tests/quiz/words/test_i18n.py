"""The interface's words: the same keys in both languages, all of them used, none missing."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from content.format import LANGUAGES
from quiz.words.i18n import LOCALE, Words, preferred_language, strings

QUIZ = Path(__file__).parents[3] / "quiz"
FAMILIES = ("binding.", "panel.", "store.", "tag.")  # looked up by a name made at run time; test_bindings and test_progress_words hold them


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def used() -> Iterator[str]:
    """Every string in the code that looks like a key, with the families written as f-strings."""
    for path in QUIZ.rglob("*.py"):
        code = path.read_text(encoding="utf-8")
        yield from re.findall(r'"([a-z_]+\.[a-z0-9_.{}()]+)"', code)
        yield from re.findall(r"'([a-z_]+\.[a-z0-9_.{}()]+)'", code)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_strings_are_what_yaml_reads(language: str) -> None:
    """A line that is not a key and a text in double quotes would be missing, and an escape of YAML alone would be another text."""
    text = (LOCALE / f"{language}.yaml").read_text(encoding="utf-8")

    assert yaml.load(text, Loader=yaml.CSafeLoader) == strings(language)


def test_both_languages_have_the_same_keys() -> None:
    """A string that exists in one language exists in the other."""
    assert strings("en").keys() == strings("zh").keys()


@pytest.mark.parametrize("key", sorted(strings("en")))
def test_both_languages_fill_in_the_same_values(key: str) -> None:
    """A translation drops none of the values that the sentence is given."""
    assert fields(strings("en")[key]) == fields(strings("zh")[key])


def test_no_string_is_left_over() -> None:
    """Every key is asked for somewhere: as it stands, with .tip, or as one of a numbered family."""
    asked = set(used())
    families = {re.sub(r"\{[^}]*\}+.*", "", name) for name in asked if "{" in name}
    left = [
        key
        for key in strings("en")
        if key not in asked and key.removesuffix(".tip").removesuffix(".one") not in asked and not key.startswith((*FAMILIES, *families))
    ]

    assert [] == left


def test_no_string_is_missing() -> None:
    """Every key that the code asks for by name exists."""
    first_parts = {key.partition(".")[0] for key in strings("en")}
    asked = {name for name in used() if "{" not in name and name.partition(".")[0] in first_parts - {"app"}}
    files = {"lab.en", "app.tcss", "settings.toml"}

    assert set() == {name for name in asked if name not in strings("en") and f"binding.{name}" not in strings("en")} - files


def test_words_fill_in_values() -> None:
    """Values are data: braces and markup in them stay as they are."""
    assert "{x} [b] is not a number. Write 58 or 58.6 or 2e-3." == Words("en")("ask.not_a_number", text="{x} [b]")


@pytest.mark.parametrize(("environment", "expected"), [("zh_CN.UTF-8", "zh"), ("en_GB.UTF-8", "en"), ("de_DE", "en"), ("C", "en")])
def test_the_locale_decides_the_language(environment: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chinese where the environment is Chinese, English everywhere else."""
    for name in ("QKV_LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", environment)

    assert expected == preferred_language()


def test_qkv_lang_beats_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """QKV_LANG is the learner's own choice."""
    monkeypatch.setenv("QKV_LANG", "zh")
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")

    assert "zh" == preferred_language()


def test_the_language_key_goes_round() -> None:
    """Pressing it twice comes back."""
    assert [Words("zh"), Words("en")] == [Words("en").other, Words("zh").other]


def test_one_is_not_plural() -> None:
    """A count of 1 takes the singular where there is one."""
    assert ["1 card", "2 cards"] == [Words("en")("home.cards", count=count) for count in (1, 2)]
