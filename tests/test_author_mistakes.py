"""One mistake is told where it was made, with what to do."""

from __future__ import annotations

import pytest

from tests.author_mistakes import MISTAKES, mistaken, told

TRIED = 3
CLOSE = 1  # lines: where two lines do not agree, either of them may be the one to change


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_where_it_was_made(name: str) -> None:
    """In the sample deck, which has no problem without it; what else is told there says what to do, too."""
    for number in range(TRIED):
        deck = mistaken(10, number, name)
        problems = told(deck)

        assert any(abs(problem.line - deck.line) <= CLOSE for problem in problems), (deck.line, problems)
        assert all(problem.hint or "; write" in problem.message for problem in problems if abs(problem.line - deck.line) <= CLOSE), problems
        assert len(problems) <= 3, problems


def test_the_same_seed_gives_the_same_deck() -> None:
    """What was read once can be read again."""
    assert mistaken(1, 7) == mistaken(1, 7)
    assert mistaken(1, 7) != mistaken(2, 7)
