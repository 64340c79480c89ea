"""What texts and questions may ask of a run: its names, and whatever is computed from them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from content.claims.parser import Expression


class Scope(dict[str, object]):
    """Names with their values. Asked for an expression, such as `16 * cache_gibibytes`, it gives what that is worth, if it is a number."""

    def get(self, key: str, default: Any = None) -> Any:
        if key in self:
            return self[key]
        if key.isidentifier() or (expression := _read(key)) is None:
            return default
        from content.claims.evaluator import number

        value, _ = number(expression, self)
        return default if value is None else value


@lru_cache(512)
def _read(text: str) -> Expression | None:
    from content.claims.parser import parse_number  # a question without any needs none of the language, and comes sooner
    from content.claims.tokens import ClaimError

    try:
        return parse_number(text)
    except ClaimError:
        return None
