"""What is said of settings: their values, and what is wrong with the file they are in and what counts instead."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from quiz.settings.document import Fault
from quiz.settings.options import OPTIONS, Option, Value
from quiz.words.i18n import NAMES, Words


def value_text(name: str, value: Value, words: Words) -> str:
    """A setting's value for a person."""
    if name == "retention" and isinstance(value, float):
        return f"{100 * value:.0f} %"
    if name in ("new", "reviews"):
        return words("setting.unlimited") if value is None else words("setting.a_day", count=value)
    if isinstance(value, bool):
        return words("setting.on" if value else "setting.off")
    if name == "language":
        return NAMES.get(str(value), words("setting.system"))
    return words(f"setting.theme.{value}") if name == "theme" else str(value)


def allowed_text(option: Option, words: Words) -> str:
    """What a setting may be, as it is typed."""
    if option.choices or option.switch:
        return words("show.or").join(option.choices or ("on", "off"))
    return words("setting.range", low=f"{option.low:g}", high=f"{option.high:g}")


def fault_sentences(faults: Iterable[Fault], path: Path, words: Words, used: object) -> list[str]:
    """A sentence a fault: where, what, and what was used instead; `used` are the settings that count."""
    return [_sentence(fault, path, words, used) for fault in faults]


def _sentence(fault: Fault, path: Path, words: Words, used: object) -> str:
    where = words("setting.fault.line", path=path, line=fault.line) if fault.line else str(path)
    option = OPTIONS.get(fault.name) or next((each for each in OPTIONS.values() if each.variable == fault.name), None)
    instead = value_text(option.name, getattr(used, option.name), words) if option else ""
    allowed = allowed_text(option, words) if option else ""
    kind = "near" if fault.kind == "binding" and fault.value else fault.kind
    return words(
        f"setting.fault.{kind}",
        where=where,
        name=fault.name,
        value=fault.value,
        other=fault.other,
        allowed=allowed,
        used=instead,
    )
