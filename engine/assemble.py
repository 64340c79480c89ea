"""A run's numbers become a Result, in this one place: tensors to Python numbers, names to the words that were declared for them.

Nothing here imports torch: a tensor is what can turn itself into a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from engine.label import Label
from engine.measures import Arm, Curve, Grid, Measure, Note, Rows, Scalar, Walk
from engine.result import Matrix, Quantity, Result, Series, Step, Table

Numbers = Mapping[str, Any]  # a measure's name, or a name that a text mentions -> what `run` computed

COUNTER = re.compile(r"\{([01])\}")
MENTIONED = re.compile(r"\{([A-Za-z_]\w*)")


class UndeclaredNumber(Exception):
    """`run` returned something under a name that no measure has and no text mentions."""


def assemble(measures: tuple[Measure, ...], numbers: Numbers, parameters: Mapping[str, Any]) -> Result:
    """The Result of one run. A measure that the run left out is left out. Raises UndeclaredNumber."""
    if unknown := [name for name in numbers if name not in _declared(measures)]:
        raise UndeclaredNumber(f"nothing declares {', '.join(unknown)}")
    words = _Words({**parameters, **numbers})
    given = [measure for measure in measures if isinstance(measure, Walk) or measure.name in numbers]
    scalars = [each for each in given if isinstance(each, Scalar)]
    return Result(
        quantities=tuple(_quantity(each, words) for each in scalars if not each.timed),
        matrices=tuple(matrix for each in given if isinstance(each, Grid) for matrix in _matrices(each, words)),
        series=tuple(_series(each, words) for each in given if isinstance(each, Curve)),
        tables=tuple(_table(each, words) for each in given if isinstance(each, Rows)),
        steps=tuple(_step(each, words) for each in given if isinstance(each, Walk) and words.truth(each.when)),
        notes=tuple(words.label(each.label) for each in given if isinstance(each, Note) and words[each.name]),
        timings=tuple(_quantity(each, words) for each in scalars if each.timed),
    )


@lru_cache(maxsize=128)
def _declared(measures: tuple[Measure, ...]) -> frozenset[str]:
    """Every name that `run` may return: the measures', and those that their texts, shapes and conditions mention."""
    names = {measure.name for measure in measures if not isinstance(measure, Walk)}
    names |= {part for measure in measures if isinstance(measure, Walk) for part in (*measure.shape, measure.when) if isinstance(part, str)}
    return frozenset(names | {name for text in _texts(measures) for name in MENTIONED.findall(text)})


def _texts(value: object) -> Iterator[str]:
    """Every text in a declaration, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif hasattr(value, "__dataclass_fields__"):
        yield from _texts(tuple(part for field, part in vars(value).items() if field != "formula"))  # LaTeX has braces of its own


class _Words(dict[str, Any]):
    """The values that a declaration's texts may mention."""

    def label(self, label: Label) -> Label:
        return Label(self._filled(label.en, "en"), self._filled(label.zh, "zh")) if "{" in label.en + label.zh else label

    def _filled(self, text: str, language: str) -> str:
        return text.format_map({name: getattr(value, language) if isinstance(value, Label) else value for name, value in self.items()})

    def value(self, spelled: object) -> Any:
        """A value, or the run's own where it is spelled "{name}"."""
        return self[spelled[1:-1]] if isinstance(spelled, str) and spelled.startswith("{") else spelled

    def names(self, spelled: str | tuple[str, ...], count: int) -> tuple[str, ...]:
        """The names of so many rows or columns."""
        if COUNTER.search(str(spelled)) and isinstance(spelled, str):
            return tuple(counted(spelled, index) for index in range(count))
        if isinstance(spelled, tuple):
            return tuple(self._filled(name, "en") if "{" in name else name for name in spelled)
        return tuple(self.value(spelled))

    def truth(self, name: str) -> bool:
        return not name or (name in self and self[name] is not False)


def counted(text: str, index: int) -> str:
    """`q{1}` as q1 for index 0, `h{0}` as h0."""
    return COUNTER.sub(lambda found: str(index + int(found[1])), text)


def _listed(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _number(value: Any) -> float:
    """A number as Python has it: whole ones stay whole, yes is 1, and -0.0 becomes 0.0, which reads better."""
    plain = _listed(value)
    return cast(float, plain) if type(plain) is int else float(plain) + 0.0


def _floats(values: Iterable[Any]) -> tuple[float, ...]:
    return tuple(float(value) + 0.0 for value in _listed(values))


def _quantity(measure: Scalar, words: _Words) -> Quantity:
    arm = cast(Arm, words.value(measure.arm))
    return Quantity(measure.name, _number(words[measure.name]), words.label(measure.label), measure.unit, arm)


def _series(measure: Curve, words: _Words) -> Series:
    x, y = words[measure.name]
    label, x_label, arm = words.label(measure.label), words.label(measure.x_label), cast(Arm, words.value(measure.arm))
    return Series(measure.name, _floats(x), _floats(y), label, x_label, measure.figure, measure.log_x, arm)


def _matrices(measure: Grid, words: _Words) -> Iterator[Matrix]:
    if not COUNTER.search(measure.name):
        yield _matrix(measure, measure.name, words.label(measure.label), words[measure.name], words)
        return
    for index, cells in enumerate(words[measure.name]):
        label = Label(counted(measure.label.en, index), counted(measure.label.zh, index))
        yield _matrix(measure, counted(measure.name, index), words.label(label), cells, words)


def _matrix(measure: Grid, name: str, label: Label, cells: Any, words: _Words) -> Matrix:
    values = tuple(_floats(row) for row in _listed(cells))
    rows, columns = words.names(measure.rows, len(values)), words.names(measure.columns, len(values[0]) if values else 0)
    arm, factor = cast(Arm, words.value(measure.arm)), float(words.value(measure.factor))
    return Matrix(name, values, label, rows, columns, measure.formula, measure.kind, measure.product_of, factor, arm)


def _table(measure: Rows, words: _Words) -> Table:
    rows: Sequence[Any] = words[measure.name]
    if measure.rows:
        rows = [(label, *row) for label, row in zip(measure.rows, rows, strict=True)]
    columns = tuple(words.label(column) for column in measure.columns)
    return Table(measure.name, words.label(measure.label), columns, tuple(tuple(_cell(cell, words) for cell in row) for row in rows))


def _cell(cell: Any, words: _Words) -> float | str | Label:
    if isinstance(cell, Label):
        return words.label(cell)
    return cell if isinstance(cell, str) else _number(cell)


def _step(measure: Walk, words: _Words) -> Step:
    shape = tuple(words[size] if isinstance(size, str) else size for size in measure.shape)
    return Step(words.label(measure.label), measure.formula, shape, measure.matrix)
