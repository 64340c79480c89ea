"""`qkv serve`: the screens in a browser on this machine, by textual-serve (the extra `web`)."""

from __future__ import annotations

import shlex
import socket
import sys

from quiz.commands.output import fail, tell
from quiz.exit_codes import OK, PROBLEM
from quiz.words.i18n import Words


def run(port: int, *, language: str) -> int:
    """Serves until ctrl+c. Exit codes: 0, 1 where the extra is missing or the port is taken."""
    words = Words.of(language)
    try:
        from quiz.commands.serve_page import Page
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] in ("textual_serve", "aiohttp", "aiohttp_jinja2", "jinja2"):
            return fail(words("serve.missing"), PROBLEM)
        raise
    if _is_taken(port):
        return fail(words("serve.taken", port=port), PROBLEM)
    command = [sys.executable, "-m", "quiz", *(("--lang", language) if language else ())]
    page = Page(f"exec {shlex.join(command)}", port, words)  # no shell stays between the server and its visitor
    tell(words("serve.running", url=page.public_url))
    page.serve()
    return OK


def _is_taken(port: int) -> bool:
    """Whether something answers there already."""
    with socket.socket() as tried:
        tried.settimeout(1)
        return tried.connect_ex(("127.0.0.1", port)) == 0
