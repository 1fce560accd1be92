"""The program's structure: no import cycles, no two classes of one name, no imported test modules.

Late imports and imports for types alone count like any other.
"""

import ast
from collections import Counter
from collections.abc import Collection
from pathlib import Path

import grimp
import pytest

HOME = Path(__file__).parents[1]
PROGRAM = ("tabletop", "ui")
PARTS_OF_A_GAME = {"Rules", "Instinct", "Deck", "BrokenDeck"}
"""Classes that each game may have its own of, found or read under one name."""


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Who imports whom: late imports and those for types alone as well."""
    return grimp.build_graph(*PROGRAM, cache_dir=None)


def circles(graph: grimp.ImportGraph) -> set[frozenset[str]]:
    """The largest groups of modules in which each needs all the others."""
    needs = {module: graph.find_upstream_modules(module) for module in graph.modules}
    found = (
        frozenset({module} | {other for other in needed if module in needs[other]})
        for module, needed in needs.items()
    )
    return {circle for circle in found if len(circle) > 1}


def imports_of_test_modules(home: Path, roots: Collection[str]) -> set[tuple[str, str]]:
    """Which module imports which test module: the name of its file begins with `test_`."""
    found = set()
    for file in (file for root in roots for file in (home / root).rglob("*.py")):
        where = file.relative_to(home).with_suffix("").parts
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                folder = where[: -node.level] if node.level else ()
                module = ".".join((*folder, *filter(None, [node.module])))
                named = [module, *(f"{module}.{alias.name}" for alias in node.names)]
            else:
                continue
            tests = (name for name in named if name.rpartition(".")[2].startswith("test_"))
            found |= {(".".join(where), name) for name in tests}
    return found


def test_a_class_name_means_one_thing() -> None:
    named = Counter(
        node.name
        for root in PROGRAM
        for file in (HOME / root).rglob("*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in named.items() if count > 1} == PARTS_OF_A_GAME


def test_no_test_has_a_name_above_sixty_letters() -> None:
    names = [
        node.name
        for file in (HOME / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert [name for name in names if len(name) > 60] == []


def test_no_modules_import_each_other_in_a_circle(graph: grimp.ImportGraph) -> None:
    assert {"ui.app", "tabletop.engine.model"} <= graph.modules
    assert circles(graph) == set()


def test_no_test_module_is_imported() -> None:
    assert imports_of_test_modules(HOME, ["tests"]) == set()


# The checks see what they are to see.


def test_a_circle_is_seen_however_its_modules_are_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = tmp_path / "house_of_circles"
    house.mkdir()
    (house / "__init__.py").write_text("")
    (house / "one.py").write_text("from house_of_circles import two\n")
    (house / "two.py").write_text("def late():\n    import house_of_circles.three\n")
    (house / "three.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from house_of_circles.one import One\n"
    )
    (house / "four.py").write_text("from house_of_circles import one\n")
    monkeypatch.syspath_prepend(tmp_path)
    graph = grimp.build_graph("house_of_circles", cache_dir=None)
    names = ("one", "two", "three")
    assert circles(graph) == {frozenset(f"house_of_circles.{name}" for name in names)}


def test_every_import_of_a_test_module_is_seen(tmp_path: Path) -> None:
    room = tmp_path / "house" / "room"
    room.mkdir(parents=True)
    (room / "test_door.py").write_text("from house.room import door, latest_news\n")
    written = {
        "whole": "import house.room.test_door",
        "folder": "from house.room import door, test_door as door_test",
        "part": "from house.room.test_door import opened",
        "beside": "from . import test_door",
        "beside_part": "from .test_door import opened",
        "late": "def late():\n    from house.room.test_door import opened",
    }
    for name, text in written.items():
        (room / f"{name}.py").write_text(f"{text}\n")
    planted = {(f"house.room.{name}", "house.room.test_door") for name in written}
    assert imports_of_test_modules(tmp_path, ["house"]) == planted
