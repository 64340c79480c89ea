"""The browser as a terminal: Textual's driver for it, which ends when the server behind the page is gone."""

from __future__ import annotations

from contextlib import suppress

from textual.drivers.web_driver import WebDriver

HUNG_UP = 129  # what a shell calls the end by SIGHUP


class BrowserDriver(WebDriver):
    """A server that was killed closes the pipe and can say nothing; Textual's driver would wait for it for ever."""

    def run_input_thread(self) -> None:
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.call_later(self._app.exit, None, HUNG_UP)

    def write(self, data: str) -> None:
        with suppress(OSError):  # nobody looks any more
            super().write(data)
