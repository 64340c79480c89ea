"""What is known of experiments before any of them runs: their names and ranges, and what a card says against them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from content.claims.evaluator import evaluate
from content.claims.named_values import unknown_name
from content.claims.parser import Expression, parse, parse_number
from content.claims.ranges import Range, by_definition, decided
from content.claims.single_numbers import misuse
from content.claims.tokens import ClaimError
from content.deck import checks
from content.deck.cards import Card, Text, Verification
from content.deck.library import Draft, LoadedDeck
from content.format import LANGUAGES
from content.messages.sentence import joined, say, template
from content.text.nearest import did_you_mean
from content.text.numbers import number_range, significant
from content.text.placeholders import placeholder_names
from content.yaml.numerals import real, whole
from content.yaml.problems import Problem
from content.yaml.tree import Location

NAMES_NOTHING = say("the claim cannot fail: it names none of the experiment's results")
CANNOT_FAIL = say("let it compare a result with what would be seen if the answer were wrong")


@dataclass(frozen=True)
class KnownExperiment:
    """Parameters with their defaults, quantities with the range that each can have, and the names of series and matrices."""

    name: str
    parameters: Mapping[str, object]
    quantities: Mapping[str, Range]
    vectors: Collection[str] = ()
    drawn: Collection[str] = ()  # what its figures show

    def values(self, given: Mapping[str, str]) -> dict[str, object]:
        """The parameters of a run; one whose value cannot be read, which is told elsewhere, is left out."""
        values = {name: _like(default, given[name]) if name in given else default for name, default in self.parameters.items()}
        return {name: value for name, value in values.items() if value is not None}

    @property
    def names(self) -> tuple[str, ...]:
        """All that a claim may name."""
        return (*self.parameters, *self.quantities, *self.vectors)

    @property
    def numbers(self) -> tuple[str, ...]:
        """All that a live number or a guess may name."""
        return (*(name for name, default in self.parameters.items() if not isinstance(default, str)), *self.quantities)


def _like(default: object, given: str) -> object:
    """A text of a deck as a value of the parameter's own type, None where it is none."""
    if isinstance(default, str):
        return given
    return whole(given) if isinstance(default, int) else real(given)


def declared_problems(loaded: LoadedDeck | Draft, known: Mapping[str, KnownExperiment]) -> Iterator[Problem]:
    """Names that no run gives and claims that no run can decide otherwise, of every card whose experiment is known."""
    for index, card in loaded.readable.items():
        if card.verify and (experiment := known_runs(card.verify, known)):
            yield from card_problems(loaded, index, card, experiment)


def known_runs(verify: Verification, known: Mapping[str, KnownExperiment]) -> KnownExperiment | None:
    """All that a card's runs give, as if one experiment gave it: the own run's names alone, every named run's behind its name."""
    if not all(run.experiment in known for run in verify.every_run.values()):
        return None
    parts = [(prefix, run, known[run.experiment]) for prefix, run in (("", verify.own), *((f"{n}.", r) for n, r in verify.runs.items()))]
    parameters: dict[str, object] = {}
    quantities: dict[str, Range] = {}
    for prefix, run, experiment in parts:
        parameters |= {prefix + name: default for name, default in experiment.parameters.items()}
        ends = ("", "_low", "_high") if run.seeds > 1 else ("",)
        quantities |= {prefix + name + end: within for name, within in experiment.quantities.items() for end in ends}
    vectors = frozenset(prefix + name for prefix, _, experiment in parts for name in experiment.vectors)
    return KnownExperiment(known[verify.own.experiment].name, parameters, quantities, vectors, known[verify.own.experiment].drawn)


def card_problems(loaded: LoadedDeck | Draft, index: int, card: Card, experiment: KnownExperiment) -> Iterator[Problem]:
    """The same for one card."""
    assert card.verify is not None
    yield from unknown_numbers(loaded, index, card, experiment.numbers, experiment.names)
    yield from _boundless(loaded, index, card, experiment.quantities)
    if card.verify.show and card.verify.show not in experiment.drawn:
        hint = did_you_mean(card.verify.show, experiment.drawn) or say("its figures draw {names}", names=tuple(experiment.drawn))
        told = say("no figure of {experiment} draws {name}", experiment=card.verify.own.experiment, name=card.verify.show)
        yield loaded.problem(("cards", index, "verify", "show"), told, hint)
    for place, check in card.verify.checks():
        try:
            expression = parse(check)
        except ClaimError:
            continue  # content.deck.checks has said so
        given = [card.verify.settings(language) | _preset_settings(card.verify, place, language) for language in LANGUAGES]
        found = dict.fromkeys(_claim(expression, values, experiment) for values in given)
        if sentence := next(((told, hint) for told, hint in found if told), None):
            yield loaded.problem(("cards", index, "verify", *place, "check"), *sentence)


def _preset_settings(verify: Verification, place: tuple[str, int], language: str) -> dict[str, str]:
    """What the preset at a place sets; nothing for a claim."""
    key, at = place
    return verify.presets[at].settings(language) if key == "presets" else {}


def _boundless(loaded: LoadedDeck | Draft, index: int, card: Card, quantities: Mapping[str, Range]) -> Iterator[Problem]:
    """A tolerance as wide as the range of the number that is asked for: no guess would be wrong."""
    asked = card.number or card.predict
    if asked is None or asked.within.is_relative or not asked.quantity or asked.quantity not in quantities:
        return
    low, high = quantities[asked.quantity]
    if low < high and asked.within.amount >= high - low:
        where = ("cards", index, "number" if card.number else "predict", "within")
        message = say(
            "within: {within} takes every guess for right: {quantity} is always in {range}",
            within=asked.within.root,
            quantity=asked.quantity,
            range=number_range(low, high),
        )
        yield loaded.problem(where, message, say("write less than {most}, or a percentage", most=significant(high - low)))


def _claim(expression: Expression, given: Mapping[str, str], experiment: KnownExperiment) -> tuple[str, str]:
    """What is wrong with a claim whatever the run may measure, and what to do; in a run's own words where a run would find it."""
    values = experiment.values(given)
    if unknown := [name for name in expression.names if name not in experiment.names]:
        reason = unknown_name(unknown[0], (*experiment.numbers, *experiment.vectors))
        return say("the claim is false: {reason}", reason=reason), where_names_are(experiment.name)
    if sentence := misuse(expression, experiment.numbers):
        return say("the claim is false: {reason}", reason=sentence), where_names_are(experiment.name)
    if set(expression.names) <= set(values):
        outcome = evaluate(expression, values)
        if not outcome.holds:
            return say("the claim is false: {reason}", reason=outcome.told), the_run_used(values)
        return NAMES_NOTHING, CANNOT_FAIL
    fixed: dict[str, Range] = {name: (value, value) for name, value in values.items() if isinstance(value, int | float)}
    because = _because(expression.names, experiment.quantities, fixed)
    if decided(expression, {**experiment.quantities, **fixed}) is False:
        return say("the claim can never hold: {because}", because=because), say(
            "`qkv lab {experiment} --names` lists what each number can be", experiment=experiment.name
        )
    if decided(expression, {name: by_definition(within) for name, within in experiment.quantities.items()} | fixed):
        return say("the claim cannot fail: {because}", because=because), CANNOT_FAIL
    return "", ""


def _because(names: Iterable[str], quantities: Mapping[str, Range], fixed: Mapping[str, Range]) -> str:
    """Values and ranges in a sentence: `d_k is 64, raw_saturated_percent is always in 0..100`."""
    said: list[str] = [say("{name} is {value}", name=name, value=significant(fixed[name][0])) for name in names if name in fixed]
    spelled = {name: number_range(*quantities[name]) for name in names if name in quantities}
    said += [_always(name, words) for name, words in spelled.items() if words]
    return joined(template("{one}, {other}"), said)


def _always(name: str, words: str) -> str:
    if ".." in words:
        return say("{name} is always in {range}", name=name, range=words)
    return say("{name} is always {range}", name=name, range=words)


def unknown_numbers(
    loaded: LoadedDeck | Draft, index: int, card: Card, numbers: Collection[str], names: Collection[str]
) -> Iterator[Problem]:
    """What is no number of the run: the asked quantity, and live numbers in what is shown after the reveal. An expression may also use the
    other names, of series and matrices."""
    assert card.verify is not None
    asked, experiment = card.number or card.predict, lab_name(loaded, card.verify.own.experiment)
    if asked and asked.quantity and (missing := _missing(asked.quantity, numbers, names)):
        where = ("cards", index, "number" if card.number else "predict", "quantity")
        yield loaded.problem(
            where,
            say("the experiment does not measure {missing}", missing=missing),
            _meant(missing, numbers, experiment),
        )
    for place, live, offset in late_names(card):
        if missing := _missing(live, numbers, names):
            hint = _meant(missing, numbers, experiment)
            yield loaded.problem_in(
                ("cards", index, *place), offset, say("{{{{{missing}}}}} is not a number of this experiment", missing=missing), hint
            )


def _missing(text: str, numbers: Collection[str], names: Collection[str]) -> str:
    """The name that a run does not give, in an expression or alone; nothing where all are there, or where the text is no expression."""
    if all(part.isidentifier() for part in text.split(".")):  # flops, or long.flops
        return "" if text in numbers else text
    try:
        return next((name for name in parse_number(text).names if name not in names), "")
    except ClaimError:
        return ""  # content.deck.checks has said so


def late_names(card: Card) -> Iterator[tuple[Location, str, int]]:
    """The live numbers of the texts that the run fills in, with their places in the card and in the text."""
    shown: list[tuple[Location, Text | None]] = [((field,), getattr(card, field)) for field in checks.PROSE]
    shown += [(("key_points", i), point) for i, point in enumerate(card.key_points)]
    shown += [(("options", i, "why"), option.why) for i, option in enumerate(card.options)]
    shown += [(("verify", "caption"), card.verify.caption if card.verify else None)]
    shown += [(("verify", "claims", i, "says"), claim.says) for i, claim in enumerate(card.verify.claims if card.verify else ())]
    for place, text in shown:
        for language, said in text.root.items() if text else ():
            for name, offset in placeholder_names(said).items():
                yield ((*place, language) if language else place), name, offset


def _meant(name: str, numbers: Collection[str], experiment: str) -> str:
    question, where = did_you_mean(name, numbers, 3), where_names_are(experiment)
    return say("{question} {where}", question=question, where=where) if question else where


def lab_name(loaded: LoadedDeck | Draft, experiment: str) -> str:
    """What `qkv lab` calls an experiment that a deck names: of the deck's own, the file comes first."""
    return f"{loaded.path} {experiment}" if experiment in loaded.computations else experiment


def where_names_are(experiment: str) -> str:
    return say("`qkv lab {experiment} --names` lists parameters and results", experiment=experiment)


def the_run_used(parameters: Mapping[str, object]) -> str:
    return say("the run used {values}", values=[f"{name}={value}" for name, value in parameters.items()])
