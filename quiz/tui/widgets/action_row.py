"""The bottom rows: what can be done now, each with its key, each also a click."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from quiz.tui.actions import Action
from quiz.tui.bindings import Offered, offered
from quiz.tui.widgets.children import replace_children


class ActionLabel(Static):
    """One action."""

    DEFAULT_CSS = """
    ActionLabel { width: auto; height: 1; padding: 0 1; }
    ActionLabel:hover { background: $panel; }
    ActionLabel.-suggested { background: $panel; }
    """

    class Pressed(Message):
        """An action was clicked. The app runs it: it may remove this very widget, which cannot wait for itself."""

        def __init__(self, run: str) -> None:
            super().__init__()
            self.run = run

    def __init__(self, action: Action, does: Offered) -> None:
        label = f" {action.label}" if action.label else ""
        value = f" {action.value}" if action.value else ""
        super().__init__(
            Content.assemble((action.keys or does.key, "bold $query"), label, (value, "$quiet")),
            markup=False,
            classes="-suggested" if action.suggested else "",
        )
        self.action = action
        self.run = does.run
        self.tooltip = Content(action.tip) if action.tip else None

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Pressed(self.run))


class ActionRow(Horizontal):
    """A row of actions, redrawn only when they change."""

    DEFAULT_CSS = """
    ActionRow { height: 1; width: 1fr; }
    ActionRow > .prompt { width: auto; color: $quiet; padding: 0 1; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._shown: tuple[object, ...] = ()
        self._offered: tuple[tuple[Action, ...], str] = ((), "")

    def compose(self) -> ComposeResult:
        yield from ()

    def renew(self) -> None:
        """The same actions, which have other keys by now."""
        self._shown = ()
        self.offer(*self._offered)

    def offer(self, actions: Iterable[Action], prompt: str = "") -> None:
        """Shows these actions, after a prompt if there is one."""
        row = tuple(actions)
        wanted = (prompt, *row)
        if wanted == self._shown:
            return
        self._shown, self._offered = wanted, (row, prompt)
        before: list[Static] = [Static(Content(prompt), classes="prompt", markup=False)] if prompt else []
        replace_children(self, [*before, *(ActionLabel(action, offered(self.screen, action.binding)) for action in row)])
