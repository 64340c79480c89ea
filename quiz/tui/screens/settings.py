"""The settings: a row each, and a row for the key of every binding. What is changed counts at once and is remembered."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from content.yaml.clean import clean
from quiz.card.progress_sentences import error_sentence
from quiz.card.settings_sentences import allowed_text, fault_sentences
from quiz.card.today import iso_date
from quiz.progress.errors import ProgressError
from quiz.settings.chosen import decided_by
from quiz.settings.file import settings_path
from quiz.settings.options import OPTIONS, Value
from quiz.tui import actions, keymap
from quiz.tui.base import BaseScreen
from quiz.tui.bindings import bind, words_of
from quiz.tui.learner_files import LearnerFiles
from quiz.tui.off_loop import off_loop
from quiz.tui.requests import GoHome
from quiz.tui.screens.settings_entry import KeyEntry, TextEntry
from quiz.tui.screens.settings_list import Row, SettingsList, key_rows
from quiz.tui.screens.settings_text import EXAM, SettingsText
from quiz.tui.widgets.action_row import ActionRow


class SettingsScreen(BaseScreen):
    """Enter changes the setting under the cursor, left and right go through its values, delete takes it back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("enter,space", "change", "settings.change"),
        bind("left", "step(-1)", "settings.less"),
        bind("right", "step(1)", "settings.more"),
        bind("delete,backspace", "default", "settings.default"),
        bind("j", "cursor(1)", "settings.down"),
        bind("k", "cursor(-1)", "settings.up"),
        bind("q,escape,comma", "leave", "settings.leave"),
    ]

    def __init__(self, files: LearnerFiles) -> None:
        super().__init__()
        self.files = files
        self._exam = ""  # the plan's day

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield SettingsList(id="settings", markup=False, compact=True)
        yield Static(id="about", markup=False)
        yield ActionRow(id="keys")

    def on_mount(self) -> None:
        self._bound = {each.id: each for each in keymap.bound() if each.movable}
        self._rows = [*(Row(name) for name in (*OPTIONS, EXAM)), *key_rows(self._bound)]
        self.watch(self.app, "language", self.speak, init=False)
        self.watch(self.app, "theme", self.speak, init=False)
        self.speak()
        self.query_one("#settings", OptionList).focus()
        self.read_exam()

    def on_resize(self) -> None:
        """Narrow screens have no columns; the application has noted the size by then."""
        self.call_later(self.speak)

    @work(exclusive=True, group="exam")
    async def read_exam(self) -> None:
        """The plan's day, off the event loop."""
        await self._read_exam()

    async def _read_exam(self) -> None:
        if self.files.store is None:
            return
        try:
            aim = (await off_loop(self.files.store.decisions)).aim
        except ProgressError as error:
            self.app.warn(error_sentence(error, self.app.words))
            return
        self._exam = iso_date(aim.until) if aim else ""
        self.speak()

    def speak(self) -> None:
        """Writes every row in the language of the interface, with the values of this moment."""
        if not self.stands:
            return
        words, options, text = self.app.words, self.query_one("#settings", OptionList), self._text
        here = options.highlighted or 0
        title = Content.assemble((words("setting.title"), "bold"), (f"   {clean(str(settings_path()))}", "$quiet"))
        self.query_one("#title", Static).update(title)
        with self.prevent(OptionList.OptionHighlighted):
            options.clear_options()
            options.add_options([Option(text.line(row), disabled=row.heading) for row in self._rows])
            options.highlighted = here
        self._tell()

    @property
    def _text(self) -> SettingsText:
        return SettingsText(self.app, self._bound, self._exam)

    @property
    def _row(self) -> Row | None:
        at = self.query_one("#settings", OptionList).highlighted
        return None if at is None else self._rows[at]

    @on(OptionList.OptionHighlighted)
    def _tell(self) -> None:
        """What the setting under the cursor is about, and what can be done with it."""
        row, words = self._row, self.app.words
        if row is None or not self.stands:
            return
        about = self._text.about(row)
        by = "" if row.binding or row.name == EXAM else decided_by(row.name)
        self.query_one("#about", Static).update(Content(f"{about} {words('setting.decided', name=by)}." if by else about))
        self.query_one("#keys", ActionRow).offer(actions.at_the_settings(words, set=self._text.is_set(row), step=row.name in OPTIONS))

    def _refuse(self, sentence: str) -> None:
        """Above what the setting is about, which a toast would cover; it stays until the cursor moves."""
        about = self._text.about(self._row) if self._row else ""
        self.query_one("#about", Static).update(Content.assemble((clean(sentence), "bold $attention"), "\n", about))

    @on(OptionList.OptionSelected)
    def selected(self) -> None:
        self.action_change()

    def action_change(self) -> None:
        """Goes on to the next of a few values; asks for a number, a date or a key."""
        row, words = self._row, self.app.words
        if row is None or not self.is_active:
            return
        if row.binding:
            does = words_of(row.name, words) or row.name
            self.app.push_screen(KeyEntry(words("settings.press", does=does)), self._take_key)
        elif row.name == EXAM:
            self._ask_for_day(self._exam)
        elif not OPTIONS[row.name].step:
            self.action_step(1)
        else:
            self._ask_for_text(row, OPTIONS[row.name].spell(getattr(self.app.chosen, row.name)))

    def _ask_for_text(self, row: Row, text: str, refused: str = "") -> None:
        name, allowed = self.say(f"setting.{row.name}"), allowed_text(OPTIONS[row.name], self.app.words)
        self.app.push_screen(TextEntry(name, allowed, text, refused), self._take_text)

    def _ask_for_day(self, text: str, refused: str = "") -> None:
        self.app.push_screen(TextEntry(self.say("setting.exam"), self.say("settings.date"), text, refused), self._take_exam)

    def action_step(self, steps: int) -> None:
        row = self._row
        if row and row.name in OPTIONS:
            option = OPTIONS[row.name]
            shown = self.app.language if row.name == "language" else getattr(self.app.chosen, row.name)
            self._choose(row, option.after(shown, steps))

    def action_default(self) -> None:
        row = self._row
        if row is None or not self._text.is_set(row):
            return
        if row.name == EXAM and not row.binding:
            self.set_exam("")
        else:
            self._choose(row, None)

    def _choose(self, row: Row, value: Value) -> None:
        self.app.choose(row.name, value, binding=row.binding)
        self.speak()

    def _take_key(self, key: str | None) -> None:
        """A key that something beside the binding has already is told, and not given."""
        row, words = self._row, self.app.words
        if key is None or row is None:
            return
        others = {id: on for id, on in self.app.chosen.keys.items() if id != row.name}
        wrong = [fault for fault in keymap.sound({**others, row.name: key})[1] if fault.name == row.name]
        if wrong:
            self._refuse(fault_sentences(wrong, Path(words("setting.keys")), words, self.app.chosen)[0])
        else:
            self._choose(row, key)

    def _take_text(self, text: str | None) -> None:
        row = self._row
        if text is None or row is None:
            return
        option = OPTIONS[row.name]
        try:
            self._choose(row, option.read(text))
        except ValueError:
            name, allowed = self.say(f"setting.{row.name}"), allowed_text(option, self.app.words)
            self._ask_for_text(row, text, self.say("setting.refused", name=name, value=text, allowed=allowed))

    def _take_exam(self, text: str | None) -> None:
        if text is not None:
            self.set_exam(text)

    @work(exclusive=True, group="exam")
    async def set_exam(self, text: str) -> None:
        """Makes the plan for a day, or ends it where there is none."""
        try:
            refused = await off_loop(self.files.set_exam, text, self.app.words)
        except ProgressError as error:
            self.app.warn(self.files.not_saved(error, self.app.words))
            return
        await self._read_exam()
        if refused and self.stands:
            self._ask_for_day(text, refused)

    def does_nothing(self, binding: str) -> bool:
        row = self._row
        if binding in ("settings.less", "settings.more"):
            return row is None or row.name not in OPTIONS
        return binding == "settings.default" and (row is None or not self._text.is_set(row))

    def action_cursor(self, by: int) -> None:
        options = self.query_one("#settings", OptionList)
        options.action_cursor_down() if by > 0 else options.action_cursor_up()

    async def action_leave(self) -> None:
        self.ask(GoHome())
