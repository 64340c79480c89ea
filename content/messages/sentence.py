"""Sentences that remember how they were made: English as they stand, and another language's where a catalogue has them.

    say("the id {name} is already used in line {line}", name=name, line=4)

The value is a str, the English sentence itself: whoever compares, sorts, logs or stores it need not know of languages. Whoever prints it
asks for `in_language`. The English template is the key in the catalogue, as with gettext; a field may be a sentence as well, or a list of
words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial, reduce
from pathlib import Path

_COMMAS = {"en": ", ", "zh": "、"}

Catalogue = Callable[[str], Mapping[str, str]]  # a language's templates, by the English ones


class Sentence(str):
    """The template with its fields; a template without fields is the sentence as it stands, braces and all."""

    __slots__ = ("catalogue", "fields", "template")

    catalogue: Catalogue
    template: str
    fields: Mapping[str, object]

    def __new__(cls, catalogue: Catalogue, template: str, /, **fields: object) -> Sentence:
        made = super().__new__(cls, template.format(**_worded(fields, "en")) if fields else template)
        made.catalogue, made.template, made.fields = catalogue, template, fields
        return made

    def in_language(self, language: str) -> str:
        """The sentence in a language; in English where nobody has translated it."""
        if language == "en":
            return str(self)
        template = self.catalogue(language).get(self.template, self.template)
        return _filled(template, self.fields, language) if self.fields else template

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # a copy elsewhere is the English text


def _worded(fields: Mapping[str, object], language: str) -> dict[str, object]:
    """The fields as a language has them; words of a list with what parts them."""
    worded = {name: _COMMAS[language].join(value) if isinstance(value, list | tuple) else value for name, value in fields.items()}
    return {name: in_language(value, language) if isinstance(value, str) else value for name, value in worded.items()}


def _filled(template: str, fields: Mapping[str, object], language: str) -> str:
    """A template with its fields: the space that parts Chinese from a name is none between our Chinese and our Chinese."""
    from string import Formatter  # only when a sentence has to be translated

    filled, ours, form, worded = "", False, Formatter(), _worded(fields, language)
    for text, field, spec, conversion in form.parse(template):
        filled = _beside(filled, text) if ours else filled + text
        ours = field is not None and isinstance(fields[field], Sentence)
        if field is not None:
            value = form.format_field(form.convert_field(worded[field], conversion), spec or "")
            filled = _beside(filled, value) if ours else filled + value
    return filled


def _beside(left: str, right: str) -> str:
    """Two pieces of a sentence, one of them perhaps with a space at the seam."""
    ends, starts = left[-2:].rstrip(" ")[-1:], right[:2].lstrip(" ")[:1]
    if _is_chinese(ends) and _is_chinese(starts):
        return left.removesuffix(" ") + right.removeprefix(" ")
    return left + right


def _is_chinese(character: str) -> bool:
    return "\u4e00" <= character <= "\u9fff"


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
