"""What is known: memories against what FSRS expected of them, topics from the weakest on, the cards to look at again."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style

from quiz.charts.bars import Kind, share_bar, stacked_bar
from quiz.charts.legend import headline
from quiz.charts.stats_format import aligned_rows, count_text, date_text, fraction_text, list_rows, quiet_rows
from quiz.charts.stats_view import StatsView
from quiz.charts.style import QUIET, STRONG, Pen, Row
from quiz.progress.decisions import Fit
from quiz.statistics.retention import RetentionBin
from quiz.statistics.topics import Topic
from quiz.study.leeches import WeakCard

BAR = 24  # cells
NAMES = 24  # cells for a topic's name, more where there is room
TOPICS = 8  # tags
SEVERAL = 2  # cards; a tag with fewer is a card and no topic
PICKS = "abcdefghi"  # the letters of the cards to look at again


def retention_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """In all and by prediction: how often a card was remembered, with a mark where FSRS had expected it."""
    kept, say = told.statistics.retention, pen.words
    above = headline(say("stats.retention"), "", width, pen.look, [Segment(f"{pen.look.glyphs.marker} {say('stats.expected')}", QUIET)])
    together, reach = kept.all.passed, kept.all.passed.interval
    if kept.all.expected is None or reach is None:
        return [above, *quiet_rows(say("stats.retention.none"), width, pen)]
    if together.few:
        right = round(kept.all.expected * together.whole)
        sentence = say("stats.retention.few", expected=right, count=together.whole, part=together.part)
    else:
        known = say(
            "stats.range", share=fraction_text(together, pen), low=round(100 * reach[0]), high=round(100 * reach[1]), count=together.whole
        )
        sentence = say("stats.retention.said", expected=_percent(kept.all.expected), known=known)
    rows = [_recalled(part, pen) for part in reversed(kept.bins) if part.passed.whole]
    sampled = kept.cards < kept.known_cards
    below = say("stats.retention.sample", cards=kept.cards, count=kept.known_cards) if sampled else ""
    by = quiet_rows(_parameters(told.statistics.fit, pen), width, pen)
    return [above, *quiet_rows(sentence, width, pen), *aligned_rows(rows, width, pen, BAR), *quiet_rows(below, width, pen), *by]


def _parameters(fit: Fit | None, pen: Pen) -> str:
    """By which parameters FSRS expects what it does."""
    if fit is None:
        return pen.words("stats.parameters.default")
    return pen.words("stats.parameters.fitted", date=date_text(fit.day, pen), count=fit.reviews)


def _recalled(part: RetentionBin, pen: Pen) -> tuple[str, Row, str]:
    label = f"{part.low * 100:.0f}–{_percent(part.high)}" if part.low else pen.words("stats.below", high=_percent(part.high))
    colour = QUIET if part.passed.few else pen.look.palette.arms.get("right")
    return label, share_bar(part.passed.value or 0.0, BAR, pen.look, colour, part.expected), count_text(part.passed, pen)


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def topics_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """Decks, then the weakest of the tags that were begun."""
    found, say, look = told.statistics.topics, pen.words, pen.look
    kinds = known_kinds((1, 1, 1), pen)
    words = [say("stats.known"), say("stats.learning"), say("stats.new")]
    legend = [
        part for (_, glyph, style), word in zip(kinds, words, strict=True) for part in (Segment(f"  {glyph} ", style), Segment(word, QUIET))
    ]
    decks = [topic for topic in found if topic.kind == "deck"]
    begun = [topic for topic in found if topic.kind == "tag" and topic.recall is not None and topic.cards >= SEVERAL]
    shown = [(told.titles.get(topic.name, {}).get(pen.words.language, topic.name), topic) for topic in decks] if len(decks) > 1 else []
    taken = {name for name, _ in shown}
    tags = [(say.tag(topic.name), topic) for topic in begun[:TOPICS]]
    shown += [(say("stats.topics.tag", name=name) if name in taken else name, topic) for name, topic in tags]
    rows = [(name, _mastered(topic, pen), _known_today(topic, pen)) for name, topic in shown]
    sentence = say("stats.topics.said") if rows else say("stats.topics.none")
    rest = len(begun) - TOPICS
    unbegun = sum(topic.kind == "tag" and topic.recall is None and topic.cards >= SEVERAL for topic in found)
    below = quiet_rows(say("stats.topics.rest", count=rest) if rest > 0 else "", width, pen)
    below += quiet_rows(say("stats.topics.unbegun", count=unbegun) if unbegun else "", width, pen)
    head = headline(say("stats.topics"), "", width, look, legend)
    return [head, *quiet_rows(sentence, width, pen), *aligned_rows(rows, width, pen, NAMES), *below]


def known_kinds(counts: tuple[int, int, int], pen: Pen) -> list[Kind]:
    """Cards that are known, being learned, and new, as kinds of a stacked bar."""
    look, lines = pen.look, pen.look.palette.lines
    glyphs = look.glyphs
    styles: tuple[Style | None, ...] = (look.of_arm("right") or STRONG, lines[1 % len(lines)], QUIET)
    return list(zip(counts, (glyphs.arms["right"], glyphs.arms["wrong"], glyphs.masked), styles, strict=True))


def _mastered(topic: Topic, pen: Pen) -> Row:
    return stacked_bar(known_kinds((topic.known, topic.learning, topic.new), pen), BAR)


def _known_today(topic: Topic, pen: Pen) -> str:
    """About how many of a topic's cards would be known: a part of them, or simply all."""
    count = round(topic.recalled)
    return pen.words("stats.all", count=count) if count == topic.cards else pen.words("stats.about", count=count, cards=topic.cards)


def pick_letters(told: StatsView) -> dict[str, WeakCard]:
    """The cards to look at again by their letters."""
    return dict(zip(PICKS, told.statistics.weak, strict=False))


def weak_cards_figure(told: StatsView, width: int, pen: Pen) -> list[Row]:
    """The cards that keep failing, and those that one was sure of and had wrong."""
    found, say = told.statistics.weak, pen.words
    above = headline(say("stats.again"), "", width, pen.look, [])
    if not found:
        return [above, *quiet_rows(say("stats.again.none"), width, pen)]
    rows = [(f"{letter}  {told.question(card.key, pen.words)}", weak_reason(card, pen)) for letter, card in pick_letters(told).items()]
    below = say("stats.again.rest", count=len(found) - len(rows)) if len(found) > len(rows) else ""
    return [above, *list_rows(rows, width, pen), *quiet_rows(below, width, pen)]


def weak_reason(card: WeakCard, pen: Pen) -> str:
    """Why a card is to be looked at again."""
    failed = [pen.words("stats.failed", count=card.lapses)] if card.lapses else []
    error = [pen.words("stats.sure_wrong", date=date_text(card.confident_error, pen))] if card.confident_error is not None else []
    return (", " if pen.words.language == "en" else "，").join(failed + error)
