"""From a run's numbers to a Result: every kind of measure, what its words may mention, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
import torch

from engine.assemble import MeasureError, assemble
from engine.label import Label
from engine.measures import Curve, Grid, Measure, Rows, Scalar, Walk, measured, note, right, timed
from engine.result import Matrix, Quantity, Result, Series, Step, Table

L = Label("a", "甲")
STD = measured("std", "spread", "标准差")
CURVE = Curve("curve", L, Label("x", "横轴"))
GRID = Grid("cells", L, "q{1}", "k{0}")
ROWS = Rows("rows", L, (L, L))
NAMED_ROWS = Rows("rows", L, ROWS.columns, rows=("Q", Label("{n} keys", "{n} 个键")))


def result(*measures: Measure, parameters: dict[str, Any] | None = None, **numbers: Any) -> Result:
    return assemble(measures, numbers, parameters or {})


def complaint(*measures: Measure, **numbers: Any) -> str:
    with pytest.raises(MeasureError) as error:
        result(*measures, **numbers)
    return str(error.value)


def parts(value: object) -> Iterator[object]:
    """Everything in a Result that is not a tuple or one of its dataclasses."""
    if is_dataclass(value):
        for field in fields(value):
            yield from parts(getattr(value, field.name))
    elif type(value) is tuple:
        for part in value:
            yield from parts(part)
    else:
        yield value


class TestKinds:
    @pytest.mark.parametrize(
        ("value", "number"),
        [(3, 3), (torch.tensor(3), 3), (torch.tensor(0.5), 0.5), (True, 1.0), (torch.tensor(True), 1.0), (-0.0, 0.0)],
        ids=str,
    )
    def test_scalar(self, value: object, number: float) -> None:
        """A number of Python or torch becomes Python's, whole ones stay whole, yes is 1, and nothing is -0."""
        (quantity,) = result(right("std", "spread", "标准差", "bits"), std=value).quantities

        assert Quantity("std", number, Label("spread", "标准差"), "bits", "right") == quantity
        assert (type(number), str(number)) == (type(quantity.value), str(quantity.value))

    def test_timed(self) -> None:
        """A duration is a timing of its arm and no quantity."""
        found = result(timed("slow", "slow", "慢", "µs", "wrong"), slow=2.0)

        assert ((), (Quantity("slow", 2.0, Label("slow", "慢"), "µs", "wrong"),)) == (found.quantities, found.timings)

    def test_curve(self) -> None:
        """x and y may be whatever can be listed."""
        assert (Series("curve", (0.0, 1.0), (2.0, 0.5), L, CURVE.x_label),) == result(
            CURVE, curve=(range(2), torch.tensor([2, 0.5]))
        ).series

    def test_grid(self) -> None:
        """Rows and columns are counted from 1 or from 0."""
        expected = Matrix("cells", ((1.0, 2.0),), L, ("q1",), ("k0", "k1"))

        assert (expected,) == result(GRID, cells=torch.tensor([[1, 2]])).matrices

    def test_family(self) -> None:
        """A name that counts takes one matrix more with each layer of a tensor, and its label counts along."""
        family = Grid("head_{1}", Label("head {1} of {n}", "{n} 个头之 {1}"), ("q",), "k{1}")

        found = result(family, parameters={"n": 2}, **{"head_{1}": torch.tensor([[[1.0]], [[2.0]]])}).matrices

        assert [("head_1", 1.0), ("head_2", 2.0)] == [(each.name, each.values[0][0]) for each in found]
        assert [Label("head 1 of 2", "2 个头之 1"), Label("head 2 of 2", "2 个头之 2")] == [each.label for each in found]

    def test_grid_named_by_the_run(self) -> None:
        """Names of rows, the factor and the arm may be the run's own."""
        grid = Grid("cells", L, "{words}", "k{1}", product_of=("A", "B"), factor="{scale}", arm="{way}")

        (found,) = result(grid, cells=[[1]], words=["cat"], scale=torch.tensor(0.5), way="wrong").matrices

        assert (("cat",), ("A", "B"), 0.5, "wrong") == (found.rows, found.product_of, found.factor, found.arm)

    def test_table(self) -> None:
        """Cells are numbers, texts that are the same in all languages, and labels."""
        (table,) = result(ROWS, rows=[("MHA", torch.tensor(64)), (Label("shared", "共享"), 0.5)]).tables

        assert Table("rows", L, ROWS.columns, (("MHA", 64), (Label("shared", "共享"), 0.5))) == table

    def test_table_with_named_rows(self) -> None:
        """Where the rows are named in the declaration, the run gives the other cells; a name may be a plain text."""
        (table,) = result(NAMED_ROWS, parameters={"n": 4}, rows=[(1,), (2,)]).tables

        assert (("Q", 1), (Label("4 keys", "4 个键"), 2)) == table.rows

    def test_walk(self) -> None:
        """A step's shape is made of numbers, parameters and the run's own; it needs no name."""
        walk = Walk(L, "Q = X W_Q", (1, "tokens", "width"), "Q")

        assert (Step(L, "Q = X W_Q", (1, 3, 8), "Q"),) == result(walk, parameters={"tokens": 3}, width=torch.tensor(8)).steps

    @pytest.mark.parametrize(("given", "shown"), [({"on": True}, 1), ({"on": torch.tensor(False)}, 0), ({}, 0)], ids=str)
    def test_when(self, given: dict[str, Any], shown: int) -> None:
        """A step with a condition is shown where the run says yes, and not where it says no or nothing."""
        assert shown == len(result(Walk(L, when="on"), **given).steps)

    def test_note(self) -> None:
        """A note is shown where its condition is true of parameters and of what the run returned."""
        notes = (
            note("clamped", "groups > g", "g = {g} is used", "取 g = {g}"),
            note("odd", "g == 3", "odd", "奇数"),
            note("all", "", "a", "甲"),
        )

        assert (Label("g = 2 is used", "取 g = 2"), Label("a", "甲")) == result(*notes, parameters={"groups": 4}, g=torch.tensor(2)).notes


class TestWords:
    def test_values_of_the_run(self) -> None:
        """A text mentions a parameter or what the run returned, with a format; a label says itself in both languages."""
        scalar = measured("std", "{way}: {share:.1%} of {n}", "{way}：{n} 的 {share:.1%}")

        found = result(scalar, parameters={"n": 8}, std=1, share=torch.tensor(0.5), way=Label("shared", "共享"))

        assert Label("shared: 50.0% of 8", "共享：8 的 50.0%") == found.quantities[0].label

    def test_braces_of_latex(self) -> None:
        """A formula's braces mention nothing."""
        walk = Walk(L, r"\mathrm{softmax}(S)")

        assert r"\mathrm{softmax}(S)" == result(walk).steps[0].formula
        assert "no measure declares softmax" in complaint(walk, softmax=1)

    def test_values_are_not_read_again(self) -> None:
        """Braces within what a person typed stay what they are."""
        assert "{n}" == result(measured("std", "{text}", "{text}"), std=1, text="{n}").quantities[0].label.en
        assert Label("{n}", "{n}") == result(ROWS, rows=[(Label("{n}", "{n}"), 1)]).tables[0].rows[0][0]


class TestLeftOut:
    def test_a_measure_that_the_run_left_out(self) -> None:
        """What a run did not measure is not in its Result, in the order of the declaration."""
        found = result(STD, CURVE, GRID, ROWS, note("odd", "odd == 1", "odd", "奇数"), measured("mean", "mean", "均值"), mean=1, std=2)

        assert ["std", "mean"] == [quantity.name for quantity in found.quantities]
        assert () == (*found.series, *found.matrices, *found.tables, *found.notes)

    def test_undeclared(self) -> None:
        """A number under a name that nothing declares or mentions is a slip of the pen, and named."""
        assert "no measure declares st, mean, and no text mentions it" == complaint(STD, st=1, mean=2)


class TestRefused:
    @pytest.mark.parametrize(
        ("measure", "value", "said"),
        [
            (STD, None, "std is declared as a number, not what run returned, NoneType"),
            (STD, 1j, "std is declared as a number, not what run returned, complex"),
            (STD, "3", "std is declared as a number, not what run returned, str: a text is no number"),
            (STD, torch.ones(3), "std is declared as a number, not what run returned, Tensor of shape (3,)"),
            (STD, b"1", "bytes"),
            (CURVE, torch.ones(3), "curve is declared as a curve (x, y), not what run returned, Tensor of shape (3,)"),
            (CURVE, ([1, 2], [1]), "2 values of x and 1 of y"),
            (CURVE, ([1], [1j]), "tuple"),
            (GRID, torch.ones(3), "cells is declared as a matrix, not what run returned, Tensor of shape (3,)"),
            (GRID, [[1, 2], [1]], "2 names of rows and 2 of columns do not fit the cells"),
            (GRID, [[1, None]], "NoneType"),
            (GRID, [["1"]], "a text is no number"),
            (Grid("cells", L, ("q",), "k{1}"), [[1], [2]], "1 names of rows and 1 of columns do not fit the cells"),
            (Grid("head_{1}", L, "q{1}", "k{1}"), torch.ones(2, 2), "head_{1} is declared as a matrix"),
            (ROWS, [("a", None)], "rows is declared as a table, not what run returned, list"),
            (ROWS, [("a",)], "a row of 1 cells for 2 columns"),
            (ROWS, [(Label("", {}), 1)], "dict is no text"),  # type: ignore[arg-type]
            (NAMED_ROWS, [(1,)], "rows is declared as a table"),
            (measured("std", "{n}", "{n}"), 1, "its words mention n, which run did not return"),
            (Scalar("std", L, arm="{way}"), 1, "its words mention way"),
        ],
        ids=[
            *("none", "complex", "number spelled", "row for a number", "bytes", "row for a curve", "x longer than y", "complex in a curve"),
            *("row for a matrix", "ragged", "none in a matrix", "text in a matrix", "too few names", "family of one dimension too few"),
            *("none in a table", "too few cells", "label of no text", "too few rows", "missing word", "missing arm"),
        ],
    )
    def test_names_the_measure_and_the_type(self, measure: Measure, value: object, said: str) -> None:
        """A value that cannot become what was declared is refused with the measure, the type and what is wrong."""
        assert not isinstance(measure, Walk)
        sentence = complaint(measure, **{measure.name: value})

        assert (True, True) == (said in sentence, sentence.startswith(measure.name))

    def test_a_note_is_quoted(self) -> None:
        """A note without the number that its words mention is named by them; one whose condition compares nothing cannot be declared."""
        assert "the note 'a {n}' cannot be shown: its words mention n" in complaint(note("a", "", "a {n}", "甲 {n}"))
        with pytest.raises(ValueError, match="'n ~ 1' compares nothing"):
            note("a", "n ~ 1", "a", "甲")

    @pytest.mark.parametrize("size", [2.5, None, "3", torch.tensor(2.0)], ids=str)
    def test_shape(self, size: object) -> None:
        """A step without a name is quoted; its shape is made of whole numbers."""
        assert "the step 'a' cannot be shown" in complaint(Walk(L, shape=("width",)), width=size)

    def test_what_the_run_names(self) -> None:
        """There are two ways and neither, and names of rows are texts."""
        assert "its arm is 'left'" in complaint(Scalar("std", L, arm="{way}"), std=1, way="left")
        assert "int is no text" in complaint(Grid("cells", L, "{words}", "k{1}"), cells=[[1]], words=[1])

    @pytest.mark.parametrize("returned", [None, Result(), [("std", 1)]], ids=["None", "Result", "list"])
    def test_no_numbers_at_all(self, returned: Any) -> None:
        """A run that forgets to return, or returns something ready, is told what is expected."""
        with pytest.raises(MeasureError, match=f"^run must return numbers by their names, not {type(returned).__name__}$"):
            assemble((STD,), returned, {})


def test_every_part_is_plain() -> None:
    """Whatever was a tensor, a subclass or a list is Python's own in the Result, so that it can be compared, sent and written as JSON."""

    class Text(str): ...

    class Real(float): ...

    family: dict[str, Any] = {"head_{1}": torch.ones(2, 1, 1)}
    found = result(
        STD,
        timed("slow", "slow", "慢"),
        CURVE,
        Grid("cells", L, "{words}", "k{1}", factor="{scale}", arm="{way}"),
        Grid("head_{1}", L, "q{1}", "k{1}"),
        Rows("rows", L, ROWS.columns),
        Walk(L, shape=("width", "flag")),
        note("odd", "odd == 1", "odd: {flag}", "奇数：{flag}"),
        std=torch.tensor(1.5),
        slow=Real(2.5),
        curve=(range(2), [Real(1), True]),
        cells=[torch.ones(2)],
        words=[Text("cat")],
        scale=Real(0.5),
        way=Text("right"),
        rows=[(Text("a"), torch.tensor(1)), (Label(Text("b"), "乙"), True)],
        width=torch.tensor(3),
        flag=True,
        odd=torch.tensor(True),
        **family,
    )

    assert {int, float, str, bool, type(None)} >= {type(part) for part in parts(found)}
    assert {int} == {type(size) for size in found.steps[0].shape}
    assert 0 not in [len(getattr(found, field.name)) for field in fields(found)]
