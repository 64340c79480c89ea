"""The bottom rows: what can be done now, each with its key, each also a click."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from quiz.tui.actions import Action
from quiz.tui.bindings import Offered, offered
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.written import write

PADDING = 2  # cells of a label beside its text


class ActionLabel(Static):
    """One action."""

    DEFAULT_CSS = """
    ActionLabel { box-sizing: content-box; height: 1; padding: 0 1; }
    ActionLabel:hover { background: $panel; }
    ActionLabel.-suggested { background: $panel; }
    """

    class Pressed(Message):
        """An action was clicked. The app runs it: it may remove this very widget, which cannot wait for itself."""

        def __init__(self, run: str) -> None:
            super().__init__()
            self.run = run

    def __init__(self, action: Action, does: Offered) -> None:
        super().__init__(markup=False)
        self.become(action, does)

    def become(self, action: Action, does: Offered) -> None:
        """Another action in the same place: a new widget would cost ten times as much."""
        self.action, self.run = action, does.run
        self.tooltip = Content(action.tip) if action.tip else None
        self.set_class(action.suggested, "-suggested")
        label = f" {action.label}" if action.label else ""
        value = f" {action.value}" if action.value else ""
        write_whole(self, Content.assemble((action.keys or does.key, "bold $query"), label, (value, "$quiet")))

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(self.Pressed(self.run))


def write_whole(place: Static, text: Content) -> None:
    """A text with its width: Textual keeps one of `auto` where the text changes twice before it has its place."""
    place.styles.width = text.cell_length
    write(place, text)


@dataclass(frozen=True)
class Fitted:
    """What of a row is shown in a width; `more` where some of it is not."""

    prompt: str
    actions: tuple[Action, ...]
    more: bool = False


def fit(row: tuple[Action, ...], keys: Callable[[Action], str], prompt: str, width: int) -> Fitted:
    """Everything where there is room; else without the prompt, then without values, then without what can best be missed.

    The help, the way back at the end of the row and what is suggested are missed last; the help lists the keys of all.
    """

    def wide(shown: Sequence[Action], prompt: str = "", more: int = 0) -> bool:
        cells = sum(cell_len(" ".join(filter(None, (keys(each), each.label, each.value)))) + PADDING for each in shown)
        return cells + (cell_len(prompt) + PADDING if prompt else 0) + more > width

    if not wide(row, prompt):
        return Fitted(prompt, row)
    shown = row
    if wide(shown):
        shown = tuple(replace(each, value="") for each in row)
    if not wide(shown):
        return Fitted("", shown)
    kept = {"app.help", *([row[-1].binding] if any(each.binding == "app.help" for each in row) else ())}
    missed = [each for each in shown if each.binding not in kept and not each.suggested]
    while missed and wide(shown, more=1 + PADDING):
        last = missed.pop()
        shown = tuple(each for each in shown if each is not last)
    if len(shown) == 1 and wide(shown, more=1 + PADDING):  # one long sentence as a key: its end is missed
        room = max(width - cell_len(keys(shown[0])) - 1 - 2 * PADDING - 1, 0)
        shown = (replace(shown[0], label=set_cell_size(shown[0].label, room)),)
    return Fitted("", shown, more=True)


class ActionRow(Horizontal):
    """A row of actions, redrawn only when they change, or the room for them."""

    DEFAULT_CSS = """
    ActionRow { height: 1; width: 1fr; }
    ActionRow > .prompt { box-sizing: content-box; color: $quiet; padding: 0 1; }
    """

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._shown: object = None
        self._offered: tuple[tuple[Action, ...], str] = ((), "")
        self._labels: list[ActionLabel] = []
        self._prompt = Static(classes="prompt", markup=False)
        self._more = Static(classes="prompt", markup=False)
        write_whole(self._more, Content("…"))

    def compose(self) -> ComposeResult:
        yield from ()

    def on_resize(self) -> None:
        self.renew()

    def renew(self) -> None:
        """The same actions, which have other keys or another width by now. Where one belongs to what had the focus a moment ago, the screen
        is about to offer others."""
        with suppress(KeyError):
            self.offer(*self._offered)

    def offer(self, actions: Iterable[Action], prompt: str = "") -> None:
        """Shows these actions, after a prompt if there is one."""
        row = tuple(actions)
        self._offered = row, prompt
        does = {action.binding: offered(self.screen, action.binding) for action in row}
        width = self.content_size.width or 10**6  # before the first layout there is no width to go by

        def keys(action: Action) -> str:
            return action.keys or does[action.binding].key

        fitted = fit(row, keys, prompt, width)
        wanted = (fitted, *map(keys, fitted.actions))
        if wanted == self._shown:
            return
        self._shown = wanted
        write_whole(self._prompt, Content(fitted.prompt))
        self._prompt.display, self._more.display = bool(fitted.prompt), fitted.more
        kept = self._labels[: len(fitted.actions)]
        for label, action in zip(kept, fitted.actions, strict=False):
            label.become(action, does[action.binding])
        self._labels = kept + [ActionLabel(action, does[action.binding]) for action in fitted.actions[len(kept) :]]
        replace_children(self, [self._prompt, *self._labels, self._more])
