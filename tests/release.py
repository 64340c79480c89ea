"""What has to be true before a release, and the files of one: `python -m tests.release`, or `make release`. Uploads nothing.

It stops at the first thing that is not right, and says what to do. The wheel is installed alone, with nothing but the packages that it
needs, and asked for its version, its decks and its words: a file that the package leaves out is missing there and nowhere else.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.affected import git

DIST = Path("dist")
HEADING = re.compile(r"^## +\[?([^\]\n]+?)\]?(?: .*)?$", re.MULTILINE)


def version() -> str:
    return str(tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def changelog_problem(text: str, release: str) -> str:
    """Why a changelog is not that of a release; nothing where it is."""
    parts = HEADING.split(text)[1:]
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    if sections.get("Unreleased", "").strip():
        return f"CHANGELOG.md: what stands under [Unreleased] belongs under a version; write it above {release}, and in pyproject.toml."
    named = [name for name in sections if name != "Unreleased"]
    if named[:1] != [release]:
        return f"CHANGELOG.md: its newest version is {named[0] if named else 'none'}, and that of pyproject.toml {release}."
    return ""


def changelog() -> str:
    return changelog_problem(Path("CHANGELOG.md").read_text(encoding="utf-8"), version())


def ids() -> str:
    """The ids that people's progress hangs on."""
    run(sys.executable, "-m", "content.deck.stable_ids")
    return "Ids were added to content/decks/ids.txt: commit them." if git("status", "--porcelain", "content/decks/ids.txt") else ""


def tree() -> str:
    return "There are changes that are not committed." if git("status", "--porcelain") else ""


def checks() -> str:
    run("make", "test")
    return ""


def package() -> str:
    """The files of the release, and the wheel at work."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(DIST))
    (wheel,) = DIST.glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        return _tried(wheel, Path(folder))


def _tried(wheel: Path, folder: Path) -> str:
    """What the wheel does wrong in an environment of its own, which borrows the packages that it needs."""
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "venv", str(folder))
    run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", str(wheel.resolve()))
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    said = subprocess.run([folder / "bin" / "qkv", "--version"], cwd=folder, capture_output=True, text=True, check=False)
    if said.stdout != f"qkv {version()}\n":
        return f"The wheel's `qkv --version` says: {said.stdout or said.stderr}"
    for arguments in (["check", "--no-run"], ["cards", "--lang", "zh"]):
        run(str(folder / "bin" / "qkv"), *arguments, folder=folder)
    return ""


STEPS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("the changelog has this version, and nothing unreleased", changelog),
    ("the ids of all cards are in the list", ids),
    ("everything is committed", tree),
    ("every check passes", checks),
    ("the package is built, and works where it is alone", package),
)


def run(*command: str, folder: Path | None = None) -> None:
    """A command of a step; its output is for the person. Raises CalledProcessError."""
    subprocess.run(command, cwd=folder, check=True)


def problems() -> Iterator[str]:
    """What is not right, step by step."""
    for name, step in STEPS:
        print(f"--- {name}", flush=True)
        try:
            problem = step()
        except subprocess.CalledProcessError as error:
            problem = f"This failed: {' '.join(map(str, error.cmd))}"
        if problem:
            yield problem


def main() -> int:
    problem = next(problems(), "")
    if problem:
        print(problem, file=sys.stderr)
        return 1
    print(f"{version()} is ready: {', '.join(sorted(str(path) for path in DIST.iterdir()))}. Tag it v{version()}; nothing was uploaded.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
