"""Claims from somebody who wants out, or wants the check to hang: nothing but arithmetic gets in, and everything is answered at once."""

from __future__ import annotations

import ast
import math
import time

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from content.claims.evaluator import evaluate
from content.claims.mutation import killing_mutations
from content.claims.parser import FUNCTIONS, parse
from content.claims.tokens import ClaimError

SCOPE: dict[str, object] = {"rate": 30.0, "n": 3, "row": (1.0, 2.0, 3.0), "weights": ((0.25, 0.75), (0.5, 0.5))}
AT_ONCE = 2.0  # CPU seconds: a hundred times what it takes, and nothing beside a tower that is really computed
ARITHMETIC = (
    *(
        ast.Compare,
        ast.BoolOp,
        ast.UnaryOp,
        ast.BinOp,
        ast.Call,
        ast.Subscript,
        ast.Slice,
        ast.Tuple,
        ast.Name,
        ast.Attribute,
        ast.Constant,
    ),
    *(ast.cmpop, ast.boolop, ast.unaryop, ast.operator, ast.expr_context),
)
FRAGMENTS = [
    *(
        "rate",
        "n",
        "row",
        "weights",
        "max",
        "all",
        "close",
        "0",
        "1",
        "9",
        "1e3",
        ".5",
        " ",
        "(",
        ")",
        "[",
        "]",
        ",",
        "+",
        "-",
        "*",
        "**",
        "/",
    ),
    *(
        "%",
        "<",
        "==",
        ">=",
        " and ",
        " or ",
        "not ",
        ".real",
        ".__class__",
        "'a'",
        'f"{n}"',
        "b''",
        "lambda: n",
        " if n else ",
        ":=",
        ":",
        "*row",
    ),
    *(
        "[x for x in row]",
        " for x in row",
        "await ",
        "yield ",
        "__import__",
        "eval",
        "is ",
        " in ",
        "{",
        "}",
        "~",
        "@",
        "//",
        "1j",
        "True",
        "...",
    ),
    *("ｒate", "𝐧", "ⅿax", "ﬁ", "\u200b", "\u00a0", "\\", "#", ";", "\n", "\r", "\f", "\0"),
]


def assert_arithmetic(text: str) -> None:
    """What Python itself sees in a claim that was let in: numbers, names, comparisons, and calls of our own functions by their names."""
    tree = ast.parse(" ".join(text.split("\n")).strip(), mode="eval").body
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for node in ast.walk(tree):
        assert isinstance(node, ARITHMETIC), ast.dump(node)
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int | float)
            assert not isinstance(node.value, bool)
            assert math.isfinite(node.value)
        if isinstance(node, ast.Name) and node in called:
            assert node.id in FUNCTIONS
        if isinstance(
            node, ast.Attribute
        ):  # the name of a run and of its result: looked up as one name in a mapping, never as an attribute
            assert isinstance(node.value, ast.Name)
            assert not node.attr.startswith("_")
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            assert not node.keywords


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
@example("max(row)>=1")
@example("not rate<9 and weights[0][1]==.5")
@example("close(rate,30,.5)or all(row>=1)")
def test_nothing_but_arithmetic_gets_in(text: str) -> None:
    """Python's own parser finds in an accepted claim no attribute, text, lambda, comprehension, walrus, star or foreign call."""
    try:
        parse(text)
    except ClaimError:
        return
    assert_arithmetic(text)


@settings(deadline=None)
@given(st.sampled_from(["rate > 1", "max(row) > n", "close(rate, 30, 0.5)"]), st.characters(min_codepoint=128), st.integers(1, 7))
def test_every_character_beyond_ascii_is_refused(text: str, character: str, place: int) -> None:
    """Python reads ｒate, 𝐫ate and rate as one name, and ١ as a digit: a claim that looks like another is none."""
    with pytest.raises(ClaimError):
        parse(text[:place] + character + text[place:])


@pytest.mark.parametrize(
    "text",
    [
        "rate.real.imag > 1", "5 .real > 1", "1..real > 1", "row[0].hex > 1", "max.__self__ > 1", "(rate).x > 1", "max(row).real > 1",
        "import os", "from os import path", "exec('1')", "open('x') > 1", "globals() > 1", "vars > eval(1)", "row[eval(0)] > 0",
        "b'a' > 1", "u'a' > 1", "'' == ''", '"" == ""', "'''a''' > 1", "f'{rate}' == 1", "'%s' % rate > 1", "`rate` > 1",
        "max(x for x in row) > 1", "[x for x in row][0] > 1", "{x for x in row} > 1", "{x: x for x in row} > 1", "sum([1, 2]) > 1",
        "(n := 2) > 1", "row[(n := 0)] > 0", "max(n := 1, 2) > 0", "(lambda: 1)() > 0", "row[lambda: 0] > 0", "lambda rate: rate > 1",
        "max(*row) > 1", "max(**row) > 1", "[*row][0] > 1", "(*row,)[0] > 1", "{**row} > 1", "row[*row] > 1",
        "row[...] > 0", "row[()] > 0", "row[0,] > 0", "row[0][0][0] > 0", "max[0] > 0", "row[max] > 0",
        "row[0](1) > 0", "(row)(0) > 0", "max(row)[0] > 0", "(row + row)[0] > 0", "rate()", "n(1) > 1", "abs(abs)(1) > 1", "max(max) > 1",
        "rate if n else n", "rate > 1 if n else n", "(yield)", "await rate > 1", "rate is not n", "rate not in row",
        "del rate", "assert rate", "ｒate > 1", "𝐫ate > 1",
        "ᵐax(row) > n", "ⅿax(row) > n", "raﬁ > 1", "rate > ١", "rate > 1⁰", "rate\u00a0> 1",
        "0x1 > n", "0b1 > n", "0o1 > n", "1_0 > n", "1e5j > n", "1e400 > n", "True > n", "None == n", "rate\\\n> 1",
        "rate > 1 # n", "rate;", "rate > 1\n\nrate > 2", "rate > 1\rn > 2", "$rate > 1", "rate? > 1", "rate! > 1", "@rate > 1",
    ],
)  # fmt: skip
def test_a_way_out_is_refused(text: str) -> None:
    """Every way that Python has to reach something else is closed, and the refusal says where."""
    with pytest.raises(ClaimError) as refused:
        parse(text)

    assert refused.value.message
    assert 1 <= refused.value.column <= len(text) + 1


TOWERS = [
    *(
        "9**9**9 > n",
        "10**10**10 > n",
        "2**-9**9 < n",
        "(-9)**9**9 < n",
        "9**9**-9 > n",
        "0.5**9**9 < n",
        "1**9**9 == 1",
        "(9**99)**99 > n",
    ),
    *("(2**999)**2 > n", "((2**999)**(2**999)) > n", "2**2**2**2**2**2 > n", "1e308**1e308 > n", "(0-1)**(2**999) < n", "0**(2**999) == 0"),
    *("exp(exp(exp(9))) > n", "exp(-exp(exp(3))) < n", "log(2**999)**(2**999) > n", "(2**999) % (2**998 - 1) > n", "rate**rate**rate > n"),
    *("max(row**row**row**row) > n", "sum(weights**9**9) < n", "9*8*7*6*5*4*3*2*1*9*8*7*6*5*4*3*2*1*9*8*7*6*5*4*3*2*1 > n"),
    *(
        "*".join(["(2**500)"] * 30) + " > n",
        "+".join(["n"] * 45) + " > n",
        "-" * 45 + "n > n",
        "not " * 45 + "n > 1",
        "**".join("9" * 45) + " > n",
    ),
    *(
        "(" * 49 + "n" + ")" * 49 + " > 1",
        "n<" * 140 + "n",
        "n>1or " * 48 + "n>1",
        "(" * 290 + "n > 1",
        "n" * 300,
        "9" * 298 + ">n",
        "[" * 300,
    ),
]


@pytest.mark.parametrize("text", TOWERS)
def test_a_tower_is_answered_at_once(text: str) -> None:
    """Powers of powers, long chains and deep nests take no time: they are computed, refused, or too large."""
    began = time.process_time()
    try:
        expression = parse(text)
    except ClaimError:
        pass
    else:
        outcome = evaluate(expression, SCOPE)
        killing_mutations(expression, SCOPE, SCOPE)
        assert isinstance(outcome.holds, bool)
    assert time.process_time() - began < AT_ONCE


NUMBERS = st.sampled_from(["rate", "n", "row[0]", "max(row)", "sum(weights)", "len(row)", "weights[1][0]", "0", "0.5", "2"])
TERMS = st.recursive(
    NUMBERS,
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from("+-*/%"), inner) | st.builds("abs({})".format, inner),
    max_leaves=4,
)
CLAIMS = st.builds("{} {} {}".format, TERMS, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), TERMS)


def poisoned(value: object) -> object:
    """The same value with a NaN in its last place."""
    return (*value[:-1], poisoned(value[-1])) if isinstance(value, tuple) else math.nan


@settings(deadline=None)
@given(CLAIMS, CLAIMS, st.sampled_from([" and ", " or "]), st.data())
def test_a_nan_fails_by_name(left: str, right: str, join: str, data: st.DataObject) -> None:
    """Whatever else a claim says, and wherever in a result the NaN stands, the claim does not hold and the reason is its name."""
    expression = parse(left + join + right)
    assume(expression.names)
    name = data.draw(st.sampled_from(expression.names))

    outcome = evaluate(expression, {**SCOPE, name: poisoned(SCOPE[name])})

    assert (False, f"{name} is not a number (NaN)") == (outcome.holds, outcome.reason)
