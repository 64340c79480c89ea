"""What is not a text in UTF-8 is called what it is."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from content.yaml.decode import decoded
from tests.content.yaml.reading import first

DECK = "deck: 注意力\ntitle: 一个题库\ncards:\n  - id: a\n    question: 为什么要除以根号？\n    answer: 方差变大。\n"


def archive(*names: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        for name in names:
            file.writestr(name, "x")
    return held.getvalue()


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"<!DOCTYPE html>\n<html><body>deck: a</body></html>", "this is a web page (HTML), not a deck"),
        (b"\xef\xbb\xbf\n  <html lang=en>", "this is a web page (HTML), not a deck"),
        (b"<!-- saved -->\n<HTML>", "this is a web page (HTML), not a deck"),
        (b"<?xml version='1.0'?><rss/>", "this is XML, not a deck"),
        (b"%PDF-1.7\n%\xe2\xe3", "this is a PDF document"),
        (archive("deck.yaml"), "this is a zip archive"),
        (archive("[Content_Types].xml", "word/document.xml"), "this is a Word document"),
        (archive("[Content_Types].xml", "xl/workbook.xml"), "this is an Excel workbook"),
        (archive("[Content_Types].xml", "ppt/presentation.xml"), "this is a PowerPoint presentation"),
        (archive("collection.anki2", "media"), "this is an Anki package"),
        (gzip.compress(b"deck: a", mtime=0), "this is a gzip archive"),
        (b"SQLite format 3\0...", "this is a database"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "this is a document of an old Microsoft Office"),
        (b"{\\rtf1\\ansi deck: a}", "this is a document in rich text"),
        (b"\x89PNG\r\n\x1a\n\0", "this is a picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "this is a picture"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "this is a pointer of Git LFS, not the deck itself"),
        (b"#separator:tab\n#html:true\nWhy?\tBecause.\n", "this is a text export of Anki, not a deck"),
    ],
)
def test_other_files_are_called_what_they_are(data: bytes, what: str) -> None:
    """An author sees which file was given, and what to do about it."""
    line, column, message, hint = first(data)
    assert (1, 1, what) == (line, column, message)
    assert hint


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [DECK, "# 中文\n" + DECK, "\n\n" + DECK, "一" * 200 + DECK * 9, "a: b"])
def test_wide_encodings_are_named(text: str, encoding: str, mark: str) -> None:
    """With a mark at the start or without, in English or mostly in Chinese."""
    assert (1, 1, f"the file is {encoding[:6].upper()}", "save it as UTF-8") == first((mark + text).encode(encoding))


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (DECK.encode("gbk"), ": the file looks like GBK"),
        (DECK.encode("gb18030"), ": the file looks like GBK"),
        ("title: Réseaux à café\n".encode("cp1252"), ": the file looks like Windows-1252 or Latin-1"),
        ("title: Größe über\n".encode("latin-1"), ": the file looks like Windows-1252 or Latin-1"),
        (b"a: \x81\x82\x83", ""),
    ],
)
def test_eight_bit_encodings_are_guessed_aloud(data: bytes, looks: str) -> None:
    """The byte is named, and the encoding where it can be told."""
    message = first(data)[2]
    assert message.startswith("the byte 0x")
    assert looks == message.partition(" is not UTF-8")[2]


@pytest.mark.parametrize(
    "text", [DECK, "<b>: c\n", '{"deck": "a"}', "PK: a\n", "# <html>\na: b\n", "#deck: a\na: b\n", "title: <!DOCTYPE html>\n"]
)
def test_decks_are_decks(text: str) -> None:
    """What only mentions another format is read."""
    assert text == decoded("a.yaml", text.encode())
