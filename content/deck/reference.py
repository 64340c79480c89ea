"""The reference in the authors' guide, in both languages, made from the model and the limits, so that it cannot drift.

    python -m content.deck.reference

writes it between the two marks in `docs/authoring.md` and `docs/authoring.zh.md`; `content/messages/reference.zh.yaml` holds the Chinese of
the model's descriptions, by their English.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from content import format as deck_format
from content.claims import computation, mutation, parser
from content.deck.json_schema import written_card, written_figure
from content.deck.model import Deck, parse_card
from content.format import LANGUAGES, Kind, Language
from content.messages.sentence import CATALOGUE
from content.text import markdown
from content.yaml import composer

DOCS = Path(__file__).parents[2] / "docs"
GUIDES: dict[Language, Path] = {"en": DOCS / "authoring.md", "zh": DOCS / "authoring.zh.md"}
START, END = "<!-- reference: written by python -m content.deck.reference -->", "<!-- end of the reference -->"

_MODELS = {
    "Deck": "deck", "Defaults": "defaults", "Card": "cards", "Predict": "predict", "Option": "options", "Number": "number",
    "Code": "code", "Verification": "verify", "Run": "runs", "Preset": "presets", "Claim": "claims", "Computation": "experiments",
    "ComputedParameter": "parameters", "Turns": "repeat", "Arms": "arms", "ComputedFigure": "figures",
}  # fmt: skip


def section(language: Language) -> str:
    """The reference in a language, as Markdown."""
    say = CATALOGUE("zh") if language == "zh" else None
    return "\n".join(_lines(say))


def with_reference(guide: str, reference: str) -> str:
    """A guide with the reference between its marks. Raises ValueError where a mark is missing."""
    before, rest = guide[: guide.index(START) + len(START)], guide[guide.index(END) :]
    return f"{before}\n\n{reference}\n\n{rest}"


Say = Mapping[str, str] | None  # None leaves the English


def _said(say: Say, english: str) -> str:
    """A sentence in the reference's language. Raises KeyError where there is no Chinese for it."""
    return say[english] if say else english


def _lines(say: Say) -> Iterator[str]:
    models: dict[str, Any] = Deck.model_json_schema()
    models["$defs"]["Card"] = written_card(models["$defs"]["Card"])
    models["$defs"]["ComputedFigure"] = written_figure(models["$defs"]["ComputedFigure"])
    for name, key in _MODELS.items():
        model = models if name == "Deck" else models["$defs"][name]
        yield from (
            f"### {key}",
            "",
            _said(say, model["description"]),
            "",
            _row(_said(say, "key"), _said(say, "value"), ""),
            "|---|---|---|",
        )
        for field, value in model["properties"].items():
            required = f"**{field}**" if field in model.get("required", ()) else field
            yield _row(required, _value(value, say), _said(say, value["description"]) + _default(value, say))
        yield ""
    yield from (f"### {_said(say, 'What each kind needs')}", "")
    yield from (f"- {_said(say, _needs(kind))}" for kind in get_args(Kind))
    yield from ("", f"### {_said(say, 'Functions in claims')}", "", ", ".join(f"`{name}`" for name in parser.FUNCTIONS))
    yield from ("", f"### {_said(say, 'Functions in computations')}", "", ", ".join(f"`{usage}`" for usage in computation.USAGE.values()))
    changes = ", ".join(f"`{name}`" for name, _ in mutation.CHANGES)
    yield from ("", _said(say, "What `qkv check` does to a result to see whether a claim can fail:") + f" {changes}")
    yield from ("", f"### {_said(say, 'Limits')}", "", _row(_said(say, "of"), _said(say, "at most")), "|---|---|")
    yield from (_row(_said(say, of), most) for of, most in _LIMITS.items())


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _default(value: Mapping[str, Any], say: Say) -> str:
    default = value.get("default")
    if default in (None, [], "", {}):
        return ""
    return _said(say, " Default: {}.").format(f"`{str(default).lower() if isinstance(default, bool) else default}`")


def _value(value: Mapping[str, Any], say: Say) -> str:
    """What a key may hold, from its schema."""
    match value:
        case {"anyOf": [{"type": "string"} as line, {"$ref": reference}]}:
            return _said(say, "{} or {}").format(_value(line, say), _value({"$ref": reference}, say))
        case {"anyOf": [alone, {"type": "array"} as several]}:
            return _said(say, "{} or {}").format(_value(alone, say), _value(several, say))
        case {"anyOf": [first, *_]}:
            return _value(first, say)
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            return (
                f"[{_MODELS[name]}](#{_MODELS[name]})" if name in _MODELS else _said(say, {"Text": "text", "Tolerance": "tolerance"}[name])
            )
        case {"type": "array", "items": items}:
            most = _said(say, ", at most {}").format(f"{value['maxItems']:,}") if "maxItems" in value else ""
            return _said(say, "list: {}").format(_value(items, say)) + most
        case {"type": "array", "prefixItems": _}:
            return _said(say, "two numbers")
        case {"enum": choices}:
            return ", ".join(f"`{choice}`" for choice in choices)
        case {"type": "integer"}:
            return f"{value['minimum']}–{value['maximum']}" if "maximum" in value else f"{value['minimum']}+"
        case {"type": "string", "pattern": pattern}:
            return _said(say, "name" if "(-" not in pattern else "id or deck/id" if "/" in pattern else "id")
        case {"type": "string", "format": form}:
            return _said(say, form)
        case {"type": "object", "patternProperties": patterns}:
            (named,) = patterns.values()
            return _said(say, "names, each with {}").format(_value(named, say))
        case {"type": sort}:
            return _said(say, {"string": "plain text", "object": "names and values"}.get(sort, sort))
    raise ValueError(f"a value that the reference cannot describe: {value}")


def _needs(kind: Kind) -> str:
    """What a card of a kind without any answer is told."""
    try:
        parse_card({"id": "a", "question": "?", "kind": kind})
    except ValidationError as error:
        return str(error.errors()[0]["ctx"]["error"])
    raise ValueError(f"{kind} needs nothing")


_LIMITS = {
    "a file": f"{deck_format.SIZE_LIMIT // 2**20} MiB",
    "levels of nesting": f"{composer.DEPTH_LIMIT}",
    "values in a file": f"{composer.VALUES_LIMIT:,}",
    "cards in a deck": f"{deck_format.CARDS_LIMIT:,}",
    "characters of a question": f"{deck_format.QUESTION_LIMIT:,}",
    "characters of answer, detail and trap": f"{deck_format.ANSWER_LIMIT:,}",
    "characters of every other text": f"{deck_format.SHORT_LIMIT:,}",
    "paragraphs, fences, tables and formulas in a text": f"{markdown.BLOCKS_LIMIT:,}",
    "table cells in a text": f"{markdown.CELLS_LIMIT:,}",
    "levels of lists in a text": f"{markdown.LEVELS_LIMIT}",
    "claims of a card": f"{deck_format.CLAIMS_LIMIT}",
    "characters of a claim": f"{deck_format.CLAIM_LIMIT}",
    "computations of a deck": f"{deck_format.EXPERIMENTS_LIMIT}",
    "lines of a computation": f"{deck_format.LINES_LIMIT}",
}


if __name__ == "__main__":
    for language in LANGUAGES:
        path = GUIDES[language]
        path.write_text(with_reference(path.read_text(encoding="utf-8"), section(language)), encoding="utf-8")
