"""A lab alone in an app, with an experiment whose result is made up."""

from __future__ import annotations

from textual import on
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from engine.experiment import Description
from engine.label import Label
from engine.parameter import Choice, Parameter, Value
from engine.result import Matrix, Quantity, Result, Series
from quiz.tui.widgets.figure import FigureWidget
from quiz.tui.widgets.lab import Lab
from quiz.words.i18n import Words

CHOICES = (Choice("none", Label("none", "无")), Choice("causal", Label("causal", "因果")))
PARAMETERS = (
    Parameter("d_k", Label("d_k", "d_k"), 64, 1, 4096, 2, "log"),
    Parameter("mask", Label("mask", "掩码"), "none", scale="choice", choices=CHOICES),
    Parameter("sentence", Label("sentence", "句子"), "小猫", scale="text"),
)
DESCRIPTION = Description(
    "x", "", Label("softmax saturation", "softmax 饱和"), Label("Wide heads go blind.", "宽的头会失明。"), PARAMETERS, 3.0, ()
)
POWERS = tuple(float(2**i) for i in range(13))


def result(shift: float = 0.0) -> Result:
    return Result(
        quantities=(Quantity("std", 22.5 + shift, Label("spread", "标准差")),),
        matrices=(Matrix("w", ((0.5 + shift, 0.5 - shift),), Label("weights", "权重"), ("",), ("k1", "k2"), kind="weights"),),
        series=(Series("s", POWERS, POWERS, Label("spread", "标准差"), Label("d_k", "d_k"), log_x=True),),
    )


class Bench(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.asked: list[dict[str, Value]] = []

    def compose(self) -> ComposeResult:
        yield Lab(Words("en"))

    @on(Lab.Changed)
    def changed(self, event: Lab.Changed) -> None:
        self.asked.append(event.values)

    @property
    def lab(self) -> Lab:
        return self.query_one(Lab)

    def text(self) -> str:
        drawn = self.query(FigureWidget).results()
        return "\n".join(widget.render_line(y).text.rstrip() for widget in drawn for y in range(widget.size.height))


async def shown(app: Bench, pilot: Pilot[None]) -> None:
    app.lab.describe(DESCRIPTION, {"d_k": 512})
    app.lab.show(result())
    await pilot.pause()
