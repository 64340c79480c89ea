"""`qkv stats`: what has been learned, as pictures in the terminal or as JSON for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from content.deck.cards import Deck
from quiz.card.deck_paths import studied_decks
from quiz.card.progress_sentences import error_sentence
from quiz.charts.stats_view import StatsView, stats_view
from quiz.commands.output import WIDTH, fail, finite, fit_as_data, print_json
from quiz.exit_codes import OK, PROBLEM, USAGE
from quiz.memory.card_ids import Key
from quiz.memory.study_day import Moment
from quiz.progress.errors import ProgressError, is_missing
from quiz.progress.progress import default_path, readable_progress
from quiz.statistics.retention import RetentionBin
from quiz.statistics.statistics import LearningLog, Statistics, read_log
from quiz.study.learner import open_learners_progress
from quiz.words.i18n import Words


def run(days: int, tag: str | None, *, as_json: bool, language: str) -> int:
    """Prints the statistics."""
    words = Words.of(language)
    decks = [loaded.deck for loaded in studied_decks().decks]
    try:
        log = _log(decks)
    except ProgressError as error:
        return fail(error_sentence(error, words), PROBLEM)
    found = stats_view(log, decks, Moment.now().day, days, tag)
    if tag is not None and not found.items:
        return fail(words("stats.no_tag", tag=tag), USAGE)
    if as_json:
        print_json(as_data(found.statistics, tag))
        return OK
    if not log.reviews:
        return fail(words("stats.empty"), OK)
    _draw(found, words)
    return OK


def _draw(found: StatsView, words: Words) -> None:
    """The figures; what draws them is loaded for people only."""
    from quiz.charts.stats_figures import StatsReport
    from quiz.commands.printer import Printer

    console = Printer()
    console.print(StatsReport(found, console.pen(words)), width=min(console.width, WIDTH))


def _log(decks: Iterable[Deck]) -> LearningLog:
    """What the progress file holds; one that is not there yet is not made."""
    if is_missing(default_path()):
        return LearningLog()
    with open_learners_progress(decks, readable_progress) as store:
        return read_log(store)


def as_data(found: Statistics, tag: str | None) -> dict[str, Any]:
    """The statistics as JSON: days as ISO dates, shares as counts, a number that nothing was measured for as null."""
    return {
        "today": _date(found.today),
        "days": found.days,
        "tag": tag,
        "reviews": [{"day": _date(day.day), "reviews": day.reviews, "seconds": day.seconds} for day in found.activity.days if day.reviews],
        "due": {
            "overdue": found.forecast.overdue,
            "later": found.forecast.later,
            "days": [{"day": _date(found.today + ahead), "cards": cards} for ahead, cards in enumerate(found.forecast.days)],
        },
        "retention": {
            **_bin(found.retention.all),
            "interval": found.retention.all.passed.interval,
            "log_loss": found.retention.log_loss,
            "cards": found.retention.cards,
            "of_cards": found.retention.known_cards,
            "bins": [_bin(part) for part in found.retention.bins],
        },
        "topics": [
            {name: getattr(topic, name) for name in ("kind", "name", "cards", "new", "learning", "known", "recall", "expected")}
            for topic in found.topics
        ],
        "confidence": [
            {"confidence": level.confidence, "answers": level.right.whole, "right": level.right.part} for level in found.calibration
        ],
        "predictions": _predictions(found),
        "time": {
            "seconds": found.activity.seconds,
            "typical": found.activity.typical,
            "cards": [{**_card(card.key), "reviews": card.reviews, "seconds": card.seconds} for card in found.activity.cards],
        },
        "failing": [{**_card(card.key), "lapses": card.lapses} for card in found.weak if card.lapses],
        "sure_but_wrong": [
            {**_card(card.key), "day": _date(card.confident_error)} for card in found.weak if card.confident_error is not None
        ],
        "parameters": fit_as_data(found.fit),
    }


def _predictions(found: Statistics) -> dict[str, Any]:
    together = found.estimates.all
    return {
        "count": together.count if together else 0,
        "median_error": finite(together.error) if together else None,
        "weeks": [{"from": _date(start), "count": week.count, "median_error": finite(week.error)} for start, week in found.estimates.weeks],
        "cards": [{**_card(key), "count": card.count, "median_error": finite(card.error)} for key, card in found.estimates.cards],
    }


def _bin(part: RetentionBin) -> dict[str, Any]:
    return {"low": part.low, "high": part.high, "reviews": part.passed.whole, "passed": part.passed.part, "expected": part.expected}


def _card(key: Key) -> Mapping[str, str]:
    return {"deck": key[0], "card": key[1]}


def _date(day: int) -> str:
    return date.fromordinal(day).isoformat()
