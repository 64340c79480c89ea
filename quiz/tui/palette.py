"""The command palette: cards, decks, experiments, screens, and what the keys of the screen do, searched in both languages.

Loaded when it is opened for the first time; each provider makes what it searches beside the others.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from rich.align import Align
from rich.text import Text
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Provider, SearchIcon
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input
from textual.widgets.option_list import Option

from content.deck.learning_paths import LearningPath, all_paths
from content.yaml.clean import clean
from engine import ExperimentError
from quiz.card.card_index import index_cards
from quiz.card.lab_list import index_labs
from quiz.card.listed_card import question_line
from quiz.card.text_search import Folded, folded, matches, search
from quiz.card.typeset import Span, cut, text_of
from quiz.study.learner import LearnerState
from quiz.tui import requests as ask
from quiz.tui.base import BaseApp, BaseScreen
from quiz.tui.routes import SCREENS
from quiz.words.i18n import strings

if TYPE_CHECKING:
    from quiz.tui.lab_engine import LabEngine
    from quiz.tui.learner_files import LearnerFiles

MOST = 8  # hits of one kind
ROOM = 70  # cells of a question, so that a hit has two lines at 80 columns
NO_MATCHES_AFTER = 0.5  # seconds


class Searched(BaseApp):
    """What an application has that can be searched."""

    engine: LabEngine
    files: LearnerFiles
    in_a_session: bool


@dataclass(frozen=True)
class Found:
    """A row: what it says, what kind of thing it is, and what choosing it does."""

    title: str
    help: str
    run: Callable[[], object]


class Palette(CommandPalette):
    """Textual's, which says in English that nothing was found."""

    def on_mount(self) -> None:
        self.query_one(SearchIcon).icon = "/"  # an emoji is as wide as the terminal likes

    def search_again(self) -> None:
        """More can be found than a moment ago."""
        if typed := self.query_one(Input).value:
            self._gather_commands(typed)

    def _start_no_matches_countdown(self, search_value: str) -> None:
        self._stop_no_matches_countdown()

        def say_so() -> None:
            if search_value:
                waiting = any(isinstance(one, SlowProvider) and not one.filled for one in self._providers)
                said = cast(Searched, self.app).words("palette.waiting" if waiting else "palette.none")
                sentence = Align.center(Text(said, style="not bold"))
                self.query_one(CommandList).add_option(Option(sentence, disabled=True, id=self._NO_MATCHES))
            self._list_visible = bool(search_value)

        self._no_matches_timer = self.set_timer(NO_MATCHES_AFTER, say_so)


class SearchProvider(Provider):
    """Subclasses say what there is to find; it is searched like the browser's cards. `weight` is how far above the others it stands."""

    weight: ClassVar[float] = 0.0
    offered: ClassVar[bool] = False  # whether it is listed before anything is typed

    def __init__(self, screen: Screen[Any], match_style: Any = None) -> None:
        super().__init__(screen, match_style)
        self._texts: Sequence[Folded] = ()
        self._found: Callable[[int], Found] = lambda place: self._made[place]
        self._made: Sequence[Found] = ()

    @property
    def qkv(self) -> Searched:
        return cast(Searched, self.app)

    async def startup(self) -> None:
        await self.fill()

    @abstractmethod
    async def fill(self) -> None:
        """Makes what is searched."""

    def take(self, things: Sequence[Found], texts: Sequence[Folded] | None = None) -> None:
        self._made = things
        self._texts = texts or [folded((thing.title, thing.help)) for thing in things]

    async def search(self, query: str) -> AsyncIterator[Hit]:
        query = query.lstrip(":/ ")  # the habit of other programs
        for rank, place in enumerate(search(self._texts, query)[:MOST]):
            found = self._found(place)
            title = clean(found.title)
            shown = Content(title)
            for start, end in matches(title, query):
                shown = shown.stylize(self.match_style or "bold", start, end)
            begins = 0.2 if folded((title,))[0].startswith(folded((query.strip(),))[0]) else 0.0
            yield Hit(0.5 + begins + self.weight - rank / 1000, shown, found.run, title, cast(str, Content(clean(found.help))))

    async def discover(self) -> AsyncIterator[DiscoveryHit]:
        if self.offered:
            for found in self._made[:MOST]:
                yield DiscoveryHit(Content(clean(found.title)), found.run, clean(found.title), cast(str, Content(clean(found.help))))

    def asks(self, request: ask.Request) -> Callable[[], None]:
        """Asks the application, as the screen below the palette would."""
        return lambda: self.screen.ask(request) if isinstance(self.screen, BaseScreen) else None


class SlowProvider(SearchProvider):
    """The palette shows nothing of a search before every provider has answered: this one has no hits until it has made what is searched,
    and then the search is done again."""

    filled = False

    async def startup(self) -> None:
        self._filling = asyncio.create_task(self._fill_and_show())

    async def shutdown(self) -> None:
        self._filling.cancel()

    async def _fill_and_show(self) -> None:
        await self.fill()
        self.filled = True
        if isinstance(self.qkv.screen, Palette):
            self.qkv.screen.search_again()


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


PROVIDERS: tuple[type[SearchProvider], ...] = (Keys, Screens, Decks, Paths, Labs, Cards)


def open_palette(app: BaseApp) -> CommandPalette:
    """The palette for the screen on top."""
    return Palette(PROVIDERS, placeholder=app.words("palette.placeholder"), id="--command-palette")
