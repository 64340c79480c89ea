"""The program's name, and what its three letters stand for."""

from __future__ import annotations

from textual.content import Content

from quiz.words.i18n import Words

ROLES = (("q", "query"), ("k", "key"), ("v", "value"))


def wordmark(words: Words) -> Content:
    """The name with what one does here."""
    name = [(letter, f"bold ${role}") for letter, role in ROLES]
    return Content.assemble(*name, "   ", (words("home.tagline"), "$quiet"))


def letters(words: Words) -> Content:
    """What the three letters stand for: the way a card goes."""
    rows = [Content.assemble((f" {mark.upper()} ", f"bold ${role}"), (words(f"home.intro.{mark}"), "$quiet")) for mark, role in ROLES]
    return Content("\n").join(rows)
