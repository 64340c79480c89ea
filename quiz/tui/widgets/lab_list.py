"""The experiments to choose from, below the headings of their groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from quiz.card.lab_list import LabRow


class LabList(OptionList):
    """The cursor passes the headings over. Keys that come before there are rows count when there are."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False, compact=True)
        self.rows: Sequence[LabRow] = ()
        self._early: list[Callable[[], None]] = []

    @property
    def chosen(self) -> str:
        """The experiment under the cursor."""
        place = self.highlighted
        return self.rows[place].name if place is not None and place < len(self.rows) else ""

    def show(self, rows: Sequence[LabRow], titles: Mapping[str, str], *, top: bool = False) -> None:
        """Shows other rows. The cursor stays on its row, or on that experiment elsewhere; with `top` it goes to the first."""
        before = self.rows[self.highlighted] if self.highlighted is not None and self.highlighted < len(self.rows) else None
        self.rows = rows
        self.clear_options()
        self.add_options([_option(row, titles) for row in rows])
        self.highlighted = self._place_of(None if top else before)

    def action_cursor_down(self) -> None:
        super().action_cursor_down() if self.rows else self._early.append(self.action_cursor_down)

    def action_cursor_up(self) -> None:
        super().action_cursor_up() if self.rows else self._early.append(self.action_cursor_up)

    def action_select(self) -> None:
        super().action_select() if self.rows else self._early.append(self.action_select)

    def catch_up(self) -> None:
        """Does what was typed while there were no rows."""
        early, self._early = self._early, []
        for act in early if self.rows else ():
            act()

    def go_to(self, name: str) -> None:
        """The cursor on an experiment: in its group, not on top where it may change its place."""
        places = [place for place, row in enumerate(self.rows) if row.name == name]
        if places:
            self.highlighted = places[-1]

    def _place_of(self, before: LabRow | None) -> int | None:
        entries = [place for place, row in enumerate(self.rows) if row.name]
        if before:
            same = [place for place in entries if self.rows[place].id == before.id]
            alike = [place for place in entries if self.rows[place].name == before.name]
            return next(iter((*same, *alike[-1:], *entries)), None)
        return next(iter(entries), None)


def _option(row: LabRow, titles: Mapping[str, str]) -> Option:
    if not row.name:
        return Option(Content.styled(row.title, "bold $quiet"), id=row.id, disabled=True)
    return Option(Content(f" {titles.get(row.name, row.name)}"), id=row.id)
