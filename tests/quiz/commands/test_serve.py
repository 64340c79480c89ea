"""`qkv serve`: a card answered in a real browser, and what the page refuses."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from quiz.commands.serve import run
from quiz.exit_codes import PROBLEM
from quiz.progress.progress import open_progress
from tests.quiz.commands.browser import CHROMIUM, browser

PAUSE = 0.6  # seconds: a key pressed twice must not reveal and grade, and no person is faster


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def server(port: int, own_data: Path) -> Iterator[subprocess.Popen[str]]:
    """The command, in a process of its own that is there to answer."""
    command = [sys.executable, "-m", "quiz", "serve", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert process.stdout
    assert f"http://localhost:{port}" in process.stdout.readline()
    for _ in range(300):
        time.sleep(0.1)
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                break
    yield process
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    ended = process.wait(30)
    process.stdout.close()
    assert ended in (0, 130, -signal.SIGKILL)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here")
async def test_a_card_is_answered_in_a_browser(server: subprocess.Popen[str], port: int, own_data: Path) -> None:
    """From the decks to a grade by keys, into the progress file of the terminal; leaving ends the session there."""
    async with browser() as tab:
        await tab.open(f"http://localhost:{port}/?fontsize=10")
        await tab.see("Begin")
        await tab.focus()
        await tab.press("Enter")
        await tab.see("Type a number", "just show")
        await asyncio.sleep(PAUSE)
        await tab.press("1")
        await tab.press("Enter")  # the number is noted: the keys are for how sure one is
        await tab.see("How sure are you?")
        await asyncio.sleep(PAUSE)
        await tab.press("1")
        await tab.see("again")
        await asyncio.sleep(PAUSE)
        await tab.press("3")
        await tab.see("2 of", "Done", "undo")
    with closing(open_progress(own_data / "progress.sqlite3")) as store:
        assert [3] == [review.grade for review in store.reviews()]


async def test_only_this_machine_is_answered(server: subprocess.Popen[str], port: int) -> None:
    """Another host's name, and a page of another site, are refused; so is a socket that does not say where it is from."""
    at, upgrade = f"http://127.0.0.1:{port}", {"Upgrade": "websocket"}
    asked: dict[str, tuple[str, dict[str, str]]] = {
        "localhost": ("/", {"Host": f"localhost:{port}"}),
        "another name": ("/", {"Host": "evil.example"}),
        "another port": ("/", {"Host": f"localhost:{port + 1}"}),
        "another site": ("/", {"Origin": "http://evil.example"}),
        "another site's socket": ("/ws", {"Origin": "http://evil.example", **upgrade}),
        "a socket from nowhere": ("/ws", upgrade),
    }
    answered = {}
    async with aiohttp.ClientSession() as session:
        for name, (path, headers) in asked.items():
            async with session.get(f"{at}{path}", headers=headers) as answer:
                answered[name] = answer.status
                page = await answer.text() if name == "localhost" else ""
                assert "googleapis" not in page

    assert {name: 200 if name == "localhost" else 403 for name in asked} == answered


async def test_a_visitor_ends_with_the_server(server: subprocess.Popen[str], port: int) -> None:
    """One that is killed can tell nobody; and two visitors are two processes."""
    told = Path(f"/proc/{server.pid}/task/{server.pid}/children")
    if not told.exists():
        pytest.skip("there is no /proc here")
    url, headers = f"http://127.0.0.1:{port}/ws?width=80&height=24", {"Origin": f"http://localhost:{port}"}
    async with aiohttp.ClientSession() as web, web.ws_connect(url, headers=headers) as one, web.ws_connect(url, headers=headers) as other:
        await asyncio.gather(one.receive(), other.receive())
        visitors = told.read_text().split()
        server.kill()
        server.wait()
    for _ in range(200):
        left = [pid for pid in visitors if Path(f"/proc/{pid}").exists()]
        if not left:
            break
        await asyncio.sleep(0.1)

    assert (2, []) == (len(visitors), left)


def test_a_port_that_is_taken_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """With another one to try."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        assert PROBLEM == run(port, language="en")
    assert f"Port {port} is taken. Choose another: qkv serve --port 8001\n" == capsys.readouterr().err


def test_a_missing_extra_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With the command that installs it."""
    monkeypatch.delitem(sys.modules, "quiz.commands.serve_page", raising=False)
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)

    assert PROBLEM == run(8000, language="en")
    assert "pip install 'qkv[web]'" in capsys.readouterr().err
