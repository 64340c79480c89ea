"""Keys that bindings can be given."""

from __future__ import annotations

import pytest

from quiz.settings.document import Fault
from quiz.settings.keymap import Bound, sound_keys

BOUND = (
    Bound("app.help", ("question_mark",), "app", frozenset({"App"})),
    Bound("app.interrupt", ("ctrl+c",), "app", frozenset({"App"})),
    Bound("home.lab", ("e",), "screen", frozenset({"Home"})),
    Bound("home.stats", ("s",), "screen", frozenset({"Home"})),
    Bound("lab.leave", ("q",), "screen", frozenset({"Lab"})),
    Bound("help.close", ("escape",), "modal", frozenset({"Help"})),
    Bound("slider.less", ("left",), "widget", frozenset({"Slider"})),
    Bound("session.letter.a", ("a",), "screen", frozenset({"Session"})),
)


def name(key: str) -> str:
    return key if len(key) == 1 or key in ("left", "ctrl+g", "escape") else ""


@pytest.mark.parametrize(
    ("wanted", "faults"),
    [
        ({"home.lab": "x"}, []),
        ({"home.lab": "x, ctrl+g"}, []),
        ({"home.lab": "q"}, []),  # that of another screen
        ({"help.close": "e"}, []),  # a modal screen is alone
        ({"home.lab": "s", "home.stats": "e"}, []),  # they change places
        ({"home.lab": "s"}, [Fault("clash", name="home.lab", value="s", other="home.stats")]),
        ({"home.lab": "left"}, [Fault("clash", name="home.lab", value="left", other="slider.less")]),
        ({"app.help": "q"}, [Fault("clash", name="app.help", value="q", other="lab.leave")]),
        ({"home.lab": "y", "home.stats": "y"}, [Fault("clash", name="home.stats", value="y", other="home.lab")]),
        ({"home.lab": "qqq"}, [Fault("key", name="home.lab", value="qqq")]),
        ({"home.labb": "x"}, [Fault("binding", name="home.labb", value="home.lab")]),
        ({"session.letter.a": "x"}, [Fault("fixed", name="session.letter.a")]),
        ({"app.interrupt": "x"}, [Fault("fixed", name="app.interrupt")]),
    ],
)
def test_a_key_has_one_meaning_at_a_time(wanted: dict[str, str], faults: list[Fault]) -> None:
    """A binding takes any key that nothing else on its screen has; the last that wants one gives way."""
    assert faults == sound_keys(wanted, BOUND, name)[1]


def test_what_cannot_be_given_is_left_out() -> None:
    """The others are given."""
    wanted = {"home.lab": "s", "app.help": "x"}

    assert {"app.help": ("x",)} == sound_keys(wanted, BOUND, name)[0]


def test_one_that_gives_way_gives_back() -> None:
    """A binding that keeps its own key after all has it before one that wanted it."""
    wanted = {"home.stats": "e", "home.lab": "left"}

    assert {} == sound_keys(wanted, BOUND, name)[0]
