"""Other children for a widget, in one step: whoever looks, at whatever moment, finds the old ones or the new ones, never both.

Waiting in between for the old ones to be gone is what drew a screen from two states: there another drawing began, or this one was
cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import ExitStack

from textual.widget import AwaitMount, Widget

_drawing: set[asyncio.Task[None]] = set()  # asyncio itself holds on to no task


def replace_children(parent: Widget, children: Iterable[Widget]) -> None:
    """All is decided when it returns; the new ones are mounted soon. A parent that is being taken away stays as it is.

    Those that are there already stay where they stand, with their focus: so they have to be in the order that they are in.
    """
    if not parent.is_attached:
        return
    wanted = list(children)
    old = [child for child in parent.children if child not in wanted]
    for child in old:
        child.display = False  # its end takes a moment, in which it has no place any more
    picture = ExitStack()
    picture.enter_context(parent.app.batch_update())
    parent.remove_children(old)
    task = asyncio.create_task(_show_once(list(_mount(parent, wanted)), picture))
    _drawing.add(task)
    task.add_done_callback(_drawing.discard)


def _mount(parent: Widget, wanted: Iterable[Widget]) -> Iterator[AwaitMount]:
    """The new ones, each before the next one that stays."""
    new: list[Widget] = []
    for child in (*wanted, None):
        if child is not None and child not in parent.children:
            new.append(child)
        elif new:
            yield parent.mount_all(new, before=child)
            new = []


async def _show_once(mountings: Iterable[AwaitMount], picture: ExitStack) -> None:
    """The screen is drawn again when the new ones are mounted: before, their place would be empty."""
    with picture:
        for mounting in mountings:
            await mounting
