"""Sentences that remember how they were made: English as they stand, and another language's where a catalogue has them.

    say("the id {name} is already used in line {line}", name=name, line=4)

The value is a str, the English sentence itself: whoever compares, sorts, logs or stores it need not know of languages. Whoever prints it
asks for `in_language`. The English template is the key in the catalogue, as with gettext; a field may be a sentence as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial, reduce
from pathlib import Path
from string import Formatter

_WIDE = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"  # Chinese and its punctuation
_ENDS_WIDE, _STARTS_WIDE = re.compile(f"[{_WIDE}]\\Z"), re.compile(f"[{_WIDE}]")
Catalogue = Callable[[str], Mapping[str, str]]  # a language's templates, by the English ones


class Sentence(str):
    """The template with its fields; a template without fields is the sentence as it stands, braces and all."""

    __slots__ = ("catalogue", "fields", "template")

    catalogue: Catalogue
    template: str
    fields: Mapping[str, object]

    def __new__(cls, catalogue: Catalogue, template: str, /, **fields: object) -> Sentence:
        made = super().__new__(cls, template.format(**fields) if fields else template)
        made.catalogue, made.template, made.fields = catalogue, template, fields
        return made

    def in_language(self, language: str) -> str:
        """The sentence in a language; in English where nobody has translated it."""
        if language == "en":
            return str(self)
        template = self.catalogue(language).get(self.template, self.template)
        fields = {name: in_language(value, language) if isinstance(value, str) else value for name, value in self.fields.items()}
        return _filled(template, fields) if fields else template

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # a copy elsewhere is the English text


def _filled(template: str, fields: Mapping[str, object]) -> str:
    """A template with its fields: a space that parts Chinese from a name is no space between Chinese and Chinese."""
    filled = ""
    for text, field, spec, conversion in Formatter().parse(template):
        pieces = [text] if field is None else [text, Formatter().vformat(_placeholder(field, spec, conversion), (), fields)]
        for piece in pieces:
            filled = _beside(filled, piece)
    return filled


def _placeholder(field: str, spec: str | None, conversion: str | None) -> str:
    return "{" + field + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}"


def _beside(left: str, right: str) -> str:
    if left.endswith(" ") and _ENDS_WIDE.search(left[:-1]) and _STARTS_WIDE.match(right):
        left = left[:-1]
    elif right.startswith(" ") and _ENDS_WIDE.search(left) and _STARTS_WIDE.match(right[1:]):
        right = right[1:]
    return left + right


def in_language(said: str, language: str) -> str:
    """A text as a language has it: a sentence translated, whatever else it is as it stands."""
    return said.in_language(language) if isinstance(said, Sentence) else said


def bilingual(en: str, zh: str) -> Sentence:
    """A sentence that was made in both languages."""
    return Sentence(lambda language: {en: zh} if language == "zh" else {}, en)


def template(english: str) -> str:
    """Marks a text as the template of sentences that are made elsewhere, so that the test that looks for translations finds it."""
    return english


@cache
def load(folder: Path, language: str) -> Mapping[str, str]:
    """The templates of a language in the files of a folder that bear its name; none for English."""
    import yaml  # only when a sentence has to be translated

    known: dict[str, str] = {}
    for file in sorted(folder.glob(f"*{language}.yaml")):
        known |= yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader) or {}
    return known


CATALOGUE: Catalogue = partial(load, Path(__file__).parent)
say = partial(Sentence, CATALOGUE)


def joined(template: str, parts: Iterable[str]) -> str:
    """Several words or sentences as one, two by two: `{one} and {other}`."""
    first, *rest = list(parts) or [""]
    return reduce(lambda one, other: say(template, one=one, other=other), rest, first)
