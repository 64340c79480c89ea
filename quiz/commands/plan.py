"""`qkv plan`: makes, shows or ends the plan for a day to be ready for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

from rich.text import Text

from content.deck.cards import Deck
from quiz.card.deck_paths import resolve_decks
from quiz.card.exam import FARTHEST, forecast, new_plan, refusal
from quiz.card.progress_sentences import error_sentence
from quiz.card.today import iso_date
from quiz.commands.output import fail, print_json
from quiz.commands.plan_advice import Advice, advice, as_data, by_weeks, judgement, picture, sentences
from quiz.commands.printer import Printer
from quiz.exit_codes import OK, PROBLEM, UNSAVED, USAGE
from quiz.memory.card_ids import Key
from quiz.memory.scheduler import Memory
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Plan
from quiz.progress.errors import ProgressError
from quiz.progress.progress import Progress, open_progress, readable_progress
from quiz.study.learner import LearnerState, open_learners_progress
from quiz.study.plan import DailyShare, remaining_study_days
from quiz.study.queue import plan_scope, todays_share
from quiz.words.i18n import Words

WIDTH = 80


def run(until: str | None, tag: str | None, minutes: int | None, *, clear: bool, as_json: bool, language: str) -> int:
    """Makes the plan, ends it, or shows it.

    Exit codes: 0, also where it can hardly be done; 1 when it cannot be read; 2 for a date or a tag that makes no sense; 3 when it was
    not saved.
    """
    words = Words.of(language)
    decks = [loaded.deck for loaded in resolve_decks(())().decks]
    now, changing = Moment.now(), clear or until is not None
    try:
        with open_learners_progress(decks, open_progress if changing else readable_progress) as store:
            if clear:
                store.decide(Decision.plan(None, now))
                return fail(words("plan.cleared"), OK)
            if until is not None:
                refused = refusal(until, tag, decks, now.day, words)
                if refused:
                    return fail(refused, USAGE)
                store.decide(Decision.plan(new_plan(store, decks, date.fromisoformat(until).toordinal(), tag, minutes, now.day), now))
            elif tag or minutes:
                return fail(words("plan.needs_date"), USAGE)
            return _show(store, decks, now, as_json, words)
    except ProgressError as error:
        return fail(error_sentence(error, words), UNSAVED if changing else PROBLEM)


def _show(store: Progress, decks: Sequence[Deck], now: Moment, as_json: bool, words: Words) -> int:
    learner = LearnerState.of(store)
    aim = learner.decisions.aim
    cards = plan_scope(decks, learner, aim) if aim else []
    why = _nothing(aim, cards, now.day)
    if aim is None or why:
        if as_json:
            print_json(None)
        return fail(words(why, date=iso_date(aim.until) if aim else ""), OK)
    seen = forecast(store, learner, cards, now.day, aim.until)
    given = advice(aim, seen, todays_share(decks, learner, now.day) or DailyShare(), _most(learner.memories, now.day))
    if as_json:
        print_json(as_data(given))
    else:
        _print(given, words)
    return OK


def _nothing(aim: Plan | None, cards: Sequence[Key], day: int) -> str:
    """The name of the sentence that says why there is nothing to show."""
    if aim is None:
        return "plan.none"
    if not remaining_study_days(aim, day):
        return "plan.over"
    if aim.until > day + FARTHEST:
        return "plan.far"
    return "" if cards else "plan.no_cards"


def _most(memories: Mapping[Key, Memory], day: int) -> int:
    """How many new cards were met on one day at most, before today."""
    return max(Counter(memory.first_day for memory in memories.values() if memory.first_day < day).values(), default=0)


def _print(given: Advice, words: Words) -> None:
    console = Printer()
    tell = partial(console.print, markup=False, highlight=False)
    first, *rest = sentences(given, words)
    tell(first, style="bold")
    tell()
    for sentence in rest:
        tell("  " + sentence)
    tell()
    tell("  " + words("plan.picture_weeks" if by_weeks(given) else "plan.picture"), style="dim")
    for row in picture(given, min(console.width, WIDTH) - 4, console.look, words):
        console.print(Text.assemble("  ", *((part.text, part.style or "") for part in row)), no_wrap=True)
    tell()
    for sentence in judgement(given, words):
        tell(sentence)
