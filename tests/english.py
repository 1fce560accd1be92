"""Count the mechanical signs of unclear English in docstrings, constants and signals.

    python3 -m tests.english              print the counts, and where they exceed the recorded ones
    python3 -m tests.english tabletop/net list every finding below a folder
    python3 -m tests.english --record     record the present counts (`tests/english_counts.json`)

The counts help reviewers; they are no target. A low count proves nothing: only a reader can tell
whether a docstring is clear. A change may not raise a count (`tests/test_english.py`).
"""

import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PROGRAM = ("tabletop", "ui")
RECORDED = Path(__file__).with_name("english_counts.json")
"""The count of each sign in each module, which a change may not raise."""

NO_VERB = re.compile(
    r"(The|A|An|All|Each|Every|What|Who|Whose|Where|How|Why|When|Those|Everybody|Nobody|One|Some|No|"
    r"Its|Only|Any|Whether|As|If|In|Of|To|For|It|They|This|These)\b"
)
IN_FUNCTIONS = {
    "no imperative": re.compile(rf"^{NO_VERB.pattern}"),
    "opens with Let or Have": re.compile(r"^(Let|Have) "),
    "; whether": re.compile(r"; whether\b"),
    "this or these without a noun": re.compile(
        r"\b([Tt]his|[Tt]hese)(?=[.,;:)]|$| (is|are|was|may|has)\b)"
    ),
}
IN_DOCSTRINGS = {
    "negative pronoun": re.compile(
        r"\b(nobody|nothing|none|nowhere|neither|nor|no one)\b(?! is None)", re.I
    ),
    "; between sentences": re.compile(r";(?! (see|e\.g\.))"),
}
RAISES = re.compile(r"^\s*[\w, ]+: (it|they|this|there|that|nobody|as|the same)\b", re.MULTILINE)
VAGUE_CONSTANT = re.compile(
    r"_?(MOST|LEAST|LONGEST|LARGEST|PATIENCE|OFTEN|QUICKLY|A_SECOND|AT_ONCE|HIGH|WIDE|LONG|SHORT|FEW|MANY)(_.*)?"
)


class Finding(NamedTuple):
    """A sign of unclear English at a line of a module."""

    sign: str
    line: int
    text: str


def check(source: str) -> Iterator[Finding]:
    """Yield the findings of a module's source."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _check_docstring(node)
        if isinstance(node, (ast.Module, ast.ClassDef)):
            yield from _check_assignments(node)


def _check_docstring(
    node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[Finding]:
    text = ast.get_docstring(node)
    if not text:
        return
    line = node.body[0].lineno
    first = text.partition("\n")[0]
    signs = dict(IN_DOCSTRINGS)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not _is_property(node):
        signs |= IN_FUNCTIONS
    for sign, pattern in signs.items():
        if pattern.search(_prose(text)):
            yield Finding(sign, line, first)
    for entry in RAISES.finditer(text.partition("Raises:")[2]):
        yield Finding("Raises with a pronoun", line, entry.group().strip())


def _check_assignments(node: ast.Module | ast.ClassDef) -> Iterator[Finding]:
    for item in node.body:
        if not isinstance(item, (ast.Assign, ast.AnnAssign)) or item.value is None:
            continue
        targets = item.targets if isinstance(item, ast.Assign) else [item.target]
        for target in targets:
            if not isinstance(target, ast.Name):
                continue
            if VAGUE_CONSTANT.fullmatch(target.id):
                yield Finding("vague constant", item.lineno, target.id)
            if ast.unparse(item.value).startswith("Signal(") and "_" not in target.id:
                yield Finding("one-word signal", item.lineno, target.id)


def _is_property(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(each) for each in node.decorator_list)


def _prose(text: str) -> str:
    """Return a docstring without its examples and names in backticks."""
    lines = [line for line in text.split("\n") if not line.lstrip().startswith((">>>", "..."))]
    return re.sub(r"`[^`]*`", "X", "\n".join(lines))


def findings(root: Path = ROOT) -> dict[str, list[Finding]]:
    """Return the findings by the path of the module, relative to `root`."""
    found = {}
    for package in PROGRAM:
        for file in sorted((root / package).rglob("*.py")):
            if listed := list(check(file.read_text("utf-8"))):
                found[file.relative_to(root).as_posix()] = listed
    return found


def count(found: dict[str, list[Finding]]) -> dict[str, dict[str, int]]:
    """Return the number of findings by sign and module."""
    counts: dict[str, dict[str, int]] = {}
    for module, listed in found.items():
        for sign, number in Counter(each.sign for each in listed).items():
            counts.setdefault(sign, {})[module] = number
    return {sign: dict(sorted(modules.items())) for sign, modules in sorted(counts.items())}


def increases(
    recorded: dict[str, dict[str, int]], present: dict[str, dict[str, int]]
) -> dict[str, list[str]]:
    """Return, by the signs of which there are more than recorded, the modules that have more."""
    more = {}
    for sign, modules in present.items():
        before = recorded.get(sign, {})
        if sum(modules.values()) > sum(before.values()):
            more[sign] = [name for name, number in modules.items() if number > before.get(name, 0)]
    return more


def main(arguments: list[str]) -> None:
    found = findings()
    present = count(found)
    if arguments == ["--record"]:
        RECORDED.write_text(json.dumps(present, indent=1) + "\n", "utf-8")
    elif arguments:
        for module, listed in found.items():
            if module.startswith(arguments[0]):
                for sign, line, text in listed:
                    print(f"{module}:{line}: {sign}: {text}")
    else:
        recorded = json.loads(RECORDED.read_text("utf-8"))
        for sign, modules in present.items():
            was = sum(recorded.get(sign, {}).values())
            print(f"{sum(modules.values()):5} (recorded {was}) {sign}")
        for sign, names in increases(recorded, present).items():
            print(f"more than recorded: {sign}: {', '.join(names)}")


if __name__ == "__main__":
    main(sys.argv[1:])
