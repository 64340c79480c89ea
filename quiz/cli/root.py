"""The command `qkv` itself, and the options that commands share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from content.format import LANGUAGES
from quiz.cli.screens import interface
from quiz.settings.options import OPTIONS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from quiz.study.filter import Filter


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


def _said_before(context: click.Context, _: click.Parameter, language: str | None) -> str | None:
    """`qkv --lang zh quiz` says it for the command that follows; what stands with the command itself counts."""
    return language or context.find_root().params.get("language")


language_option = click.option(
    "--lang", "language", type=click.Choice(LANGUAGES), callback=_said_before, help="The language of interface and cards."
)


def _completed_path(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """The paths that begin so, each with its title."""
    from click.shell_completion import CompletionItem

    from content.deck.learning_paths import path_names, read_path

    found = ((name, read_path(name)) for name in path_names() if name.startswith(begun))
    return [CompletionItem(name, help=path.title.said("en") if path else None) for name, path in found]


path_option = click.option(
    "--path",
    metavar="NAME",
    shell_complete=_completed_path,
    help="Only the cards of a path, new ones in its order: last-night, first-week, nlp-engineer, llm-engineer, infrastructure.",
)


def along_path(name: str | None, wanted: Filter, language: str | None) -> Filter:
    """What is wanted, of the cards of a path alone."""
    if name is None:
        return wanted
    from quiz.card.named_path import MissingPath, along, find_path

    try:
        return along(find_path(name), wanted)
    except MissingPath as error:
        from content.messages.sentence import in_language
        from quiz.words.i18n import Words

        raise click.UsageError(in_language(error.sentence, Words.of(language or "").language)) from None


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


def _for_this_run(context: click.Context, variable: str, value: str) -> None:
    """An option that whatever this run draws goes by, other processes of it too: it is a variable until the run ends."""
    before = os.environ.get(variable)
    os.environ[variable] = value
    context.call_on_close(lambda: os.environ.update({variable: before}) if before is not None else os.environ.pop(variable, None))


@click.group(cls=Group, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="qkv", prog_name="qkv", message="%(prog)s %(version)s")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with ASCII only; Chinese stays.")
@language_option
@click.pass_context
def qkv(context: click.Context, language: str | None, ascii_only: bool) -> None:
    """Machine-learning interview questions whose answers are computed live.

    Without a command, the decks and what is due today.
    """
    if ascii_only:
        _for_this_run(context, OPTIONS["ascii"].variable, "on")
    if context.invoked_subcommand is None:
        interface((), language or "", session=False)
