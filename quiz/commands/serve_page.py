"""The page of `qkv serve`: textual-serve's, for visitors on this machine alone.

Whoever reaches the page studies as the person who started it, and reads what that person may read. So it listens on the machine's own
address only, and answers only requests that were meant for that: a page of another site, open in the same browser, may send
requests here, and a name of another host may be pointed at this address. Both say so in their headers.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable

from aiohttp import web
from textual_serve.server import Server

from quiz.words.i18n import Words

NAMES = ("localhost", "127.0.0.1", "[::1]")
MOST = 8  # visitors at one time: each is a process with torch beside it
_ELSEWHERE = re.compile(r'<link\s+rel="stylesheet"\s+href="https://[^>]*>')

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Page(Server):
    """One process a visitor, all with the same progress file."""

    def __init__(self, command: str, port: int, words: Words) -> None:
        super().__init__(command, host="localhost", port=port, title="qkv", public_url=f"http://localhost:{port}")
        self._words = words
        self._visitors = 0

    def initialize_logging(self) -> None:
        logging.basicConfig(level="WARNING", format="%(message)s")

    async def on_startup(self, app: web.Application) -> None:
        """The command has said where the page is."""

    async def _make_app(self) -> web.Application:
        app = await super()._make_app()
        app.middlewares.append(self._meant_for_us)
        return app

    @web.middleware
    async def _meant_for_us(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuses what was addressed to another name, and what a page of another site sends; a socket says where its page is from."""
        origin = request.headers.get("Origin")
        ours = {f"{name}:{self.port}" for name in NAMES} | (set(NAMES) if self.port == 80 else set())
        socket = request.headers.get("Upgrade", "").lower() == "websocket"
        if request.host not in ours or (origin is None and socket) or (origin is not None and origin.removeprefix("http://") not in ours):
            raise web.HTTPForbidden(text=self._words("serve.refused"))
        return await handler(request)

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page without the font that it would fetch from elsewhere: nothing leaves this machine, and no network is needed."""
        response = await super().handle_index(request)
        assert isinstance(response, web.Response)
        response.text = _ELSEWHERE.sub("", response.text or "")
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        if self._visitors >= MOST:
            raise web.HTTPServiceUnavailable(text=self._words("serve.full", count=MOST))
        self._visitors += 1
        try:
            return await super().handle_websocket(request)
        finally:
            self._visitors -= 1
