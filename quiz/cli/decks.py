"""The commands about decks, cards and experiments."""

from __future__ import annotations

import sys
from typing import Any

import click

from quiz.cli.root import Whole, along_path, json_option, language_option, path_option, qkv


@qkv.command()
@click.argument("paths", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="How problems are told.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--card", "cards", multiple=True, metavar="ID", help="Only the card with this id; repeat for more.")
@click.option("--seeds", type=Whole(1, 100), default=3, metavar="N", help="Run each card with N seeds: finds claims that hold by luck.")
@click.option("--no-run", is_flag=True, help="Run no claim; names and ranges are checked all the same.")
@click.option(
    "--code", "runs_code", is_flag=True, help="Also run the listings of code cards. Only for decks that you trust: this runs their code."
)
@click.option("--strict", is_flag=True, help="Also by the rules of the bundled decks; every warning is an error.")
@click.option("--watch", is_flag=True, help="Check again whenever one of the files is saved, until ctrl+c.")
@language_option
def check(
    paths: tuple[str, ...],
    form: Any,
    as_json: bool,
    cards: tuple[str, ...],
    seeds: int,
    no_run: bool,
    runs_code: bool,
    strict: bool,
    watch: bool,
    language: str | None,
) -> None:
    """Validate decks and run every claim; PATHS are files, folders or - for stdin, without any the bundled decks and your own."""
    if no_run and runs_code:
        raise click.UsageError("--code runs listings, and --no-run runs nothing: leave one of them out.")
    if watch:
        if as_json or form != "text" or "-" in paths:
            raise click.UsageError("--watch is for a person and files: leave --json, --format and - out.")
        from quiz.commands.watch import watch as run_again

        sys.exit(run_again(paths, count=0 if no_run else seeds, runs_code=runs_code, strict=strict, language=language or "", cards=cards))
    from quiz.commands.check import run

    form = "json" if as_json else form
    count = 0 if no_run else seeds
    sys.exit(run(paths, form=form, count=count, runs_code=runs_code, strict=strict, language=language or "", cards=cards))


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
@click.argument("own", required=False, metavar="[NAME]")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A parameter, such as d_k=512; repeat for more.")
@json_option
@click.option("--names", is_flag=True, help="Print the names that a card can use: parameters, quantities, series, matrices.")
@click.option("--source", is_flag=True, help="Print the functions that compute the figures.")
@click.option("--svg", type=click.Path(dir_okay=False), help="Write the figures as a picture.")
@language_option
def lab(
    experiment: str | None,
    own: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    names: bool,
    source: bool,
    svg: str | None,
    language: str | None,
) -> None:
    """List the experiments, or run one and print its figures. Of a deck's own, EXPERIMENT is the file, and its name follows."""
    from quiz.commands import lab

    asked = (experiment, own) if experiment and own else experiment

    if svg and (not experiment or names or source or as_json):
        raise click.UsageError("--svg is a picture of an experiment's figures: name an experiment, without --json, --names and --source.")
    if names and asked:
        sys.exit(lab.names(asked, settings, language=language or ""))
    if source and asked:
        sys.exit(lab.source(asked, language=language or ""))
    sys.exit(lab.lab(asked, settings, as_json=as_json, svg=svg, language=language or ""))


@qkv.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False))
@click.option("--forget", is_flag=True, help="Allow it no longer.")
@language_option
def trust(folder: str | None, forget: bool, language: str | None) -> None:
    """Let decks use the pretrained model in FOLDER, as it is now; the deck has to lie in a folder above. Without FOLDER, list them."""
    from quiz.commands.trust import run

    if forget and folder is None:
        raise click.UsageError("--forget needs the folder.")
    sys.exit(run(folder, forget=forget, language=language or ""))


@qkv.command()
@click.option("--tag", help="Only cards with this tag.")
@path_option
@click.option("--suspended", is_flag=True, help="Only cards that are suspended.")
@click.option("--weak", is_flag=True, help="Only cards that keep failing and those that you were sure of and had wrong.")
@click.option("--flagged", is_flag=True, help="Only cards that you said are wrong, with your notes.")
@json_option
@language_option
def cards(tag: str | None, path: str | None, suspended: bool, weak: bool, flagged: bool, as_json: bool, language: str | None) -> None:
    """List the cards."""
    from quiz.commands import cards
    from quiz.study.filter import Filter

    among = None
    if suspended or weak or flagged:
        from quiz.study import learner  # reads the progress, which a list of all cards does not

        among = learner.flagged_cards if flagged else learner.suspended_cards if suspended else learner.weak_cards
    sys.exit(cards.cards(along_path(path, Filter(tag=tag), language), as_json=as_json, language=language or "", among=among))


@qkv.command()
@click.argument("card", metavar="[FILE] CARD")
@click.argument("of_file", required=False, metavar="")
@language_option
def show(card: str, of_file: str | None, language: str | None) -> None:
    """Print one CARD (its id, or deck/id) with its verification; of FILE, also where the deck is not installed."""
    from quiz.commands import show

    if of_file:
        sys.exit(show.show_in_file(card, of_file, language=language or ""))
    sys.exit(show.show(card, language=language or ""))
