"""The card: its parts from top to bottom, scrolled, with an input where a number is asked for."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from quiz.card.answer_parts import CLAIM
from quiz.card.card_parts import PICTURE, Part
from quiz.card.typeset import text_of
from quiz.charts.card_picture import LEAST, ROWS, readable, sentence
from quiz.charts.figures.subject import Subject
from quiz.tui.bindings import bind
from quiz.tui.widgets.children import replace_children
from quiz.tui.widgets.figure import Pens
from quiz.tui.widgets.guess import Guess
from quiz.tui.widgets.hero import Hero
from quiz.tui.widgets.text_part import Pick, TextPart

ENOUGH = 6  # rows in which a picture can be read
GUESS_ROWS = 2  # of the input, with the line above it


class CardView(VerticalScroll, can_focus=True):
    """Parts are updated in place where the layout stays the same, so that a tick neither flickers nor scrolls."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("up,k", "screen.move(-1)", "card.up"),
        bind("down,j", "screen.move(1)", "card.down"),
    ]
    DEFAULT_CSS = """
    CardView { width: 1fr; height: 1fr; padding: 0 2; scrollbar-size-vertical: 1; }
    CardView > .role-question { text-style: bold; margin-bottom: 1; }
    CardView > Hero { max-width: 84; }
    CardView > Hero.-no-room { display: none; }
    CardView > .role-heading { margin-top: 1; }
    CardView > .role-claims { margin-top: 0; }
    CardView > .role-judgement { margin-bottom: 0; }
    CardView > .role-instruction { margin-top: 1; }
    CardView > .role-warning { margin-top: 1; }
    CardView > .role-number-line { margin-bottom: 0; }
    CardView > .role-leech, CardView > .role-detail { margin-bottom: 1; }
    CardView > .sorry { color: $key; }
    CardView > Guess { width: 24; height: 1; margin-top: 1; background: $panel; padding: 0 1; border: none; }
    CardView > Guess:focus { background: $block-cursor-background; }
    """

    class Scrolled(Message):
        """More or less is below than before."""

    def __init__(self, pens: Pens, id: str) -> None:
        super().__init__(id=id)
        self._pens = pens
        self._parts: list[TextPart | Hero] = []
        self._roles: list[tuple[str, int | None]] = []
        self._remark: Static | None = None
        self.guess: Guess | None = None  # the input, while a number is asked for

    @property
    def below(self) -> int:
        """How many lines are below the last that is seen; none where the card is not on the screen."""
        return max(round(self.max_scroll_y - self.scroll_offset.y), 0) if self.size.height else 0

    @property
    def is_guess_empty(self) -> bool:
        """Whether a number is asked for and none is typed."""
        return self.guess is not None and not self.guess.value

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.post_message(self.Scrolled())

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """Textual tells a scrollbar only while it is shown where it stands."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

    def watch_virtual_size(self) -> None:
        self.post_message(self.Scrolled())

    def on_resize(self) -> None:
        if self.hero:
            self._fit(self.hero)
        self.post_message(self.Scrolled())

    def show(self, parts: list[Part], guess: Guess | None = None) -> None:
        """Shows the parts, and below them a number's input; one that is there already stays, with what is typed in it."""
        before, roles = self.guess, [(part.role, part.index) for part in parts]
        alike, self._roles = roles == self._roles, roles
        if before and guess:
            before.placeholder, before.unit, before.letters = guess.placeholder, guess.unit, guess.letters
        if alike and bool(guess) == bool(before):
            for widget, part in zip(self._parts, parts, strict=True):
                if isinstance(widget, TextPart):
                    widget.show(part)
            return
        self._parts, self._remark = [self._widget(part) for part in parts], None
        if before and guess:  # it keeps the focus: the next key may be a digit of it
            replace_children(self, [*self._parts, before])
        else:
            self.guess = guess
            replace_children(self, [*self._parts, *([guess] if guess else [])])
        self.scroll_home(animate=False)

    def lines(self, width: int) -> list[str]:
        """What it says, as text; the picture is copied by itself."""
        rows: list[str] = []
        for widget in self._parts:
            if not isinstance(widget, TextPart):
                continue
            if rows and widget.part.role in ("heading", "instruction"):
                rows.append("")
            rows += map(text_of, widget.part.lines(width))
        return rows

    def forget(self) -> None:
        """What is shown next is another card, also where it looks alike. Until then the one before stands there."""
        self._parts, self._roles, self._remark, self.guess = [], [], None, None

    def remark(self, sentence: str) -> None:
        """Says something below the input; an empty sentence takes the one before away."""
        if self._remark:
            self._remark.update(Content(sentence))
            self._remark.display = bool(sentence)
        elif sentence and self.is_attached:
            self._remark = Static(Content(sentence), classes="sorry", markup=False)
            self.mount(self._remark)

    @property
    def hero(self) -> Hero | None:
        """The card's picture, where it has one."""
        return next((part for part in self._parts if isinstance(part, Hero)), None)

    def picture(self, subject: Subject | None, *, coming: bool) -> None:
        """Shows the picture in its place, as high as leaves the claims below it on the first page."""
        if hero := self.hero:
            hero.update(subject, coming=coming)
            self._fit(hero)

    def _fit(self, hero: Hero) -> None:
        """Gives the picture its rows."""
        if not self.size.height:
            hero.fit(ROWS)
        elif hero.subject is None or hero.subject.covered:
            self._fit_covered(hero)
        else:
            hero.remove_class("-no-room")
            self._fit_uncovered(hero, hero.subject)

    def _fit_covered(self, hero: Hero) -> None:
        """What is asked and the input come first: the picture has the rest of the page, and on a small one nothing."""
        width = self.scrollable_content_region.width
        texts = [part for part in self._parts if isinstance(part, TextPart)]
        rows = sum(len(part.rows(width - 1)) + part.styles.margin.height for part in texts)
        room = self.size.height - rows - (GUESS_ROWS if self.guess else 0)
        hero.set_class(room < LEAST, "-no-room")
        hero.fit(min(room, ROWS))

    def _fit_uncovered(self, hero: Hero, subject: Subject) -> None:
        """The picture has what the claims' end and all above it leave on the page. Where that is little, what is said elsewhere goes: the
        line on which guess and measurement stand as dots, and of the question that was predicted what is more than a row. A small matrix
        has its numbers in any case: the last claim may be below the page."""
        width, at = self.scrollable_content_region.width, self._parts.index(hero)
        after = next((i for i in range(at + 2, len(self._roles)) if self._roles[i][0] != CLAIM), len(self._roles))
        above = [part for part in self._parts[:after] if isinstance(part, TextPart)]
        rows = {part: len(part.rows(width - 1)) + part.styles.margin.height for part in above}
        room = self.size.height - sum(rows.values()) - len(sentence(subject, width, hero.pens()))
        needed = readable(subject, width, hero.pens())
        for part in above:
            cut = part.part.role in ("number-line", "predicted") and room < max(ENOUGH, needed)
            if part.part.role == "number-line":
                part.display = not cut
            else:
                part.shorten(1 if cut else None)
            room += rows[part] - (part.part.role == "predicted") if cut else 0
        hero.fit(max(room, needed))

    def _widget(self, part: Part) -> TextPart | Hero:
        if part.role == PICTURE:
            return Hero(self._pens)
        classes = f"role-{part.role}" if part.role else ""
        return Pick(part, classes=classes) if part.index is not None else TextPart(part, classes=classes)
