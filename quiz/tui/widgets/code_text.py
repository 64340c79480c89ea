"""Python on the screen, coloured; a line that is too long goes on under its own indentation."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.highlight import highlight
from textual.widget import Widget

from quiz.charts.code_lines import hanging


class CodeText(Widget):
    """The lines are set anew for each width."""

    DEFAULT_CSS = "CodeText { height: auto; width: 1fr; }"
    selectable = True

    def __init__(self, code: str, *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self._lines = highlight(code.rstrip("\n"), language="python").split("\n")

    def rows(self, width: int) -> list[Content]:
        return [
            Content(" " * columns) + line[part.start : part.stop] for line in self._lines for columns, part in hanging(line.plain, width)
        ]

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.rows(width))

    def render(self) -> Content:
        return Content("\n").join(self.rows(self.content_size.width))
