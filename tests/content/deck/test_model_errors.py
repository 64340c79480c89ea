"""Whatever is in a deck, what is wrong with it is said in plain sentences."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from content.deck import model
from content.deck.validation import validate
from content.yaml.problems import render
from content.yaml.reader import read
from tests.content.deck.good_deck import GOOD

REPLACEMENTS: list[Any] = [
    "", "x", "9", "-1", "nan", "[CLS]", "注意力", "x" * 21_000, "9" * 5_000, [], ["x"], {}, {"x": "y"}, {"en": "x"}, [[["x"]]],
]  # fmt: skip
JARGON = ("Input should", "valid", "tuple", "dictionary", "pydantic", "Field required", "Extra inputs", "parse", "NoneType", "instance")


def mutated(tree: Any, path: tuple[float, ...], value: Any) -> None:
    """Replace one node of a loaded deck, chosen by fractions, by something else."""
    node = tree
    for step in path:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = keys[int(step * len(keys))]
        if not isinstance(node[key], dict | list) or step == path[-1]:
            node[key] = value
            return
        node = node[key]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=6).map(tuple),
    st.integers(0, len(REPLACEMENTS) - 1),
)
@example((0.75, 0.25, 0.75, 0.75, 0.0), 7)
def test_a_mutated_deck_gives_a_deck_or_plain_sentences(path: tuple[float, ...], replacement: int) -> None:
    """Whatever one value is replaced by, the answer is a deck or problems inside the file, without a word of the validator's."""
    raw = yaml.load(GOOD, Loader=yaml.CBaseLoader)
    mutated(raw, path, REPLACEMENTS[replacement])
    text = yaml.safe_dump(raw, default_style="'", allow_unicode=True)
    tree, problems = read("a.yaml", text.encode())
    assert tree is not None
    deck, more = validate(tree)
    assert (deck is None) == bool(more)
    for problem in [*problems, *more]:
        assert 1 <= problem.line <= text.count("\n") + 1
        assert problem.source == text.split("\n")[problem.line - 1]
        assert [] == [word for word in JARGON if word in problem.message + problem.hint]
        assert len(render(problem)) < 1_500


@settings(deadline=None)
@given(st.integers(0, len(GOOD)), st.integers(0, 30), st.text("abZ09:-[]{}'\"\n #&*!|>%@`,?<\\\u3000：中\t\u200b", max_size=5))
def test_a_deck_edited_anywhere_never_raises(start: int, length: int, inserted: str) -> None:
    """A deck with any piece cut out and anything typed there is a deck or a list of problems."""
    text = GOOD[:start] + inserted + GOOD[start + length :]
    tree, problems = read("a.yaml", text.encode())
    deck, more = validate(tree) if tree else (None, [])
    assert deck is not None or problems or more
    assert all(render(problem) for problem in [*problems, *more])


def test_every_error_of_the_model_has_words_of_its_own() -> None:
    """No limit of the card model falls through to the sentence for anything else."""
    wrong: dict[str, Any] = {key: [["x"]] for key in model.Card.model_fields} | {"kind": "explain"}
    tree, _ = read("a.yaml", yaml.safe_dump({"deck": "d", "title": "t", "cards": [wrong]}).encode())
    assert tree is not None
    _, problems = validate(tree)
    assert len(model.Card.model_fields) - 1 <= len(problems)
    assert [] == [problem for problem in problems if "not what it should be" in problem.message]
