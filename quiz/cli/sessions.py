"""The commands that take the screen: a session, the home screen, the preview of a deck."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from quiz.cli.root import Whole, along_path, language_option, path_option, qkv
from quiz.cli.screens import interface, need_terminal


@qkv.command()
@click.argument("decks", nargs=-1)
@click.option("--tag", help="Only cards with this tag.")
@click.option("--level", type=Whole(1, 5), help="Only cards of this level, 1 warm-up to 5 senior.")
@click.option("--kind", type=click.Choice(["explain", "choice", "number", "order", "code"]), help="Only cards of this kind.")
@path_option
@click.option("--limit", type=Whole(min=1), help="At most this many cards.")
@click.option(
    "--new",
    type=Whole(min=0),
    metavar="N",
    help="N new cards today; without it 20 or the plan's share, and no two that give each other away.",
)
@click.option("--weak", is_flag=True, help="Only cards that keep failing and those that you were sure of and had wrong, due or not.")
@click.option("--practice", is_flag=True, help="All cards, without touching the schedule.")
@click.option("--plain", is_flag=True, help="Line by line: for screen readers, pipes and small terminals.")
@language_option
def quiz(
    decks: tuple[str, ...],
    tag: str | None,
    level: int | None,
    kind: Any,
    path: str | None,
    limit: int | None,
    new: int | None,
    weak: bool,
    practice: bool,
    plain: bool,
    language: str | None,
) -> None:
    """Start a session over DECKS: ids of decks, or YAML files. Without any, all decks."""
    from quiz.study.filter import Filter

    wanted = along_path(path, Filter(tag=tag, level=level, kind=kind, limit=limit, new=new, weak=weak), language)
    if plain:
        from quiz.commands.plain_session import run

        sys.exit(run(decks, wanted, practise=practice, language=language or ""))
    interface(decks, language or "", wanted, session=True, practice=practice)


@qkv.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@language_option
def preview(file: Path, language: str | None) -> None:
    """Show the cards of FILE as a learner will see them, drawn anew whenever it is saved."""
    need_terminal("qkv check", language or "")
    from quiz.tui.author_app import run

    run(file, language or "")
