"""How long a deck takes to be read and checked without running: `python -m tests.benchmarks.decks`. Prints times and ratios to the goals.

Times are of this process's own work (CPU), so that a busy machine does not count; each is the best of a few.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from content.deck import checks
from content.deck.library import load
from engine import names
from tests.benchmarks._size import asked_share, part

CARDS = 10_000
GOALS = {"bad file": 0.1, "deck": 3.0, "memory": 150.0}  # seconds, seconds, MiB

CARD = """\
  - id: card-{i}
    level: {level}
    tags: [topic-{topic}]
    question: {{en: "Why does quantity {i} grow with the width?", zh: "为什么第 {i} 个量随宽度增长？"}}
    key_points: [{{en: "Each of the {d} terms adds its variance", zh: "每一项都贡献方差"}}]
    answer:
      en: "A sum of {d} terms of variance one has variance {d}; measured: {{{{raw_std:.1f}}}}."
      zh: "{d} 个方差为一的项之和方差为 {d}；实验测得 {{{{raw_std:.1f}}}}。"
    detail: {{en: "The `softmax` saturates, and gradients vanish.", zh: "`softmax` 饱和，梯度消失。"}}
{formula}\
    verify:
      experiment: softmax_saturation
      set: {{d_k: 64}}
      claims: [{{says: {{en: It grows., zh: 它会增长。}}, check: "abs(raw_std) > {i} / 9999"}}]
"""
FORMULA = "    formula: 'x_{{{i}}} = \\frac{{q_{{{i}}}^\\top k}}{{\\sqrt{{d_k}}}}'\n"
BAD = "deck: bad\ntitle: Bad\ncards:\n  - id: a\n    question：Why?\n    answer: [x\n"


def deck(cards: int, formulas: int) -> str:
    """A deck of different cards in both languages, each with detail, a live number and a claim; one in so many has math, 0 for none.

    As much as a file may hold: ten thousand cards have 838 bytes each.
    """
    head = "deck: large\ntitle: {en: Large, zh: 大}\ncards:\n"
    return head + "".join(_card(i, with_math=bool(formulas) and i % formulas == 0) for i in range(cards))


def _card(i: int, with_math: bool) -> str:
    formula, d = (FORMULA.format(i=i), "$d_k$") if with_math else ("", "d_k")
    return CARD.format(i=i, level=i % 5 + 1, topic=i % 50, d=d, formula=formula)


def check(path: Path) -> tuple[float, int]:
    """CPU seconds to read and check a file, and how many problems were found."""
    began = time.process_time()
    problems = checks.all_problems(load((path,)), names())
    return time.process_time() - began, len(problems)


def peak() -> float:
    """The most memory that this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def alone(path: Path) -> dict[str, float]:
    """One check in a process of its own: its seconds, its problems, and its memory with and without the deck."""
    script = "import sys, json; from pathlib import Path; from tests.benchmarks.decks import check, peak; bare = peak(); " + (
        "seconds, found = check(Path(sys.argv[1])); print(json.dumps(dict(seconds=seconds, found=found, bare=bare, peak=peak())))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    return told


def report(path: Path, what: str, times: int) -> None:
    """The best of a few checks of a large deck, in processes of their own."""
    runs = [alone(path) for _ in range(times)]
    best, most = min(run["seconds"] for run in runs), max(run["peak"] for run in runs)
    print(f"{what}, {os.path.getsize(path) / 2**20:.1f} MiB, {runs[0]['found']:.0f} problems: ", end="")
    print(f"{best:.2f} s ({best / GOALS['deck']:.2f} of the goal), ", end="")
    print(f"{most:.0f} MiB at most ({most / GOALS['memory']:.2f} of the goal; {runs[0]['bare']:.0f} of them before the deck)")


def main(share: float) -> None:
    cards = part(CARDS, share)
    with tempfile.TemporaryDirectory() as folder:
        bad, large = Path(folder) / "bad.yaml", Path(folder) / "large.yaml"
        bad.write_text(BAD, encoding="utf-8")
        seconds = min(check(bad)[0] for _ in range(5))
        print(f"a bad file: {1000 * seconds:.1f} ms ({seconds / GOALS['bad file']:.2f} of the goal)")
        for formulas, what in (
            (0, "without formulas"),
            (3, "a third of them with formulas, all different"),
            (1, "all with formulas, all different"),
        ):
            large.write_text(deck(cards, formulas), encoding="utf-8")
            report(large, f"{cards:,} cards {what}", part(3, share))


if __name__ == "__main__":
    main(asked_share())
