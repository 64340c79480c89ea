"""The list of a release: a changelog that fits its version, and the step that fails ends it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import release

NEWEST = "# Changelog\n\n## [Unreleased]\n\n## 0.2.0 (2026-12-01)\n\n- New.\n\n## 0.1.0\n\n- First.\n"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        (NEWEST, ""),
        (NEWEST.replace("## [Unreleased]\n", ""), ""),
        (NEWEST.replace("[Unreleased]\n", "[Unreleased]\n\n- More.\n"), "CHANGELOG.md: what stands under [Unreleased]"),
        (NEWEST.replace("0.2.0", "0.3.0"), "CHANGELOG.md: its newest version is 0.3.0"),
        ("# Changelog\n", "CHANGELOG.md: its newest version is none"),
    ],
)
def test_the_changelog_is_that_of_the_version(text: str, begins: str) -> None:
    """Nothing is unreleased, and the newest version is that of pyproject.toml."""
    problem = release.changelog_problem(text, "0.2.0")

    assert bool(begins) == bool(problem)
    assert problem.startswith(begins)


def test_our_changelog_has_our_version() -> None:
    """Whatever is unreleased: the newest version with a number is the one that is installed."""
    sections = release.HEADING.findall(Path("CHANGELOG.md").read_text(encoding="utf-8"))

    assert ["Unreleased", release.version()] == sections[:2]


def test_the_first_problem_ends_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A step that finds something, or whose command fails, is the last; the exit code says so."""

    def failing() -> str:
        release.run("false")
        return ""

    steps = (("one", lambda: ""), ("two", failing), ("three", lambda: "not reached"))
    monkeypatch.setattr(release, "STEPS", steps)

    assert 1 == release.main()
    assert ("--- one\n--- two\n", "This failed: false\n") == capsys.readouterr()
