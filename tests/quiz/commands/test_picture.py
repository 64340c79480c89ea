"""What is worth trying, as lines for a terminal or a pipe."""

from __future__ import annotations

from content.deck.cards import Text
from engine.label import Label
from engine.parameter import Value
from quiz.card.hero import Trial
from quiz.commands.lab import settings_text
from quiz.commands.picture import trial_lines
from quiz.words.i18n import Words

WIDE = Trial(Label("d_k = 4096", "d_k = 4096"), {"d_k": 4096}, Label("Most rows saturate.", "多数行饱和。"))
OWN = Trial(Text({"en": "no\x1b[31m mask", "zh": "不加掩码"}), {"mask": "none"}, Text({"": "Row 1 [/] sees all."}))


def test_a_line_a_setting_in_the_readers_language() -> None:
    """Its name, then what is to be seen; of a card or of an experiment, and nothing that a terminal would obey."""
    assert ["try d_k = 4096: Most rows saturate.", "try no\\x1b[31m mask: Row 1 [/] sees all."] == trial_lines([WIDE, OWN], Words("en"))
    assert ["试试 d_k = 4096：多数行饱和。", "试试 不加掩码：Row 1 [/] sees all."] == trial_lines([WIDE, OWN], Words("zh"))


def test_the_options_that_set_it_can_be_typed() -> None:
    """A name alone does not say which parameters it stands for; a text is quoted for the shell."""
    values: dict[str, Value] = {"d_k": 4096, "text": "the cat's mat"}

    assert """--set d_k=4096 --set 'text=the cat'"'"'s mat'""" == settings_text(values)
