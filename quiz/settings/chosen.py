"""What counts now: an option of the command line before a QKV_* variable, that before settings.toml, that before what qkv does by itself.

Options of the command line come as variables of this run, or are handed to what they are about.
"""

from __future__ import annotations

import os
from typing import Any

from quiz.settings.document import Fault
from quiz.settings.file import stored
from quiz.settings.options import OPTIONS, Settings, Value


def settings() -> Settings:
    """What counts now. The file is looked at each time, and read where it was changed: two windows go by the same settings."""
    return Settings(**{**stored()[0], **_environment()[0]})


def faults() -> tuple[Fault, ...]:
    """What is wrong with the file and the variables, and so does not count."""
    return (*stored()[1], *_environment()[1])


def decided_by(name: str) -> str:
    """The variable that wins over the file; empty where none does."""
    return OPTIONS[name].variable if name in _environment()[0] else ""


def _environment() -> tuple[dict[str, Any], list[Fault]]:
    found: dict[str, Value] = {}
    wrong = []
    for option in OPTIONS.values():
        text = os.environ.get(option.variable, "")
        if not text.strip():
            continue
        try:
            found[option.name] = option.read(text[:2] if option.name == "language" else text)
        except ValueError:
            if option.name != "language":  # a locale in it was always passed over
                wrong.append(Fault("variable", name=option.variable, value=text))
    return found, wrong
