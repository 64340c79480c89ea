"""`qkv trust`: the models that decks may use, listed, allowed by their content, and forgotten."""

from __future__ import annotations

import json
import os
from pathlib import Path

from quiz.card.allowed_models import allowed_list_path, allowed_models, fingerprint
from quiz.commands.output import fail, tell
from quiz.commands.replace_file import reason, replace_file
from quiz.exit_codes import OK, UNSAVED, USAGE
from quiz.progress.private_files import make_private_folder
from quiz.words.i18n import Words


def run(folder: str | None, *, forget: bool, language: str) -> int:
    """Lists what is allowed, or allows the model in a folder as it is now, or forgets it. Exit codes: 0, 2 no such model, 3 not saved."""
    words, allowed = Words.of(language), allowed_models()
    if folder is None:
        tell("\n".join(allowed) or words("models.none"))
        return OK
    try:
        place = os.path.normcase(os.path.realpath(folder))
        changed = {each: print for each, print in allowed.items() if each != place}
        if not forget:
            changed[place] = fingerprint(Path(place))
        elif place not in allowed:
            return fail(words("models.unknown", path=place), USAGE)
    except (OSError, ValueError) as error:
        return fail(words("models.unreadable", path=folder, reason=reason(error)), USAGE)
    return _save(changed, words("models.forgotten" if forget else "models.allowed", path=place), words)


def _save(allowed: dict[str, str], done: str, words: Words) -> int:
    file = allowed_list_path()
    try:
        make_private_folder(file.parent)
        replace_file(file, json.dumps(allowed, indent=1).encode())
    except OSError as error:
        return fail(words("new.nowhere", path=file, reason=reason(error)), UNSAVED)
    return fail(done, OK)
