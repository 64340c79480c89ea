"""The textbook has a table of contents."""

from __future__ import annotations

import pkgutil
import re

from engine import textbook


def test_every_page_stands_once_in_the_contents() -> None:
    """Whoever reads the textbook in its order meets every module once."""
    chapters = re.findall(r"^\d\. [^:]*: (.*?)\.$", str(textbook.__doc__), re.MULTILINE | re.DOTALL)
    listed = [name for chapter in chapters for name in re.split(r",\s+", chapter)]

    assert sorted(page.name for page in pkgutil.iter_modules(textbook.__path__)) == sorted(listed)
