"""The code behind the figures, on a small screen."""

from __future__ import annotations

from engine import Source
from quiz.tui.screens.source import SourceScreen
from tests.quiz.driving import Running, screen_text, settled

CODE = 'def run(d_k):\n    return {"weights": torch.softmax(scores[/] / math.sqrt(d_k), -1), "width": d_k}\n'


async def test_a_long_line_goes_on_under_its_indentation(running: Running) -> None:
    """At 80 columns the rest of a line stands a little right of where the line begins; what looks like markup is code."""
    async with running() as pilot:
        await pilot.app.push_screen(SourceScreen([Source("run", "engine/fake.py", 7, CODE)]))
        await settled(pilot)
        rows = [row[2:] for row in screen_text(pilot).splitlines()]
        start = rows.index("def run(d_k):")

        assert [
            '    return {"weights": torch.softmax(scores[/] / math.sqrt(d_k), -1),',
            '      "width": d_k}',
        ] == rows[start + 1 : start + 3]
