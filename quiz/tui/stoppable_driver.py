"""The terminal as Textual drives it, given back however the program is stopped: by ctrl+z, by a signal, by one that nobody can catch."""

from __future__ import annotations

import os
import signal
import termios
from typing import Any

from textual.drivers.linux_driver import LinuxDriver

LFLAG = 3  # where termios keeps the local modes


class StoppableDriver(LinuxDriver):
    """Textual gives the terminal back at SIGTSTP alone, and takes it at every SIGCONT, also where it had never let go of it.

    After a SIGSTOP that pushed kitty's keyboard mode a second time and took the raw modes for those of the shell, so that quitting left
    both behind. A process that writes or reads from the background was stopped with the terminal in its hands.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._holds = False  # whether the terminal is in our modes
        super().__init__(*arguments, **options)

    def start_application_mode(self) -> None:
        before, writer = self.attrs_before, self._writer_thread
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual's own
        if self._writer_thread is writer:
            return  # in the background still: nothing was begun
        self._holds = True
        if before is not None and self.attrs_before is not None and not self.attrs_before[LFLAG] & termios.ICANON:
            self.attrs_before = before  # what was found are our own modes, which could not be taken back from the background
        for number in (signal.SIGTTOU, signal.SIGTTIN):
            signal.signal(number, self._sigtstp_application)

    def stop_application_mode(self) -> None:
        self._holds = False
        super().stop_application_mode()

    def _sigtstp_application(self, *signalled: Any) -> None:
        if self._holds:
            super()._sigtstp_application(*signalled)
        else:  # already given back, or being given back
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *signalled: Any) -> None:
        if self._holds and self._auto_restart:
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application(*signalled)

    def _disable_mouse_support(self) -> None:
        if self._mouse_pixels:
            self.write("\x1b[?1016l")
        super()._disable_mouse_support()
