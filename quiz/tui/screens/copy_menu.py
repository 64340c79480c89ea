"""What can be copied from a screen, and the copying: through the terminal, which may refuse and does not say so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.binding import BindingType
from textual.content import Content

from quiz.tui.base import BaseApp
from quiz.tui.bindings import bind
from quiz.tui.screens.choice_list import ChoiceList


@dataclass(frozen=True)
class Copyable:
    """A thing and how its text is made, off the event loop where it takes long."""

    name: Literal["card", "figure", "snippet"]
    text: Callable[[], Awaitable[str]]


class CopyMenu(ChoiceList):
    """`y` once more takes the first."""

    BINDINGS: ClassVar[list[BindingType]] = [bind("y", "choose(0)", "copy.first")]


async def offer_copies(app: BaseApp, things: Sequence[Copyable]) -> None:
    """Copies the only thing, or asks which; says that there is nothing to copy."""

    async def copy(place: int | None) -> None:
        if place is not None:
            thing = things[place]
            try:
                text = await thing.text()
            except (OSError, SyntaxError):  # a source that is not where it was
                app.warn(app.words("copy.failed"))
                return
            app.copy_to_clipboard(text)
            app.tell(app.words(f"copy.done.{thing.name}", count=text.count("\n")))

    if not things:
        app.tell(app.words("copy.nothing"))
    elif len(things) == 1:
        await copy(0)
    elif app.screen.is_active:
        rows = [Content(app.words(f"copy.{thing.name}")) for thing in things]
        await app.push_screen(CopyMenu(app.words("copy.title"), rows), copy)
