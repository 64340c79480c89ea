"""What a terminal sends, as messages: every byte, in pieces of any size."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import constants, events

from quiz.tui.driver import Input


def messages(data: bytes, *, encoding: str = "utf-8", size: int = 0) -> list[Any]:
    """What comes of it in pieces of a size, or at once."""
    source = Input(encoding)
    pieces = [data[at : at + size] for at in range(0, len(data), size)] if size else [data]
    return [message for piece in pieces for message in source.feed(piece)]


def keys(found: list[Any]) -> str:
    return "".join(message.character or "" for message in found if isinstance(message, events.Key))


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize(("byte", "column"), [(0x21, 0), (0x7F, 94), (0x80, 95), (0xC3, 162), (0xE4, 195), (0xFF, 222)])
def test_an_old_mouse_report_is_a_click_where_it_was(byte: int, column: int, size: int) -> None:
    """In every column, the row beside it too, however the bytes arrive; and the key after it is a key."""
    for row in (0x21, 0x90, byte):
        down, up, key = messages(b"\x1b[M " + bytes([byte, row]) + b"\x1b[M#" + bytes([byte, row]) + b"q", size=size)

        assert (events.MouseDown, column, row - 33) == (type(down), down.x, down.y)
        assert (events.MouseUp, column, row - 33) == (type(up), up.x, up.y)
        assert "q" == key.character


def test_a_wheel_and_a_move_are_what_they_are() -> None:
    """The other reports of the same form."""
    assert [events.MouseScrollUp, events.MouseScrollDown, events.MouseMove] == [
        type(message) for message in messages(b"\x1b[M`!!\x1b[Ma!!\x1b[MC\xa0!")
    ]


@pytest.mark.parametrize("report", [b"\x1b[M\x00\x00\x00", b"\x1b[M \x20\x21", b"\x1b[M \x21\x00"])
def test_a_report_without_a_place_is_nothing(report: bytes) -> None:
    """A terminal that is wider than the form has numbers sends a zero."""
    assert "q" == keys(messages(report + b"q"))


@pytest.mark.parametrize(
    ("data", "encoding", "typed"),
    [
        ("注意".encode("gbk") + b"q", "utf-8", "ע��q"),
        ("注意".encode("gbk") + b"q", "gbk", "注意q"),
        ("é".encode("latin-1") + b"q", "utf-8", "�q"),
        (b"\x80\xff\xfeq", "utf-8", "���q"),
        ("注意q".encode(), "utf-8", "注意q"),
    ],
)
def test_what_is_no_text_is_one_sign(data: bytes, encoding: str, typed: str) -> None:
    """A byte that means nothing here is seen, and takes no key with it."""
    assert typed == keys(messages(data, encoding=encoding))
    assert typed == keys(messages(data, encoding=encoding, size=1))


def test_a_paste_is_text_of_any_kind() -> None:
    """Pasted bytes arrive as one paste."""
    (paste,) = messages(b"\x1b[200~d\xe9j\xe0 vu\x1b[201~x")[:1]

    assert "d�j� vu" == paste.text


@pytest.mark.parametrize("interrupt", [b"\x03", b"\x1b[99;5u"])
def test_a_paste_that_never_ends_is_interrupted(interrupt: bytes) -> None:
    """When the terminal is lost in the middle of a paste, ctrl+c is a key all the same, and so is what follows."""
    paste, *found = messages(b"\x1b[200~half a" + interrupt + b"q")

    assert "half a" == paste.text
    assert ["ctrl+c", "q"] == [message.key for message in found]


@pytest.mark.parametrize(
    "sequence", [b"\x1b[99999999999;1u", b"\x1b[1114112u\x1b[1114112;1u", b"\x1b[48;65000;65000;1;1t", b"\x1b[48;0;0;0;0t"]
)
def test_nonsense_is_left_out(sequence: bytes) -> None:
    """A sequence that fails the parser, or lies about the size, is nothing; the next key is a key."""
    found = messages(sequence + b"q") + messages(sequence)

    assert [] == [message for message in found if isinstance(message, events.Resize)]
    source = Input("utf-8")
    list(source.feed(sequence))
    assert "q" == keys(list(source.feed(b"q")))


def test_a_real_size_is_one() -> None:
    """A terminal may say that it was resized."""
    (size,) = messages(b"\x1b[48;30;100;600;1000t")

    assert (100, 30) == size.size


def test_an_escape_that_nothing_follows_is_a_key() -> None:
    """Also when it looks like the beginning of a report."""
    source = Input("utf-8")
    assert [] == list(source.feed(b"\x1b"))
    time.sleep(2 * constants.ESCAPE_DELAY)

    assert ["escape"] == [message.key for message in source.tick()]  # type: ignore[attr-defined]
    assert "[M q" == keys(list(source.feed(b"[M q")))


@given(st.binary(), st.sampled_from(["utf-8", "gbk", "latin-1", "shift_jis"]), st.integers(0, 3))
def test_no_bytes_are_a_fault(data: bytes, encoding: str, size: int) -> None:
    """Whatever comes, in whatever pieces."""
    messages(data, encoding=encoding, size=size)


@given(st.binary().map(lambda data: data.replace(b"\x1b", b"?")))
def test_no_bytes_take_the_next_key(data: bytes) -> None:
    """Without an escape in it, a text that is none ends where the next key is pressed."""
    assert keys(messages(data + b"q")).endswith("q")
