"""A deck's own computation, from the file to the engine's numbers."""

from __future__ import annotations

from content.deck.library import Given, load
from engine import Result, Worker
from quiz.card.planned_run import asked_experiment
from quiz.card.recipes import describe_own, recipe
from tests.content.deck.test_computations import OWN


def test_sliders_are_whole_where_all_their_numbers_are() -> None:
    """1 means whole numbers, 1.0 any; without a step a slider has some two dozen."""
    n, x = "n: {default: 4, low: 1, high: 64, scale: log}", "x: {default: 1, low: 0, high: 2.5}"
    text = OWN.replace("seed: {default: 0}", f"seed: {{default: 0}}\n      {n}\n      {x}")
    library = load([Given("own.yaml", text.encode())])
    made = {parameter.name: parameter for parameter in recipe("own", library.decks[0].deck.experiments["nucleus"]).parameters}

    assert [(0, 99), (1, 64), (0, 2.5)] == [(made[name].low, made[name].high) for name in ("seed", "n", "x")]
    assert [int, int, float, float] == [type(made[name].default) for name in ("seed", "n", "x", "T")]
    assert [4, 25, 25] == [made["n"].tick_of(16), made["x"].ticks + 1, made["T"].ticks + 1]


def test_a_card_is_computed_by_its_deck(worker: Worker) -> None:
    library = load([Given("own.yaml", OWN.encode())])
    verify = library.decks[0].deck.cards[0].verify
    assert verify
    described, problems = describe_own(library.decks[0], worker)
    result = worker.submit(asked_experiment(verify.own), {"T": 3}).result(60)

    assert [] == problems
    assert "nucleus" == described["nucleus"].name
    assert isinstance(result, Result)
    assert [("w", 4.0, "wrong")] == [(each.name, each.value, each.arm) for each in result.quantities if each.name == "w"]


def test_what_cannot_be_computed_is_told_at_its_line(worker: Worker) -> None:
    """Two shapes that do not fit stand where the author wrote them."""
    library = load([Given("own.yaml", OWN.replace("-sum(probs *", "-sum(probs @ ones(3, 2) *").encode())])
    _, problems = describe_own(library.decks[0], worker)

    assert [(13, 21, "(50,) @ (3, 2): inner sizes 50 and 3 differ")] == [(one.line, one.column, one.message) for one in problems]


def test_every_line_that_is_wrong_is_told(worker: Worker) -> None:
    """Of two errors both; what only reads a wrong line is no third one."""
    more = "a: ones(2) @ ones(3)\n      b: a + 1\n      c: zeros(2) + zeros(3)\n      trained"
    library = load([Given("own.yaml", OWN.replace("trained", more, 1).encode())])
    _, problems = describe_own(library.decks[0], worker)

    assert [12, 14] == [one.line for one in problems]
