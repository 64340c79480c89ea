"""The statistics' pictures: calendars, upright bars, level bars, and what few cases may say."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment

from quiz.card.deck_paths import resolve_decks
from quiz.charts.bars import share_bar, stacked_bar, upright_bars
from quiz.charts.calendar import calendar, scale
from quiz.charts.memory_figures import _known_today
from quiz.charts.stats_figures import StatsReport
from quiz.charts.stats_format import aligned_rows, count_text, date_text, duration_text, error_text, list_rows
from quiz.charts.stats_view import StatsView
from quiz.charts.style import ChartStyle, Pen, Row, chart_style
from quiz.progress.reviews import replay
from quiz.statistics.retention import Proportion
from quiz.statistics.statistics import LearningLog, statistics
from quiz.statistics.topics import Topic
from quiz.words.i18n import Words, strings
from tests.quiz.learner import learner

PLAIN = chart_style(dark=True, colour=False, ascii_only=False)
ASCII = chart_style(dark=True, colour=False, ascii_only=True)
COLOUR = chart_style(dark=True, colour=True, ascii_only=False)
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
KEYS = [("even" if i % 2 else "odd", f"card-{i}") for i in range(20)]
TODAY = date(2026, 11, 29).toordinal()  # a Sunday


def text(row: Row) -> str:
    return "".join(segment.text for segment in row)


def lines(rows: list[Row]) -> list[str]:
    return [text(row).rstrip() for row in rows]


class TestCalendar:
    def test_each_day_at_its_weekday(self) -> None:
        """Nine days up to a Sunday: the first two end one week, the others are the next from Monday to Sunday."""
        drawn = lines(calendar([4, 0, 0, 0, 0, 0, 0, 0, 8], TODAY, 40, PLAIN, WEEKDAYS, MONTHS))

        assert ["    Nov", "Mon   ·", "      ·", "Wed   ·", "      ·", "Fri   ·", "    **·", "    · @@"] == drawn

    def test_a_month_stands_where_it_begins(self) -> None:
        """1 November 2026 is the Sunday of the fourth of eight weeks."""
        header = lines(calendar([0] * 56, TODAY, 40, PLAIN, WEEKDAYS, MONTHS))[0]

        assert header.index("Nov") == len("Mon ") + 2 * 3

    @pytest.mark.parametrize(("width", "weeks"), [(80, 37), (20, 16)])
    def test_what_does_not_fit_is_the_oldest(self, width: int, weeks: int) -> None:
        """First the tiles become narrower, then the oldest weeks are left out; today is always there."""
        counts = [0] * 7 * 36 + [1] * 7
        drawn = lines(calendar(counts, TODAY, width, PLAIN, WEEKDAYS, MONTHS))

        assert all(line.endswith("@") for line in drawn[1:])
        assert width >= max(map(len, drawn))
        assert weeks <= len(drawn[1]) - len("Mon ")

    def test_one_review_is_seen(self) -> None:
        """A single review beside a day of a thousand is not drawn as none."""
        assert "·" not in lines(calendar([1, 1000], TODAY, 40, PLAIN, WEEKDAYS, MONTHS))[6]

    def test_without_reviews(self) -> None:
        """Days without any review are drawn as such."""
        assert "0 ·  0" == text(scale(0, PLAIN))


class TestColumns:
    def test_heights(self) -> None:
        """The largest fills every row, half of it half of them, and a bar that is not zero can be seen."""
        drawn = lines(upright_bars([8, 4, 0, 0.01], 2, 40, PLAIN, [(0, "now"), (2, "then")]))

        assert ["8│ █", "0│ █ █   ▁", "   nowthen"] == [line.replace("now then", "nowthen") for line in drawn]

    def test_nothing(self) -> None:
        """Zeros and no values at all are no mistake."""
        assert ["  │", "0 │"] == [
            line.replace("│", " │") if line.startswith("0") else " " + line for line in lines(upright_bars([0, 0], 2, 40, PLAIN, []))[:2]
        ]
        assert 3 == len(upright_bars([], 2, 40, PLAIN, []))

    def test_ascii(self) -> None:
        """Without block characters the bars are still bars."""
        assert "#" in lines(upright_bars([1, 2], 2, 40, ASCII, []))[0]
        assert all(line.isascii() for line in lines(upright_bars([1, 2], 2, 40, ASCII, [])))


class TestBars:
    def test_a_share_and_its_mark(self) -> None:
        """Three of four, expected one of two."""
        assert "━━━━┊━··" == text(share_bar(0.75, 8, PLAIN, None, 0.5))

    def test_stacked_by_hand(self) -> None:
        """Three equal kinds in eight cells: their ends are rounded, not cut off."""
        assert "aaabbccc" == text(stacked_bar([(1, glyph, None) for glyph in "abc"], 8))

    @given(st.lists(st.integers(0, 1000), min_size=1, max_size=5), st.integers(1, 60))
    def test_stacked_cells_add_up(self, counts: list[int], width: int) -> None:
        """However the shares round, the bar is as wide as it was asked to be; without any it is empty."""
        assert (width if sum(counts) else 0) == len(text(stacked_bar([(count, "x", None) for count in counts], width)))


class TestTold:
    PEN = Pen(PLAIN, Words("en"))

    @pytest.mark.parametrize(
        ("share", "said"), [(Proportion(2, 3), "2 of 3"), (Proportion(19, 19), "19 of 19"), (Proportion(15, 20), "75 % of 20")]
    )
    def test_few_cases_are_counted(self, share: Proportion, said: str) -> None:
        """A percentage needs twenty cases; fewer are told one by one."""
        assert said == count_text(share, self.PEN)

    @pytest.mark.parametrize(
        ("error", "count", "said"), [(0.234, 20, "23 %"), (0.234, 3, "20 %"), (2.5, 20, "250 %"), (25.4, 20, "25×"), (1e30, 20, "1000000×")]
    )
    def test_errors(self, error: float, count: int, said: str) -> None:
        """Percent, to one digit where they are few, and a factor where a percentage would be long."""
        assert said == error_text(error, count)

    def test_times_and_dates(self) -> None:
        """Minutes, hours with minutes, a date without its year."""
        assert ["2 min", "1 h 5 min", "29 Nov"] == [duration_text(100, self.PEN), duration_text(3900, self.PEN), date_text(TODAY, self.PEN)]


def told(days: int) -> StatsView:
    log = learner(KEYS, days, TODAY)
    return StatsView(statistics(LearningLog(log, replay(log, {})), dict.fromkeys(KEYS, ("one", "two")), TODAY), {}, {})


@pytest.mark.parametrize("days", [0, 1, 3, 90])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("drawn", [PLAIN, ASCII, COLOUR], ids=["plain", "ascii", "colour"])
def test_a_report_fits(days: int, language: str, drawn: ChartStyle) -> None:
    """Whatever was learned, no row is wider than the terminal, down to a single cell."""
    report = StatsReport(told(days), Pen(drawn, Words(language)))

    for width in (1, 2, 20, 40, 80, 140):
        assert width >= max(sum(segment.cell_length for segment in row) for row in report.rows(width))


def test_decks_are_topics_by_their_titles() -> None:
    """Where there are several decks, each is a topic under its title in the interface's language."""
    found = replace(told(90), titles={"even": {"en": "Even cards", "zh": "偶数"}})
    drawn = lines(StatsReport(found, Pen(PLAIN, Words("en"))).rows(80))

    assert [1, 1] == [sum(line.startswith(name) for line in drawn) for name in ("Even cards ", "odd ")]


def test_a_tag_of_a_decks_name_is_told_apart() -> None:
    """Two rows of one name with other numbers say which is which."""
    drawn = lines(StatsReport(replace(told(90), titles={"even": {"en": "one", "zh": "一"}}), Pen(PLAIN, Words("en"))).rows(80))

    assert [1, 1] == [sum(line.startswith(name) for line in drawn) for name in ("one  ", "one (tag) ")]


def test_ascii_is_ascii() -> None:
    """With the ASCII look no character of an English report is beyond ASCII."""
    assert all(text(row).isascii() for row in StatsReport(told(90), Pen(ASCII, Words("en"))).rows(80))


def test_a_title_is_not_cut_beside_free_space() -> None:
    """Each title has the room that what stands beside it leaves; a long remark beside another row takes nothing away."""
    title = "Why is attention quadratic in time?"
    drawn = [
        text(row) for row in list_rows([(title, "failed 3×"), ("Why?", "failed 3×, sure and wrong on 29 Nov")], 50, Pen(PLAIN, Words("en")))
    ]

    assert title in drawn[0]
    assert [50, 50] == [len(each) for each in drawn]


def test_a_label_has_the_room_that_there_is() -> None:
    """Labels stand below each other, and are shortened only where bar and remark leave no room."""
    name = "interpretability of attention heads"
    wide, narrow = (text(aligned_rows([(name, [Segment("==")], "all 3")], width, Pen(PLAIN, Words("en")), 8)[0]) for width in (60, 30))

    assert (True, False) == (name in wide, name in narrow)


def test_tags_are_in_the_readers_language() -> None:
    """A tag that is ours has a Chinese name; one of an author stands as it is. Every tag of the bundled decks has one."""
    ours = {tag for loaded in resolve_decks(())().decks for card in loaded.deck.cards for tag in card.tags}

    assert ["掩码", "masks", "mine"] == [Words("zh").tag("masks"), Words("en").tag("masks"), Words("zh").tag("mine")]
    assert [] == sorted(tag for tag in ours if f"tag.{tag}" not in strings("zh"))


def test_about_is_said_where_it_differs() -> None:
    """Of a topic all of whose cards would be known it is not "about 3 of 3"."""
    drawn = "\n".join(lines(StatsReport(told(90), Pen(PLAIN, Words("en"))).rows(80)))

    assert [] == [found for found in re.findall(r"about (\d+) of (\d+)", drawn) if found[0] == found[1]]
    assert "all 3" == _known_today(Topic("tag", "masks", 0, 0, 3, 2.9), Pen(PLAIN, Words("en")))
    assert "about 2 of 3" == _known_today(Topic("tag", "masks", 0, 0, 3, 2.2), Pen(PLAIN, Words("en")))
