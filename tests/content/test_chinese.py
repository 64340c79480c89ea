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
CODE = """\
deck: code
title: C
cards:
  - id: a
    kind: code
    question: Which?
    hint: [The corrected line is y = x - 1, a, a]
    code:
      listing: y = x + 1
      wrong_line: 1
      right: y = x - 1
      inputs: {exp: randn(4}
      compare: y
      agrees: 1 > 2
    answer: The first.
    follow_ups: [b, on/a, attention/causal-mas, sums, nowhere/nothing-like-it]
  - {id: b, kind: choice, question: "{x_y}", hint: It is certainly this one., options: [{text: Certainly this, right: true}, {text: b}]}
  - {id: c, kind: number, question: How many?, hint: 12 or so, number: {value: 12, within: 10%}, verify: {experiment: sums}}
experiments:
  sums:
    title: S
    parameters: {seed: {default: 1000}, n: {default: 1, low: 0, high: 1, step: 0.00001}}
    compute: {x: n, x_over_n: n}
    ranges: {x: [2, 1]}
    figures: [{curve: x, over: n}]
"""
WRONG = """\
deck: wrong
title: W
include: [..]
cards:
  - {id: a, hints: a, hint: b, question: TODO, level: TODO:  its level}
  - {id: b, code: {listing: a, wrong_line: 1, right: b, inputs: {a: 1}}}
  - {id: c, optons: [], follow_ups: [One/Two], verify: {claims: [{check: close(a, b), says: x[0]}]}}
experiments: {e: {title: T, compute: {a: 1}, figures: [{kind: curve, bars: a}]}}
"""
FILES = {  # of one deck
    "main.yaml": "deck: main\ntitle: M\ninclude: [nowhere.yaml, code.yaml, folder.yaml, list.yaml, part.yaml]\n"
    "experiments: {e: {title: T, compute: {a: 1}}}\ncards:\n  - {id: a, question: Q, follow_ups: [causal-mask]}\n",
    "code.yaml": CODE,
    "list.yaml": "- a\n",
    "part.yaml": "title: P\nexperiments: {e: {title: T}}\ncards:\n  - {id: a, question: Q}\n",
    "alone.yaml": "title: P\ncards: []\n",
}
ENGLISH = re.compile(r"[A-Za-z]{2,}(?: [a-z]{2,}){2,}")
QUOTED = re.compile(r'`[^`]*`|"[^"]*"')  # a deck's own words, and commands
CHINESE = re.compile("[\u4e00-\u9fff]")


def broken_decks(folder: Path) -> Iterator[Library]:
    """Decks with everything wrong that the other tests know of."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "folder.yaml").mkdir()
    yield from (load([folder / name]) for name in FILES)
    for text in (CODE, WRONG, FILES["main.yaml"]):
        yield load([Given("a.yaml", text.encode())])
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
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Problem]:
    return [problem for library in broken_decks(tmp_path_factory.mktemp("decks")) for problem in problems_of(library)]


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
