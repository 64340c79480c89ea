"""An experiment's run as a program that needs torch and nothing of ours: its sources, joined from what they use up to `run`.

Read like the sources, from the syntax: where two pages give something the same name, the later one's is written with its page's.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.experiment import Description
from engine.package import PACKAGE
from engine.parameter import Value
from engine.source import Page, names_used, read_page, resolve

Place = tuple[str, str]  # a module, and a name in it

OPENING = '''\
"""{title}

{claim}
Written by qkv from its own source; it needs torch and nothing else.
"""

from __future__ import annotations

'''
PLAIN = "numbers = run({given})\n"
STEPPED = """\
steps = run({given})
while True:
    try:
        next(steps)
    except StopIteration as end:
        numbers = end.value
        break
"""
CLOSING = """
torch.set_num_threads(1)
{run}for name in {shown}:
    print(name, numbers[name], sep=" = ")
"""


def snippet(description: Description, settings: Mapping[str, Value], shown: Sequence[str] = (), package: str = PACKAGE) -> str:
    """The program that prints what is `shown` at these settings, or all numbers. Blocks on the files; raises OSError, SyntaxError."""
    start = (f"{package}.{description.name}", "run")
    order = _bottom_up(start)
    names, page = _own_names(order), _page(start[0])
    body = "\n\n".join(dict.fromkeys(_text(place, names) for place in order))
    given = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    run = (STEPPED if _is_stepped(page.defined["run"]) else PLAIN).format(given=given)
    closing = CLOSING.format(run=run, shown=f"[name for name in {tuple(shown)} if name in numbers] or numbers")
    pages = [_page(module) for module in dict.fromkeys(module for module, _ in order)]
    opening = OPENING.format(title=description.title.en, claim=description.claim.partition("\n\n")[0])
    return opening + _imports(pages, body + closing) + "\n\n\n" + body + "\n" + closing


def _bottom_up(start: Place) -> list[Place]:
    """Everything that `start` comes to, each after what it uses."""
    ordered: dict[Place, None] = {}
    begun: set[Place] = set()

    def visit(place: Place) -> None:
        module, name = place
        page = read_page(module)
        if place in begun or page is None or name not in page.defined:
            return
        begun.add(place)
        for used in names_used(page.defined[name]):
            if found := resolve(page, used, ("engine",)):
                visit(found)
        ordered[place] = None

    visit(start)
    return list(ordered)


def _own_names(order: Iterable[Place]) -> dict[Place, str]:
    """What each is called in the program: its own name, or that with its page's where it is taken."""
    taken = Counter[str]()
    names: dict[Place, str] = {}
    for module, name in reversed(list(order)):  # `run` and what is next to it keep theirs
        names[module, name] = f"{module.rpartition('.')[2]}_{name}" if taken[name] else name
        taken[name] += 1
    return names


def _text(place: Place, names: Mapping[Place, str]) -> str:
    """A definition with its decorators, in the names of the program."""
    page = _page(place[0])
    node = page.defined[place[1]]
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    code = "".join(page.lines[first - 1 : node.end_lineno]).rstrip("\n") + "\n"
    local = [(name, (page.module, name)) for name in page.defined] + [(name, target) for name, target in page.imported.items()]
    renamed = {name: names[target] for name, target in local if names.get(target, name) != name}
    return _renamed(code, renamed) if renamed else code


def _renamed(code: str, renamed: Mapping[str, str]) -> str:
    """Other names for names; attributes and what stands in texts stay."""
    found, before = [], ""
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.NAME and token.string in renamed and before != ".":
            found.append(token)
        before = token.string
    lines = code.splitlines(keepends=True)
    for token in reversed(found):
        row, start = token.start
        lines[row - 1] = lines[row - 1][:start] + renamed[token.string] + lines[row - 1][token.end[1] :]
    return "".join(lines)


def _imports(pages: Iterable[Page], code: str) -> str:
    """What the pages import from elsewhere, as far as the program names it."""
    words = {token.string for token in tokenize.generate_tokens(io.StringIO(code).readline) if token.type == tokenize.NAME}
    plain, given = {"import torch"}, dict[str, set[str]]()
    for node in (node for page in pages for node in ast.parse("".join(page.lines)).body):
        if isinstance(node, ast.Import):
            plain |= {f"import {_written(alias)}" for alias in node.names if (alias.asname or alias.name.partition(".")[0]) in words}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] not in ("engine", "__future__"):
            names = {_written(alias) for alias in node.names if (alias.asname or alias.name) in words}
            if names:
                given.setdefault(node.module, set()).update(names)
    return "\n".join([*sorted(plain), *(f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(given.items()))])


def _written(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def _is_stepped(run: ast.AST) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(run))


def _page(module: str) -> Page:
    page = read_page(module)
    if page is None:
        raise FileNotFoundError(module)
    return page
