"""What is said of decks that are wrong, in Chinese: every sentence of it, and nothing of English left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from content.deck import checks
from content.deck.house_rules import broken_rules
from content.deck.library import Given, Library, load
from content.messages.sentence import Sentence, in_language
from content.yaml.problems import Problem, render
from engine import names
from tests import mutated_decks
from tests.author_mistakes import MISTAKES, mistaken

GOLDEN = Path(__file__).parent / "golden"
MUTATED = 300
ENGLISH = re.compile(r"[A-Za-z]{2,}(?: [a-z]{2,}){2,}")
QUOTED = re.compile(r'`[^`]*`|"[^"]*"')  # a deck's own words, and commands
CHINESE = re.compile("[\u4e00-\u9fff]")


def broken_decks() -> Iterator[Library]:
    """Decks with everything wrong that the other tests know of."""
    for deck in sorted(GOLDEN.glob("*.yaml")):
        yield load([deck])
    for name in MISTAKES:
        yield load([Given("a.yaml", mistaken(10, 1, name).text.encode())])
    for number in range(MUTATED):
        yield load([Given("a.yaml", mutated_decks.deck(7, number))])
    yield load([GOLDEN / "nowhere.yaml", GOLDEN, Path("a\0b")])


def problems_of(library: Library) -> list[Problem]:
    """What is found without a run, also by the rules of our own decks."""
    return [*checks.all_problems(library, names()), *(problem for loaded in library.files for problem in broken_rules(loaded))]


@pytest.fixture(scope="module")
def found() -> list[Problem]:
    return [problem for library in broken_decks() for problem in problems_of(library)]


def test_nothing_is_said_in_english_only(found: list[Problem]) -> None:
    """A message that no `say` made reaches nobody, and neither does a hint."""
    assert set() == {text for problem in found for text in (problem.message, problem.hint) if text and not isinstance(text, Sentence)}


def test_nothing_is_left_in_english(found: list[Problem]) -> None:
    """Every sentence is Chinese as it is printed, apart from keys, commands and what an author wrote."""
    spoken = {in_language(text, "zh") for problem in found for text in (problem.message, problem.hint) if text}

    assert set() == {text for text in spoken if not CHINESE.search(text) or ENGLISH.search(QUOTED.sub("", text))}
    assert len(spoken) > 200


def test_places_and_carets_are_the_same(found: list[Problem]) -> None:
    """The path, the line of the file and its caret are no words of a language; what stands beside them is."""
    for problem in found[:200]:
        english, chinese = (render(problem, language).split("\n") for language in ("en", "zh"))

        assert len(english) == len(chinese)
        assert [row for row in english if row.startswith("    ")] == [row for row in chinese if row.startswith("    ")]
        assert english[0].split(" ")[0] == chinese[0].split(" ")[0]
        assert re.search(": (错误|警告)：", chinese[0])
