"""One card on the table: which it is, what was said of it, and how far it has come."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from content.deck.cards import Card
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Grade

Confidence = Literal[1, 2, 3]  # guess, think so, sure
Stage = Literal["ask", "recall", "reveal"]  # the question; the key points to tick; the answer


class Item(NamedTuple):
    """A card with the deck it belongs to."""

    deck: str
    card: Card

    @property
    def key(self) -> Key:
        return self.deck, self.card.id


@dataclass(frozen=True)
class Response:
    """What was said before the reveal: a number, options, an order (as indices into the card), or a line."""

    number: float | None = None
    chosen: frozenset[int] = frozenset()
    arranged: tuple[int, ...] = ()
    line: int | None = None


@dataclass(frozen=True)
class Turn:
    """One card on the table. `shown` is the order in which its options or items are laid out."""

    item: Item
    shown: tuple[int, ...] = ()
    stage: Stage = "ask"
    response: Response = field(default_factory=Response)
    confidence: Confidence | None = None
    ticked: frozenset[int] = frozenset()
    hints: int = 0  # how many of the card's were shown
    warned: bool = False  # that nothing is picked yet: what is asked for again is meant
    measured: float | None = None  # the run's value of the quantity that was asked for

    @property
    def card(self) -> Card:
        return self.item.card

    @property
    def hints_left(self) -> int:
        """How many hints there are to show: after the reveal none."""
        return len(self.card.hint) - self.hints if self.stage == "ask" else 0

    @property
    def is_unpicked(self) -> bool:
        """Whether something of the card can still be picked before there is an answer: an option, the rest of an order, a line."""
        card, response = self.card, self.response
        if card.kind == "choice":
            return not response.chosen
        if card.kind == "order":
            return len(response.arranged) < len(card.order)
        return card.kind == "code" and response.line is None

    @property
    def has_answer(self) -> bool:
        """Whether there is an answer to be sure of. Where one explains, it was said aloud."""
        return self.response.number is not None if self.card.kind == "number" else not self.is_unpicked


def toggle_option(turn: Turn, index: int) -> Response:
    """The response after option `index` was pressed: one right option selects, several toggle."""
    several = sum(option.right for option in turn.card.options) > 1
    chosen = turn.response.chosen ^ {index} if several else frozenset({index})
    return replace(turn.response, chosen=chosen)


def toggle_order_item(turn: Turn, index: int) -> Response:
    """The response after order item `index` was pressed: it comes next, or leaves if it was already placed."""
    placed = turn.response.arranged
    after = tuple(i for i in placed if i != index) if index in placed else (*placed, index)
    return replace(turn.response, arranged=after)


def recalls(card: Card) -> bool:
    """Whether key points are ticked before the answer is shown. Where the program judges what was picked, the answer comes at once."""
    return card.kind == "explain" and bool(card.key_points)


def asked_quantity(card: Card) -> str | None:
    """The quantity that the learner is asked to guess, if the run measures it."""
    if card.number:
        return card.number.quantity
    return card.predict.quantity if card.predict else None


def target_value(turn: Turn) -> float | None:
    """The number that a guess is compared with, once it is known."""
    fixed = turn.card.number.value if turn.card.number else None
    return turn.measured if fixed is None else fixed


def is_right_pick(turn: Turn) -> bool | None:
    """Whether the options, the order or the line are right; None where nothing was picked."""
    card, response = turn.card, turn.response
    if card.kind == "choice" and response.chosen:
        return response.chosen == {i for i, option in enumerate(card.options) if option.right}
    if card.kind == "order" and response.arranged:
        return response.arranged == tuple(range(len(card.order)))
    if card.kind == "code" and card.code and response.line is not None:
        return response.line == card.code.wrong_line
    return None


def is_near(turn: Turn) -> bool | None:
    """Whether the number is near enough; None where none was said, or it is not measured yet."""
    asked, wanted = turn.card.number or turn.card.predict, target_value(turn)
    if asked and turn.response.number is not None and wanted is not None:
        return asked.within.covers(turn.response.number, wanted)
    return None


def is_correct(turn: Turn) -> bool | None:
    """Whether the answer is right: what was picked, or else the number; None where nothing was said, or only the learner can judge."""
    picked = is_right_pick(turn)
    return is_near(turn) if picked is None else picked


def suggested_grade(turn: Turn) -> Grade:
    """The grade that space gives; whoever needed a hint answered with trouble at best."""
    return min(_by_the_answer(turn), Grade.hard) if turn.hints else _by_the_answer(turn)


def _by_the_answer(turn: Turn) -> Grade:
    """A missed prediction does not fail an explain card: there the key points decide, and more of them never give less."""
    ticked, points = len(turn.ticked), len(turn.card.key_points)
    if turn.card.kind == "explain":
        return Grade.good if ticked * 2 > points or not points else Grade.hard if ticked else Grade.again
    return Grade.again if is_correct(turn) is False or turn.response == Response() else Grade.good
