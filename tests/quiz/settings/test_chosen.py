"""What counts where file and environment differ."""

from __future__ import annotations

import pytest

from quiz.settings.chosen import decided_by, faults, settings
from quiz.settings.document import Fault
from quiz.settings.file import store
from quiz.settings.options import DEFAULTS


def test_without_a_choice_the_defaults_count() -> None:
    """No file, no variable."""
    assert (DEFAULTS, ()) == (settings(), faults())


def test_a_variable_wins_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """QKV_NEW, QKV_THEME and the others; what it says is told as the reason."""
    store("new", 3)
    store("theme", "light")
    monkeypatch.setenv("QKV_NEW", "7")

    assert (7, "light") == (settings().new, settings().theme)
    assert ["QKV_NEW", ""] == [decided_by("new"), decided_by("theme")]


def test_a_variable_that_says_nothing_sensible_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file counts then."""
    store("retention", 0.8)
    monkeypatch.setenv("QKV_RETENTION", "lots")

    assert (0.8, (Fault("variable", name="QKV_RETENTION", value="lots"),)) == (settings().retention, faults())


def test_a_locale_in_qkv_lang_is_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """zh_CN.UTF-8 is zh; of another language nothing is said."""
    monkeypatch.setenv("QKV_LANG", "zh_CN.UTF-8")
    first = settings().language
    monkeypatch.setenv("QKV_LANG", "de_DE")

    assert (["zh", ""], ()) == ([first, settings().language], faults())
