"""A real browser without a window, driven through its own protocol: a page, its keys, and the terminal that its socket fills."""

from __future__ import annotations

import asyncio
import base64
import itertools
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pyte

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
CODES = {"Enter": (13, "\r"), "Escape": (27, ""), " ": (32, " ")}
OPTIONS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-port=0")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """A page of the browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self.screen = pyte.Screen(80, 24)
        self._stream = pyte.ByteStream(self.screen)

    async def call(self, method: str, **given: object) -> Any:
        """One command of the browser's protocol."""
        id = next(self._ids)
        answer = self._answers[id] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": id, "method": method, "params": given})
        return await asyncio.wait_for(answer, 30)

    async def listen(self) -> None:
        """Answers, and what the page's own socket received: the bytes that it draws."""
        async for message in self._socket:
            told = message.json()
            if told.get("id") in self._answers:
                self._answers.pop(told["id"]).set_result(told.get("result", told.get("error")))
            elif told.get("method") == "Network.webSocketCreated":
                size = parse_qs(urlsplit(told["params"]["url"]).query)
                self.screen.resize(int(size["height"][0]), int(size["width"][0]))
            elif told.get("method") == "Network.webSocketFrameReceived" and told["params"]["response"]["opcode"] == 2:
                self._stream.feed(base64.b64decode(told["params"]["response"]["payloadData"]))

    async def open(self, url: str) -> None:
        await self.call("Network.enable")
        await self.call("Page.enable")
        await self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        await self.call("Page.navigate", url=url)

    async def focus(self) -> None:
        """The keys go to the terminal of the page from now on."""
        focus = "document.querySelector('.xterm-helper-textarea').focus(); document.activeElement.className"
        assert "xterm-helper-textarea" == (await self.call("Runtime.evaluate", expression=focus))["result"]["value"]

    async def press(self, key: str) -> None:
        """A key, as a keyboard sends it."""
        code, text = CODES[key] if key in CODES else (ord(key.upper()), key)
        told = {"key": key, "windowsVirtualKeyCode": code, "text": text}
        await self.call("Input.dispatchKeyEvent", type="keyDown", **told)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **told)

    async def see(self, *texts: str) -> None:
        """Waits until the terminal shows one of some texts."""
        for _ in range(600):
            if any(text in "\n".join(self.screen.display) for text in texts):
                return
            await asyncio.sleep(0.1)
        raise AssertionError("\n".join(("it shows", *self.screen.display)))


@asynccontextmanager
async def browser() -> AsyncIterator[Tab]:
    """A tab of a browser of its own, 800x600 or so; it ends with its process."""
    assert CHROMIUM
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [CHROMIUM, *OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = await _port(Path(profile) / "DevToolsActivePort")
            async with aiohttp.ClientSession() as session:
                async with session.get(f"http://127.0.0.1:{port}/json/list") as listed:
                    page = next(each for each in await listed.json() if each["type"] == "page")
                async with session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    tab = Tab(socket)
                    listening = asyncio.create_task(tab.listen())
                    yield tab
                    listening.cancel()
        finally:
            process.terminate()
            process.wait(30)


async def _port(told: Path) -> str:
    """Where the browser listens: it writes that into its profile."""
    async with asyncio.timeout(60):
        while not told.exists() or "\n" not in told.read_text():
            await asyncio.sleep(0.1)
    return told.read_text().splitlines()[0]
