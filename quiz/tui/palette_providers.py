"""What the command palette finds: what the keys of the screen do, the screens, decks, paths, experiments and cards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.command import CommandPalette

from content.deck.learning_paths import LearningPath, all_paths
from engine import ExperimentError
from quiz.card.card_index import index_cards
from quiz.card.lab_list import index_labs
from quiz.card.listed_card import question_line
from quiz.card.text_search import folded
from quiz.card.typeset import Span, cut, text_of
from quiz.study.learner import LearnerState
from quiz.tui import requests as ask
from quiz.tui.base import BaseApp, BaseScreen
from quiz.tui.palette import Found, Palette, SearchProvider, SlowProvider
from quiz.tui.routes import SCREENS
from quiz.words.i18n import strings

ROOM = 70  # cells of a question, so that a hit has two lines at 80 columns


class Keys(SearchProvider):
    """What the screen's keys do."""

    offered: ClassVar[bool] = True

    async def fill(self) -> None:
        self.take([Found(title, help, run) for title, help, run, _ in self.qkv.get_system_commands(self.screen)])


class Screens(SearchProvider):
    """The screens that one can go to from everywhere, but the one that is there."""

    weight: ClassVar[float] = 0.1
    offered: ClassVar[bool] = True

    async def fill(self) -> None:
        words, here = self.qkv.words, type(self.screen).__module__.rpartition(".")[2]
        known = strings(words.language)
        names = [name for name in SCREENS if name != here and f"palette.screen.{name}" in known]
        if isinstance(self.screen, BaseScreen) and self.qkv.files.store is not None:
            self.take([Found(words(f"palette.screen.{name}"), words("palette.screen"), self.asks(ask.Show(name))) for name in names])


class Decks(SearchProvider):
    """A session of a deck, where none goes on already."""

    weight: ClassVar[float] = 0.05

    async def fill(self) -> None:
        words = self.qkv.words
        if not self.qkv.in_a_session and isinstance(self.screen, BaseScreen) and self.qkv.files.store is not None:
            decks = self.qkv.files.decks
            made = [
                Found(
                    words("palette.study", deck=deck.title.said(words.language)), words("palette.deck"), self.asks(ask.BeginSession([deck]))
                )
                for deck in decks
            ]
            self.take(made, [folded((f"{deck.deck} {' '.join(deck.title.root.values())}",)) for deck in decks])


class Paths(SlowProvider):
    """A session along a path, where none goes on already."""

    weight: ClassVar[float] = 0.04

    async def fill(self) -> None:
        words, files = self.qkv.words, self.qkv.files
        if self.qkv.in_a_session or not isinstance(self.screen, BaseScreen) or files.store is None:
            return
        names = {deck.deck for deck in files.decks}
        paths = [path for path in await asyncio.to_thread(all_paths) if not names.isdisjoint(deck for deck, _ in path.cards)]

        def begins(path: LearningPath) -> Callable[[], None]:
            return self.asks(ask.BeginSession(files.decks, path=path))

        made = [Found(words("palette.study", deck=one.title.said(words.language)), words("palette.path"), begins(one)) for one in paths]
        said = [" ".join((*one.title.root.values(), *one.says.root.values())) for one in paths]
        self.take(made, [folded((f"{one.name} {text}",)) for one, text in zip(paths, said, strict=True)])


class Labs(SlowProvider):
    """Every experiment; choosing one opens the lab with it."""

    weight: ClassVar[float] = 0.02

    async def fill(self) -> None:
        if not isinstance(self.screen, BaseScreen):
            return
        words = self.qkv.words
        try:
            survey = await self.qkv.engine.survey()
        except ExperimentError:
            return
        texts = await asyncio.to_thread(index_labs, survey.found)
        made = [Found(words.label(survey.found[name].title), words("palette.lab"), self.asks(ask.OpenLab(name))) for name in texts]
        self.take(made, list(texts.values()))


class Cards(SlowProvider):
    """Every card of the decks; choosing one looks at it."""

    async def fill(self) -> None:
        if not isinstance(self.screen, BaseScreen) or not self.qkv.files.decks:
            return
        words, files = self.qkv.words, self.qkv.files
        index = await asyncio.to_thread(index_cards, files.decks, LearnerState(), files.clock())
        screen = self.screen

        def found(place: int) -> Found:
            item = index.cards[place].item
            title = text_of(cut((Span(question_line(item.card, words.language)),), ROOM))
            return Found(title, words("palette.card", card="/".join(item.key)), partial(screen.look_at, item))

        self._texts, self._found = index.texts, found


PROVIDERS: tuple[type[SearchProvider], ...] = (Keys, Screens, Decks, Paths, Labs, Cards)


def open_palette(app: BaseApp) -> CommandPalette:
    """The palette for the screen on top."""
    return Palette(PROVIDERS, placeholder=app.words("palette.placeholder"), id="--command-palette")
