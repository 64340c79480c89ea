"""Torch stays in the engine's process: checked in fresh interpreters, which import-linter cannot do."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {
    "engine": ("yaml", "rich", "textual", "click", "pydantic", "content", "quiz"),
    "content": ("rich", "textual", "click", "engine", "quiz"),
}


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after running some code."""
    script = f"{code}\nimport sys\nprint('\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module", ["engine", "content", "quiz.cli", "quiz.tui.app", "quiz.commands.plain_session", "quiz.commands.check", "quiz.commands.cards"]
)
def test_importing_loads_no_torch(module: str) -> None:
    """Nothing that a person waits for imports torch."""
    assert "torch" not in loaded(f"import {module}")


@pytest.mark.parametrize(("package", "code"), [("engine", "from engine import *"), ("content", "import content.deck.checks")])
def test_a_package_loads_only_what_it_may(package: str, code: str) -> None:
    """The engine loads no YAML and no screen; the content loads no screen and no engine."""
    assert set() == loaded(code) & set(HEAVY[package])


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_loads_nothing_but_click(option: str) -> None:
    """`qkv --help` answers before decks, progress or screens are loaded."""
    code = f"import sys; sys.argv = ['qkv', '{option}']\nfrom quiz.cli import main\ntry: main()\nexcept SystemExit: pass"

    assert set() == loaded(code) & {"torch", "pydantic", "textual", "rich", "yaml", "sqlite3", "markdown_it", "fsrs_rs_python"}


@pytest.mark.parametrize("package", ["content", "engine", "content.deck.cards", "engine.label"])
def test_a_package_loads_nothing_before_it_is_used(package: str) -> None:
    """Who needs the cards or a label pays for no more than that."""
    assert set() == loaded(f"import {package}") & {"pydantic", "yaml", "engine.worker.worker", "engine.catalog", "content.deck.validation"}


HOME = """
import asyncio
from quiz.card.deck_paths import resolve_decks
from quiz.tui import routes
from quiz.tui.app import QkvApp, Start
routes.load = lambda *screens: None
async def home():
    app = QkvApp(Start(resolve_decks(()), "en"))
    app.engine.start = lambda: None
    {begin}
    async with app.run_test() as pilot:
        while app.is_running and app.files.store is None:
            await pilot.pause(0.01)
        await app.workers.wait_for_complete()
asyncio.run(asyncio.wait_for(home(), 60))
"""


def test_the_first_paint_waits_for_nothing() -> None:
    """Decks, progress, engine and the other screens are loaded after the first screen is drawn."""
    heavy = {"pydantic", "yaml", "markdown_it", "texicode", "sqlite3", "fsrs_rs_python"}
    ours = {"content.deck.library", "content.deck.cards", "engine.worker.worker", "quiz.study.queue", "quiz.tui.screens.session"}

    assert set() == loaded(HOME.format(begin="app.begin = app.exit")) & (heavy | ours)


def test_home_with_decks_that_have_not_changed_loads_no_reader() -> None:
    """From the second start on the numbers come without YAML, schema library and Markdown."""
    first, second = (loaded(HOME.format(begin="")) for _ in range(2))

    assert {"pydantic", "yaml"} <= first
    assert set() == second & {"pydantic", "yaml", "markdown_it", "content.yaml.reader", "content.deck.model"}


@pytest.mark.parametrize("module", ["content.deck.library", "quiz.commands.cards", "quiz.commands.stats"])
def test_importing_loads_no_reader(module: str) -> None:
    """What only lists, counts and prints waits for a schema library or a drawing only where it needs one."""
    assert set() == loaded(f"import {module}") & {"pydantic", "yaml", "markdown_it", "rich", "texicode", "engine.worker.worker"}


def test_a_whole_card_loads_no_torch() -> None:
    """From the first paint over a real run to the reveal, the interface's process never imports torch."""
    code = """
import asyncio
from quiz.tui.app import QkvApp
from quiz.tui.requests import Start
from quiz.card.deck_paths import resolve_decks
async def card():
    app = QkvApp(Start(resolve_decks(("attention",)), "en", session=True))
    async with app.run_test() as pilot:
        while not hasattr(app.screen, "card_run") or app.screen.card_run is None or app.screen.card_run.result is None:
            await pilot.pause(0.05)
        await pilot.press("enter", "2", "tab")
asyncio.run(asyncio.wait_for(card(), 60))
"""

    assert set() == loaded(code) & {"torch", "numpy"}
