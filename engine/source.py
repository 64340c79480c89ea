"""The code behind a figure: `run`, and every function and constant of the engine that it comes to, read from the files themselves.

Found in the syntax, not by importing: nothing that makes a number on the screen can be left out of a list by hand, and none is run.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

ROOTS = ("engine.textbook", "engine.experiments")
Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True)
class Source:
    """A function, a class, or the constants of a file: the name, the file below engine/, the first line and the text."""

    name: str
    file: str
    line: int
    code: str


@dataclass(frozen=True)
class Page:
    """One file: what it says of itself, what it defines and what it imports from the engine."""

    module: str
    docstring: str
    lines: tuple[str, ...]
    defined: dict[str, Definition]
    imported: dict[str, tuple[str, str]]  # a name here -> its module, and its name there ("" for the module itself)


def sources(module: str, start: str = "run") -> tuple[Source, ...]:
    """What `start` of an experiment's module runs: itself, the module's own, then the other pages in the order of their first use.

    A page that reads files prepares the ideas and is none, so it comes last. Raises OSError, SyntaxError.
    """
    root = module.rpartition(".")[0]
    found: dict[str, dict[str, None]] = {}
    waiting = [(module, start)]
    while waiting:
        where, name = waiting.pop(0)
        if name in found.get(where, ()) or (page := read_page(where)) is None or name not in page.defined:
            continue
        found.setdefault(where, {})[name] = None
        waiting += [place for each in names_used(page.defined[name]) if (place := resolve(page, each, (*ROOTS, root)))]
    ordered = sorted(found, key=lambda where: where != module and _reads_files(where))
    return tuple(source for where in ordered for source in _written(where, list(found[where]), start if where == module else ""))


def docstring(module: str) -> str:
    """What a module says of itself, as it is written: `python -OO` keeps no docstring in memory. Raises OSError, SyntaxError."""
    page = read_page(module)
    return page.docstring if page else ""


def _reads_files(module: str) -> bool:
    page = read_page(module)
    return page is not None and ("pathlib", "Path") in page.imported.values()


def _written(module: str, names: list[str], start: str) -> Iterator[Source]:
    """`start`, the page's constants together, then its other functions and classes in the order of their first use."""
    page = read_page(module)
    assert page is not None
    constants = [name for name in names if _is_constant(page.defined[name])]
    if start in names:
        yield _source(page, start)
    if constants:
        yield _constants(page, constants)
    for name in names:
        if name != start and name not in constants:
            yield _source(page, name)


def _is_constant(definition: Definition) -> bool:
    return isinstance(definition, ast.Assign | ast.AnnAssign)


def _source(page: Page, name: str) -> Source:
    node = page.defined[name]
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    return Source(name, _file(page), first, "".join(page.lines[first - 1 : node.end_lineno]))


def _constants(page: Page, names: list[str]) -> Source:
    nodes = sorted({page.defined[name] for name in names}, key=lambda node: node.lineno)
    code = "".join("".join(page.lines[node.lineno - 1 : node.end_lineno]) for node in nodes)
    return Source(", ".join(sorted(names, key=lambda name: page.defined[name].lineno)), _file(page), nodes[0].lineno, code)


def _file(page: Page) -> str:
    return page.module.replace(".", "/") + ".py"


def resolve(page: Page, name: str, roots: tuple[str, ...]) -> tuple[str, str] | None:
    """Where a name, or `module.name`, is defined; None outside the textbook and the experiments."""
    head, _, tail = name.partition(".")
    if head in page.defined:
        return page.module, head
    module, there = page.imported.get(head, ("", ""))
    if not module.startswith(roots):
        return None
    return (module, there) if there else (module, tail.partition(".")[0])


@lru_cache(maxsize=256)
def read_page(module: str) -> Page | None:
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return None
    text = Path(spec.origin).read_text(encoding="utf-8")
    defined: dict[str, Definition] = {}
    imported: dict[str, tuple[str, str]] = {}
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            defined |= {each.id: node for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                imported[alias.asname or alias.name] = _target(node.module, alias.name)
    return Page(module, ast.get_docstring(tree) or "", tuple(text.splitlines(keepends=True)), defined, imported)


def _target(module: str, name: str) -> tuple[str, str]:
    """What `from module import name` brings: something defined there, or a module."""
    if module.startswith("engine") and importlib.util.find_spec(module) and _is_module(f"{module}.{name}"):
        return f"{module}.{name}", ""
    return module, name


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def names_used(node: ast.AST) -> Iterator[str]:
    """Names that a definition loads and does not bind itself, in their order; annotations say what is meant and compute nothing."""
    bound = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    bound |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    own = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
    for name in _loaded(node):
        if name.partition(".")[0] not in bound | own:
            yield name


def _loaded(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield f"{node.value.id}.{node.attr}"
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        yield node.id
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _loaded(child)
