"""The catalog, on the laboratory of fake experiments and on the real ones."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine import BrokenExperiment, Label, Source, UnknownExperiment, names
from engine.catalog import current_name, describe, known_names, load, survey

LABORATORY = "laboratory"
BROKEN = {"broken", "mute", "undeclared"}


@pytest.fixture(autouse=True)
def _laboratory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)


def _fresh(code: str) -> str:
    """What the code prints in an interpreter of its own that finds engine and the laboratory."""
    root = Path(__file__).parents[2]
    path = f"import sys; sys.path[:0] = [{str(root)!r}, {str(root / 'tests' / 'engine')!r}]; "
    return subprocess.run([sys.executable, "-c", path + code], capture_output=True, text=True, check=True).stdout.strip()


class TestNames:
    def test_sorted_files(self) -> None:
        """Every module of the folder is an experiment, except those that begin with an underscore."""
        found = names(LABORATORY)

        assert (sorted(found), True, False) == (list(found), {"quick", "broken"} < set(found), "_declare" in found)

    def test_imports_nothing(self) -> None:
        """Listing the experiments imports neither one of them nor torch."""
        code = "import engine; engine.names('laboratory'); print([m for m in sys.modules if m.split('.')[0] in ('torch', 'laboratory')])"

        assert "[]" == _fresh(code)

    def test_no_package(self) -> None:
        """A package that does not exist is a mistake of the caller."""
        with pytest.raises(ModuleNotFoundError, match="no_such_package"):
            names("no_such_package")

    def test_the_engine_needs_no_torch(self) -> None:
        """`import engine` and the list of the real experiments load no torch."""
        assert "False True" == _fresh("import engine; real = engine.names(); print('torch' in sys.modules, len(real) > 0)")


class TestLoad:
    def test_by_name(self) -> None:
        """A listed name gives its Experiment."""
        assert "n" == load("quick", LABORATORY).parameters[0].name

    def test_did_you_mean(self) -> None:
        """A misspelled name is answered with the nearest, in both languages."""
        with pytest.raises(UnknownExperiment) as error:
            load("quik", LABORATORY)

        assert Label("There is no experiment quik. Did you mean quick?", "没有实验 quik。是否想找 quick？") == error.value.label

    def test_nothing_near(self) -> None:
        """A name that resembles none is answered with all of them."""
        with pytest.raises(UnknownExperiment, match=r"There are broken, busy, .*undeclared, waits\.$"):
            load("zzzz", LABORATORY)

    @pytest.mark.parametrize("name", ["os", "_declare", "..os", "quick.os", "", "quick\0", "\x1b[31m" + "x" * 10**6])
    def test_only_listed_names(self, name: str) -> None:
        """A name that is not listed is never imported, and what is said of it is short and clean."""
        with pytest.raises(UnknownExperiment) as error:
            load(name, LABORATORY)

        assert (True, True) == (str(error.value).isprintable(), len(str(error.value)) < 800)

    @pytest.mark.parametrize(
        ("name", "reason"), [("broken", "RuntimeError: no paper in this laboratory"), ("undeclared", "EXPERIMENT is not an Experiment")]
    )
    def test_broken(self, name: str, reason: str) -> None:
        """A file that cannot be used is named with the reason."""
        with pytest.raises(BrokenExperiment, match=f"^The experiment {name} cannot be used: {reason}\\.$"):
            load(name, LABORATORY)


class TestFormerNames:
    def test_are_answered_by_the_present_experiment(self) -> None:
        """What became part of another experiment is loaded and described as that one, in a survey too."""
        now, everything = load("quick", LABORATORY), survey(LABORATORY)

        assert now is load("hasty", LABORATORY)
        assert "quick" == describe("hasty", LABORATORY).name == everything.describe("hasty").name == current_name("hasty", LABORATORY)
        assert everything.named["hasty"] is everything.found["quick"]

    def test_are_listed_under_the_present_one_alone(self) -> None:
        """They may be written, and are in no list."""
        assert "hasty" in known_names(LABORATORY)
        assert "hasty" not in names(LABORATORY)
        assert "hasty" not in survey(LABORATORY).found

    def test_of_ours(self) -> None:
        """What is read in the files is what the experiments declare, and no experiment has a name that another had."""
        declared = [old for name in names() for old in load(name).formerly]

        assert sorted(declared) == sorted(set(known_names()) - set(names()))
        assert len(declared) == len(set(declared))


class TestDescribe:
    def test_claim_and_source(self) -> None:
        """The claim is the docstring, the source is the code of what is shown with its file and first line."""
        description = describe("quick", LABORATORY)
        code = 'def run(*, n: int) -> Numbers:\n    return {"double": 2 * n, "pid": os.getpid()}\n'

        assert ("Doubling a number doubles it.", (Source("run", "laboratory/quick.py", 10, code),)) == (
            description.claim,
            description.sources,
        )

    def test_files_are_below_the_root(self) -> None:
        """A real experiment's sources say where they stand in the project."""
        files = {source.file for name in names() for source in describe(name).sources}
        root = Path(__file__).parents[2]

        assert set() == {file for file in files if not (file.startswith("engine/") and (root / file).is_file())}

    def test_without_a_claim(self) -> None:
        """An experiment without a docstring claims nothing, so it is broken."""
        with pytest.raises(BrokenExperiment, match="docstring"):
            describe("mute", LABORATORY)


class TestSurvey:
    def test_broken_ones_hide_no_others(self) -> None:
        """Every name is either described or reported."""
        everything = survey(LABORATORY)

        assert (BROKEN, set(names(LABORATORY)) - BROKEN) == (set(everything.broken), set(everything.found))

    def test_describe(self) -> None:
        """A survey answers as describe does: a description, the reason, or a suggestion."""
        everything = survey(LABORATORY)

        assert describe("quick", LABORATORY) == everything.describe("quick")
        with pytest.raises(BrokenExperiment, match="no paper"):
            everything.describe("broken")
        with pytest.raises(UnknownExperiment, match="Did you mean broken"):
            everything.describe("brokn")


def test_a_claim_is_read_where_it_is_written() -> None:
    """`python -OO` keeps no docstring in memory: every experiment is described all the same."""
    code = "from engine.catalog import survey; found = survey(); print(len(found.found), *found.broken)"
    told = subprocess.run([sys.executable, "-OO", "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert [str(len(names()))] == told
