"""`qkv cards`: data on stdout, as text for people or JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from content.deck.library import Library
from content.yaml.problems import render
from quiz.card.deck_paths import resolve_decks
from quiz.commands.output import fail, print_json
from quiz.exit_codes import OK, PROBLEM
from quiz.study.filter import Filter, admitted_items
from quiz.study.turn import Item
from quiz.words.i18n import Words

if TYPE_CHECKING:
    from quiz.memory.card_ids import Key
    from quiz.progress.decisions import Flag
    from quiz.study.learner import Choice


def cards(wanted: Filter, *, as_json: bool, language: str, among: Choice | None = None) -> int:
    """Lists the cards of every deck that is bundled or one's own; with `among`, those that it picks by what the person has learned.

    A card that it picks for a note is listed with the note.
    """
    words = Words.of(language)
    decks = [loaded.deck for loaded in shelved(words).decks]
    items: Iterable[Item] = admitted_items(decks, wanted)
    notes: Mapping[Key, Flag] = {}
    if among:
        from quiz.card.progress_sentences import error_sentence  # a list that needs no progress loads nothing of it
        from quiz.progress.errors import ProgressError
        from quiz.progress.progress import readable_progress
        from quiz.study.learner import LearnerState, open_learners_progress

        try:
            with open_learners_progress(decks, readable_progress) as store:
                picked = among(LearnerState.of(store))
        except ProgressError as error:
            return fail(error_sentence(error, words), PROBLEM)
        items = [item for item in items if item.key in picked]
        notes = picked if isinstance(picked, Mapping) else {}
    if as_json:
        print_json([_card(item) | _note(notes.get(item.key)) for item in items])
        return OK
    list_cards(list(items), notes, words)
    return OK


def _note(flag: Flag | None) -> dict[str, Any]:
    return {"note": flag.note, "noted": date.fromordinal(flag.day).isoformat()} if flag else {}


def list_cards(items: list[Item], notes: Mapping[Key, Flag], words: Words) -> None:
    """A line a card: its id, how often it is asked, its question. What sets a question is loaded for people only."""
    from rich.text import Text

    from content.text import markup
    from quiz.card.card_run import preset_values
    from quiz.card.typeset import layout, text_of
    from quiz.commands.printer import Printer

    if not items:
        return
    lines = []
    widest = max(len(item.card.id) for item in items)
    for item in items:
        asked = "◆" * (item.card.asked or 0) + "◇" * (5 - (item.card.asked or 0))
        filled = markup.filled(markup.parse(item.card.question.said(words.language)), preset_values(item.card, words.language))
        question = text_of(layout(filled, 10_000)[0])
        lines.append(Text.assemble((item.card.id.ljust(widest), "bold"), f"  {asked}  ", question))
        if flag := notes.get(item.key):
            lines.append(Text.assemble((f"  {date.fromordinal(flag.day)}  ", "dim"), flag.note))
    Printer().print(Text("\n").join(lines), soft_wrap=True)  # one by one they would take three times as long


def shelved(words: Words) -> Library:
    """The bundled decks and the person's own; what is wrong with them is told beside the data."""
    library = resolve_decks(())()
    for problem in library.problems:
        fail(render(problem, words.language), PROBLEM)
    return library


def _card(item: Item) -> dict[str, Any]:
    card = item.card
    return {
        "deck": item.deck,
        "id": card.id,
        "kind": card.kind,
        "level": card.level,
        "asked": card.asked,
        "tags": list(card.tags),
        "languages": list(card.question.languages),
        "experiment": card.verify.own.experiment if card.verify else None,
        "claims": len(card.verify.claims) if card.verify else 0,
        "predict": card.predict is not None,
        "trap": card.trap is not None,
    }
