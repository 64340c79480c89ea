"""The authors' guide: every example in it is a deck that is checked, every command is run, and the reference is that of the model."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from click.testing import CliRunner

from content.deck.reference import GUIDES, section, with_reference
from content.format import LANGUAGES, Language
from quiz.cli import qkv
from quiz.commands.schema import schema_path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    """A fence; its name is a file, `card` for a card alone, `head` for the lines before a deck."""

    language: str
    name: str
    text: str


def examples(language: Language) -> list[Example]:
    return [Example(*found) for found in FENCE.findall(GUIDES[language].read_text(encoding="utf-8"))]


def invoke(command: str) -> tuple[int, str]:
    """A command of the guide: its exit code, and what a person sees of it."""
    program, *arguments = shlex.split(command)
    assert "qkv" == program
    done = CliRunner().invoke(qkv, arguments)
    return done.exit_code, done.output.rstrip("\n")


def matches(expected: str, told: str) -> bool:
    """Whether an output is the one in the guide, where ... stands for anything."""
    return re.fullmatch(".*?".join(map(re.escape, expected.split("..."))), told, re.DOTALL) is not None


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which commands are typed."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_is_current(language: Language) -> None:
    """What stands between the marks is what the model says; `python -m content.deck.reference` writes it."""
    guide = GUIDES[language].read_text(encoding="utf-8")

    assert with_reference(guide, section(language)) == guide


def test_both_guides_have_the_same_examples() -> None:
    """An example that one language has, the other has too, at the same place."""
    names = [[(example.language, example.name) for example in examples(language)] for language in LANGUAGES]

    assert names[0] == names[1]
    assert {"yaml", "console"} == {language for language, _ in names[0]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_say_what_the_guide_says(language: Language, typed: Path) -> None:
    """Followed from top to bottom, files written and commands typed, everything comes out as printed."""
    for example in examples(language):
        if example.language == "yaml" and re.fullmatch(r"\w+\.yaml", example.name):
            (typed / example.name).write_text(example.text, encoding="utf-8")
        if example.language == "console":
            for dialogue in re.split(r"^\$ ", example.text, flags=re.MULTILINE)[1:]:
                command, _, expected = dialogue.partition("\n")
                _, told = invoke(command)

                assert matches(expected.rstrip("\n"), told), told


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_of_the_guide_pass(language: Language, typed: Path) -> None:
    """Each card shown alone has no error, its claims hold, its listing runs, and the only warning is that it proves nothing."""
    cards = "".join(example.text for example in examples(language) if example.name == "card")
    (typed / "guide.yaml").write_text(f"deck: guide\ntitle: Guide\ncards:\n{cards}", encoding="utf-8")
    code, told = invoke("qkv check guide.yaml --code")

    assert 0 == code, told
    assert "1 of 1 listing wrong as the card says" in told
    assert {"nothing proves the answer of"} == set(re.findall(r"warning: (nothing proves the answer of|.*)", told))
    assert {"choice", "number", "order", "code"} == set(re.findall(r"kind: (choice|number|order|code)\b", cards))


def test_the_mistakes_of_the_guide_are_told_in_chinese(typed: Path) -> None:
    """Every deck of the guide, checked with --lang zh: no sentence is left in English."""
    for example in examples("en"):
        if example.language == "yaml" and re.fullmatch(r"\w+\.yaml", example.name):
            (typed / example.name).write_text(example.text, encoding="utf-8")
    _, told = invoke("qkv check . --lang zh")
    ours = [re.sub(r"`[^`]*`", "", line) for line in told.splitlines() if not line.startswith("    ")]

    assert 5 < len([line for line in ours if "错误：" in line])
    assert [] == [line for line in ours if re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", line)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_other_files_are_right(language: Language) -> None:
    """The hook in the guide exists, the workflow's qkv command can be parsed, the schema line is the one that `qkv new` writes."""
    files: dict[str, Any] = {example.name: example.text for example in examples(language)}
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = yaml.safe_load(files[".pre-commit-config.yaml"])["repos"]
    *_, last = yaml.safe_load(files[".github/workflows/decks.yaml"])["jobs"]["decks"]["steps"]
    _, command, *arguments = shlex.split(last["run"])

    assert {hook["id"] for hook in repository["hooks"]} <= {hook["id"] for hook in hooks}
    assert "github" == qkv.commands[command].make_context(command, arguments).params["form"]
    assert files["head"].startswith("# yaml-language-server: $schema=file:///")
    assert files["head"].rstrip().endswith(schema_path().name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_that_is_named_exists(language: Language) -> None:
    """`qkv WORD` in the guide is a command."""
    named = set(re.findall(r"`qkv ([a-z]+)", GUIDES[language].read_text(encoding="utf-8")))

    assert named
    assert set() == named - set(qkv.commands)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_within_the_guide_leads_to_a_heading(language: Language) -> None:
    """As GitHub names headings: small letters, without marks, a hyphen for a space."""
    text = FENCE.sub("", GUIDES[language].read_text(encoding="utf-8"))
    headings = {re.sub(r"[^\w\- ]", "", found).lower().replace(" ", "-") for found in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}
    links = set(re.findall(r"\]\(#([^)]+)\)", text))

    assert links
    assert set() == links - headings
