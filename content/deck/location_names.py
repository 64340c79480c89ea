"""What a person would call a value of a deck by its location."""

from __future__ import annotations

from content.format import LANGUAGES
from content.yaml.tree import Location
from content.yaml.yaml_mistakes import excerpt


def location_name(location: Location) -> str:
    """What a person would call the value at a location: `level`, `item 2 of tags`, `the en of question`."""
    match location:
        case (*_, "[key]"):
            return "the name"
        case (*_, str(key), int(number)):
            return f"item {number + 1} of {key}"
        case (*_, str(key), str(language)) if language in LANGUAGES:
            return f"the {language} of {key}"
        case (*_, str(key), int(number), str(language)) if language in LANGUAGES:
            return f"the {language} of item {number + 1} of {key}"
        case (*_, str(key)):
            return excerpt(key)
    return "the deck"
