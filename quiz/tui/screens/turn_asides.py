"""What can be done with a card beside answering it: its next hint, the cards that it leads to, and a note that it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.binding import BindingType

from quiz.card import card_parts
from quiz.card.follow_ups import FollowUp
from quiz.progress.errors import ProgressError
from quiz.study import card_steps
from quiz.study.session import Session
from quiz.study.study import Study
from quiz.study.turn import Item, Turn
from quiz.tui.bindings import bind
from quiz.tui.lab_engine import LabEngine
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import LookAt, NotSaved
from quiz.tui.screens.card_screen import CardScreen
from quiz.tui.screens.flag import FlagScreen
from quiz.tui.screens.follow_up_list import FollowUpList

HINT, FOLLOW = "h", "f"  # keys of their own where no option, item or key point has the letter; else they are typed with shift


class TurnAsides(CardScreen):
    """Subclasses draw the turn, and say whether a key was typed for what is on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(bind(key, f"letter({i})", f"session.letter.{key}") for i, key in enumerate(card_parts.LETTERS) if key not in (HINT, FOLLOW)),
        bind(HINT, f"letter_or('{HINT}', 'hint')", "session.hint.small"),
        bind(HINT.upper(), "hint", "session.hint.capital"),
        bind(FOLLOW, f"letter_or('{FOLLOW}', 'follow')", "session.follow.small"),
        bind(FOLLOW.upper(), "follow", "session.follow.capital"),
        bind("exclamation_mark", "flag", "session.flag"),
    ]

    def __init__(self, study: Study, engine: LabEngine, files: LearnerFiles) -> None:
        super().__init__(engine)
        self.files = files
        self.study = study
        self.links: tuple[FollowUp, ...] = ()
        self._writing = False

    @property
    def turn(self) -> Turn | None:
        return self.study.session.turn

    @property
    def steady(self) -> bool:
        """Whether the key that is answered now was typed for what is on the screen."""
        raise NotImplementedError

    def hold(self) -> None:
        """What is on the screen is new: keys that were typed before it was seen do nothing."""
        raise NotImplementedError

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
        return key.upper() if self.turn and card_parts.LETTERS.index(key) < card_steps.letters(self.turn) else key

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hints and follow-ups are offered where there are some."""
        match action, parameters:
            case "letter_or", (str(key), str(other)):
                return bool(self.turn) and (self._free(key) != key or self.check_action(other, ()))
            case "hint", _:
                return bool(self.hint_key)
            case "follow", _:
                return bool(self.follow_key)
            case "flag", _:
                return self.turn is not None
        return super().check_action(action, parameters)

    async def action_letter(self, place: int) -> None:
        """A letter picks an option or an order item at the question, and ticks a key point after it."""
        self.become(card_steps.pick_letter(self.study.session, place))

    def does_nothing(self, binding: str) -> bool:
        """Letters of nothing on the card, and the lab's keys before there is one to see."""
        name, _, letter = binding.rpartition(".")
        if name == "session.letter":
            return self.turn is None or card_parts.LETTERS.index(letter) >= card_steps.letters(self.turn)
        if binding in ("session.lab", "session.source", "session.reset", "lab.numbers"):
            return not self.revealed
        return super().does_nothing(binding)

    async def action_letter_or(self, key: str, other: str) -> None:
        """The letter of something on the card, or else what the key does by itself."""
        if self._free(key) != key:
            await self.action_letter(card_parts.LETTERS.index(key))
        else:
            await self.run_action(other)

    def action_hint(self) -> None:
        """Shows the next hint of the card on the screen."""
        if self.steady:  # else it was typed for the card before
            self.become(card_steps.show_hint(self.study.session))

    async def action_follow(self) -> None:
        """Opens the card that an interviewer would ask next; of several, the one that is chosen."""
        items = [link.item for link in self.links if link.item]
        if len(items) > 1 and self.is_active:
            await self.app.push_screen(FollowUpList(items), self.look_further_at)
        elif items:
            self.look_further_at(items[0])

    def look_further_at(self, item: Item | None) -> None:
        """The card that was chosen, above this one; this one stays as it is."""
        if item:
            self.look_away()
            self.ask(LookAt(item))

    def look_away(self) -> None:
        """No time passes over the card that is not looked at."""
        self.study.look_away()

    def came_back(self, _: None) -> None:
        """The other card was left. Its run may have taken the place of this one's."""
        self.study.look_back()
        if self.card_run and not self.card_run.complete and not self.card_run.failure:
            self.compute()

    async def action_flag(self) -> None:
        """Asks what is wrong with the card; what was said before stands there to be changed."""
        turn = self.turn
        if turn is None or self._writing or not self.steady:
            return
        try:
            known = await off_loop(self.study.note)
        except ProgressError as error:
            self.ask(NotSaved(error))
            return
        if self.is_active and self.stands and self.turn is turn:
            self.look_away()
            self.app.push_screen(FlagScreen(turn.card.id, known), partial(self._flagged, known))

    async def _flagged(self, known: str, note: str | None) -> None:
        """The note was written; None left it as it was."""
        self.study.look_back()
        self.hold()  # an Enter too much was for the note
        turn = self.turn
        if turn and note is not None and note != known and await self.write(partial(self.study.flag, note)):
            self.app.tell(self.say("flag.kept" if note else "flag.gone", card=turn.card.id))

    async def write(self, change: Callable[[], object]) -> bool:
        """Runs a change of the store off the event loop; while it is being written, further keys do nothing. False when it failed."""
        if self._writing:
            return False
        self._writing = True
        try:
            await off_loop(change)
        except ProgressError as error:
            self.ask(NotSaved(error))
            return False
        finally:
            self._writing = False
            self.draw()  # what was measured meanwhile
        return True

    def become(self, session: Session) -> None:
        """Takes the session's new state and draws it."""
        if not self._writing:
            self.study.session = session
            self.draw()
