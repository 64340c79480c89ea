"""A card on the screen from its question to its answer, with its lab. What comes after the answer is a subclass's."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import ClassVar

from textual import on, work
from textual.binding import BindingType
from textual.widgets import Static

from quiz.card import card_parts
from quiz.card.answer_parts import answer_parts
from quiz.card.card_location import CardLocation
from quiz.card.card_run import CardRun
from quiz.card.follow_ups import FollowUp, follow_ups
from quiz.study import session as sessions
from quiz.study.study import Study
from quiz.study.turn import Confidence, Item, Response, Turn
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.requests import LookAt
from quiz.tui.screens.card_screen import CardScreen, write
from quiz.tui.screens.follow_up_list import FollowUpList
from quiz.tui.widgets.card import CardView
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.text_part import Pick

HOLD = 0.25  # seconds; a key pressed twice must not reveal and grade, nor grade and reveal the next
HINT, FOLLOW = "h", "f"  # keys of their own where no option, item or key point has the letter; else they are typed with shift


class TurnScreen(CardScreen):
    """Subclasses say what is on the table, draw the head, and end the turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("space,enter", "proceed", "session.proceed"),
        *(bind(key, f"letter({i})", f"session.letter.{key}") for i, key in enumerate(card_parts.LETTERS) if key not in (HINT, FOLLOW)),
        bind(HINT, f"letter_or('{HINT}', 'hint')", "session.hint.small"),
        bind(HINT.upper(), "hint", "session.hint.capital"),
        bind(FOLLOW, f"letter_or('{FOLLOW}', 'follow')", "session.follow.small"),
        bind(FOLLOW.upper(), "follow", "session.follow.capital"),
    ]

    def __init__(self, study: Study, engine: LabEngine, files: LearnerFiles) -> None:
        super().__init__(engine)
        self.files = files
        self.study = study
        self.links: tuple[FollowUp, ...] = ()
        self._steady = math.inf  # the moment from which keys count
        self._writing = False

    def on_mount(self) -> None:  # Textual calls the one of the superclass too
        self.deal()

    @property
    def turn(self) -> Turn | None:
        return self.study.session.turn

    def deal(self) -> None:
        """Puts the session's card on the table and starts its run."""
        if (turn := self.turn) is None or not self.stands:
            return
        self.put(CardRun(turn.card, beside=self.files.folder_of(turn.item.deck), language=self.app.language))
        self.links = follow_ups(turn.item, self.files.decks_at_hand)
        if any(link.item is None for link in self.links):
            self.look_further(turn.item)
        self._hold()
        self.remove_class("-lab")
        view = self.query_one(CardView)
        view.clear()
        self.draw()
        self.set_focus(view.guess if view.guess and turn.stage == "ask" else view)
        self.compute()

    @work(exclusive=True, group="links")
    async def look_further(self, item: Item) -> None:
        """Looks for the linked cards in the decks that the session is not about."""
        await asyncio.to_thread(self.files.read_shelf)
        if self.turn and self.turn.item == item:
            self.links = follow_ups(item, self.files.decks_at_hand)
            self.draw()

    def draw_head(self, turn: Turn) -> None:
        """Writes the line above the card."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draws everything from the session and the card_run. While a grade is written, the session is another thread's."""
        turn, card_run = self.turn, self.card_run
        if turn is None or card_run is None or card_run.card is not turn.card or self._writing or not self.stands:
            return
        self.study.session = sessions.set_measured(self.study.session, card_run.measured())
        turn = self.turn or turn
        self.draw_head(turn)
        view, words = self.query_one(CardView), self.app.words
        if turn.stage == "ask":
            asked = turn.card.number or turn.card.predict
            guess = Guess(words("ask.placeholder"), turn.response.number, asked.unit) if asked else None
            view.show(card_parts.question_parts(turn, words, card_run.names, self.study.failed), guess)
        else:
            moved, state = card_run.moved is not None, self.state(card_run)
            view.show(answer_parts(turn, words, card_run.names, card_run.verdicts(), state, moved, self.links))
        open_ = turn.stage == "reveal" or self.study.failed > 0
        self.set_class(open_ and bool(turn.card.verify), "-revealed")
        self.offer()

    def write_head(self, *place: str) -> None:
        """Writes where the card stands, and how hard it is."""
        write(self.query_one("#place", Static), " · ".join(place))
        write(self.query_one("#marks", Static), self.marks(self.turn.card) if self.turn else "")

    @property
    def hint_key(self) -> str:
        """The key that shows the next hint; none where there is none."""
        return self._free(HINT) if self.turn and self.turn.hints_left and not self._writing else ""

    @property
    def follow_key(self) -> str:
        """The key that opens a follow-up; none where there is none, or before the answer."""
        there = self.turn and self.turn.stage == "reveal" and any(link.item for link in self.links)
        return self._free(FOLLOW) if there else ""

    def _free(self, key: str) -> str:
        """A key, or the one with shift where the card has given the letter to something."""
        return key.upper() if self.turn and card_parts.LETTERS.index(key) < sessions.letters(self.turn) else key

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hints and follow-ups are offered where there are some."""
        match action, parameters:
            case "letter_or", (str(key), str(other)):
                return bool(self.turn) and (self._free(key) != key or self.check_action(other, ()))
            case "hint", _:
                return bool(self.hint_key)
            case "follow", _:
                return bool(self.follow_key)
        return super().check_action(action, parameters)

    async def action_letter_or(self, key: str, other: str) -> None:
        """The letter of something on the card, or else what the key does by itself."""
        if self._free(key) != key:
            await self.action_letter(card_parts.LETTERS.index(key))
        else:
            await self.run_action(other)

    def action_hint(self) -> None:
        """Shows the next hint of the card on the screen."""
        if self.steady:  # else it was typed for the card before
            self.become(sessions.show_hint(self.study.session))

    async def action_follow(self) -> None:
        """Opens the card that an interviewer would ask next; of several, the one that is chosen."""
        items = [link.item for link in self.links if link.item]
        if len(items) > 1 and self.is_active:
            await self.app.push_screen(FollowUpList(items), self.look_at)
        elif items:
            self.look_at(items[0])

    def look_at(self, item: Item | None) -> None:
        """Another card above this one; this one stays as it is."""
        if item:
            self.study.look_away()
            self.ask(LookAt(item))

    def came_back(self, _: None) -> None:
        """The other card was left. Its run may have taken the place of this one's."""
        self.study.look_back()
        if self.card_run and not self.card_run.complete and not self.card_run.failure:
            self.compute()

    def reveal(self, confidence: Confidence | None) -> None:
        if self._writing:
            return
        guess = self.query_one(CardView).guess
        if guess and not guess.is_readable:
            guess.refuse()
            self.set_focus(guess)
            return
        if guess and self.turn:
            self.respond(replace(self.turn.response, number=guess.number))
        self.study.session = sessions.reveal(self.study.session, confidence)
        self._hold()
        self.draw()
        self.set_focus(self.query_one(CardView))

    def _hold(self) -> None:
        """Keys typed before the new state has been on the screen for a moment neither reveal nor grade it."""
        self._steady = math.inf
        self.call_after_refresh(self._release)

    def _release(self) -> None:
        self._steady = self.app.now + HOLD

    @property
    def steady(self) -> bool:
        """Whether the key that is answered now was typed for what is on the screen."""
        return self.app.typed >= self._steady

    def respond(self, response: Response) -> None:
        if not self._writing:
            self.study.session = sessions.respond(self.study.session, response)

    async def action_letter(self, place: int) -> None:
        """A letter picks an option or an order item before the reveal, and ticks a key point after it."""
        self.become(sessions.pick_letter(self.study.session, place))

    @on(Pick.Picked)
    async def picked(self, event: Pick.Picked) -> None:
        self.become(sessions.pick(self.study.session, event.index))

    async def action_move(self, by: int) -> None:
        """Up and down move the code's cursor before the reveal, and scroll everywhere else."""
        moved = sessions.move_cursor(self.study.session, by)
        if moved is self.study.session:
            await super().action_move(by)
        else:
            self.become(moved)

    def become(self, session: sessions.Session) -> None:
        """Takes the session's new state and draws it."""
        if not self._writing:
            self.study.session = session
            self.draw()

    @on(Guess.Given)
    def guessed(self, event: Guess.Given) -> None:
        """The number is in: the keys are for the confidence now."""
        if self.turn:
            self.respond(replace(self.turn.response, number=event.number))

    @on(Guess.Remarked)
    def remarked(self, event: Guess.Remarked) -> None:
        self.query_one(CardView).remark(self.say(event.key, text=event.text) if event.key else "")

    async def edited(self) -> None:
        """The session goes on with the card as it was asked."""
        await asyncio.to_thread(self.files.reread)
        self.app.tell(self.say("editor.later"))

    def spot(self) -> CardLocation | None:
        return self.files.locate(self.turn.item.key) if self.turn else None
