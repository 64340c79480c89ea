"""Bytes to text, or what the file is instead: another encoding, a web page, a document of another program."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import islice

from content.messages.sentence import say
from content.yaml.problems import Problem

_BOMS = ((b"\xff\xfe\0\0", "UTF-32"), (b"\0\0\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
_SAMPLE = 4_000  # bytes that are looked at to know an encoding
_BEYOND_ASCII = re.compile(rb"([A-Za-z]?)([\x80-\xff]+)([A-Za-z]?)")  # European letters stand in words, Chinese ones in pairs
_MOST = 0.8  # of the places beyond ASCII

_EXPORT = say("open it in the program that made it, copy the text, and write a deck: `qkv new` starts one")
_KINDS: tuple[tuple[re.Pattern[bytes], str, str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.DOTALL), what, hint)
    for pattern, what, hint in (
        (rb"%PDF-", say("a PDF document"), say("copy its text, and write a deck: `qkv new` starts one")),
        (rb"PK\x03\x04.{0,4000000}?word/", say("a Word document"), _EXPORT),
        (rb"PK\x03\x04.{0,4000000}?xl/", say("an Excel workbook"), _EXPORT),
        (rb"PK\x03\x04.{0,4000000}?ppt/", say("a PowerPoint presentation"), _EXPORT),
        (rb"PK\x03\x04.{0,4000000}?collection\.anki2", say("an Anki package"),
         say("export the notes as text from Anki, and write a deck of them")),
        (rb"PK\x03\x04", say("a zip archive"), say("unpack it, and give the .yaml file in it")),
        (rb"\x1f\x8b", say("a gzip archive"), say("unpack it, and give the .yaml file in it")),
        (rb"7z\xbc\xaf\x27\x1c|Rar!", say("an archive"), say("unpack it, and give the .yaml file in it")),
        (rb"\xd0\xcf\x11\xe0", say("a document of an old Microsoft Office"), _EXPORT),
        (rb"\{\\rtf", say("a document in rich text"), say("save it as plain text")),
        (rb"SQLite format 3\0", say("a database"), say("a deck is a text file; progress is brought in by `qkv import`")),
        (rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP", say("a picture"), say("give a YAML file")),
        (rb"(?:\xef\xbb\xbf)?\s*(?:<!--.{0,2000}?-->\s*)?<(?:!doctype html|html|head|body)\b", say("a web page (HTML), not a deck"),
         say("download the file itself: on GitHub press Raw and save what it shows")),
        (rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!doctype|svg|rss|feed)\b", say("XML, not a deck"), say("give a YAML file")),
        (rb"version https://git-lfs\.github\.com", say("a pointer of Git LFS, not the deck itself"), say("run `git lfs pull`")),
        (rb"(?:\xef\xbb\xbf)?#(?:separator|html|notetype|deck|columns)(?: column)?:[^\n]*\n(?:#[^\n]*\n)*[^#\n]*\t",
         say("a text export of Anki, not a deck"),
         say("write each note as a card: `qkv new` starts a deck")),
    )
)  # fmt: skip


def decoded(path: str, data: bytes) -> str | Problem:
    """The text with \\n line ends, or why there is none."""
    for shape, what, hint in _KINDS:
        if shape.match(data):
            return Problem(path, 1, 1, say("this is {what}", what=what), hint)
    if wide := _wide(data):
        return Problem(path, 1, 1, say("the file is {wide}", wide=wide), say("save it as UTF-8"))
    if b"\0" in data:
        return Problem(path, _line_of(data, data.index(b"\0")), 1, say("this is a binary file, not a deck"), say("give a YAML file"))
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        return _undecodable(path, error)
    if "\r" in text and "\n" not in text:
        return Problem(path, 1, 1, say("the lines end with a carriage return alone"), say("save the file with LF or CRLF line ends"))
    return text


def _wide(data: bytes) -> str:
    """UTF-16 or UTF-32, by the mark at the start, or by the zeros beside the ASCII letters that every deck has."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    sample = data[:_SAMPLE]
    zeros = [sample[place::4].count(0) for place in range(4)]
    quarter = len(sample) // 4
    if quarter and (zeros[0] < quarter == zeros[2] == zeros[3] or zeros[3] < quarter == zeros[0] == zeros[1]):
        return "UTF-32"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    return "UTF-16" if max(even, odd) >= max(3, len(sample) / 8) and 2 * min(even, odd) < max(even, odd) else ""


def _undecodable(path: str, error: UnicodeDecodeError) -> Problem:
    data: bytes = error.object
    start = data.rfind(b"\n", 0, error.start) + 1
    column = len(data[start : error.start].decode()) + 1
    encoding = _eight_bits(data)
    source = data[start:].split(b"\n", 1)[0].decode(encoding or "utf-8", errors="replace")
    looks = {"gb18030": say("the file looks like GBK"), "cp1252": say("the file looks like Windows-1252 or Latin-1")}.get(encoding, "")
    message = say("the byte 0x{byte:02X} is not UTF-8", byte=data[error.start])
    message = say("{sentence}: {looks}", sentence=message, looks=looks) if looks else message
    hint = say("save it as UTF-8") if looks else say("save the file as UTF-8; editors on Windows may have used GBK or Latin-1")
    return Problem(path, _line_of(data, start), column, message, hint, source=source)


def _eight_bits(data: bytes) -> str:
    """The encoding of a text that is none of Unicode's; nothing where it may be any."""
    runs = list(islice(_BEYOND_ASCII.finditer(data), _SAMPLE))
    if sum(bool(run[1] or run[3] or len(run[2]) == 1) for run in runs) > _MOST * len(runs):
        return "cp1252"
    if sum(len(run[2]) % 2 == 0 and min(run[2]) >= 0xA1 for run in runs) > _MOST * len(runs):
        with suppress(UnicodeDecodeError):
            data.decode("gb18030")
            return "gb18030"
    return ""


def _line_of(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1
