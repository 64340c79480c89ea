"""Driving an app in a test: a deck of every kind, an engine that answers at once, keys pressed one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

from textual.events import Key
from textual.keys import _character_to_key
from textual.pilot import Pilot

from engine import Description, ExperimentError, Label, Matrix, Parameter, Quantity, Recipe, Result, Source, Survey
from engine.measures import Grid, measured
from quiz.tui.app import QkvApp

Running = Callable[..., AbstractAsyncContextManager[Pilot[None]]]

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)

DECK = """\
deck: sample
title: {en: Sample, zh: 样例}
cards:
  - id: scaling
    level: 1
    asked: 5
    question: {en: 'Why divide by $\\sqrt{d_k}$?', zh: '为什么要除以 $\\sqrt{d_k}$？'}
    predict:
      ask: {en: 'At d_k = {{d_k}}, what is the standard deviation?', zh: 'd_k = {{d_k}} 时标准差是多少？'}
      quantity: raw_std
    key_points:
      - {en: variance grows, zh: 方差变大}
      - {en: softmax saturates, zh: softmax 饱和}
    answer: {en: 'It is {{raw_std:.0f}} at d_k = {{d_k}}.', zh: 'd_k = {{d_k}} 时是 {{raw_std:.0f}}。'}
    trap: {en: It prevents exploding gradients., zh: 防止梯度爆炸。}
    verify:
      experiment: fake
      set: {d_k: 64}
      claims:
        - {says: {en: It is about the root., zh: 约为平方根。}, check: 'close(raw_std, sqrt(d_k), 0.01)'}
  - id: pick
    kind: choice
    question: {en: Which sums to one?, zh: 哪个总和为一？}
    options:
      - {text: {en: each row, zh: 每一行}, right: true}
      - {text: {en: each column, zh: 每一列}}
      - {text: '[CLS] [/] [@click=app.quit]E[X]'}
  - id: sort
    kind: order
    question: {en: In which order?, zh: 什么顺序？}
    order: [{en: score, zh: 打分}, {en: scale, zh: 缩放}, {en: softmax, zh: 归一}]
  - id: line
    kind: code
    question: {en: Which line is wrong?, zh: 哪一行错了？}
    code: {listing: "a = 1\\nb = 2\\nc = 3", wrong_line: 2, right: b = 4}
  - id: count
    kind: number
    question: {en: How many?, zh: 多少？}
    number: {value: 42}
"""

FAKE = Description(
    name="fake",
    claim="The root of d_k.",
    title=Label("fake run", "假实验"),
    summary=Label("fake", "假"),
    parameters=(Parameter("d_k", Label("d_k", "d_k"), default=16, low=1, high=256, step=2, scale="log"),),
    deadline=3.0,
    sources=(Source("root", "engine/fake.py", 7, "def root(d_k):\n    return d_k**0.5  # [/]\n"),),
    measures=(measured("raw_std", "spread", "标准差"), Grid("weights", Label("weights", "权重"), "q{1}", "k{1}", kind="weights")),
)


def fake_result(d_k: int) -> Result:
    root = d_k**0.5
    return Result(
        quantities=(Quantity("raw_std", root, Label("spread", "标准差")),),
        matrices=(Matrix("weights", ((0.25, 0.75), (0.5, 0.5)), Label("weights", "权重"), ("q1", "q2"), ("k1", "k2"), kind="weights"),),
    )


class FakeEngine:
    """Answers as a Worker does, at once; `failure` makes every run fail."""

    def __init__(self) -> None:
        self.failure: ExperimentError | None = None
        self.asked: list[dict[str, object]] = []
        self.started = self.closed = False
        self.survey: Future[Survey] = settled_future(Survey({"fake": FAKE}, {}))

    def start(self) -> None:
        self.started = True

    def close(self) -> None:
        self.closed = True

    def cancel(self) -> None: ...

    def describe(self, experiment: str | Recipe) -> Future[Description]:
        return settled_future(replace(FAKE, name=experiment.name) if isinstance(experiment, Recipe) else self._known(experiment))

    def _known(self, name: str) -> Description:
        return FAKE if name == FAKE.name else replace(FAKE, name=name)

    def submit(self, name: str, parameters: Mapping[str, object], progress: object = None) -> Future[Result]:
        self.asked.append(dict(parameters))
        return settled_future(self.failure or fake_result(int(str(parameters["d_k"]))))


def settled_future(value: Any) -> Future[Any]:
    future: Future[Any] = Future()
    if isinstance(value, Exception):
        future.set_exception(value)
    else:
        future.set_result(value)
    return future


async def settled(pilot: Pilot[None]) -> None:
    """Waits until the app has read its decks (or ended over them) and every worker and message is done."""
    app = cast(QkvApp, pilot.app)
    async with asyncio.timeout(20):
        while app.files.store is None and app.return_code is None:
            await pilot.pause(0.01)
        await app.workers.wait_for_complete()
        await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Presses keys one by one, each after what the one before caused."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def type_text(pilot: Pilot[None], text: str) -> None:
    """Types characters as a terminal sends them, also those of an input method: Pilot loses the ones that have no key, such as 。."""
    for character in text:
        pilot.app.post_message(Key(_character_to_key(character), character))
        await settled(pilot)


def screen_text(pilot: Pilot[None]) -> str:
    """What the screen shows, line by line."""
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in pilot.app.screen._compositor.render_strips())
