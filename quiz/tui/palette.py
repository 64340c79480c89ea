"""The command palette: what is typed is searched in both languages, in all that its providers have made beside each other.

What there is to find is in `palette_providers`. Both are loaded when the palette is opened for the first time.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from rich.align import Align
from rich.text import Text
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Provider, SearchIcon
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input
from textual.widgets.option_list import Option

from content.yaml.clean import clean
from quiz.card.text_search import Folded, folded, matches, search
from quiz.tui import requests as ask
from quiz.tui.base import BaseApp, BaseScreen

if TYPE_CHECKING:
    from quiz.tui.lab_engine import LabEngine
    from quiz.tui.learner_files import LearnerFiles

MOST = 8  # hits of one kind
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
