"""Settings that are written while the screens go on: one after the other, and all of them before the program ends."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quiz.settings.options import Value
    from quiz.words.i18n import Words


class SettingsWriter:
    """One thread, so that of two changes the later is written last; begun at the first change."""

    @cached_property
    def _thread(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, "settings")

    def write(self, name: str, value: Value, *, binding: bool) -> Future[None]:
        """Begins to write a setting, and returns: it will be written also when the program is left at once."""
        from quiz.settings.file import store

        return self._thread.submit(lambda: store(name, value, binding=binding))

    async def problem(self, written: Future[None], words: Words) -> str:
        """Why a setting was not written, as a sentence; nothing where it was."""
        from quiz.settings.document import Unreadable
        from quiz.settings.file import settings_path

        try:
            await asyncio.shield(asyncio.wrap_future(written))
        except Unreadable:
            return words("setting.unreadable", path=settings_path())
        except OSError as error:
            return words("setting.unsaved", reason=f"{settings_path()}: {(error.strerror or str(error)).lower()}")
        return ""

    def close(self) -> None:
        """Waits for what is being written."""
        if "_thread" in vars(self):
            self._thread.shutdown()
