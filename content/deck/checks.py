"""What a deck's text says about itself, without running anything: claims that parse, text that can be shown, names that can be known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from content.claims.parser import parse, parse_number
from content.claims.tokens import ClaimError
from content.deck import lint, stable_ids
from content.deck.answerable import unanswerable
from content.deck.cards import Card, Text, run_place
from content.deck.computations import computation_problems
from content.deck.learning_paths import bundled_path_problems
from content.deck.library import Draft, Library, LoadedDeck
from content.deck.link_checks import link_problems
from content.deck.listings import listing_problems
from content.messages.sentence import say
from content.text import placeholders
from content.text.nearest import did_you_mean
from content.text.text_problems import formula_problems, text_problems
from content.yaml.numerals import real
from content.yaml.problems import Problem
from content.yaml.yaml_mistakes import excerpt

Location = tuple[str | int, ...]

PROSE = ("answer", "detail", "trap")


def all_problems(library: Library, experiments: Collection[str]) -> list[Problem]:
    """Everything that can be said of what was loaded without running it: its own problems, what `check` finds, what is bad style."""
    problems = list(library.problems)
    for loaded in library.files:
        problems += deck_problems(loaded, experiments)
        problems += lint.style_warnings(loaded)
    problems += link_problems(library)
    ours = stable_ids.of_the_program(library.decks)
    return [*problems, *stable_ids.lost_ids(ours), *(bundled_path_problems() if ours else ())]


def deck_problems(loaded: LoadedDeck | Draft, experiments: Collection[str]) -> Iterator[Problem]:
    """Every problem of a deck that can be found without torch, also of one that was refused. `experiments` are the names that exist."""
    if loaded.title:
        yield from _texts(loaded, ("title",), loaded.title, {})
    yield from computation_problems(loaded, experiments)
    experiments = frozenset(experiments) | _own_experiments(loaded)
    for index, card in loaded.readable.items():
        here: Location = ("cards", index)
        yield from _spoken(loaded, here, card)
        yield from _verification(loaded, here, card, experiments)
        yield from unanswerable(loaded, here, card)
        yield from listing_problems(loaded, here, card)


def _own_experiments(loaded: LoadedDeck | Draft) -> frozenset[str]:
    """The names of a deck's own computations, also of one that was refused."""
    if isinstance(loaded, LoadedDeck):
        return frozenset(loaded.deck.experiments)
    own = loaded.tree.root.get("experiments") if isinstance(loaded.tree.root, dict) else None
    return frozenset(own) if isinstance(own, dict) else frozenset()


def _spoken(loaded: LoadedDeck | Draft, here: Location, card: Card) -> Iterator[Problem]:
    """Every text of a card. What is shown before the reveal may use only what `set` gives."""
    early: Mapping[str, str] | None = card.verify.settings("en") if card.verify else None if _is_refused(loaded, here) else {}
    late: Mapping[str, str] | None = None if card.verify or _is_refused(loaded, here) else {}
    yield from _texts(loaded, (*here, "question"), card.question, early, card)
    for i, rung in enumerate(card.hint):
        yield from _texts(loaded, (*here, "hint", i), rung, early, card)
    if card.predict:
        yield from _texts(loaded, (*here, "predict", "ask"), card.predict.ask, early, card)
    for i, option in enumerate(card.options):
        yield from _texts(loaded, (*here, "options", i, "text"), option.text, early, card)
        if option.why:
            yield from _texts(loaded, (*here, "options", i, "why"), option.why, late, card)
    for i, item in enumerate(card.order):
        yield from _texts(loaded, (*here, "order", i), item, early, card)
    for i, point in enumerate(card.key_points):
        yield from _texts(loaded, (*here, "key_points", i), point, late, card)
    for field in PROSE:
        text = getattr(card, field)
        if text:
            yield from _texts(loaded, (*here, field), text, late, card)
    if card.formula:
        for remark in formula_problems(card.formula):
            yield loaded.problem_in((*here, "formula"), *remark)


def _is_refused(loaded: LoadedDeck | Draft, here: Location) -> bool:
    """Whether a card has an error in its form: what it seems to lack may be what is wrong in it."""
    return here[1] not in loaded.cards


def _texts(
    loaded: LoadedDeck | Draft, where: Location, text: Text, names: Mapping[str, str] | None, card: Card | None = None
) -> Iterator[Problem]:
    """Problems of one text of a card in all its languages. `names` are the values it may use; None leaves that to the run."""
    for language, said in text.root.items():
        place = (*where, language) if language else where
        for remark in text_problems(said):
            yield loaded.problem_in(place, *remark)
        if placeholders.has_single_braces(said):
            for remark in placeholders.single_braces(said, _fillable(card, names) if card else ()):
                yield loaded.problem_in(place, *remark)
        if "{{" not in said:
            continue
        for remark in placeholders.placeholder_problems(said):
            yield loaded.problem_in(place, *remark)
        for live, offset in placeholders.placeholder_names(said).items():
            if refusal := _unreadable(live, names, has_run=bool(card and card.verify)):
                at, message, hint = refusal
                yield loaded.problem_in(place, said.index(live, offset) + at if at else offset, message, hint)


def _fillable(card: Card, early: Mapping[str, str] | None) -> Collection[str]:
    """The names that a text may have filled in, as far as the card itself uses them: before the reveal, numbers that are set."""
    given = card.verify.settings("en") if card.verify else {}
    texts = {name for name, value in given.items() if real(value) is None}
    return (_run_names(card) if early is None else set(early)) - texts


def _run_names(card: Card) -> set[str]:
    """The names of a run, as far as the card itself uses them."""
    asked = card.number or card.predict
    names = {*(card.verify.settings("en") if card.verify else ()), asked.quantity if asked and asked.quantity else ""}
    for claim in card.verify.claims if card.verify else ():
        with suppress(ClaimError):
            names.update(parse(claim.check).names)
    return names


def _unreadable(live: str, values: Mapping[str, str] | None, *, has_run: bool) -> tuple[int, str, str] | None:
    """What to say of a live number that is no expression, or that has no value yet, and where in it."""
    try:
        names = (live,) if live.isidentifier() else parse_number(live).names
    except ClaimError as error:
        return error.column - 1, error.message, error.hint
    refusals = (_no_number(name, values, has_run) for name in names) if values is not None else iter(())
    return next(((0, *refusal) for refusal in refusals if refusal), None)


def _no_number(name: str, values: Mapping[str, str], has_run: bool) -> tuple[str, str] | None:
    """What to say where a live number has none before the reveal."""
    if name not in values:
        known = say("before the reveal only the parameters under verify: set: are known")
        return say("{{{{{name}}}}} has no value here", name=name), known if has_run else say("give the card a verify, or write the number")
    if real(values[name]) is None:
        return say("{{{{{name}}}}} is a text here, {text}; only numbers are filled in", name=name, text=excerpt(values[name])), say(
            "write it out"
        )
    return None


def _verification(loaded: LoadedDeck | Draft, here: Location, card: Card, experiments: Collection[str]) -> Iterator[Problem]:
    asked: Any = card.number or card.predict
    if card.verify is None:
        if asked and asked.quantity and not _is_refused(loaded, here):
            field = "number" if card.number else "predict"
            yield loaded.problem(
                (*here, field, "quantity"),
                say("{quantity} is measured by nothing", quantity=asked.quantity),
                say("give the card a verify with an experiment"),
            )
        return
    for name, run in card.verify.every_run.items():
        if run.experiment and run.experiment not in experiments:
            hint = did_you_mean(run.experiment, experiments) or say("`qkv lab` lists them")
            yield loaded.problem((*here, *run_place(name), "experiment"), say("there is no experiment {name}", name=run.experiment), hint)
    for i, claim in enumerate(card.verify.claims):
        yield from _texts(loaded, (*here, "verify", "claims", i, "says"), claim.says, None, card)
    if card.verify.caption:
        yield from _texts(loaded, (*here, "verify", "caption"), card.verify.caption, None, card)
    for i, preset in enumerate(card.verify.presets):
        yield from _texts(loaded, (*here, "verify", "presets", i, "name"), preset.name, {})
        yield from _texts(loaded, (*here, "verify", "presets", i, "watch"), preset.watch, {})
    for place, check in card.verify.checks():
        try:
            parse(check)
        except ClaimError as error:
            yield loaded.problem_in((*here, "verify", *place, "check"), error.column - 1, error.message, error.hint)
