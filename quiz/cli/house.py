"""The commands about the program itself: its settings, and the page on which a browser shows it."""

from __future__ import annotations

import sys

import click

from quiz.cli.root import Whole, json_option, language_option, qkv


@qkv.command()
@click.argument("name", required=False)
@click.argument("value", required=False)
@json_option
@language_option
def settings(name: str | None, value: str | None, as_json: bool, language: str | None) -> None:
    """List the settings, print the one with NAME, or set it to VALUE; `default` takes it back. Keys are keys.ID, such as keys.home.lab."""
    import quiz.tui.app  # noqa: F401  # its keys count as well as those of all screens
    from quiz.commands import settings
    from quiz.tui import keymap, routes

    routes.load()

    sys.exit(settings.run(name, value, keymap.sound, keymap.ids, as_json=as_json, language=language or ""))


@qkv.command()
@click.option("--port", type=Whole(1, 65535), default=8000, metavar="N", help="The port on this machine; 8000 without it.")
@language_option
def serve(port: int, language: str | None) -> None:
    """Show qkv in a browser on this machine, at http://localhost:8000. Nobody else can reach it; needs pip install 'qkv[web]'."""
    from quiz.commands.serve import run

    sys.exit(run(port, language=language or ""))
