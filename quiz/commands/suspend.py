"""`qkv suspend`, `qkv resume`: cards set aside for good and taken up again, by their names."""

from __future__ import annotations

from collections.abc import Callable

from quiz.card.progress_sentences import error_sentence
from quiz.commands.cards import shelved
from quiz.commands.output import fail
from quiz.exit_codes import OK, UNSAVED, USAGE
from quiz.memory.card_ids import Key
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress
from quiz.study.filter import admitted_items
from quiz.study.learner import open_learners_progress
from quiz.study.turn import Item
from quiz.words.i18n import Words


def suspend(card: str, *, language: str) -> int:
    """The card is not asked again until it is resumed. Exit codes: 0, 2 for an unknown card, 3 when it was not saved."""

    def change(store: Progress, key: Key) -> str:
        store.decide(Decision.new("suspend", key, Moment.now()))
        return "cards.aside"

    return _change(card, change, Words.of(language))


def resume(card: str, *, language: str) -> int:
    """The card is asked again when it is due. The same exit codes."""

    def change(store: Progress, key: Key) -> str:
        marks, now = store.decisions(), Moment.now()
        if key not in marks.away(now.day):
            return "cards.not_aside"
        store.decide(Decision.new("resume", key, now))
        return "cards.resumed"

    return _change(card, change, Words.of(language))


def _change(card: str, change: Callable[[Progress, Key], str], words: Words) -> int:
    decks = [loaded.deck for loaded in shelved(words).decks]
    items = [item for item in admitted_items(decks) if card in (item.card.id, "/".join(item.key))]
    if len(items) != 1:
        return fail(_which(card, items, words), USAGE)
    try:
        with open_learners_progress(decks) as store:
            told = change(store, items[0].key)
    except ProgressError as error:
        return fail(error_sentence(error, words), UNSAVED)
    return fail(words(told, card=card), OK)


def _which(card: str, items: list[Item], words: Words) -> str:
    """That a name is nobody's, or that of several cards."""
    if not items:
        return words("cards.unknown", card=card)
    return words("cards.several", card=card, names=", ".join("/".join(item.key) for item in items))
