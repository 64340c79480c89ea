"""The command line. It imports click and nothing else: `qkv --help` answers before anything of the program itself is loaded."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from content.format import LANGUAGES
from quiz.exit_codes import INTERRUPTED, UNSAVED

if TYPE_CHECKING:
    from quiz.study.queue import Filter
    from quiz.tui.app import QkvApp


language_option = click.option("--lang", "language", type=click.Choice(LANGUAGES), help="The language of interface and cards.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for other programs.")


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="qkv", prog_name="qkv", message="%(prog)s %(version)s")
@language_option
@click.pass_context
def qkv(context: click.Context, language: str | None) -> None:
    """Machine-learning interview questions whose answers are computed live.

    Without a command, the decks and what is due today.
    """
    if context.invoked_subcommand is None:
        _interface((), language or "", session=False)


@qkv.command()
@click.argument("decks", nargs=-1)
@click.option("--tag", help="Only cards with this tag.")
@click.option("--level", type=click.IntRange(1, 5), help="Only cards of this level, 1 warm-up to 5 senior.")
@click.option("--kind", type=click.Choice(["explain", "choice", "number", "order", "code"]), help="Only cards of this kind.")
@click.option("--limit", type=click.IntRange(min=1), help="At most this many cards.")
@click.option(
    "--new",
    type=click.IntRange(min=0),
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
    limit: int | None,
    new: int | None,
    weak: bool,
    practice: bool,
    plain: bool,
    language: str | None,
) -> None:
    """Start a session over DECKS: ids of decks, or YAML files. Without any, all decks."""
    from quiz.study.queue import Filter

    wanted = Filter(tag=tag, level=level, kind=kind, limit=limit, new=new, weak=weak)
    if plain:
        from quiz.commands.plain_session import run

        sys.exit(run(decks, wanted, practise=practice, language=language or ""))
    _interface(decks, language or "", wanted, session=True, practice=practice)


def _need_terminal(otherwise: str) -> None:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise click.UsageError(f"The screens need a terminal. In a pipe or a script use `{otherwise}`.")


def _interface(decks: tuple[str, ...], language: str, wanted: Filter | None = None, *, session: bool, practice: bool = False) -> None:
    _need_terminal("qkv quiz --plain")
    gc.disable()  # nothing of what is being imported is garbage: a tenth of the time would go into looking for some
    from quiz.card.deck_paths import MissingDeck, resolve_decks
    from quiz.tui.app import QkvApp, Start

    try:
        read = resolve_decks(decks)
    except MissingDeck as error:
        raise click.UsageError(str(error)) from None
    app = QkvApp(Start(read, language, session, practice, wanted) if wanted else Start(read, language, session, practice))
    gc.enable()
    gc.freeze()  # what was imported stays: every look through it for garbage would hold the screen for some 30 ms
    app.run()
    leave(app)


def leave(app: QkvApp) -> NoReturn:
    """Ends the process with the application's exit code, and says on stderr what was not saved."""
    code = UNSAVED if app.files.unsaved and not app.return_code else app.return_code or 0
    if app.files.unsaved:
        print(app.files.loss, file=sys.stderr)
    sys.stderr.flush()
    os._exit(code)  # store and engine are closed; unloading every module would double the time that quitting takes


@qkv.command()
@click.argument("paths", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="How problems are told.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--seeds", type=click.IntRange(1, 100), default=1, metavar="N", help="Run each card with N seeds: finds claims that hold by luck."
)
@click.option("--no-run", is_flag=True, help="Run no claim; names and ranges are checked all the same.")
@click.option("--strict", is_flag=True, help="Also by the rules of the bundled decks; every warning is an error.")
def check(paths: tuple[str, ...], form: Any, as_json: bool, seeds: int, no_run: bool, strict: bool) -> None:
    """Validate decks and run every claim; PATHS are files, folders or - for stdin, without any the bundled decks and your own."""
    from quiz.commands.check import run

    sys.exit(run(paths, form="json" if as_json else form, count=0 if no_run else seeds, strict=strict))


@qkv.command()
@click.argument("deck")
@click.option("--card", metavar="ID", help="Append a card with this id to the deck.")
@click.option("--kind", type=click.Choice(["explain", "choice", "number", "order", "code"]), help="The card's kind; explain without it.")
@language_option
def new(deck: str, card: str | None, kind: Any, language: str | None) -> None:
    """Write a new deck file with a card of every kind, or append one card to DECK. Nothing is overwritten."""
    from quiz.commands import new

    if card:
        sys.exit(new.card(deck, card, kind or "explain", language=language or ""))
    if kind:
        raise click.UsageError("--kind says how a card is asked; name the card with --card ID.")
    sys.exit(new.deck(deck, language=language or ""))


@qkv.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False))
@language_option
def schema(file: str | None, language: str | None) -> None:
    """Print the JSON Schema of decks, for editors, or write it to FILE: keys, experiments, their parameters and quantities."""
    from quiz.commands import schema

    sys.exit(schema.run(file, language=language or ""))


@qkv.command()
@click.argument("experiment", required=False)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter, such as d_k=512; repeat for more.")
@json_option
@click.option("--names", is_flag=True, help="Print the names that a card can use: parameters, quantities, series, matrices.")
@click.option("--source", is_flag=True, help="Print the functions that compute the figures.")
@click.option("--svg", type=click.Path(dir_okay=False, writable=True), help="Write the figures as a picture.")
@language_option
def lab(
    experiment: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    names: bool,
    source: bool,
    svg: str | None,
    language: str | None,
) -> None:
    """List the experiments, or run one and print its figures."""
    from quiz.commands import lab

    if names and experiment:
        sys.exit(lab.names(experiment, settings, language=language or ""))
    if source and experiment:
        sys.exit(lab.source(experiment, language=language or ""))
    sys.exit(lab.lab(experiment, settings, as_json=as_json, svg=svg, language=language or ""))


@qkv.command()
@click.option("--tag", help="Only cards with this tag.")
@click.option("--suspended", is_flag=True, help="Only cards that are suspended.")
@click.option("--weak", is_flag=True, help="Only cards that keep failing and those that you were sure of and had wrong.")
@json_option
@language_option
def cards(tag: str | None, suspended: bool, weak: bool, as_json: bool, language: str | None) -> None:
    """List the cards."""
    from quiz.commands import cards
    from quiz.study import learner
    from quiz.study.queue import Filter

    among = learner.suspended_cards if suspended else learner.weak_cards if weak else None
    sys.exit(cards.cards(Filter(tag=tag), as_json=as_json, language=language or "", among=among))


@qkv.command()
@click.argument("card")
@language_option
def suspend(card: str, language: str | None) -> None:
    """Do not ask CARD (its id, or deck/id) again, until `qkv resume`."""
    from quiz.commands import suspend

    sys.exit(suspend.suspend(card, language=language or ""))


@qkv.command()
@click.argument("card")
@language_option
def resume(card: str, language: str | None) -> None:
    """Ask CARD again that was suspended."""
    from quiz.commands import suspend

    sys.exit(suspend.resume(card, language=language or ""))


@qkv.command()
@click.argument("date", required=False)
@click.option("--tag", help="Only cards with this tag.")
@click.option("--minutes", type=click.IntRange(1, 24 * 60), metavar="N", help="The minutes that you have a day.")
@click.option("--clear", is_flag=True, help="End the plan.")
@json_option
@language_option
def plan(date: str | None, tag: str | None, minutes: int | None, clear: bool, as_json: bool, language: str | None) -> None:
    """Be ready by DATE, such as 2027-03-01: what it takes a day, and whether it can be done. Without DATE, show the plan."""
    from quiz.commands import plan

    sys.exit(plan.run(date, tag, minutes, clear=clear, as_json=as_json, language=language or ""))


@qkv.command()
@click.argument("card")
@language_option
def show(card: str, language: str | None) -> None:
    """Print one CARD (its id, or deck/id) with its verification."""
    from quiz.commands import cards

    sys.exit(cards.show(card, language=language or ""))


@qkv.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@language_option
def preview(file: Path, language: str | None) -> None:
    """Show the cards of FILE as a learner will see them, drawn anew whenever it is saved."""
    _need_terminal("qkv check")
    from quiz.tui.author_app import run

    run(file, language or "")


@qkv.command()
@click.argument("file", required=False, type=click.Path(dir_okay=False))
@language_option
def backup(file: str | None, language: str | None) -> None:
    """Back the progress up, to FILE or into the data folder, and check the copy."""
    from quiz.commands import transfer

    sys.exit(transfer.backup(file, language=language or ""))


@qkv.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@language_option
def restore(file: str, language: str | None) -> None:
    """Go back to the progress in FILE, a backup; what is there now is kept beside the backups."""
    from quiz.commands import transfer

    sys.exit(transfer.restore(file, language=language or ""))


@qkv.command()
@click.option("--progress", is_flag=False, flag_value="-", metavar="[FILE]", help="The whole log as lines of JSON, to FILE or stdout.")
@language_option
def export(progress: str | None, language: str | None) -> None:
    """Write what others can read: your progress, for another machine."""
    from quiz.commands import transfer

    if progress is None:
        raise click.UsageError("Say what to export: --progress [FILE].")
    sys.exit(transfer.export(progress, language=language or ""))


@qkv.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@language_option
def take(file: str, language: str | None) -> None:
    """Add the progress in FILE (from `qkv export --progress` on another machine, - is stdin) to the progress here."""
    from quiz.commands import transfer

    sys.exit(transfer.import_progress(file, language=language or ""))


@qkv.command()
@click.option("--tag", help="Only cards with this tag.")
@click.option("--days", type=click.IntRange(1, 3660), default=182, metavar="N", help="Look at the last N days; half a year without it.")
@json_option
@language_option
def stats(tag: str | None, days: int, as_json: bool, language: str | None) -> None:
    """Show what you have learned: calendar, forecast, retention, topics, calibration, time, and the cards to look at again."""
    from quiz.commands import stats

    sys.exit(stats.run(days, tag, as_json=as_json, language=language or ""))


@qkv.command()
@click.option("--undo", is_flag=True, help="Take the last fit back.")
@json_option
@language_option
def optimize(undo: bool, as_json: bool, language: str | None) -> None:
    """Fit FSRS's parameters to your own reviews, and use them where they predict these better than those in use."""
    from quiz.commands import optimize

    sys.exit(optimize.run(undo=undo, as_json=as_json, language=language or ""))


@qkv.command()
@json_option
@language_option
def doctor(as_json: bool, language: str | None) -> None:
    """Look at everything that can be wrong: files, backups, terminal, decks, torch. Exit code 1 if something is."""
    from quiz.commands.doctor import run

    sys.exit(run(as_json=as_json, language=language or ""))


def main() -> None:
    """Entry point: an interrupt is an exit code, a closed pipe is no error."""
    try:
        qkv(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
