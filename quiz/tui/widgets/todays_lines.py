"""The top of the home screen: what today holds, the one big key, how far the interview is, the way to the cards in trouble."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from quiz.tui import actions
from quiz.tui.widgets.action_row import ActionRow
from quiz.words.i18n import Words

if TYPE_CHECKING:  # loaded with the decks: the screen is drawn before
    from quiz.card.home_view import HomeView


class TodaysLines(Vertical):
    """Where there is nothing to say of something, it has no line."""

    DEFAULT_CSS = "TodaysLines { height: auto; }"

    def compose(self) -> ComposeResult:
        yield Static(id="today", markup=False)
        yield ActionRow(id="now")
        yield Static(id="plan", markup=False)
        yield ActionRow(id="weak")

    def say(self, sentence: str) -> None:
        """One sentence."""
        self.query_one("#today", Static).update(Content(sentence))

    def show(self, view: HomeView, here: int, words: Words) -> None:
        """What was counted; `here` is the row of the decks that is chosen."""
        from quiz.card.today import plan_line, tasks_line, trouble_line

        self.say(tasks_line(view.work, words) if view.decks else words("home.nothing.here"))
        plan, trouble = plan_line(view.work, words), trouble_line(view.work, words)
        self.query_one("#plan", Static).update(Content(plan))
        self.query_one("#plan").display = bool(plan)
        weak = self.query_one("#weak", ActionRow)
        weak.display = bool(trouble)
        weak.offer(actions.in_trouble(words) if trouble else [], trouble)
        self.offer(view, here, words)

    def offer(self, view: HomeView, here: int, words: Words) -> None:
        """What to do now with the deck that is chosen."""
        from quiz.tui.widgets.deck_row import deck_title

        stands = view.standings[min(here, len(view.standings) - 1)] if view.standings else None
        deck = deck_title(stands, words) if stands and len(view.decks) > 1 and len(stands.decks) == 1 else ""
        row = actions.to_do_now(words, cards=stands.today if stands else 0, deck=deck, decks=bool(view.decks), begun=view.begun)
        self.query_one("#now", ActionRow).offer(row)
