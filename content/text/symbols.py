"""The LaTeX commands that card text may use, what each looks like in one character, and what it does in a row."""

from __future__ import annotations

from typing import Literal

from texicode.symbols_art import symbols as _ART

Kind = Literal[
    "ord", "word", "op", "big", "rel", "bin", "punct", "open", "close", "space",
    "seq", "frac", "binom", "root", "script", "accent", "font", "fence", "rows",
]  # fmt: skip

_WRONG_ART = {"rhd", "LaTeX", "TeXicode", "not", "divides", "mathdollar", "mathparagraph", "mathsection", "mathsterling", "mathunderscore"}
SYMBOLS: dict[str, str] = {name: "".join(art).strip() for name, art in _ART.items() if name not in _WRONG_ART}
BY_CHARACTER = {art: name for name, art in reversed(SYMBOLS.items()) if len(art) == 1 and not art.isascii()}

ALIASES = {
    "operatorname": "\\mathrm", "textrm": "\\text", "textbf": "\\text", "boldsymbol": "\\mathbf", "bm": "\\mathbf", "dfrac": "\\frac",
    "tfrac": "\\frac", "cfrac": "\\frac", "dbinom": "\\binom", "lVert": "\\|", "rVert": "\\|", "Vert": "\\|", "lbrace": "\\{",
    "rbrace": "\\}", "lbrack": "[", "rbrack": "]", "implies": "\\Rightarrow", "varnothing": "\\emptyset", "intercal": "\\top",
    "widehat": "\\hat", "widetilde": "\\tilde", "overline": "\\bar", "lt": "<", "gt": ">", "thinspace": "\\,",
}  # fmt: skip
IGNORED = {
    "limits", "nolimits", "displaystyle", "textstyle", "scriptstyle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl",
    "biggr", "Biggl", "Biggr", "!", "mathop", "mathbin", "mathrel",
}  # fmt: skip
FONTS = {"mathrm", "mathbf", "mathsf", "mathtt", "mathit", "mathcal", "mathbb", "mathscr", "mathfrak", "mathnormal"}
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c"}
ENVIRONMENTS = {"matrix", "pmatrix", "bmatrix", "vmatrix", "Vmatrix", "Bmatrix", "cases", "aligned", "align", "align*", "gathered"}
_BIG = {"sum", "prod", "int", "oint", "lim", "max", "min", "sup", "inf", "limsup", "liminf"}
_OPERATORS = {name for name, art in SYMBOLS.items() if art.isascii() and art.isalpha() and len(art) > 1} - _BIG | {"bmod", "mod"}
_RELATIONS = {
    *"=<>", "le", "leq", "ge", "geq", "ne", "neq", "approx", "equiv", "sim", "simeq", "cong", "propto", "ll", "gg", "in", "notin", "ni",
    "subset", "subseteq", "supset", "supseteq", "mid", "perp", "parallel", "to", "gets", "mapsto", "rightarrow", "leftarrow", "Rightarrow",
    "Leftarrow", "leftrightarrow", "Leftrightarrow", "iff", "longrightarrow", "longleftarrow",
    "longmapsto", "doteq", "asymp", "prec", "succ", "models",
}  # fmt: skip
_BINARY = {
    *"+-*", "cdot", "times", "div", "pm", "mp", "circ", "odot", "oplus", "otimes", "ominus", "ast", "star", "cup", "cap", "wedge", "vee",
    "land", "lor", "setminus",
}  # fmt: skip
SPACES = {"\\,", "\\;", "\\:", "\\>", "\\ ", "\\quad", "\\qquad"}
DELIMITERS = {*"()[]|.", "\\{", "\\}", "\\|", "\\lfloor", "\\rfloor", "\\lceil", "\\rceil", "\\lvert", "\\rvert"}
KINDS: tuple[tuple[Kind, set[str]], ...] = (
    ("rel", _RELATIONS),
    ("bin", _BINARY),
    ("big", _BIG),
    ("op", _OPERATORS),
    ("punct", set(",;")),
    ("open", {*"([{", "lfloor", "lceil", "langle", "lvert"}),
    ("close", {*")]}", "rfloor", "rceil", "rangle", "rvert"}),
)
