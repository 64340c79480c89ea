"""The commands about what a person has learned."""

from __future__ import annotations

import sys

import click

from quiz.cli.root import Whole, json_option, language_option, qkv


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
@click.option("--minutes", type=Whole(1, 24 * 60), metavar="N", help="The minutes that you have a day.")
@click.option("--clear", is_flag=True, help="End the plan.")
@json_option
@language_option
def plan(date: str | None, tag: str | None, minutes: int | None, clear: bool, as_json: bool, language: str | None) -> None:
    """Be ready by DATE, such as 2027-03-01: what it takes a day, and whether it can be done. Without DATE, show the plan."""
    from quiz.commands import plan

    sys.exit(plan.run(date, tag, minutes, clear=clear, as_json=as_json, language=language or ""))


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
@click.option("--days", type=Whole(1, 3660), default=182, metavar="N", help="Look at the last N days; half a year without it.")
@json_option
@language_option
def stats(tag: str | None, days: int, as_json: bool, language: str | None) -> None:
    """Show what you have learned: calendar, forecast, retention, topics, calibration, time, and the cards to look at again."""
    from quiz.commands import stats

    sys.exit(stats.run(days, tag, as_json=as_json, language=language or ""))


@qkv.command()
@click.argument("grades", nargs=-1)
@click.option("--last", type=click.IntRange(min=1), default=20, metavar="N", help="List the last N grades; 20 without it.")
@click.option("--wrong-dates", is_flag=True, help="List those that were given while the computer's clock was wrong.")
@click.option("--yes", is_flag=True, help="With --wrong-dates: take all of these back.")
@json_option
@language_option
def undo(grades: tuple[str, ...], last: int, wrong_dates: bool, yes: bool, as_json: bool, language: str | None) -> None:
    """Take GRADES back, as if they had never been given. Without any, list the last ones with their dates."""
    from quiz.commands import undo

    if yes and not wrong_dates:
        raise click.UsageError("--yes belongs to --wrong-dates.")
    if grades or yes:
        sys.exit(undo.take_back(grades, wrong=yes, language=language or ""))
    sys.exit(undo.show(last, wrong=wrong_dates, as_json=as_json, language=language or ""))


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
