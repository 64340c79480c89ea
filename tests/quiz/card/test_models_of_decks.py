"""A deck that names a folder as its model, on every way that leads from its file to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner

from content.deck.library import Given, load
from engine import Description, Label, Parameter, Recipe, Result, Survey, Worker
from engine.measures import measured
from engine.result import Quantity
from quiz.card.card_run import CardRun, run_card
from quiz.card.declared import unrun_problems
from quiz.card.judge import judge_card
from quiz.card.settings import OtherSettings
from quiz.cli import qkv
from quiz.tui.author_app import AuthorApp
from quiz.words.i18n import Words
from tests.quiz.driving import FakeEngine, Running, press

BERT = Description(
    name="pretrained_attention",
    claim="So.",
    title=Label("bert", "bert"),
    summary=Label("bert", "bert"),
    parameters=(
        Parameter("model", Label("model", "模型"), "", scale="text", names_model=True),
        Parameter("layer", Label("l", "l"), 3, 0, 11),
    ),
    deadline=3.0,
    sources=(),
    measures=(measured("head_weight", "weight", "权重"),),
)
DECK = """\
deck: bertdeck
title: B
cards:
  - id: c1
    question: What links it to the cat?
    answer: A head.
    verify: {{experiment: pretrained_attention, set: {{model: '{named}'}}, claims: [{{says: Some., check: head_weight > 0.5}}]}}
"""


class Bert(FakeEngine):
    """An engine that has one experiment, and remembers what it was asked to run."""

    def __init__(self) -> None:
        super().__init__()
        self.survey = _done(Survey({BERT.name: BERT}, {}))

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        return _done(BERT)

    def submit(self, name: str, parameters: Mapping[str, object], progress: object = None) -> Future[Result]:
        self.asked.append(dict(parameters))
        return _done(Result(quantities=(Quantity("head_weight", 0.7, Label("weight", "权重")),)))

    def __enter__(self) -> Bert:
        return self

    def __exit__(self, *_: object) -> None: ...


def _done(value: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(value)
    return future


@pytest.fixture
def bert(monkeypatch: pytest.MonkeyPatch) -> Bert:
    """The engine of every command."""
    made = Bert()
    for module in ("quiz.commands.plain_session", "quiz.commands.show", "quiz.commands.check", "quiz.commands.lab"):
        monkeypatch.setattr(f"{module}.Worker", lambda: made)
    return made


@pytest.fixture
def engine(bert: Bert) -> FakeEngine:
    return bert


@pytest.fixture
def deck(tmp_path: Path, own_data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only deck that there is, with a model beside it that nobody has allowed."""
    monkeypatch.setattr("content.deck.deck_files.bundled", lambda: ())
    folder = own_data / "decks"
    (folder / "bert").mkdir(parents=True)
    for name in ("config.json", "vocab.txt", "model.safetensors"):
        (folder / "bert" / name).write_text(name, encoding="utf-8")
    (folder / "deck.yaml").write_text(DECK.format(named="bert"), encoding="utf-8")
    return folder / "deck.yaml"


def run(*arguments: str, typed: str = "\n\n\n3\nq\n") -> str:
    done = CliRunner().invoke(qkv, arguments, input=typed)

    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


COMMANDS = [
    ("check", "{}"),
    ("check", "--no-run", "{}"),
    ("check", "--seeds", "3", "{}"),
    ("quiz", "--plain", "{}"),
    ("quiz", "--plain", "--practice", "bertdeck"),
    ("show", "c1"),
]


@pytest.mark.parametrize("named", ["bert", "/anywhere/bertcopy", "~root/.ssh", "//server/share", "../decks/bert"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_command_runs_it(deck: Path, bert: Bert, command: tuple[str, ...], named: str) -> None:
    """Whatever the folder, the engine is not asked for anything, and the person reads why."""
    deck.write_text(DECK.format(named=named), encoding="utf-8")
    told = " ".join(run(*(word.format(deck) for word in command)).split())

    assert [] == bert.asked
    assert "othing was opened" in told


@pytest.mark.parametrize("command", [command for command in COMMANDS if "--no-run" not in command], ids=" ".join)
def test_every_command_runs_what_was_allowed(deck: Path, bert: Bert, command: tuple[str, ...]) -> None:
    """The engine gets the folder itself, whatever the current folder is."""
    run("trust", str(deck.parent / "bert"))
    run(*(word.format(deck) for word in command))

    assert {str(deck.parent / "bert")} == {asked["model"] for asked in bert.asked} - {""}  # without one it runs at other settings


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("command", [command for command in COMMANDS if "--no-run" not in command], ids=" ".join)
def test_a_card_of_an_included_file_needs_the_same_leave(deck: Path, bert: Bert, command: tuple[str, ...], allowed: bool) -> None:
    """The folder of a model is looked for beside the deck, whatever file its card is in, and has to be allowed."""
    head, cards = DECK.format(named="bert").split("cards:")
    (deck.parent / "part.yaml").write_text(f"cards:{cards}", encoding="utf-8")
    deck.write_text(f"{head}include: part.yaml\n", encoding="utf-8")
    if allowed:
        run("trust", str(deck.parent / "bert"))
    told = " ".join(run(*(word.format(deck) for word in command)).split())

    assert ({str(deck.parent / "bert")} if allowed else set()) == {asked["model"] for asked in bert.asked} - {""}
    assert allowed == ("othing was opened" not in told)


@pytest.mark.parametrize("allowed", [False, True])
async def test_a_session_on_the_screen(running: Running, deck: Path, bert: Bert, allowed: bool) -> None:
    """Before the answer, with it and after a slider has moved."""
    if allowed:
        run("trust", str(deck.parent / "bert"))
    async with running(size=(140, 40), session=True) as pilot:
        await press(pilot, "enter", "tab", "down", "right", "left")

    assert ({str(deck.parent / "bert")} if allowed else set()) == {asked["model"] for asked in bert.asked}


@pytest.mark.parametrize("allowed", [False, True])
async def test_the_preview(deck: Path, bert: Bert, allowed: bool) -> None:
    """An author's own deck needs the same leave: it may come from somebody else."""
    if allowed:
        run("trust", str(deck.parent / "bert"))
    app = AuthorApp(deck, "en", cast(Worker, bert))
    async with app.run_test(size=(140, 40)) as pilot:
        for _ in range(20):
            await pilot.pause(0.05)

    assert ({str(deck.parent / "bert")} if allowed else set()) == {asked["model"] for asked in bert.asked}


def test_a_deck_from_a_pipe(deck: Path, bert: Bert) -> None:
    """It lies in no folder, so that it may name none."""
    run("trust", str(deck.parent / "bert"))
    library = load([Given("<stdin>", deck.read_bytes())])
    (loaded,) = library.decks
    judged = judge_card(loaded, 0, loaded.deck.cards[0], cast(Worker, bert), OtherSettings(cast(Worker, bert)))
    _, sentence = run_card(CardRun(loaded.deck.cards[0]), cast(Worker, bert), Words("en"))

    assert [] == bert.asked
    assert ["inside its own" in problem.message for problem in (*judged.problems, *unrun_problems(library, {BERT.name: BERT}))] == [
        True,
        True,
    ]
    assert "inside its own" in sentence


def test_who_types_a_folder_needs_no_leave(deck: Path, bert: Bert) -> None:
    """`qkv lab --set model=FOLDER` is the person's own word."""
    run("lab", "pretrained_attention", "--set", "model=/my/models/bert", "--json")

    assert [{"model": "/my/models/bert", "layer": 3}] == bert.asked


def test_which_parameters_name_a_model(worker: Worker) -> None:
    """The one whose text becomes a path in the engine, and no other."""
    survey = worker.survey.result()

    assert {("pretrained_attention", "model")} == {
        (name, parameter.name) for name, one in survey.found.items() for parameter in one.parameters if parameter.names_model
    }
