"""The picture on the card: covered and uncovered, as high as the page allows, moved by what is typed and tried."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from textual.app import App, ComposeResult
from textual.widget import Widget

from content.deck.cards import Card
from engine import Worker
from engine.label import Label
from engine.result import Matrix, Quantity, Series
from quiz.card.answer_parts import CLAIM, answer_parts
from quiz.card.card_run import CardRun, run_of
from quiz.charts.card_picture import FEW, ROWS, card_picture, compact, lead, offered_trials, readable, sliders_that_matter
from quiz.charts.figures.heatmap import placed
from quiz.charts.style import Pen, Row, chart_style
from quiz.study.turn import Item, Response, Turn, asked_quantity, is_correct
from quiz.tui.themes import DARK
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.hero import Hero
from quiz.words.i18n import Words
from tests.our_cards import visited_cards

PAGE = 80, 19  # what a card has of 80x24: below its head, above three rows of keys
PEN = Pen(chart_style(dark=True, colour=True, ascii_only=False), Words("en"))
OVER = {
    *("bert/intermediate", "bert/where-the-mlm-loss-is", "training/zero-stages"),  # long questions above four and five long claims
    *("attention/fully-masked-row", "attention/separate-w-q-and-w-k"),  # small matrices, which have their numbers in any case
    *("normalization-and-activations/layernorm-steps", "serving/speculative-decoding"),
    *("alignment/grpo-advantage", "serving/padding-side"),  # bars, of which none is left out
}


@pytest.fixture(scope="module")
def runs(worker: Worker) -> dict[str, CardRun]:
    """Cards of ours with their runs."""
    return {name: run_of(card, worker, loaded.folder, "en") for name, (loaded, card) in visited_cards(worker).items() if card.verify}


def text(rows: list[Row]) -> str:
    return "\n".join("".join(segment.text for segment in row).rstrip() for row in rows)


class Page(App[None]):
    """A card's answer and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(DARK)
        self.theme = DARK.name

    def compose(self) -> ComposeResult:
        yield CardView(lambda: PEN, id="card")


def answered(card: Card, run: CardRun) -> Turn:
    """A card that was answered with a wrong number, where it asks for one."""
    number = 0.123 if card.number or card.predict else None
    order = tuple(range(len(card.options) or len(card.order)))
    return Turn(Item("attention", card), shown=order, stage="reveal", response=Response(number=number), measured=run.measured())


async def fits(card: Card, run: CardRun) -> bool:
    """Whether the picture and the last claim are seen without scrolling."""
    turn, app = answered(card, run), Page()
    async with app.run_test(size=PAGE) as pilot:
        view = app.query_one(CardView)
        view.show(answer_parts(turn, PEN.words, run.names, run.verdicts()))
        await pilot.pause()
        view.picture(card_picture(run, turn.response.number), coming=False)
        await pilot.pause()
        claims = [part for part in view.walk_children(Widget) if getattr(getattr(part, "part", None), "role", "") == CLAIM]
        shown = view.query_one(Hero)
        return bool(claims) and shown.region.y >= 0 and max(part.region.bottom for part in claims) <= view.region.bottom


def test_small_matrices_have_their_numbers(runs: dict[str, CardRun]) -> None:
    """On a card at 80x24, also where that puts the last claim below the page: a map of five rows without them said nothing."""
    without = []
    for name, run in runs.items():
        picture = card_picture(run)
        small = picture and picture.figure.kind == "heatmap" and all(len(one.values) <= FEW for one in picture.matrices)
        if picture and small and "bert/three-embeddings" != name:  # three matrices, which have no room beside each other
            found = placed(picture, picture.matrices, 75, readable(picture, 75, PEN), PEN)
            without += [name for one in found if len(one.matrix.values[0]) <= FEW and not one.plan.numbered]

    assert [] == without


def test_bars_and_trees_are_whole(runs: dict[str, CardRun]) -> None:
    """On a card at 80x24: of four bars and of two branches the last was left out, which the sentence below held against the first."""
    pictures = {name: each for name, run in runs.items() if (each := card_picture(run))}
    held = {name: each for name, each in pictures.items() if each.figure.kind in ("tree", "bars") and not each.series + each.matrices}
    cut = [name for name, each in held.items() if PEN.look.glyphs.more in text(compact(each, 75, readable(each, 75, PEN), PEN)).split("\n")]

    assert held
    assert [] == cut


async def test_picture_and_claims_are_on_the_first_page(runs: dict[str, CardRun]) -> None:
    """At 80x24, of nine of ten cards of ours; those that are not are named."""
    over = {name for name, run in runs.items() if not await fits(run.card, run)}

    assert OVER & runs.keys() == over
    assert len(over) * 10 <= len(runs)


@pytest.mark.parametrize(("coming", "expected"), [(True, ROWS), (False, 0)])
def test_rows_are_kept_for_a_picture_that_may_still_come(coming: bool, expected: int) -> None:
    """Nothing jumps when it comes; where none will, there is no hole between a question and its answer."""
    hero = Hero(lambda: PEN)
    hero.update(None, coming=coming)

    assert expected == len(hero.draw(70, PEN))


def test_a_covered_picture_tells_nothing(runs: dict[str, CardRun]) -> None:
    """The axes stand there, and the number that is typed; no number that was measured, and no sentence."""
    run = runs["attention/why-divide-by-sqrt-dk"]
    picture = card_picture(run, 30.0, covered=True)
    assert picture is not None
    covered = text(compact(picture, 70, ROWS, PEN))

    assert (True, True, False, False) == tuple(word in covered for word in ("d_k", "◆30", "59.5", "Without"))


@pytest.mark.parametrize("kind", ["code", "choice", "order"])
def test_a_covered_picture_does_not_name_the_answer(runs: dict[str, CardRun], kind: str) -> None:
    """Where a line, an option or an order is asked for: what its parts, their rows and columns are called comes with the answer."""
    told = []
    for run in (run for run in runs.values() if run.card.kind == kind):
        uncovered = card_picture(run)
        assert uncovered
        parts: list[Quantity | Series | Matrix] = [*uncovered.quantities, *uncovered.series, *uncovered.matrices]
        labels = [part.label.en for part in parts if part.name != asked_quantity(run.card)]
        names = [name for matrix in uncovered.matrices for name in (*matrix.rows, *matrix.columns)]
        labels += [name.en if isinstance(name, Label) else name for name in names]
        asked = {word for part in parts if part.name == asked_quantity(run.card) for word in re.split(r"[,:] ", part.label.en)}
        words = {word for label in labels for word in re.split(r"[,:] ", label) if re.search(r"[^\W\d]", word)} - asked
        picture = card_picture(run, covered=True)
        covered = text(compact(picture, 70, ROWS, PEN)) if picture else ""
        told += [(run.card.id, word) for word in words if word in covered]

    assert [] == told


def test_a_guess_moves_the_mark(runs: dict[str, CardRun]) -> None:
    """Where the number is in the picture, another number is another picture."""
    run = runs["attention/why-divide-by-sqrt-dk"]
    low, high = (card_picture(run, number, covered=True) for number in (10.0, 90.0))
    assert low
    assert high

    assert text(compact(low, 70, ROWS, PEN)) != text(compact(high, 70, ROWS, PEN))


def test_no_picture_is_higher_than_its_room(runs: dict[str, CardRun]) -> None:
    """Of every card, in every room, covered or not, beside the sentence."""
    pictures = [(run, covered) for run in runs.values() for covered in (True, False)]
    too_high = []
    for run, covered in pictures:
        picture = card_picture(run, covered=covered)
        assert covered or picture is not None
        if picture is None:
            continue  # bars without names
        bare = replace(picture, figure=replace(picture.figure, caption=None))
        too_high += [(run.card.id, room) for room in range(4, ROWS + 1) if len(compact(bare, 74, room, PEN)) > room]

    assert [] == too_high


def test_the_card_s_own_sentence_stands_below(runs: dict[str, CardRun]) -> None:
    """Where a card has one; else the figure's."""
    captions = {id: figure.caption.en for id, run in runs.items() if (figure := lead(run)) and figure.caption}

    assert captions["attention/steps-of-attention"].startswith("Scores, scaled and masked: later keys are blank")
    assert captions["attention/why-divide-by-sqrt-dk"].startswith("Undivided scores spread")
    assert set(runs) == set(captions)


def test_a_setting_that_was_tried_says_what_is_to_be_seen(runs: dict[str, CardRun]) -> None:
    """Once its run is there, and only while the sliders stand there."""
    run = runs["attention/mask-after-softmax"]
    trial = offered_trials(run)[0]
    waiting = run.moved_to(trial.values)
    assert run.result is not None
    there = waiting.computed(run.result)
    captions = [figure.caption.en for one in (run, waiting, there) if (figure := lead(one)) and figure.caption]

    assert [False, False, True] == [caption.startswith("Before softmax the mask costs nothing") for caption in captions]


def test_sliders_that_matter_are_the_card_s(runs: dict[str, CardRun]) -> None:
    """What it sets, what its picture goes over, what its settings to try move."""
    assert {"d_k", "keys", "sigma_q", "sigma_k"} == sliders_that_matter(runs["attention/why-divide-by-sqrt-dk"])


def test_a_wrong_number_stays_wrong(runs: dict[str, CardRun]) -> None:
    """The number that the pages above are drawn with is off, so that they are as long as they get."""
    run = runs["attention/why-divide-by-sqrt-dk"]

    assert is_correct(answered(run.card, run)) is False
