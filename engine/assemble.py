"""A run's numbers become a Result, in this one place: tensors to Python numbers, names to the words that were declared for them.

Nothing here imports torch: a tensor is what can turn itself into a list.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar, cast

from engine.conditions import comparisons, holds
from engine.label import Label, Verbatim
from engine.measures import Arm, Curve, Grid, Measure, Note, Rows, Scalar, Walk
from engine.result import Matrix, Quantity, Result, Series, Step, Table

Numbers = Mapping[str, Any]  # a measure's name, or a name that a text mentions -> what `run` computed

Declared = TypeVar("Declared", bound=Measure)
Part = TypeVar("Part", Quantity, Matrix, Series, Table, Step, Label)

ARMS = ("", "right", "wrong")
PLAIN = frozenset((float, int, bool))
COUNTER = re.compile(r"\{([01])\}")
MENTIONED = re.compile(r"\{([A-Za-z_]\w*)")
KINDS = {Scalar: "a number", Curve: "a curve (x, y)", Grid: "a matrix", Rows: "a table"}


class MeasureError(Exception):
    """`run` returned something that no measure declares, or that cannot become what its measure declares."""


def assemble(measures: tuple[Measure, ...], numbers: Numbers, parameters: Mapping[str, Any]) -> Result:
    """The Result of one run, in which every value is int, float, str, bool or None. A measure that the run left out is left out.

    Raises MeasureError, which names the measure and the type of what was returned for it.
    """
    if not isinstance(numbers, Mapping):
        raise MeasureError(f"run must return numbers by their names, not {_type_of(numbers)}")
    if unknown := [str(name) for name in numbers if name not in _declared(measures)]:
        raise MeasureError(f"no measure declares {', '.join(unknown)}, and no text mentions it")
    words = _Words({**parameters, **numbers})
    given = [measure for measure in measures if isinstance(measure, Walk | Note) or measure.name in numbers]
    scalars = [each for each in given if isinstance(each, Scalar)]
    return Result(
        quantities=_all(_quantity, (each for each in scalars if not each.timed), words),
        matrices=_all(_matrices, (each for each in given if isinstance(each, Grid)), words),
        series=_all(_series, (each for each in given if isinstance(each, Curve)), words),
        tables=_all(_table, (each for each in given if isinstance(each, Rows)), words),
        steps=_all(_step, (each for each in given if isinstance(each, Walk)), words),
        notes=_all(_note, (each for each in given if isinstance(each, Note)), words),
        timings=_all(_quantity, (each for each in scalars if each.timed), words),
    )


def _all(make: Callable[[Declared, _Words], Iterator[Part]], measures: Iterable[Declared], words: _Words) -> tuple[Part, ...]:
    """What all measures of one kind give."""
    parts: list[Part] = []
    for measure in measures:
        try:
            parts += make(measure, words)
        except Exception as error:  # a run may return anything, so anything may be wrong with it
            raise MeasureError(_complaint(measure, words, error)) from error
    return tuple(parts)


def _complaint(measure: Measure, words: _Words, error: Exception) -> str:
    if isinstance(measure, Walk | Note):
        return f"the {'step' if isinstance(measure, Walk) else 'note'} {measure.label.en!r} cannot be shown: {error}"
    return f"{measure.name} is declared as {KINDS[type(measure)]}, not what run returned, {_type_of(words[measure.name])}: {error}"


def _type_of(value: object) -> str:
    shape = f" of shape {tuple(value.shape)}" if hasattr(value, "shape") else ""
    return f"{type(value).__name__}{shape}"


@lru_cache(maxsize=128)
def _declared(measures: tuple[Measure, ...]) -> frozenset[str]:
    """Every name that `run` may return: the measures', and those that their texts, shapes and conditions mention."""
    names = {measure.name for measure in measures if not isinstance(measure, Walk | Note)}
    names |= {
        side for measure in measures if isinstance(measure, Note) for left, _, right in comparisons(measure.when) for side in (left, right)
    }
    names |= {part for measure in measures if isinstance(measure, Walk) for part in (*measure.shape, measure.when) if isinstance(part, str)}
    return frozenset(names | {name for text in _texts(measures) for name in MENTIONED.findall(text)})


def _texts(value: object) -> Iterator[str]:
    """Every text in a declaration that may mention values, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Verbatim):
        return
    elif isinstance(value, tuple):
        for part in value:
            yield from _texts(part)
    elif hasattr(value, "__dataclass_fields__"):
        yield from _texts(tuple(part for field, part in vars(value).items() if field != "formula"))  # LaTeX has braces of its own


class _Spoken(dict[str, Any]):
    """Values by the names under which a text of one language mentions them."""

    def __missing__(self, name: str) -> object:
        raise LookupError(f"its words mention {name}, which run did not return")


class _Words(_Spoken):
    """The values that a declaration's texts may mention."""

    def label(self, label: Label) -> Label:
        if isinstance(label, Verbatim):
            return Label(label.en, label.zh)
        return Label(self._filled(label.en, "en"), self._filled(label.zh, "zh")) if "{" in label.en + label.zh else label

    def cell(self, cell: Label | str) -> Label | str:
        return self.label(cell) if isinstance(cell, Label) else self._filled(cell, "en")

    def _filled(self, text: str, language: str) -> str:
        if "{" not in text:
            return text
        return text.format_map(_Spoken({name: getattr(each, language) if isinstance(each, Label) else each for name, each in self.items()}))

    def value(self, spelled: object) -> Any:
        """A value, or the run's own where it is spelled "{name}"."""
        return self[spelled[1:-1]] if isinstance(spelled, str) and spelled.startswith("{") else spelled

    def names(self, spelled: str | tuple[str, ...], count: int) -> tuple[Label | str, ...]:
        """The names of so many rows or columns."""
        if isinstance(spelled, tuple):
            return tuple(self._filled(name, "en") for name in spelled)
        if COUNTER.search(spelled):
            return tuple(counted(spelled, index) for index in range(count))
        return tuple(name if isinstance(name, Label) else _text(name) for name in self.value(spelled))

    def arm(self, spelled: str) -> Arm:
        if (arm := self.value(spelled)) not in ARMS:
            raise ValueError(f"its arm is {arm!r}")
        return cast(Arm, str(arm))

    def truth(self, name: str) -> bool:
        return not name or bool(self.get(name, False))


def counted(text: str, index: int) -> str:
    """`q{1}` as q1 for index 0, `h{0}` as h0."""
    return COUNTER.sub(lambda found: str(index + int(found[1])), text)


def _listed(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{_type_of(value)} is no text")
    return str(value)


def _number(value: Any) -> float:
    """A number as Python has it: whole ones stay whole, yes is 1, and -0.0 becomes 0.0, which reads better."""
    plain = _listed(value)
    return plain if type(plain) is int else _float(plain)


_plain_float = (0.0).__add__  # which makes 0.0 of -0.0, too


def _float(value: Any) -> float:
    if isinstance(value, str | bytes):  # float() would read them
        raise TypeError("a text is no number")
    return float(value) + 0.0


def _floats(values: Iterable[Any]) -> tuple[float, ...]:
    listed = tuple(_listed(values))
    plain = PLAIN.issuperset(map(type, listed))  # of the million numbers of a long vector none needs a look of its own
    return tuple(map(_plain_float, listed) if plain else map(_float, listed))


def _quantity(measure: Scalar, words: _Words) -> Iterator[Quantity]:
    value = _number(words[measure.name])
    yield Quantity(measure.name, value, words.label(measure.label), measure.unit, words.arm(measure.arm))


def _series(measure: Curve, words: _Words) -> Iterator[Series]:
    x, y = map(_floats, words[measure.name])
    if len(x) != len(y):
        raise ValueError(f"{len(x)} values of x and {len(y)} of y")
    label, x_label = words.label(measure.label), words.label(measure.x_label)
    yield Series(measure.name, x, y, label, x_label, measure.figure, measure.log_x, words.arm(measure.arm))


def _matrices(measure: Grid, words: _Words) -> Iterator[Matrix]:
    if not COUNTER.search(measure.name):
        yield _matrix(measure, measure.name, words.label(measure.label), words[measure.name], words)
        return
    for index, cells in enumerate(words[measure.name]):
        label = Label(counted(measure.label.en, index), counted(measure.label.zh, index))
        one = replace(measure, made_of=tuple(counted(name, index) for name in measure.made_of))
        yield _matrix(one, counted(measure.name, index), words.label(label), cells, words)


def _matrix(measure: Grid, name: str, label: Label, cells: Any, words: _Words) -> Matrix:
    values = tuple(_floats(row) for row in _listed(cells))
    rows, columns = words.names(measure.rows, len(values)), words.names(measure.columns, len(values[0]) if values else 0)
    if len(rows) != len(values) or any(len(row) != len(columns) for row in values):
        raise ValueError(f"{len(rows)} names of rows and {len(columns)} of columns do not fit the cells")
    arm, factor = words.arm(measure.arm), _float(words.value(measure.factor))
    forbidden = words.label(measure.forbidden) if measure.forbidden else None
    made = (measure.product_of, factor, arm, measure.made_of, forbidden)
    return Matrix(name, values, label, rows, columns, measure.formula, measure.kind, *made)


def _table(measure: Rows, words: _Words) -> Iterator[Table]:
    rows: Sequence[Sequence[Any]] = words[measure.name]
    if measure.rows:
        rows = [(words.cell(name), *row) for name, row in zip(measure.rows, rows, strict=True)]
    columns = tuple(words.label(column) for column in measure.columns)
    if odd := [len(row) for row in rows if len(row) != len(columns)]:
        raise ValueError(f"a row of {odd[0]} cells for {len(columns)} columns")
    yield Table(measure.name, words.label(measure.label), columns, tuple(tuple(map(_cell, row)) for row in rows))


def _cell(cell: Any) -> float | str | Label:
    if isinstance(cell, Label):
        return Label(_text(cell.en), _text(cell.zh))
    return str(cell) if isinstance(cell, str) else _number(cell)


def _step(measure: Walk, words: _Words) -> Iterator[Step]:
    if words.truth(measure.when):
        shape = tuple(operator.index(_listed(words[size] if isinstance(size, str) else size)) for size in measure.shape)
        yield Step(words.label(measure.label), measure.formula, shape, measure.matrix, measure.code)


def _note(measure: Note, words: _Words) -> Iterator[Label]:
    if holds(measure.when, words):
        yield words.label(measure.label)
