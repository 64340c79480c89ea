"""What a person would call a value of a deck by its location."""

from __future__ import annotations

from content.format import LANGUAGES
from content.messages.sentence import say
from content.yaml.tree import Location
from content.yaml.yaml_mistakes import excerpt


def location_name(location: Location) -> str:
    """What a person would call the value at a location: `level`, `item 2 of tags`, `the en of question`."""
    match location:
        case (*_, "[key]"):
            return say("the name")
        case (*_, str(key), int(number)):
            return say("item {number} of {key}", number=number + 1, key=key)
        case (*_, str(key), str(language)) if language in LANGUAGES:
            return say("the {language} of {key}", language=language, key=key)
        case (*_, str(key), int(number), str(language)) if language in LANGUAGES:
            return say("the {language} of item {number} of {key}", language=language, number=number + 1, key=key)
        case (*_, str(key)):
            return excerpt(key)
    return say("the deck")


def value_name(value: object) -> str:
    """A value in a sentence: a short text itself, the rest by what it is."""
    if isinstance(value, str):
        return excerpt(value) if value else say("empty")
    if isinstance(value, int | float):
        return f"{value:g}"
    return say("a list") if isinstance(value, list) else say("a mapping of keys and values")
