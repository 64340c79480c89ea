"""Sentences that remember how they were made."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import yaml

import content
import quiz
from content.deck.reference import section
from content.messages.sentence import CATALOGUE, Sentence, bilingual, in_language, joined, load, say, template
from content.yaml.clean import unclean
from quiz.words import problems

FROM_OUTSIDE = {  # templates that are no literals where a sentence is made: the description of a key, the name of a character
    "say(field.description)",
    "say(message, at=found[at])",
    "say(message, sign=found[0])",
    "say(message, written=found[0])",
    "say(template, one=one, other=other)",
    "say(unicodedata.name(character, template('an invisible character')).lower())",
}
MAKERS = ("say", "template")
OURS = {"content.messages.sentence", "quiz.words.problems"}
INVISIBLE = [
    chr(code)
    for code in (0xAD, 0x34F, 0x61C, *range(0x200B, 0x2010), *range(0x2028, 0x202F), 0x2060, *range(0x2066, 0x206A), 0x3164, 0xFE0E, 0xFE0F)
]
HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,;:!?()]|[,;!?][\u4e00-\u9fff]")
UNPARTED = re.compile(r"[\u4e00-\u9fff][A-Za-z0-9{`]|[A-Za-z0-9}`][\u4e00-\u9fff]")
PARTED_BY_THEMSELVES = {  # a field ends in Chinese, or in its full stop
    "{lost} and the letters {word}",
    "{lost} and the letter {word}",
    "There is no deck {name}. {hint} A file needs its path, such as my/deck.yaml.",
}


def calls(package: str) -> Iterator[ast.Call]:
    """Every place at which a module of a package makes a sentence."""
    for path in sorted(Path(package).parent.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        if imported & OURS or path.name == "sentence.py":
            found = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
            yield from (call for call in found if isinstance(call.func, ast.Name) and call.func.id in MAKERS and call.args)


def templates(package: str) -> dict[str, None]:
    """The English of every sentence that a package can make, as far as it stands in its code."""
    first = (call.args[0] for call in calls(package))
    return {argument.value: None for argument in first if isinstance(argument, ast.Constant) and isinstance(argument.value, str)}


def fields(text: str) -> set[str]:
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return set()  # a sentence without fields, as it stands


CONTENT, QUIZ = templates(str(content.__file__)), templates(str(quiz.__file__))
SPOKEN = {
    **{english: CATALOGUE("zh").get(english) for english in CONTENT},
    **{english: problems.CATALOGUE("zh").get(english) for english in QUIZ},
}


def test_a_sentence_is_its_english() -> None:
    """Whoever takes it for a text sees nothing else: equal, sorted, copied and sent elsewhere as one."""
    made = say("the id {card} is already used in line {line}", card="one", line=4)

    assert "the id one is already used in line 4" == made == copy.deepcopy(made) == pickle.loads(pickle.dumps(made))
    assert ["a", made] == sorted([made, "a"])
    assert str is type(in_language(made, "en"))


def test_a_sentence_in_chinese() -> None:
    """With its fields, and with the Chinese of the sentences among them; a text stays as it is."""
    inner = say("{subject} is {value}", subject=say("item {number} of {key}", number=2, key="tags"), value=say("a list"))

    assert "tags 的第 2 项是一个列表；它必须是数" == say("{subject}; it must be a number", subject=inner).in_language("zh")
    assert "level" == in_language("level", "zh")


def test_what_an_author_wrote_stays_apart() -> None:
    """Between our own Chinese there is no space, before a name and before an author's Chinese there is."""
    assert "卡片需要 question" == say("{owner} needs {key}", owner=say("a card"), key="question").in_language("zh")
    assert "level 是 很难" == say("{subject} is {value}", subject="level", value="很难").in_language("zh")


def test_a_list_has_the_commas_of_its_language() -> None:
    """Words of a list are parted as the language does."""
    made = say("there are {names}", names=["a", "b", "c"])

    assert ("there are a, b, c", "可用的有 a、b、c") == (made, made.in_language("zh"))
    assert ("a or b or c", "a 或 b 或 c") == (joined("{one} or {other}", "abc"), in_language(joined("{one} or {other}", "abc"), "zh"))
    assert "" == joined("{one} or {other}", [])


def test_numbers_keep_their_form() -> None:
    """A specification is obeyed in every language."""
    assert "有 12,000 个字符；上限是 8,000" == say("{count:,} characters; the limit is {limit:,}", count=12000, limit=8000).in_language(
        "zh"
    )


def test_without_a_translation_it_is_english() -> None:
    """A sentence is never lost."""
    assert "moved {x}" == say("moved {x}").in_language("zh")
    assert "moved 3" == say("moved {x}", x=3).in_language("zh")


def test_of_both_languages() -> None:
    """What the engine says comes in both already."""
    made = bilingual("Stopped", "已停止")

    assert ("Stopped", "已停止", "Stopped") == (made, made.in_language("zh"), made.in_language("en"))


def test_no_template_is_made_on_the_way() -> None:
    """Every sentence is made of a literal, so that the tests below see it; the few others are known."""
    loose = {ast.unparse(call) for package in (content, quiz) for call in calls(str(package.__file__))
             if not isinstance(call.args[0], ast.Constant)}  # fmt: skip

    assert FROM_OUTSIDE == loose


def test_every_sentence_has_its_chinese() -> None:
    """With the same fields; and nothing is translated that nobody says."""
    assert [] == [english for english, chinese in SPOKEN.items() if not chinese]
    assert [] == [english for english, chinese in SPOKEN.items() if fields(english) != fields(str(chinese))]
    assert set() == problems.CATALOGUE("zh").keys() - QUIZ.keys()


def test_nothing_is_translated_that_nobody_says() -> None:
    """What stands in the catalogue is a sentence of the code, a line of the reference, or the name of a character."""
    folder = Path(str(content.__file__)).parent / "messages"
    sentences = yaml.load((folder / "zh.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    named = [made for character in INVISIBLE for _, made in unclean(f"a{character}b") if isinstance(made, Sentence)]
    characters = {name.template for made in named if isinstance(name := made.fields["name"], Sentence)}

    assert set() == sentences.keys() - CONTENT.keys() - characters
    assert section("zh")  # which raises where the reference's own part lacks something


def test_the_chinese_is_set_as_chinese() -> None:
    """Full-width punctuation, and a space between Chinese and everything else."""
    shown = {english: re.sub(r"`[^`]*`|[^ ]*\[[^ ]*|\{span\}|\{shown\}", "", str(chinese)) for english, chinese in SPOKEN.items()}

    assert [] == [chinese for chinese in shown.values() if HALF_WIDTH.search(chinese)]
    assert PARTED_BY_THEMSELVES == {english for english, chinese in shown.items() if UNPARTED.search(chinese)}


def test_no_key_is_given_twice() -> None:
    """Of two translations one would be lost without a word."""
    for file in Path(str(content.__file__)).parent.glob("messages/*.yaml"):
        mapping = yaml.compose(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
        assert isinstance(mapping, yaml.MappingNode)
        keys = [key.value for key, _ in mapping.value]

        assert [] == sorted(key for key in set(keys) if keys.count(key) > 1), file.name


def test_a_folder_without_files_translates_nothing(tmp_path: Path) -> None:
    """English has no catalogue."""
    assert {} == load(tmp_path, "en")
    assert "as it is" == template("as it is")
