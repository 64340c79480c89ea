"""What the reader of LaTeX makes: a small tree; and what it says of a formula that cannot be shown."""

from __future__ import annotations

from dataclasses import dataclass

from content.text.symbols import Kind


class MathError(ValueError):
    """Math that cannot be shown: a sentence, the offset (from 0) in the formula, what to do."""

    def __init__(self, message: str, offset: int = 0, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.offset, self.hint = message, offset, hint


@dataclass(frozen=True)
class Node:
    """A piece of a formula. `text` is a LaTeX name or a character; what `parts` are depends on the kind.

    frac, binom: two; root: radicand and perhaps degree; script: base, below, above (an empty seq where there is none);
    fence: what is inside, with `text` its two delimiters and a space between them; rows: a seq of cells for each row.
    """

    kind: Kind
    text: str = ""
    parts: tuple[Node, ...] = ()


NOTHING = Node("seq")
