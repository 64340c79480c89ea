"""A formula in one line of Unicode, as one would type it into a chat: QKᵀ/√d_k."""

from __future__ import annotations

from texicode import arts

from content.text.latex_node import NOTHING, Node
from content.text.symbols import ACCENTS, SYMBOLS

_ABOVE = {low: high for low, (high, _) in arts.unicode_scripts.items() if high != " " and low not in ".!/ϕεq" and not low.isupper()} | {
    "⊤": "ᵀ",
    "∘": "°",
    "′": "′",
}
_BELOW = {low: art[1] for low, art in arts.unicode_scripts.items() if low in "0123456789+-=()"}
_LINE = {
    "\\cdot": "·",
    "\\mid": "|",
    "\\ast": "*",
    "\\sim": "~",
    "\\phi": "φ",
    "\\epsilon": "ε",
    "\\|": "‖",
    "\\top": "⊤",
    "'": "′",
    "\\iff": "⇔",
}
_MATRIX = {"pmatrix": "()", "bmatrix": "[]", "Bmatrix": "{}", "vmatrix": "||", "Vmatrix": "‖‖"}


def one_line(node: Node, tight: bool = False) -> str:
    """A node as text. `tight` leaves the spaces around operators out, as in a script."""
    match node.kind:
        case "seq":
            return _joined(node.parts, tight)
        case "word":
            return node.text
        case "frac":
            over, under = node.parts
            return f"{_grouped(over, tight, {'bin', 'rel', 'big', 'frac'})}/{_factor(under, tight)}"
        case "binom":
            return f"C({one_line(node.parts[0], tight)}, {one_line(node.parts[1], tight)})"
        case "root":
            degree = "".join(_ABOVE.get(character, character) for character in one_line(node.parts[1], True)) if len(node.parts) > 1 else ""
            return f"{degree}√{_factor(node.parts[0], tight)}"
        case "script":
            base, below, above = node.parts
            return _scripted(base, below, above, tight)
        case "accent":
            inner = one_line(node.parts[0], tight)
            return inner + ACCENTS[node.text] if len(inner) == 1 else f"{node.text}({inner})"
        case "font":
            return _lettered(node.text, one_line(node.parts[0], tight))
        case "fence":
            left, _, right = node.text.partition(" ")
            return _bracket(left) + one_line(node.parts[0], tight) + _bracket(right)
        case "rows":
            return _tabled(node)
        case "space":
            return " "
    return _mark(node.text)


def _bracket(token: str) -> str:
    return "" if token == "." else _mark(token)


def _mark(token: str) -> str:
    return _LINE.get(token) or (SYMBOLS.get(token[1:], token[1:]) if token[0] == "\\" else token)


def _joined(parts: tuple[Node, ...], tight: bool) -> str:
    played = spacing_roles(parts)
    written = last = ""
    for index, part in enumerate(parts):
        text = one_line(part, tight)
        if part.kind == "frac" and _beside_operand(played, index):
            text = f"({text})"
        before = played[index - 1] if index else ""
        written += _gap(before, played[index], last, text, tight) + text
        last = text
    return written if tight else " ".join(written.split())


def spacing_roles(parts: tuple[Node, ...]) -> list[str]:
    """What each part does in its row: its kind, but a script does what its base does, and a leading + or - is a sign."""
    played: list[str] = []
    for part in parts:
        role: str = part.kind
        if role == "script" and part.parts[0].kind in ("op", "big", "word", "font", "rel"):
            role = part.parts[0].kind
        if role == "bin" and (not played or played[-1] in ("bin", "rel", "open", "punct", "op", "sign")):
            role = "sign"
        played.append(role)
    return played


def _beside_operand(played: list[str], index: int) -> bool:
    apart = ("bin", "rel", "punct", "space", "sign")
    left = index > 0 and played[index - 1] not in (*apart, "open")
    right = index + 1 < len(played) and played[index + 1] not in (*apart, "close")
    return left or right


def _gap(before: str, role: str, last: str, text: str, tight: bool) -> str:
    """The space between the last piece and the next one."""
    if not before or not last or not text or before == "sign" or "space" in (before, role):
        return ""
    if before in ("bin", "rel", "punct") or role in ("bin", "rel"):
        return "" if tight else " "
    if role in ("op", "big"):
        return "" if before == "open" else " "
    if before in ("op", "big"):
        return "" if role in ("open", "close", "punct", "fence") else " "
    wordy = (
        "_" in last + text or "^" in last or (before in ("word", "font") and len(last) > 1) or (role in ("word", "font") and len(text) > 1)
    )
    return " " if wordy and last[-1].isalnum() and text[0].isalnum() and not last.isdigit() else ""


def _grouped(node: Node, tight: bool, loose: set[str]) -> str:
    """In parentheses where one of its parts would fall apart."""
    parts = node.parts if node.kind == "seq" else (node,)
    kinds = {part.parts[0].kind if part.kind == "script" else part.kind for part in parts}
    text = one_line(node, tight)
    return f"({text})" if kinds & loose else text


def _factor(node: Node, tight: bool) -> str:
    """As what a bar, a root or a power binds to: one thing, or parentheses."""
    text = one_line(node, tight)
    alone = node.kind in ("ord", "font", "script", "root", "accent", "fence", "rows") or (
        text.isalnum() and (len(text) == 1 or node.kind == "word")
    )
    return text if alone or (len(text) == 2 and text[0] in "∂∇Δ") else f"({text})"


def _scripted(base: Node, below: Node, above: Node, tight: bool) -> str:
    text = one_line(base, tight) if base.kind not in ("seq", "frac", "root") or base == NOTHING else f"({one_line(base, tight)})"
    low, high = one_line(below, True), one_line(above, True)
    if low:
        small = "".join(_BELOW.get(character, "") for character in low)
        text += small if len(small) == len(low) else f"_{low if low.isalnum() else _parenthesised(low)}"
    if high and high != "*":
        small = "".join(_ABOVE.get(character, "") for character in high)
        text += small if len(small) == len(high) else f"^{high if len(high) == 1 else _parenthesised(high)}"
    return text + "*" if high == "*" else text


def _parenthesised(text: str) -> str:
    inside = text[1:-1]
    return text if text[0] + text[-1] == "()" and "(" not in inside and ")" not in inside else f"({text})"


def _lettered(font: str, text: str) -> str:
    """Blackboard letters keep their look; a terminal's bold and script letters are harder to read than plain ones."""
    if font != "mathbb":
        return text
    letters: str = arts.alphabets["normal"]
    return "".join(arts.alphabets["double"][letters.index(letter)] if letter in letters else letter for letter in text)


def _tabled(node: Node) -> str:
    if node.text == "cases":
        return "{ " + "; ".join(", ".join(one_line(cell, False) for cell in row.parts) for row in node.parts)
    brackets = _MATRIX.get(node.text, "")
    between = "" if node.text.startswith("align") else " "
    return brackets[:1] + "; ".join(between.join(one_line(cell, False) for cell in row.parts) for row in node.parts) + brackets[1:]
