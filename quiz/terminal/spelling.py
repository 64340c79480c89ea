"""Characters that an encoding does not have: spelled in ASCII where a text may grow, by one that looks alike where a cell is a cell."""

from __future__ import annotations

import codecs
import unicodedata

SPELLED, LOOKALIKE = "qkv-spelled", "qkv-lookalike"  # error handlers, for `errors=` of a text stream
SAMPLE = "▀⣿━│┊●▸…√✖"  # of what the figures are drawn with

ALOUD = {  # what --ascii says instead; Chinese stays, there is no ASCII for it
    "√": "sqrt ", "σ": "sigma", "μ": "mu", "λ": "lambda", "α": "alpha", "β": "beta", "γ": "gamma", "ε": "eps", "θ": "theta", "π": "pi",
    "Δ": "d", "Σ": "sum ", "∑": "sum ", "×": "x", "·": "*", "→": "->", "←": "<-", "…": "...", "≤": "<=", "≥": ">=", "≈": "~", "≠": "!=",
    "−": "-", "–": "-", "—": "-", "±": "+-", "∞": "inf", "∈": "in", "ᵀ": "^T", "²": "^2", "³": "^3", "⊤": "^T", "°": " deg",
    "₀": "0", "₁": "1", "₂": "2", "₃": "3", "₄": "4", "₅": "5",
    "₆": "6", "₇": "7", "₈": "8", "₉": "9", "‖": "||", "‘": "'", "’": "'", "“": '"', "”": '"',
}  # fmt: skip
_ALIKE = {
    "×": "x", "·": ".", "→": ">", "←": "<", "↑": "^", "↓": "v", "…": ".", "−": "-", "–": "-", "—": "-", "ᵀ": "T", "⊤": "T", "•": "*",
    "‘": "'", "’": "'", "“": '"', "”": '"', "✔": "+", "✖": "x", "◆": "*", "◇": ".", "●": "o", "○": "o", "◈": "*",
    "▸": ">", "▶": ">", "┊": ":",
    "▀": '"', "▄": "_", "█": "#", "▐": "|", "▌": "|", "╍": "=",
    "☐": "_", "☑": "x", "▁": "_", "▂": "_", "▃": "_", "▅": "#", "▆": "#", "▇": "#", "▼": "v", "▲": "^", "⏎": "<", "≈": "~", "∞": "8",
}  # fmt: skip


def can_draw(encoding: str) -> bool:
    """Whether an encoding has the characters of the figures: every Unicode encoding does, and GB 18030."""
    try:
        SAMPLE.encode(encoding)
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def lookalike(character: str) -> str:
    """ASCII in as many cells as the character takes; a question mark where nothing looks alike without saying something else."""
    cells = _cells(character)
    plain = _ALIKE.get(character) or _boxed(character) or _without_marks(character)
    return plain.ljust(cells) if 0 < len(plain) <= cells else "?" * cells


def spelled(character: str) -> str:
    """ASCII that says the same where there is any, else what looks alike."""
    return ALOUD.get(character) or lookalike(character)


def in_ascii(text: str) -> str:
    """A text in which all but Chinese is ASCII, in as many cells: there is no ASCII for Chinese."""
    return text if text.isascii() else "".join(each if each.isascii() or _cells(each) == 2 else lookalike(each) for each in text)


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _boxed(character: str) -> str:
    """A line of a box or a braille cell of a curve; nothing for another character."""
    if "\u2800" <= character <= "\u28ff":
        return " " if character == "\u2800" else "."
    if not "\u2500" <= character <= "\u257f":
        return ""
    name = unicodedata.name(character)
    return "-" if name.endswith("HORIZONTAL") and "VERTICAL" not in name else "|" if name.endswith("VERTICAL") else "+"


def _without_marks(character: str) -> str:
    """A letter or a digit without what stands above or below it; of another sign, which a stroke makes another, only what is all ASCII."""
    plain = unicodedata.normalize("NFKD", character)
    return plain.encode("ascii", "ignore").decode() if plain.isascii() or character.isalnum() else ""


def _handler(replace: str) -> None:
    """Registers an error handler for writing; reading with it is an error as it is with `strict`."""
    of_one = {SPELLED: spelled, LOOKALIKE: lookalike}[replace]

    def handle(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(map(of_one, error.object[error.start : error.end])), error.end

    codecs.register_error(replace, handle)


_handler(SPELLED)
_handler(LOOKALIKE)
