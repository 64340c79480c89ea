"""Curves on the screen."""

from textual.app import App, ComposeResult

from engine.label import Label
from engine.result import Series
from quiz.charts.style import Pen
from quiz.tui.widgets.curve import Curve
from quiz.tui.widgets.figure import style_of_app
from tests.quiz.keys import Keys


def rising(points: int) -> tuple[Series, ...]:
    xs = tuple(map(float, range(points)))
    return (Series("loss", xs, xs, Label("loss", "损失"), Label("step", "步")),)


class Bench(App[None]):
    def compose(self) -> ComposeResult:
        yield Curve(lambda: Pen(style_of_app(self), Keys("en")), rising(2), None)

    def text(self) -> list[str]:
        curve = self.query_one(Curve)
        return [curve.render_line(y).text.rstrip() for y in range(curve.size.height)]


async def test_a_live_curve_grows_in_place() -> None:
    """New points change the axis and nothing of the layout."""
    app = Bench()
    async with app.run_test(size=(60, 20)) as pilot:
        before = app.text()
        app.query_one(Curve).update(rising(40), 20.0)
        await pilot.pause()
        after = app.text()

        assert ("loss", "loss") == (before[0], after[0])
        assert len(before) == len(after)
        assert (" 1│"[1:], "39│") == (before[1][:2], after[1][:3])
        assert any("┊" in row for row in after)
