"""Other children for a widget, in one step: whoever looks, at whatever moment, finds the old ones or the new ones, never both.

Waiting in between for the old ones to be gone is what drew a screen from two states: there another drawing began, or this one was
cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import ExitStack

from textual.widget import AwaitMount, Widget

_drawing: set[asyncio.Task[None]] = set()  # asyncio itself holds on to no task


def replace_children(parent: Widget, children: Iterable[Widget], last: Widget | None = None) -> None:
    """All is decided when it returns; the new ones are mounted soon. A parent that is being taken away stays as it is.

    `last` is an old one that stays, below the new ones, with its focus.
    """
    if not parent.is_attached:
        return
    old = [child for child in parent.children if child is not last]
    for child in old:
        child.display = False  # its end takes a moment, in which it has no place any more
    picture = ExitStack()
    picture.enter_context(parent.app.batch_update())
    parent.remove_children(old)
    task = asyncio.create_task(_show_once(parent.mount_all(children, before=last), picture))
    _drawing.add(task)
    task.add_done_callback(_drawing.discard)


async def _show_once(mounting: AwaitMount, picture: ExitStack) -> None:
    """The screen is drawn again when the new ones are mounted: before, their place would be empty."""
    with picture:
        await mounting
