"""The command `qkv` itself, and the options that commands share."""

from __future__ import annotations

from typing import Any

import click

from content.format import LANGUAGES
from quiz.cli.screens import interface


class Whole(click.IntRange):
    """A whole number in a range, as people type it: ３０ and 1,000 are read, 1_0 and 0,5 are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str):
            from quiz.words.numbers import read_number

            number = read_number(value, "")
            if number is None or not number.is_integer():
                self.fail(f"{value!r} is not a whole number.", param, ctx)
            value = int(number)
        return super().convert(value, param, ctx)


language_option = click.option("--lang", "language", type=click.Choice(LANGUAGES), help="The language of interface and cards.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for other programs.")


class Command(click.Command):
    """A command whose help is its function's docstring, also under `python -OO`, which keeps none in memory."""

    def __init__(self, name: str | None, *, callback: Any = None, help: str | None = None, **attributes: Any) -> None:
        super().__init__(name, callback=callback, help=help or _written(callback), **attributes)


class Group(Command, click.Group):
    """The command with commands of its own."""

    command_class = Command


def _written(function: Any) -> str | None:
    """The docstring as it stands in the file."""
    import ast
    import inspect

    try:
        (definition,) = ast.parse(inspect.getsource(function)).body
    except (OSError, SyntaxError, TypeError):
        return None
    return ast.get_docstring(definition) if isinstance(definition, ast.FunctionDef) else None


@click.group(cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="qkv", prog_name="qkv", message="%(prog)s %(version)s")
@language_option
@click.pass_context
def qkv(context: click.Context, language: str | None) -> None:
    """Machine-learning interview questions whose answers are computed live.

    Without a command, the decks and what is due today.
    """
    if context.invoked_subcommand is None:
        interface((), language or "", session=False)
