"""The card on the table, from question to answer: what the learner says, picks, ticks and asks for, each as the session it makes."""

from __future__ import annotations

from dataclasses import replace

from quiz.study.session import Session
from quiz.study.turn import Confidence, Response, Turn, recalls, toggle_option, toggle_order_item


def respond(session: Session, response: Response) -> Session:
    """Takes what the learner says; it can be changed until the reveal."""
    turn = session.turn
    if turn is None or turn.stage != "ask" or response == turn.response:
        return session
    return replace(session, turn=replace(turn, response=response, warned=False))


def show_hint(session: Session) -> Session:
    """Shows the card's next hint, where there is one and the answer is not shown yet."""
    turn = session.turn
    return session if turn is None or not turn.hints_left else replace(session, turn=replace(turn, hints=turn.hints + 1))


def proceed(session: Session, confidence: Confidence | None) -> Session:
    """The next step of the card: from the question to its key points, where it has some to tick, and to the answer.

    Where nothing was picked, the first time says so; and of no answer one is sure.
    """
    turn = session.turn
    if turn is None or turn.stage != "ask":
        return reveal(session, None)
    if turn.is_unpicked and (confidence or not turn.warned):
        return ask_for_answer(session)
    return leave_question(session, confidence)


def ask_for_answer(session: Session) -> Session:
    """Says that something is still to be picked, where it is."""
    turn = session.turn
    return replace(session, turn=replace(turn, warned=True)) if turn and turn.stage == "ask" and turn.is_unpicked else session


def leave_question(session: Session, confidence: Confidence | None) -> Session:
    """From the question to the key points, or to the answer where there are none to tick, whatever was picked."""
    turn = session.turn
    if turn is None or turn.stage != "ask" or not recalls(turn.card):
        return reveal(session, confidence)
    return replace(session, turn=replace(turn, stage="recall", confidence=confidence))


def reveal(session: Session, confidence: Confidence | None) -> Session:
    """Shows the answer. The response and the confidence stand since the question was left."""
    turn = session.turn
    if turn is None or turn.stage == "reveal":
        return session
    return replace(session, turn=replace(turn, stage="reveal", confidence=confidence if turn.stage == "ask" else turn.confidence))


def tick(session: Session, point: int) -> Session:
    """Ticks a key point, or takes the tick away."""
    turn = session.turn
    if turn is None or turn.stage == "ask" or not 0 <= point < len(turn.card.key_points):
        return session
    return replace(session, turn=replace(turn, ticked=turn.ticked ^ {point}))


def pick(session: Session, index: int) -> Session:
    """Takes a press on option, order item, code line or key point `index`: what it means depends on the card and its stage."""
    turn = session.turn
    if turn is None:
        return session
    if turn.stage != "ask":
        return tick(session, index)
    if turn.card.kind == "choice":
        return respond(session, toggle_option(turn, index))
    if turn.card.kind == "order":
        return respond(session, toggle_order_item(turn, index))
    if turn.card.kind == "code":
        return respond(session, replace(turn.response, line=index))
    return session


def letters(turn: Turn) -> int:
    """How many letters the card has given away: to its options or items at the question, to its key points after it."""
    return len(turn.shown) if turn.stage == "ask" else len(turn.card.key_points)


def pick_letter(session: Session, place: int) -> Session:
    """Takes the letter at a place: at the question options and items stand in their shuffled order."""
    turn = session.turn
    if turn is None or turn.stage != "ask":
        return pick(session, place)
    return pick(session, turn.shown[place]) if place < len(turn.shown) else session


def move_cursor(session: Session, by: int) -> Session:
    """Moves the cursor of a code card; it starts at the first line."""
    turn = session.turn
    if turn is None or turn.stage != "ask" or turn.card.code is None:
        return session
    last = len(turn.card.code.listing.rstrip("\n").split("\n"))
    line = 1 if turn.response.line is None else min(max(turn.response.line + by, 1), last)
    return pick(session, line)


def set_measured(session: Session, value: float | None) -> Session:
    """Notes the measured value that a guess is compared with."""
    return session if session.turn is None else replace(session, turn=replace(session.turn, measured=value))
