"""What every screen may rely on: the language, the theme, a sentence at the corner. It knows no screen, so that screens may know it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from textual.app import ScreenStackError, SystemCommand
from textual.await_remove import AwaitRemove
from textual.binding import Binding
from textual.dom import DOMNode
from textual.driver import Driver
from textual.events import Event, InputEvent, Key, Resize
from textual.filter import LineFilter
from textual.geometry import Offset
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Input

import quiz.tui.textual_faults  # noqa: F401  # mends them
from content.yaml.clean import clean
from engine.label import Label
from quiz.exit_codes import OK, PROBLEM
from quiz.tui.bindings import palette_commands
from quiz.tui.half_width_keys import half_width_key
from quiz.tui.line_filters import CLEAN, LOOKALIKE
from quiz.tui.requests import LookAt, Request
from quiz.tui.settings_app import SettingsApp

HUGE, TINY, SHORT = 180, 60, 18  # columns, columns, lines

if TYPE_CHECKING:
    from quiz.study.turn import Item


class BaseApp(SettingsApp):
    """What every application of ours has beside the settings: safe lines, keys and clicks that come too late, the palette."""

    typed = 0.0  # the moment of the key or click that is answered now, which may have waited: on Textual's clock (see now)
    last_key = 0.0  # its moment
    crashed = False

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, but a driver for terminals that send bytes of any kind where it would read UTF-8 only."""
        chosen = super().get_driver_class()
        if chosen.__name__ == "WebDriver":
            from quiz.tui.browser_driver import BrowserDriver

            return BrowserDriver
        if chosen.__name__ != "LinuxDriver":
            return chosen
        from quiz.tui.driver import TerminalDriver

        return TerminalDriver

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [CLEAN, *([LOOKALIKE] if self.ascii_only else ()), *super().get_line_filters()]

    def panic(self, *renderables: RenderableType) -> None:
        """The end after a fault: Textual's own, for which it leaves the exit code 0."""
        self.crashed = True
        super().panic(*renderables)

    @property
    def exit_code(self) -> int:
        """What the shell is told; never success after a fault."""
        return self.return_code or (PROBLEM if self.crashed else OK)

    @property
    def now(self) -> float:
        """This moment on the clock of `typed`, which is that of Textual's messages: not time.monotonic's on every system."""
        return Event().time

    def get_system_commands(self, screen: Screen[Any]) -> Iterator[SystemCommand]:
        """For the command palette: what the keys of the screen do, which is all that makes sense of Textual's own commands, too."""
        for command in palette_commands(self, screen, self.words):
            yield command._replace(callback=_once(command.callback))

    async def _check_bindings(self, key: str, priority: bool = False) -> bool:
        """A full-width key that no input took does what the key does that it is typed with."""
        return await super()._check_bindings(half_width_key(key), priority)

    @property
    def own_keys(self) -> frozenset[str]:
        """The keys that count on every screen."""
        declared = (each for cls in type(self).__mro__ for each in vars(cls).get("BINDINGS", ()))
        keys = (self._keymap.get(each.id or "", each.key) for each in declared if isinstance(each, Binding))
        return frozenset(key for each in keys for key in each.split(","))

    def on_resize(self, event: Resize) -> None:
        """What the layout goes by beside Textual's breakpoints, of which only one counts: room for a third column, or hardly any room."""
        width, height = event.size
        self.update_classes({"-huge": width >= HUGE, "-tiny": width < TINY, "-short": height < SHORT})

    @property
    def cursor_position(self) -> Offset:
        """Where the terminal's cursor stands, and so where an input method opens: in the input, from its first frame on.

        Textual notes the place when the focus or the text changes, which is before a new input has got its place.
        """
        try:
            focused = self.focused
        except ScreenStackError:
            focused = None
        if not isinstance(focused, Input) or not focused.is_attached:
            return self._cursor_noted
        return focused.cursor_screen_offset - Offset(int(focused.cursor_at_end), 0)  # at the end Textual counts the cell of the cursor, too

    @cursor_position.setter
    def cursor_position(self, noted: Offset) -> None:
        self._cursor_noted = noted

    def export_screenshot(self, *, title: str | None = None, simplify: bool = False) -> str:
        """A picture of the screen in which Chinese keeps its width."""
        from quiz.charts.svg import widen_chinese

        return widen_chinese(super().export_screenshot(title=title, simplify=simplify))

    async def on_event(self, event: Event) -> None:
        """Keys and clicks that arrive while the app ends find no screen."""
        if isinstance(event, InputEvent):
            self.typed = event.time
            if isinstance(event, Key):
                self.last_key = event.time
            if self._exit or not self._running:
                return
        await super().on_event(event)

    async def _dispatch_action(self, namespace: DOMNode, action_name: str, params: Any) -> bool:
        """A key may reach a screen before its widgets are there, or while they are taken away; a widget too, also one of Textual's own."""
        if namespace is not self and (self._exit or not namespace._is_mounted or namespace._pruning):
            return False
        return await super()._dispatch_action(namespace, action_name, params)

    def leave_on(self, *names: str) -> None:
        """These signals restore the terminal and exit with the code that a shell expects."""
        for name in names:
            number = getattr(signal, name, None)
            try:
                if number is not None:
                    asyncio.get_running_loop().add_signal_handler(number, self.exit, None, 128 + number)
            except (NotImplementedError, ValueError, RuntimeError):
                return  # Windows, or not the main thread


def _once(callback: Callable[[], Any]) -> Callable[[], Any]:
    """A second enter, typed before the palette was gone, would run the command again."""
    left = [callback]
    return lambda: left.pop()() if left else None


class Reader(ModalScreen[None]):
    """A page above a screen, only to be read."""

    app: BaseApp

    def action_close(self) -> None:
        """Once: a second key may be typed before the page is gone."""
        self.dismiss()


class BaseScreen(Screen[None]):
    """A screen that speaks the interface's language, and asks the application for what only that can do."""

    app: BaseApp
    is_session = False  # whether cards are graded on it
    _leaving = False

    @property
    def stands(self) -> bool:
        """Whether there are widgets to draw on, and will be: an app that exits and a screen that is left take them away one by one."""
        return self.is_attached and not self._leaving and self.app.is_running

    def remove(self) -> AwaitRemove:
        """Stops the workers first: Textual would stop them last, and one that wakes up in between finds its widgets gone."""
        self._leaving = True
        self.workers.cancel_node(self)
        return super().remove()

    @dataclass
    class Asked(Message):
        """A request and the screen it comes from."""

        screen: BaseScreen
        request: Request

    def ask(self, request: Request) -> None:
        """Returns at once; the application answers after what is happening now."""
        self.post_message(self.Asked(self, request))

    def does_nothing(self, binding: str) -> bool:
        """Whether the keys of a binding, by its id, would change and say nothing now: the help leaves them out."""
        return False

    def look_at(self, item: Item) -> None:
        """A card above this screen; nothing is graded there."""
        self.look_away()
        self.ask(LookAt(item, "screen"))

    def look_away(self) -> None:
        """Another screen is about to lie above this one."""

    def came_back(self, _: None) -> None:
        """What was asked for above this screen was left."""

    def say(self, key: str, /, **values: object) -> str:
        return self.app.words(key, **values)

    def label(self, label: Label) -> str:
        """What the engine says, clean for the terminal."""
        return clean(self.app.words.label(label))
