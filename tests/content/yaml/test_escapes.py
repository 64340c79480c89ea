"""What an author of LaTeX loses to double quotes, and what not."""

from __future__ import annotations

import pytest

from content.yaml.reader import read
from tests.content.yaml.reading import tree_of

# Commands by the letter that YAML takes for an escape; \d, \s and the like end the reading instead.
SWALLOWED = {
    "n": "nabla neq ne neg notin not nu ni nmid nexists ngeq nleq natural nearrow",
    "t": "theta times text textbf tanh tau top to tilde tfrac triangle tan",
    "b": "beta bar begin bmod boldsymbol binom big",
    "r": "rho right rangle rightarrow rfloor",
    "f": "frac forall flat",
    "a": "alpha approx arg ast angle",
    "v": "vec varepsilon vert vdots",
    "e": "epsilon exp eta ell end emptyset equiv exists",
    "x": "xi xrightarrow",
    "u": "underbrace uparrow",
    "U": "Upsilon Uparrow",
    "L": "Lambda Leftarrow",
    "P": "Phi Psi Pi Pr",
    "_": "_model",
    "s": "sigma sqrt sum",
    "l": "left lambda log",
    "m": "mu mathrm max",
}
COMMANDS = [command for commands in SWALLOWED.values() for command in commands.split()]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_double_quotes_swallow_is_told(command: str) -> None:
    """At its backslash, once, whether YAML makes another character of it or gives up; the text goes on as it was meant."""
    tree, problems = read("a.yaml", f'a: "$x \\{command}$"\nb: c\n'.encode())
    assert [(1, 8)] == [(problem.line, problem.column) for problem in problems]
    assert tree is not None
    assert {"a": f"$x \\{command}$", "b": "c"} == tree.root


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("quoted", ['"${}$ or $x {}$"', "'${}$'", "|\n  ${}$\n", "${}$"])
def test_no_command_is_told_that_arrives(command: str, quoted: str) -> None:
    """Doubled backslashes, single quotes, blocks and plain text keep LaTeX: a warning there would be false."""
    slash = "\\\\" if quoted[0] == '"' else "\\"
    assert f"\\{command}" in str(tree_of("a: " + quoted.replace("{}", slash + command)).root)


@pytest.mark.parametrize(
    "text",
    [r"one\ntwo", r"a\nno", r"then\nnote.", r"x\ni = 0", r"f(x)\ne += 1", r"\n", r"\n- eq", r"a\n\nb", r"\"q\" \/ \\", r"\u4e2d\x41 a\tb"],
)
def test_escapes_that_are_meant_are_not_told(text: str) -> None:
    """Line breaks, quotes, tabs between words and characters by their code are what double quotes are for."""
    tree_of(f'a: "{text}"\n')


def test_line_breaks_in_code_are_meant() -> None:
    """A listing in double quotes has line breaks before whatever letters."""
    assert {"listing": "x\nu = 1\nnot x\n"} == tree_of('listing: "x\\nu = 1\\nnot x\\n"\n').root


def test_all_slips_are_told_at_once() -> None:
    """Those that end YAML's reading, those that make a character that nobody sees and those that are only lost, in all texts of a file."""
    text = 'a: "$\\alpha \\sigma \\nabla \\theta$"\nb: "it\\\'s $\\left( \\rho \\right)$"\nc: {d: "\\frac{1}{2}", e: &x f}\n'
    tree, problems = read("a.yaml", text.encode())
    found = sorted((problem.line, problem.column, problem.severity) for problem in problems)
    assert [
        (1, 6, "error"), (1, 13, "error"), (1, 20, "warning"), (1, 27, "error"),
        (2, 7, "error"), (2, 12, "error"), (2, 19, "error"), (2, 24, "error"), (3, 9, "error"), (3, 26, "error"),
    ] == found  # fmt: skip
    assert tree is not None
    assert {
        "a": "$\\alpha \\sigma \\nabla \\theta$",
        "b": "it\\'s $\\left( \\rho \\right)$",
        "c": {"d": "\\frac{1}{2}", "e": "f"},
    } == tree.root


@pytest.mark.parametrize(
    ("escape", "message"),
    [
        (r"\frac", r"\frac in double quotes is a form feed and the letters rac"),
        (r"\theta", r"\theta in double quotes is a tab and the letters heta"),
        (r"\nu", r"\nu in double quotes is a line break and the letter u"),
        (r"\_m", r"\_m in double quotes is a no-break space and the letter m"),
        (r"\sum", "this backslash is not an escape that YAML knows"),
        (r"\'", "an apostrophe in double quotes has no backslash"),
        (r"\U00110000", "there is no character with this code"),
        (r"\u200b", "an escape makes zero width space (U+200B) in this text"),
    ],
)
def test_the_message_says_what_became_of_it(escape: str, message: str) -> None:
    """An author learns what is in the text instead, or why nothing can be."""
    assert [message] == [problem.message for problem in read("a.yaml", f'a: "{escape}"\n'.encode())[1]]


def test_a_thousand_slips_end_soon() -> None:
    """A file is read again for each text that stops the reading, but not for ever."""
    tree, problems = read("a.yaml", b"".join(b'a%d: "\\s"\n' % number for number in range(1_000)))
    assert tree is None
    assert 190 <= len(problems) <= 210
