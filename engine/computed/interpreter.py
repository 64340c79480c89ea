"""What an expression's tree is worth. The same walk runs on torch's meta device, where tensors have a shape and no numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from engine.computed import functions
from engine.computed.effort import Effort
from engine.computed.recipe import ComputeError, Node
from engine.computed.values import DTYPE, Value, broadcast, check_bytes, number, only_shapes, shape_text, shaped, tensor, whole
from engine.label import TooLarge

CONSTANTS: Mapping[str, Value] = {"true": 1, "false": 0, "inf": math.inf, "pi": math.pi}
BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "%": operator.mod, "**": operator.pow,
}  # fmt: skip
COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip
EXACT = 64  # bits up to which a power of whole numbers is computed as such


@dataclass
class Interpreter:
    """Walks over trees; `scope` holds the parameters and what earlier lines have made. `repeated` are the repeats that it has come to."""

    scope: dict[str, Value]
    effort: Effort = field(default_factory=Effort)
    repeated: set[str] = field(default_factory=set)

    def value(self, node: Node) -> Value:
        """Raises ComputeError with the place of the innermost part that is wrong."""
        try:
            return self._value(node)
        except ComputeError as error:
            raise error.at("", (node[1], node[2])) if error.place == (0, 0) else error from None
        except TooLarge as error:
            raise ComputeError(error.label.en.rstrip("."), error.label.zh.rstrip("。"), place=(node[1], node[2])) from None
        except ZeroDivisionError:
            raise ComputeError("this divides by zero", "这里除以了零", place=(node[1], node[2])) from None
        except OverflowError:
            raise ComputeError("this is too large", "数值太大", place=(node[1], node[2])) from None
        except ValueError:
            raise ComputeError("this has no value there", "在该处没有定义", place=(node[1], node[2])) from None
        except (RuntimeError, IndexError, TypeError) as error:  # torch says what it does not like in its own words
            reason = str(error).split("\n", 1)[0][:200]
            raise ComputeError(f"torch refuses this: {reason}", f"torch 拒绝：{reason}", place=(node[1], node[2])) from None

    def _value(self, node: Node) -> Value:
        match node:
            case ("number", _, _, written):
                return number(written)
            case ("name", _, _, name):
                return self._named(name)
            case ("list", _, _, items):
                return self._list(items)
            case ("unary", _, _, sign, operand):
                return self._unary(sign, self.value(operand))
            case ("binary", _, _, "@", left, right):
                return self._matmul(tensor(self.value(left)), tensor(self.value(right)))
            case ("binary", _, _, sign, left, right):
                return self._binary(sign, self.value(left), self.value(right))
            case ("compare", _, _, signs, operands):
                return self._compare(signs, [self.value(operand) for operand in operands])
            case ("call", _, _, "grad", (y, x), ()):
                return self._gradient(y, x)
            case ("call", _, _, name, arguments, named):
                return self._call(name, [self.value(each) for each in arguments], {key: self.value(each) for key, each in named})
            case ("index", _, _, indexed, items):
                return self._element(tensor(self.value(indexed)), items)
        raise AssertionError(node)  # the grammar knows no other node

    def _named(self, name: str) -> Value:
        if name in self.scope:
            return self.scope[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        raise ComputeError(
            f"there is nothing of the name {name} yet; lines are computed from top to bottom", f"此处还没有 {name}；各行自上而下计算"
        )

    def _list(self, items: tuple[Node, ...]) -> Tensor:
        values = [tensor(self.value(item)) for item in items]
        if len({tuple(value.shape) for value in values}) > 1:
            shapes = ", ".join(shape_text(value) for value in values[:4])
            raise ComputeError(f"the parts of a list have one shape; these have {shapes}", f"列表各部分形状应相同；这里有 {shapes}")
        check_bytes([len(values), *(values[0].shape if values else ())])
        made = torch.stack(values) if values else torch.zeros(0, dtype=DTYPE)
        self.effort.made(made)
        return made

    def _unary(self, sign: str, value: Value) -> Value:
        if sign == "+":
            return value
        made = -value if sign == "-" else self._denied(value)
        self.effort.made(made)
        return made

    def _denied(self, value: Value) -> Value:
        return (value == 0).to(DTYPE) if isinstance(value, Tensor) else int(value == 0)

    def _binary(self, sign: str, left: Value, right: Value) -> Value:
        if sign in ("and", "or"):
            joined = torch.logical_and if sign == "and" else torch.logical_or
            self._broadcast(sign, left, right)
            made: Value = joined(tensor(left), tensor(right)).to(DTYPE)
        elif isinstance(left, Tensor) or isinstance(right, Tensor):
            size = self._broadcast(sign, left, right)
            made = shaped(size) if only_shapes(left, right) else BINARY[sign](left, right)
        elif sign == "**" and (isinstance(left, float) or right < 0 or abs(left).bit_length() * right > EXACT):
            made = number(math.pow(left, right))
        else:
            made = number(BINARY[sign](left, right))
        self.effort.made(made)
        return made

    def _broadcast(self, sign: str, left: Value, right: Value) -> list[int]:
        """The shape of what two values give. Raises ComputeError where theirs do not fit, or where it is too large."""
        a, b = (tuple(side.shape) if isinstance(side, Tensor) else () for side in (left, right))
        size = []
        for m, n in zip((1,) * (len(b) - len(a)) + a, (1,) * (len(a) - len(b)) + b, strict=True):
            if m != n and 1 not in (m, n):
                raise ComputeError(
                    f"{shape_text(left)} {sign} {shape_text(right)}: sizes {m} and {n} differ",
                    f"{shape_text(left)} {sign} {shape_text(right)}：尺寸 {m} 与 {n} 不同",
                )
            size.append(n if m == 1 else m)
        check_bytes(size)
        return size

    def _matmul(self, left: Tensor, right: Tensor) -> Tensor:
        if not (left.dim() and right.dim()):
            raise ComputeError(
                f"{shape_text(left)} @ {shape_text(right)}: @ multiplies matrices; write * for numbers",
                f"{shape_text(left)} @ {shape_text(right)}：@ 是矩阵乘法；数字相乘请用 *",
            )
        inner, other = left.shape[-1], right.shape[-2] if right.dim() > 1 else right.shape[0]
        if inner != other:
            fits = right.dim() > 1 and right.shape[-1] == inner
            hint_en, hint_zh = ("; transpose the second?", "；要转置第二个吗？") if fits else ("", "")
            shapes = f"{shape_text(left)} @ {shape_text(right)}"
            raise ComputeError(
                f"{shapes}: inner sizes {inner} and {other} differ{hint_en}", f"{shapes}：内侧尺寸 {inner} 与 {other} 不同{hint_zh}"
            )
        rows, columns = left.shape[-2:-1], right.shape[-1:] if right.dim() > 1 else ()
        batch = broadcast(left.shape[:-2], right.shape[:-2])
        check_bytes([*batch, *rows, *columns])
        if min(left.dim(), right.dim()) > 2:  # torch repeats both over the whole batch
            check_bytes([*batch, *rows, inner])
            check_bytes([*batch, inner, *columns])
        made = left @ right
        self.effort.made(made, 2 * made.numel() * inner)
        return made

    def _compare(self, signs: tuple[str, ...], values: list[Value]) -> Value:
        truths: list[Value] = []
        for sign, left, right in zip(signs, values, values[1:], strict=False):
            size = self._broadcast(sign, left, right)
            truth = shaped(size) if only_shapes(left, right) else COMPARED[sign](left, right)
            truths.append(truth.to(DTYPE) if isinstance(truth, Tensor) else int(truth))
            self.effort.made(truths[-1])
        found = truths[0]
        for truth in truths[1:]:
            found = self._binary("*", found, truth)
        return found

    def _call(self, name: str, values: list[Value], named: Mapping[str, Value]) -> Value:
        made = functions.call(name, values, named)
        self.effort.made(made, functions.operations(name, values, made))
        return made

    def _gradient(self, y: Node, x: Node) -> Value:
        loss, by = self.value(y), self.value(x)
        if x[0] != "name" or not isinstance(by, Tensor):
            raise ComputeError(
                "grad(y, x) needs the name of a tensor that was made on a line above",
                "grad(y, x) 的第二项应是上文某一行的张量名",
                place=(x[1], x[2]),
            )
        if not isinstance(loss, Tensor) or loss.numel() != 1:
            raise ComputeError(
                f"a gradient is of one number; this is {shape_text(loss)}: write grad(sum(...), {x[3]})",
                f"梯度是对一个数求的；这里是 {shape_text(loss)}：请写 grad(sum(...), {x[3]})",
                place=(y[1], y[2]),
            )
        found = torch.autograd.grad(loss, by, create_graph=True, allow_unused=True)[0] if loss.requires_grad else None
        if found is None:
            raise self._independent(x[3], (y[1], y[2]))
        self.effort.spent(self.effort.forward, found.numel())  # back takes about as long as forth, once more
        return found

    def _independent(self, name: str, place: tuple[int, int]) -> ComputeError:
        """There is no gradient by a name; behind a repeat there may be none although the value depends on it."""
        if not self.repeated:
            return ComputeError(f"this does not depend on {name}", f"这个值不依赖 {name}", place=place)
        return ComputeError(
            f"this does not depend on {name}, or only through repeat, which no gradient goes back through: take it within a turn",
            f"这个值不依赖 {name}，或者只是通过 repeat 依赖它，而梯度不能穿过 repeat：请在每一轮里求梯度",
            place=place,
        )

    def _element(self, indexed: Tensor, items: tuple[Node, ...]) -> Tensor:
        """Each index is taken along its own dimension, the last one first, so that the others stay where they are."""
        if len(items) > indexed.dim():
            raise ComputeError(f"{shape_text(indexed)} has no {len(items)} indices", f"{shape_text(indexed)} 没有 {len(items)} 个下标")
        made = indexed
        for dim, item in reversed(list(enumerate(items))):
            made = self._slice(made, dim, item) if item[0] == "slice" else self._picked(made, dim, self.value(item))
        self.effort.made(made)
        return made

    def _slice(self, indexed: Tensor, dim: int, item: Node) -> Tensor:
        low, high, step = (None if part is None else whole(self.value(part), ("an index", "下标")) for part in item[3:])
        if step is not None and step < 1:
            raise ComputeError("a step is 1 or more", "步长至少为 1", place=(item[1], item[2]))
        return indexed[(slice(None),) * dim + (slice(low, high, step),)]

    def _picked(self, indexed: Tensor, dim: int, index: Value) -> Tensor:
        size = indexed.shape[dim]
        if not isinstance(index, Tensor):
            return indexed.select(dim, whole(index, ("an index", "下标"), -size, size - 1))
        if index.dim() > 1:
            raise ComputeError(
                f"an index is a number or a vector, not {shape_text(index)}", f"下标应为数或向量，不能是 {shape_text(index)}"
            )
        if index.device.type != "meta":
            wrong = index[(index != index.floor()) | (index < -size) | (index >= size)]
            for each in wrong[:1].tolist():
                whole(each, ("an index", "下标"), -size, size - 1)  # which says what is wrong with it
        check_bytes([*indexed.shape[:dim], index.numel(), *indexed.shape[dim + 1 :]])
        places = index.long().reshape(-1)
        picked = indexed.index_select(dim, torch.where(places < 0, places + size, places))
        return picked if index.dim() else picked.squeeze(dim)
