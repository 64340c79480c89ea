"""`qkv optimize`: fits FSRS's parameters to one's own reviews, and takes them where they predict these better than those in use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from quiz.card.deck_paths import resolve_decks
from quiz.card.progress_sentences import error_sentence
from quiz.card.today import iso_date
from quiz.commands.output import fail, finite, fit_as_data, print_json, tell
from quiz.exit_codes import OK, UNSAVED
from quiz.memory.optimizer import NEEDED, Accuracy, accuracy, fitted, predictable_reviews, usable
from quiz.memory.study_day import Moment
from quiz.progress.decisions import Decision, Fit
from quiz.progress.errors import ProgressError, is_missing
from quiz.progress.progress import Progress, default_path
from quiz.study.learner import open_learners_progress
from quiz.words.i18n import Words


@dataclass(frozen=True)
class Outcome:
    """What came of it: how well the parameters `before` and `after` predict the same `reviews`, None where too few are `usable`; `fit`
    is what is in use now, and `moved` of `cards` cards have another date."""

    reviews: int
    usable: int
    before: Accuracy | None = None
    after: Accuracy | None = None
    taken: bool = False
    fit: Fit | None = None
    moved: int = 0
    cards: int = 0


def run(*, undo: bool, as_json: bool, language: str) -> int:
    """Fits, or takes the last fit back. Exit codes: 0, also when there was nothing better; 3 when it was not saved."""
    words = Words.of(language)
    try:
        if is_missing(default_path()):  # one that is not there yet is not made
            return _print_undone(None, None, as_json, words) if undo else _print(Outcome(0, 0), as_json, words)
        with open_learners_progress(loaded.deck for loaded in resolve_decks(())().decks) as store:
            if undo:
                return _undo(store, as_json, words)
            return _print(optimize(store, Moment.now(), words), as_json, words)
    except ProgressError as error:
        return fail(error_sentence(error, words), UNSAVED)


def optimize(store: Progress, now: Moment, words: Words) -> Outcome:
    """Computes everything, then writes one row or nothing: an interrupt, heard when the library returns, leaves all as it was."""
    items = predictable_reviews((review.key, review.grade, review.when.day) for review in store.reviews())
    held = store.decisions()
    learned_from = usable(items)
    if learned_from < NEEDED:
        return Outcome(len(items), learned_from, fit=held.fit)
    fail(words("optimize.computing", count=len(items)), OK)
    fit = Fit(fitted(items), now.day, len(items))
    before, after = accuracy(items, held.parameters), accuracy(items, fit.parameters)
    found = Outcome(len(items), learned_from, before, after, fit=held.fit)
    if not (fit.parameters.sound and after.log_loss < before.log_loss):
        return found
    memories = store.memories()
    store.decide(Decision.fitted(fit, now))
    moved = sum(memory.due_day != memories[key].due_day for key, memory in store.memories().items() if key in memories)
    return replace(found, taken=True, fit=fit, moved=moved, cards=len(memories))


def _print(found: Outcome, as_json: bool, words: Words) -> int:
    if as_json:
        print_json(as_data(found))
        return OK
    before, after = found.before, found.after
    if before is None or after is None:
        return fail(words("optimize.few", count=found.usable, needed=NEEDED), OK)
    tell(words("optimize.log_loss", before=before.log_loss, after=after.log_loss, count=found.reviews))
    tell(words("optimize.rmse_bins", before=before.rmse_bins, after=after.rmse_bins))
    return fail(words("optimize.taken" if found.taken else "optimize.kept", moved=found.moved, cards=found.cards), OK)


def as_data(found: Outcome) -> dict[str, Any]:
    """What came of it as JSON; `parameters` are those in use now, as in `qkv stats --json`."""
    return {
        "reviews": found.reviews,
        "usable": found.usable,
        "needed": NEEDED,
        "taken": found.taken,
        "before": _accuracy(found.before),
        "after": _accuracy(found.after),
        "moved": found.moved,
        "parameters": fit_as_data(found.fit),
    }


def _accuracy(found: Accuracy | None) -> dict[str, float | None] | None:
    return None if found is None else {"log_loss": finite(found.log_loss), "rmse_bins": finite(found.rmse_bins)}


def _undo(store: Progress, as_json: bool, words: Words) -> int:
    mark = store.latest_fit()
    undone = mark if mark and store.undo_decision(mark.id) else None
    return _print_undone(undone, store.decisions().fit, as_json, words)


def _print_undone(undone: Decision | None, fit: Fit | None, as_json: bool, words: Words) -> int:
    if as_json:
        print_json({"undone": iso_date(undone.when.day) if undone else None, "parameters": fit_as_data(fit)})
        return OK
    if undone is None:
        return fail(words("optimize.nothing"), OK)
    now = words("optimize.earlier", date=iso_date(fit.day)) if fit else words("optimize.default")
    return fail(words("optimize.undone", date=iso_date(undone.when.day), now=now), OK)
