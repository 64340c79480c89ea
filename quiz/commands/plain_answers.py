"""What is typed before the answer of a plain session is shown: letters, a line, a number, how sure one is; and the hints meanwhile."""

from __future__ import annotations

import re

from quiz.card import card_parts
from quiz.card.card_run import preset_values
from quiz.commands.plain_talk import HINT, Talk
from quiz.memory.scheduler import Grade
from quiz.study import card_steps
from quiz.study.study import Study
from quiz.study.turn import Confidence, Response, Turn
from quiz.words.numbers import read_number, spell_number

BETWEEN_LETTERS = re.compile(r"[\s,、]")


def tell_of_hints(turn: Turn, talk: Talk) -> None:
    """That there are hints, and how one is had."""
    if total := turn.hints_left:
        talk.tell(talk.say("plain.hint.several" if total > 1 else "plain.hint", total=total))


def _asked(key: str, study: Study, talk: Talk) -> str:
    """A line that answers; asked again after every hint."""
    while (text := talk.ask(key)).lower() in _hint_words(study.session.turn):
        _show_hint(study, talk)
    return text


def _hint_words(turn: Turn | None) -> tuple[str, ...]:
    """What asks for a hint: before the answer, where the card has some; a letter that an option has is the option."""
    if turn is None or turn.stage != "ask" or not turn.card.hint:
        return ()
    return tuple(word for word in HINT if word not in card_parts.LETTERS[: card_steps.letters(turn)])


def _show_hint(study: Study, talk: Talk) -> None:
    before = study.session.turn
    study.session = card_steps.show_hint(study.session)
    turn = study.session.turn
    if turn is None or turn is before:
        talk.tell(talk.say("plain.hint.none"))
    else:
        talk.show(card_parts.hint_parts(turn, talk.words, preset_values(turn.card, talk.words.language))[-1:])


def read_response(study: Study, talk: Talk) -> Response:
    """What is said before the reveal."""
    turn = study.session.turn
    assert turn is not None
    card = turn.card
    if card.kind in ("choice", "order"):
        return _letters(turn, study, talk)
    if card.code:
        return Response(line=_line(len(card.code.listing.splitlines()), study, talk))
    if asked := card.number or card.predict:
        return Response(number=_number(asked.unit, study, talk))
    _asked("plain.space", study, talk)
    return Response()


def _letters(turn: Turn, study: Study, talk: Talk) -> Response:
    key = "plain.choose" if turn.card.kind == "choice" else "plain.order"
    picked = tuple(turn.shown[place] for place in read_places(key, len(turn.shown), study, talk))
    return Response(chosen=frozenset(picked)) if turn.card.kind == "choice" else Response(arranged=picked)


def read_places(key: str, count: int, study: Study, talk: Talk) -> list[int]:
    """Which of the letters shown were typed, in that order; asked again until there are only those, each once."""
    letters = card_parts.LETTERS[:count]
    while True:
        said = BETWEEN_LETTERS.sub("", _asked(key, study, talk).lower())
        if set(said) <= set(letters) and len(set(said)) == len(said):
            return [letters.index(letter) for letter in said]
        talk.tell(talk.say("plain.bad_letters", letters=letters))


def read_points(key: str, study: Study, talk: Talk) -> Grade | None:
    """Ticks the key points whose letters are typed, and no others; before the answer a grade may be typed instead."""
    turn = study.session.turn
    assert turn is not None
    before_the_answer = turn.stage == "recall"
    letters = card_parts.LETTERS[: len(turn.card.key_points)]
    while True:
        said = BETWEEN_LETTERS.sub("", _asked(key, study, talk).lower())
        if before_the_answer and said in {"1", "2", "3", "4"}:
            return Grade(int(said))
        if set(said) <= set(letters) and len(set(said)) == len(said):
            break
        talk.tell(talk.say("plain.bad_letters", letters=letters))
    for point in turn.ticked ^ {letters.index(letter) for letter in said}:
        study.session = card_steps.tick(study.session, point)
    return None


def _line(count: int, study: Study, talk: Talk) -> int | None:
    while (text := _asked("plain.code", study, talk)) and not (text.isascii() and text.isdecimal() and 1 <= int(text) <= count):
        talk.tell(talk.say("plain.bad_line", count=count))
    return int(text) if text else None


def _number(unit: str, study: Study, talk: Talk) -> float | None:
    """The number that was typed, said again where it was written in another way than numbers are shown."""
    while (text := _asked("plain.guess", study, talk)) and read_number(text, unit) is None:
        talk.tell(talk.say("plain.bad_number"))
    number = read_number(text, unit)
    if number is not None and text != (spelled := spell_number(number)):
        talk.tell(talk.say("plain.read_as", number=spelled))
    return number


def read_confidence(study: Study, talk: Talk) -> Confidence | None:
    """How sure one is, or nothing."""
    levels: dict[str, Confidence] = {"1": 1, "2": 2, "3": 3}
    while (text := _asked("plain.confidence", study, talk)) and text not in levels:
        talk.tell(talk.say("plain.bad_confidence"))
    return levels.get(text)
