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
# Signs that TeXicode has no art for, each one character or a word; `content.text.formula` puts them into its drawing.
EXTRA = {
    "Theta": "Θ", "omicron": "ο", "digamma": "ϝ", "hslash": "ℏ", "beth": "ℶ", "gimel": "ℷ", "nexists": "∄", "lesssim": "≲", "gtrsim": "≳",
    "lessapprox": "⪅", "gtrapprox": "⪆", "lll": "⋘", "ggg": "⋙", "approxeq": "≊", "triangleq": "≜", "coloneqq": "≔", "nequiv": "≢",
    "nleq": "≰", "ngeq": "≱", "nless": "≮", "ngtr": "≯", "nsim": "≁", "napprox": "≉", "nmid": "∤", "nparallel": "∦", "nsubset": "⊄",
    "nsubseteq": "⊈", "subsetneq": "⊊", "supsetneq": "⊋", "nrightarrow": "↛", "vDash": "⊨", "Vdash": "⊩", "twoheadrightarrow": "↠",
    "rightsquigarrow": "⇝", "leadsto": "⇝", "rightleftarrows": "⇄", "iint": "∬", "iiint": "∭",
    "bigcup": "⋃", "bigcap": "⋂", "bigoplus": "⨁",
    "bigotimes": "⨂", "bigvee": "⋁", "bigwedge": "⋀", "bigsqcup": "⨆", "ltimes": "⋉", "rtimes": "⋊", "boxplus": "⊞", "boxtimes": "⊠",
    "square": "□", "Box": "□", "blacksquare": "■", "qed": "∎", "lozenge": "◊", "triangledown": "▽", "blacktriangle": "▲", "checkmark": "✓",
    "degree": "°", "S": "§", "copyright": "©", "ldotp": ".", "cdotp": "·", "argmax": "argmax", "argmin": "argmin",
}  # fmt: skip
SYMBOLS |= EXTRA
BY_CHARACTER = {art: name for name, art in reversed(SYMBOLS.items()) if len(art) == 1 and not art.isascii()}

ALIASES = {
    "operatorname": "\\mathrm", "textrm": "\\text", "textbf": "\\text", "boldsymbol": "\\mathbf", "bm": "\\mathbf", "dfrac": "\\frac",
    "tfrac": "\\frac", "cfrac": "\\frac", "dbinom": "\\binom",
    "nicefrac": "\\frac", "sfrac": "\\frac", "lVert": "\\|", "rVert": "\\|", "Vert": "\\|", "lbrace": "\\{",
    "rbrace": "\\}", "lbrack": "[", "rbrack": "]", "implies": "\\Rightarrow", "varnothing": "\\emptyset", "intercal": "\\top",
    "textit": "\\text", "textsf": "\\text", "texttt": "\\text", "textup": "\\text", "textnormal": "\\text", "mbox": "\\text",
    "hbox": "\\text",
    "mathds": "\\mathbb", "mathbbm": "\\mathbb", "bold": "\\mathbf", "pmb": "\\mathbf", "overrightarrow": "\\vec", "leqslant": "\\le",
    "geqslant": "\\ge", "Longrightarrow": "\\Rightarrow", "Longleftarrow": "\\Leftarrow", "Longleftrightarrow": "\\Leftrightarrow",
    "dotsc": "\\ldots", "dotsb": "\\cdots", "dotsm": "\\cdots", "dotso": "\\ldots", "colon": ":", "medspace": "\\:", "thickspace": "\\;",
    "enspace": "\\quad", "varGamma": "\\Gamma", "varDelta": "\\Delta", "varTheta": "\\Theta", "varSigma": "\\Sigma", "varOmega": "\\Omega",
    "varPhi": "\\Phi", "bigtriangleup": "\\triangle", "stackrel": "\\overset", "xlongrightarrow": "\\xrightarrow",
    "widehat": "\\hat", "widetilde": "\\tilde", "overline": "\\bar", "lt": "<", "gt": ">", "thinspace": "\\,",
}  # fmt: skip
IGNORED = {
    "limits", "nolimits", "displaystyle", "textstyle", "scriptstyle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl",
    "biggr", "bigm", "Bigm", "biggm", "Biggm", "middle", "nonumber", "notag", "underline", "boxed", "mathstrut", "negthinspace", "rm",
    "bf", "it",
    "scriptscriptstyle", "hfill", "smash", "Biggl", "Biggr", "!", "mathop", "mathbin", "mathrel",
}  # fmt: skip
FONTS = {"mathrm", "mathbf", "mathsf", "mathtt", "mathit", "mathcal", "mathbb", "mathscr", "mathfrak", "mathnormal"}
ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c"}
DROPPED = {"color", "label", "hspace", "vspace", "phantom", "hphantom", "vphantom", "kern", "tag"}  # with what stands in braces behind them
BRACES = {"underbrace", "overbrace", "underset", "overset", "xrightarrow", "xleftarrow", "substack", "not", "textcolor", "pmod"}
NEGATED = {
    "=": "\\ne", "\\in": "\\notin", "\\equiv": "\\nequiv", "\\exists": "\\nexists", "<": "\\nless", ">": "\\ngtr", "\\le": "\\nleq",
    "\\leq": "\\nleq", "\\ge": "\\ngeq", "\\geq": "\\ngeq", "\\sim": "\\nsim", "\\approx": "\\napprox", "\\mid": "\\nmid",
    "\\parallel": "\\nparallel", "\\subset": "\\nsubset", "\\subseteq": "\\nsubseteq", "\\to": "\\nrightarrow",
    "\\rightarrow": "\\nrightarrow",
}  # fmt: skip
TYPED = {  # characters that people type where LaTeX has a command
    "·": "\\cdot", "•": "\\cdot", "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "、": ",", "。": ".", "‖": "\\|", "∥": "\\|", "∣": "|",
    "“": '"', "”": '"', "‘": "'", "’": "'", "⟨": "\\langle", "⟩": "\\rangle", "〈": "\\langle", "〉": "\\rangle", "∗": "*", "∕": "/",
    "⁄": "/", "ⅇ": "e", "〜": "\\sim", "～": "\\sim", "﹣": "-",
}  # fmt: skip
CALLED = {  # other names of environments
    "equation": "gathered", "equation*": "gathered", "gather": "gathered", "gather*": "gathered", "multline": "gathered",
    "multline*": "gathered",
    "split": "aligned", "eqnarray": "aligned", "eqnarray*": "aligned", "dcases": "cases", "smallmatrix": "matrix", "array": "matrix",
    "displaymath": "gathered", "math": "gathered",
}  # fmt: skip
ENVIRONMENTS = {"matrix", "pmatrix", "bmatrix", "vmatrix", "Vmatrix", "Bmatrix", "cases", "aligned", "align", "align*", "gathered"}
_BIG = {
    "sum",
    "prod",
    "int",
    "oint",
    "iint",
    "iiint",
    "bigcup",
    "bigcap",
    "bigoplus",
    "bigotimes",
    "bigvee",
    "bigwedge",
    "bigsqcup",
    "argmax",
    "argmin",
    "lim",
    "max",
    "min",
    "sup",
    "inf",
    "limsup",
    "liminf",
}
_OPERATORS = {name for name, art in SYMBOLS.items() if art.isascii() and art.isalpha() and len(art) > 1} - _BIG | {"bmod", "mod"}
_RELATIONS = {
    *"=<>", "le", "leq", "ge", "geq", "ne", "neq", "approx", "equiv", "sim", "simeq", "cong", "propto", "ll", "gg", "in", "notin", "ni",
    "subset", "subseteq", "supset", "supseteq", "mid", "perp", "parallel", "to", "gets", "mapsto", "rightarrow", "leftarrow", "Rightarrow",
    "Leftarrow", "leftrightarrow", "Leftrightarrow", "iff", "longrightarrow", "longleftarrow",
    "longmapsto", "doteq", "asymp", "prec", "succ", "models", "lesssim", "gtrsim", "lessapprox", "gtrapprox", "lll", "ggg", "approxeq",
    "triangleq", "coloneqq", "nequiv", "nleq", "ngeq", "nless", "ngtr", "nsim", "napprox", "nmid", "nparallel", "nsubset", "nsubseteq",
    "subsetneq", "supsetneq", "nrightarrow", "vDash", "Vdash", "twoheadrightarrow", "rightsquigarrow", "leadsto", "rightleftarrows",
}  # fmt: skip
_BINARY = {
    *"+-*", "cdot", "times", "div", "pm", "mp", "circ", "odot", "oplus", "otimes", "ominus", "ast", "star", "cup", "cap", "wedge", "vee",
    "land", "lor", "setminus", "ltimes", "rtimes", "boxplus", "boxtimes", "cdotp",
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
