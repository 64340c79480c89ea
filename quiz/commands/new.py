"""`qkv new`: a deck to start from, and one more card for a deck that exists. Nothing that was written is lost."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from content.deck.library import load
from content.deck.model import is_slug
from content.deck.new_card import NoPlace, append_card, sample_card, sample_deck
from content.deck.validation import ids_of
from content.format import SIZE_LIMIT, Kind, Language
from content.regular_file import read_file
from content.yaml.problems import render
from content.yaml.reader import read
from quiz.commands.new_file import new_file
from quiz.commands.output import fail
from quiz.commands.replace_file import reason, replace_file
from quiz.commands.schema import ensure_schema, schema_address, schema_path
from quiz.exit_codes import OK, PROBLEM, USAGE
from quiz.words.i18n import Words

SUFFIXES = (".yaml", ".yml")


def deck(path: str, *, language: str) -> int:
    """Writes a new deck; a file that exists is left alone."""
    words = Words.of(language)
    if not path.lower().endswith(SUFFIXES):
        return fail(words("new.suffix", path=path), USAGE)
    text = sample_deck(Path(path).stem, cast(Language, words.language), schema_address())
    try:
        with new_file(path) as file:
            file.write(text.encode())
    except FileExistsError:
        return fail(words("new.exists", path=path), USAGE)
    except (OSError, ValueError) as error:
        return fail(words("new.nowhere", path=path, reason=reason(error)), USAGE)
    done = _done(words("new.written", path=path))
    try:
        ensure_schema()
    except OSError as error:
        fail(words("new.no_schema", path=schema_path(), reason=reason(error)), PROBLEM)
    return done


def card(path: str, name: str, kind: Kind, *, language: str) -> int:
    """Appends a sample card under an id that the deck does not have."""
    words = Words.of(language)
    if not is_slug(name):
        return fail(words("new.bad_id", card=name), USAGE)
    try:
        data = read_file(path, SIZE_LIMIT + 1)
    except FileNotFoundError:
        return fail(words("new.missing", path=path), USAGE)
    except (OSError, ValueError) as error:
        return fail(words("new.nowhere", path=path, reason=reason(error)), USAGE)
    tree, problems = read(path, data)
    if tree is None:
        return fail("\n\n".join(render(problem, words.language) for problem in problems), PROBLEM)
    if name in ids_of(tree) or any(name in ids_of(loaded.tree) for loaded in load([Path(path)]).files):  # also in its other files
        return fail(words("new.taken", path=path, card=name), USAGE)
    try:
        changed, line = append_card(tree, data, sample_card(kind, name, cast(Language, words.language)))
        replace_file(path, changed)
    except NoPlace:
        return fail(words("new.no_place", path=path), PROBLEM)
    except OSError as error:
        return fail(words("new.nowhere", path=path, reason=reason(error)), USAGE)
    return _done(words("new.added", path=path, card=name, kind=kind, line=line))


def _done(sentence: str) -> int:
    return fail(sentence, OK)
