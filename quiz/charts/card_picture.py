"""The picture of a card: its hero with the card's own sentence below it, and as many of its rows as there is room for."""

from __future__ import annotations

from dataclasses import replace

from rich.segment import Segment

from content.deck.cards import Card, Text
from content.text import markup
from engine.figures import Figure
from engine.label import ExperimentError, Label
from quiz.card.card_parts import Names
from quiz.card.card_run import CardRun
from quiz.card.hero import Trial, caption, hero, trials
from quiz.card.typeset import layout
from quiz.charts.figures.cover import without_findings, without_names
from quiz.charts.figures.heatmap import placed
from quiz.charts.figures.kinds import draw_figure
from quiz.charts.figures.subject import Guess, Subject
from quiz.charts.style import QUIET, Pen, Row
from quiz.charts.text import paragraph
from quiz.study.turn import asked_quantity

ROWS = 7  # of a picture beside a question, or above its claims
MOST = 10  # where the claims leave more
LEAST = 4  # of a picture in which something can be seen
FEW = 7  # rows of a matrix whose numbers are looked for
UNWRAPPED = 10_000  # characters in one line
WALKED = -2  # of a walk-through, what is made last but one: the weights, where it ends in the output


def lead(run: CardRun) -> Figure | None:
    """The figure that the card's lab begins with: the hero, with the card's sentence where it has its own."""
    if run.description is None or (figure := hero(run.card, run.description)) is None:
        return None
    there = tried(run)
    said = there.watch if there else caption(run.card, run.description)
    figure = there.figure or figure if there else figure
    return replace(figure, caption=_said(said, run.names) if isinstance(said, Text) else said)


def offered_trials(run: CardRun) -> tuple[Trial, ...]:
    """The settings to try, as far as the experiment takes them."""
    if run.description is None:
        return ()
    try:
        return trials(run.card, run.description, run.values, run.language)
    except ExperimentError:
        return ()  # `qkv check` says so


def sliders_that_matter(run: CardRun) -> set[str]:
    """The parameters that a card sets, that its picture goes over, and that its settings to try move."""
    figure, moved = lead(run), (trial.values for trial in offered_trials(run))
    tried = {name for values in moved for name, value in values.items() if value != run.values.get(name)}
    over = {figure.over} if figure and figure.over else set()
    return {*(run.card.verify.own.set if run.card.verify else ()), *over, *tried}


def tried(run: CardRun) -> Trial | None:
    """The setting that the lab shows a run of: its sentence stands below the picture."""
    if run.trial is None or run.moved is None or dict(run.moved) != dict(run.trial_values):
        return None
    return next((trial for trial in offered_trials(run) if dict(trial.values) == dict(run.trial_values)), None)


def card_picture(run: CardRun, guess: float | None = None, *, covered: bool = False) -> Subject | None:
    """The hero of the run that the lab shows; of a walk-through the step that the card is about. None before there are numbers.

    Covered, it names nothing that would tell the answer; bars without names say nothing at all, and are left out."""
    figure = lead(run)
    if run.result is None or run.shown is None or figure is None:
        return None
    values = run.trial_values if run.trial is not None else run.values
    if figure.kind == "steps" and figure.shows:
        verify = run.card.verify
        figure = replace(figure, kind="heatmap", shows=(verify.show if verify and verify.show else figure.shows[WALKED],))
    subject = Subject(figure, run.description, run.shown, values, run.result, guess_of(run, guess), covered)
    if not subject.is_there:
        return None
    if not covered:
        return subject
    asked = asked_quantity(run.card)
    if not _names_tell(run.card, subject, asked):
        return without_findings(subject)
    return None if subject.quantities and asked not in {one.name for one in subject.quantities} else without_names(subject, asked)


def _names_tell(card: Card, subject: Subject, asked: str | None) -> bool:
    """Whether what is drawn is named after the answer: where one of several is to be found, and where a number's own parts are drawn."""
    if card.kind == "number":
        return bool(subject.quantities) and asked not in {one.name for one in subject.quantities}
    return card.kind in ("code", "choice", "order")


def guess_of(run: CardRun, number: float | None) -> Guess | None:
    """The number that was predicted, as a mark at the quantity that was asked for."""
    name = asked_quantity(run.card)
    return Guess(name, number) if name and number is not None else None


def compact(subject: Subject, width: int, rows: int, pen: Pen) -> list[Row]:
    """The picture in at most `rows` rows, its sentence below it beside: lower until it fits, and what is below the last row is cut."""
    if width < 1:
        return []
    below = sentence(subject, width, pen)
    bare = replace(subject, figure=replace(subject.figure, caption=None))
    drawn: list[Row] = []
    for height in range(rows, LEAST - 2, -1):
        drawn = draw_figure(bare, width, height, pen)
        if len(drawn) <= rows:
            return drawn + below
        if height == rows == len(drawn) - 1 and bare.matrices and not bare.covered:
            return drawn[:-1] + below  # what the colours mean is the last row, and gives way to the cells
    fewer = _with_fewer(bare, width, rows - 1, pen) or drawn
    return [*fewer[: rows - 1], [Segment(pen.look.glyphs.more, QUIET)], *below]


def readable(subject: Subject, width: int, pen: Pen) -> int:
    """The rows that a picture needs to be read: those at which small matrices have their numbers, and at which bars and trees, where one is
    held against the other, are whole. One that is higher than any may be needs no more than others."""
    bare = replace(subject, figure=replace(subject.figure, caption=None))
    rows = len(draw_figure(bare, width, LEAST - 1, pen)) if subject.figure.kind in ("bars", "tree") else _numbered(bare, width, pen)
    return rows if LEAST <= rows <= MOST else LEAST


def _numbered(subject: Subject, width: int, pen: Pen) -> int:
    """The rows at which small matrices have their numbers, without the one that says what colours mean, which gives way; else 0."""
    if subject.figure.kind != "heatmap" or max((len(one.values) for one in subject.matrices), default=FEW + 1) > FEW:
        return 0
    for height in range(LEAST, MOST + 1):
        found = placed(subject, subject.matrices, width, height, pen)
        if all(one.plan.numbered for one in found):
            return max(one.y + one.plan.height for one in found)
    return 0


def _with_fewer(subject: Subject, width: int, rows: int, pen: Pen) -> list[Row]:
    """As many of its matrices as fit, the first ones, beside its tables; none where not even one does."""
    for count in range(len(subject.matrices) - 1, 0, -1):
        shows = (*(table.name for table in subject.tables), *(matrix.name for matrix in subject.matrices[:count]))
        part = replace(subject, figure=replace(subject.figure, shows=shows))
        for height in range(rows, LEAST - 2, -1):
            drawn = draw_figure(part, width, height, pen)
            if len(drawn) <= rows:
                return drawn
    return []


def sentence(subject: Subject, width: int, pen: Pen) -> list[Row]:
    """What stands below the picture: of a covered one nothing, it would tell."""
    caption = None if subject.covered else subject.figure.caption
    return paragraph(pen.words.label(caption), width, pen.look) if caption and width > 0 else []


def whole(subject: Subject, width: int, pen: Pen) -> list[Row]:
    """As a listing shows it: as high as it is when nothing else is on the page."""
    return draw_figure(subject, width, 2 * ROWS, pen)


def _said(text: Text, names: Names) -> Label:
    en, zh = (_line(text.said(language), names) for language in ("en", "zh"))
    return Label(en, zh)


def _line(text: str, names: Names) -> str:
    lines = layout(markup.filled(markup.parse(text), names), UNWRAPPED)
    return " ".join("".join(span.text for span in line) for line in lines if line)
