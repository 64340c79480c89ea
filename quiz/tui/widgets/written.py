"""A text that is written where it is not written yet."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


def write(place: Static, text: str | Content) -> None:
    """Static asks for a new layout with each text, also with the one that it has."""
    content = Content(text) if isinstance(text, str) else text
    if place.content != content:
        place.update(content)
