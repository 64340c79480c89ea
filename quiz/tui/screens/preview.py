"""A deck beside its editor: the card as a learner will see it, drawn anew on every save; or what is wrong with the file."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.binding import BindingType
from textual.widgets import Static

from content.deck.cards import Card
from content.deck.known_experiments import card_problems
from content.regular_file import Stamp, file_stamps
from content.yaml.clean import clean
from content.yaml.problems import Problem
from engine import known_names
from quiz.card import card_parts
from quiz.card.answer_parts import answer_parts
from quiz.card.card_location import CardLocation
from quiz.card.card_run import CardRun
from quiz.card.card_runs import CardRuns
from quiz.card.declared import known_card, unheard
from quiz.card.judge import run_problems
from quiz.card.preview import Preview, examine, problem_lines, read_preview, turn_of
from quiz.study.turn import Stage, recalls
from quiz.tui import actions, card_actions, lab_actions
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.screens.card_screen import CardScreen
from quiz.tui.screens.screen_with_lab import STOP
from quiz.tui.widgets.action_row import ActionRow
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.lab import Lab
from quiz.tui.widgets.written import write

PATIENCE = 0.05  # seconds that a card waits for the problems of a large deck
LOOK = 0.03  # seconds between two looks at the file; a look takes microseconds


class PreviewScreen(CardScreen):
    """The answer with its run; the question alone on a key."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("n", "step(1)", "preview.next"),
        bind("p", "step(-1)", "preview.previous"),
        bind("space", "turn_over", "preview.turn"),
        bind("q", "app.quit", "home.quit"),
        STOP,
    ]

    def __init__(self, path: Path, engine: LabEngine) -> None:
        super().__init__(engine)
        self.preview = Preview(path)
        self.stage: Stage = "reveal"
        self._stamp: tuple[Stamp, ...] | None = None  # of the files as they were last read

    def on_mount(self) -> None:
        self.look()
        self.set_interval(LOOK, self.look)

    def look(self) -> None:
        """Reads the deck again if a file of it was saved."""
        now = file_stamps(self.preview.watched)
        if now != self._stamp:
            self._stamp = now
            self.reread()

    @work(exclusive=True, group="read")
    async def reread(self) -> None:
        self.preview = await asyncio.to_thread(read_preview, self.preview)
        examining = asyncio.ensure_future(asyncio.to_thread(examine, self.preview.library, known_names()))
        await asyncio.wait((examining,), timeout=PATIENCE)
        show = self.deal
        if self.stands and not examining.done():
            self.deal()
            show = self.draw  # it is on the table and its run has begun
        self.preview = replace(self.preview, problems=await examining)
        if self.stands:
            show()

    def deal(self) -> None:
        """Puts the card on the table; its run is kept where nothing of it changed."""
        card, card_run = self.preview.card, self.card_run
        same = bool(card and card_run and card_run.card.id == card.id)
        if card is None:
            self.card_run = None
        elif card_run and card_run.complete and card_run.is_of(card):
            self.card_run = replace(card_run, card=card)
        elif same:
            self.card_run = self._laid(card)
        else:
            self.put(self._laid(card))
        self.draw()
        if not same:
            self.query_one(CardView).scroll_home(animate=False)
        if self.card_run and (not self.card_run.complete or self.card_run.moved is not None):
            self.compute()

    def _laid(self, card: Card) -> CardRun:
        deck = self.preview.deck
        return CardRun(card, beside=deck.folder if deck else None, language=self.app.language)

    def draw(self) -> None:
        """Draws the card and, below it or in its place, the problems of the file."""
        if not self.stands:
            return
        view, card_run, words = self.query_one(CardView), self.card_run, self.app.words
        turn = turn_of(self.preview, self.stage, card_run.measured() if card_run else None)
        parts = problem_lines(self._problems(), words)
        if turn and card_run and self.stage == "ask":
            parts = [*card_parts.question_parts(turn, words, card_run.names), *parts]
        elif turn and card_run and self.stage == "recall":
            parts = [*card_parts.recall_parts(turn, words, card_run.names), *parts]
        elif turn and card_run:
            moved, state, verdicts = card_run.moved is not None, self.state(card_run), card_run.verdicts()
            shown = answer_parts(turn, words, card_run.names, verdicts, state, moved, self.preview.links)
            self.query_one(Lab).judge(verdicts)
            parts = [*shown, *parts]
        self.lay_out(pictured=self.stage != "reveal", revealed=turn is not None and self.stage == "reveal")
        if not self.revealed:
            self.remove_class("-lab")
        self._draw_head()
        self.offer_trials()
        self.offer()
        place = view.scroll_y
        view.show(parts)
        self.draw_picture(None, covered=self.stage != "reveal")
        self.call_after_refresh(view.scroll_to, y=place, animate=False)

    def _problems(self) -> tuple[Problem, ...]:
        """What is wrong with the file, and what the card's run does not bear out, as `qkv check` says it."""
        preview, card_run = self.preview, self.card_run
        if not (preview.deck and preview.card and card_run and card_run.description and card_run.complete):
            return preview.problems
        tried = run_problems(preview.deck, preview.here, preview.card, CardRuns(replace(card_run, card=preview.card)))
        declared = card_problems(preview.deck, preview.here, preview.card, known_card(card_run))
        told = {*preview.problems, *declared}
        return tuple(sorted({*told, *unheard(told, tried.problems)}))

    def _draw_head(self) -> None:
        preview, name = self.preview, clean(self.preview.path.name)
        if preview.deck and preview.card:
            position = self.say("session.position", position=preview.here + 1, total=len(preview.known))
            write(self.query_one("#place", Static), f"{name} · {position} · {preview.card.id}")
            write(self.query_one("#marks", Static), self.marks(preview.card))
        else:
            write(self.query_one("#place", Static), f"{name} · {self.say('preview.refused')}")
            write(self.query_one("#marks", Static), "")

    def offer(self) -> None:
        words, card_run = self.app.words, self.card_run
        several = self.preview.deck is not None and len(self.preview.known) > 1
        first = card_actions.previewing(words, card=card_run is not None, after=self._after(), several=several)
        prompt = ""
        if self.expecting:
            first, prompt = lab_actions.expecting(words), self.say("ask.typing")
        self.query_one("#actions", ActionRow).offer(first, prompt)
        lab, moved = self.revealed, bool(card_run and card_run.moved is not None)
        row = lab_actions.beside_the_lab(words, lab=lab, on_lab=self.has_class("-lab"), seen=self.sees_lab, moved=moved)
        self.query_one("#keys", ActionRow).offer([*row, *actions.always(words), actions.quitting(words)])

    def spot(self) -> CardLocation | None:
        return self.preview.spot

    async def action_step(self, by: int) -> None:
        self.remove_class("-lab")
        self.preview = self.preview.step(by)
        if self.stage == "recall":
            self.stage = "ask"  # not every card has one
        self.deal()
        self.set_focus(self.query_one(CardView))

    def _after(self) -> Stage:
        """The step that follows, as in a session; after the answer comes the question."""
        if self.stage == "ask":
            return "recall" if self.preview.card and recalls(self.preview.card) else "reveal"
        return "reveal" if self.stage == "recall" else "ask"

    async def action_turn_over(self) -> None:
        """The next step of the card, and from the answer back to the question."""
        self.stage = self._after()
        self.query_one(CardView).scroll_home(animate=False)
        self.draw()
