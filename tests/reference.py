"""The reference for designers of games with rules, made from the docstrings of the engine.

    python3 -m tests.reference

writes docs/reference.md; a test says when it is due, and another runs its examples.
"""

import ast
import inspect
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

from tabletop.engine import chance, dry_run, mask, model, pen, play, teams, values
from tabletop.engine import types as nouns

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
PRIVATE = ("__slots__", "__init__")

HEAD = """\
# Reference: what rules may use

All that `rules.py` may use, and how a game is driven from Python. This page is made from the
docstrings of `tabletop/engine/` (`python3 -m tests.reference`), and a test runs every example. How
a game is made step by step: [new-game.md](new-game.md).

In the examples `table` is the pen over a table for two with the cards 0 to 9. Cards 3, 4 and 5 are
in an ordered zone `pile` that nobody sees into, and a zone `row` is empty and open. `game` is an
object of the `Rules` below, and `backs` are those of its four cards. Rules import all this from
`tabletop.engine.model`, `GameRules`, `Deduction`, `RaceCounting`, `FormerOffers`, `start`,
`submit`, `determinized` and `playout` from `tabletop.engine.play`, `mask` from
`tabletop.engine.mask`, `partners` and `lost` from `tabletop.engine.teams`, `SimulationTable` and
`FastRng` from `tabletop.engine.scratch`, `tried` and `DryRunTable` from `tabletop.engine.dry_run`.
"""
SECTIONS: dict[str, tuple[tuple[ModuleType, str], ...]] = {
    "Rules": (
        (play, "GameRules"),
        (play, "Deduction"),
        (play, "RaceCounting"),
        (play, "FormerOffers"),
    ),
    "Reading a table": ((nouns, "TableReader"), (model, "is_face"), (mask, "mask")),
    "Changing a table: the pen": ((pen, "Pen"),),
    "Public values": (
        (values, "PublicValue"),
        (values, "Number"),
        (values, "Flag"),
        (values, "Word"),
        (values, "Numbers"),
    ),
    "Zones and who sees them": (
        (nouns, "Zone"),
        (nouns, "Sight"),
        (model, "each"),
        (model, "everyone"),
        (nouns, "AUDIENCE"),
    ),
    "Questions, offers, moves": (
        (nouns, "Ask"),
        (nouns, "Offer"),
        (model, "one"),
        (nouns, "Move"),
        (nouns, "NO_CARD"),
        (nouns, "Step"),
    ),
    "What players read": (
        (nouns, "Reason"),
        (nouns, "Preview"),
        (nouns, "Remark"),
        (dry_run, "tried"),
        (dry_run, "DryRunTable"),
    ),
    "The end, teams": (
        (nouns, "Result"),
        (nouns, "ScoreLine"),
        (teams, "partners"),
        (teams, "lost"),
    ),
    "Hidden cards that answer": ((nouns, "Fact"), (nouns, "CardPlace")),
    "Chance": ((chance, "Rng"),),
    "Driving a game from Python": (
        (play, "start"),
        (play, "submit"),
        (play, "Illegal"),
        (play, "determinized"),
        (play, "playout"),
    ),
}


def page() -> str:
    """The reference as Markdown."""
    parts = [HEAD]
    for title, entries in SECTIONS.items():
        parts.append(f"## {title}\n")
        for module, name in entries:
            parts += _entry(module, name)
    return "\n".join(parts)


def documented() -> Iterator[tuple[str, str]]:
    """Each entry with its docstring, methods one by one."""
    for module, name in (entry for entries in SECTIONS.values() for entry in entries):
        node, text = _found(module, name)
        yield name, text
        for each in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(each, ast.FunctionDef) and _is_told(each):
                yield f"{name}.{each.name}", ast.get_docstring(each) or ""


def _entry(module: ModuleType, name: str) -> Iterator[str]:
    node, text = _found(module, name)
    yield f"### `{name}`\n"
    match node:
        case ast.ClassDef():
            if fields := list(_fields(node)):
                yield _code(fields)
            yield _prose(text)
            if told := list(_told_fields(node)):
                yield "\n".join([*told, ""])
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and _is_told(method):
                    yield f"#### `{name}.{_signature(method)}`\n"
                    yield _prose(ast.get_docstring(method) or "")
        case ast.FunctionDef():
            yield _code([_signature(node)])
            yield _prose(text)
        case _:
            yield _prose(text)


def _found(module: ModuleType, name: str) -> tuple[ast.stmt, str]:
    """Where a name is defined, and its docstring."""
    body = ast.parse(inspect.getsource(module)).body
    for number, node in enumerate(body):
        match node:
            case ast.ClassDef(name=known) | ast.FunctionDef(name=known) if known == name:
                return node, ast.get_docstring(node) or ""
            case ast.Assign(targets=[ast.Name(id=known)]) if known == name:
                after = body[number + 1]
                assert isinstance(after, ast.Expr)
                assert isinstance(after.value, ast.Constant)
                return node, inspect.cleandoc(str(after.value.value))
            case _:
                pass
    raise LookupError(f"{module.__name__} has no {name}")


def _fields(node: ast.ClassDef) -> Iterator[str]:
    """The fields of a struct, the properties of a protocol, the members of an enumeration."""
    for each in node.body:
        match each:
            case ast.AnnAssign() | ast.Assign() if not ast.unparse(each).startswith(PRIVATE):
                yield ast.unparse(each)
            case ast.FunctionDef(decorator_list=[ast.Name(id="property")]) if each.returns:
                yield f"{each.name}: {ast.unparse(each.returns)}"
            case _:
                pass


def _told_fields(node: ast.ClassDef) -> Iterator[str]:
    """What the docstrings of its fields say, as items of a list."""
    for field, after in pairwise(node.body):
        match field, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str() as text)):
                yield f"- `{name}`: {' '.join(text.split())}"
            case _:
                pass


def _is_told(method: ast.FunctionDef) -> bool:
    """Whether a method is one that designers use: it has a docstring and is no property."""
    private, described = method.name.startswith("_"), ast.get_docstring(method)
    return bool(described) and not private and not method.decorator_list


def _signature(node: ast.FunctionDef) -> str:
    arguments = ast.unparse(node.args).removeprefix("self, ").removeprefix("self")
    returns = ast.unparse(node.returns) if node.returns else "None"
    return f"{node.name}({arguments})" + ("" if returns == "None" else f" -> {returns}")


def _prose(text: str) -> str:
    """A docstring as Markdown, its examples as code."""
    lines: list[str] = []
    example = False
    for line in text.splitlines():
        begins, ends = line.startswith(">>> ") and not example, example and not line
        if begins:
            lines += ["```python", line]
        elif ends:
            lines += ["```", line]
        else:
            lines.append(line)
        example = (example or begins) and not ends
    return "\n".join([*lines, *(["```"] if example else []), ""])


def _code(lines: list[str]) -> str:
    """Signatures as they are in the source; as Python they would be formatted."""
    return "\n".join(["```text", *lines, "```", ""])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
