"""The program's structure: layers of packages without circles, no two classes of one name, no
imported test modules.

Late imports and imports for types alone count like any other.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection
from itertools import pairwise
from pathlib import Path

import grimp
import pytest

HOME = Path(__file__).parents[1]
PROGRAM = ("tabletop", "ui")
PARTS_OF_A_GAME = {"Rules", "Heuristic", "Deck", "BrokenDeck"}
"""Classes that each game may have its own of, found or read under one name."""
GRAMMARS = (
    "tabletop/engine/types.py",
    "tabletop/engine/events.py",
    "tabletop/protocol/*.py",
    "tabletop/games/*.py",
    "tabletop/free_table/components.py",
    "tabletop/storage/record_lines.py",
    "tabletop/storage/settings.py",
)
"""Modules whose structs are written in files, sent, or used by the rules of games."""


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """The import graph: late imports and those for types alone as well."""
    return grimp.build_graph(*PROGRAM, cache_dir=None)


def circles(graph: grimp.ImportGraph) -> set[frozenset[str]]:
    """The largest groups of modules in which each needs all the others."""
    needs = {module: graph.find_upstream_modules(module) for module in graph.modules}
    found = (
        frozenset({module} | {other for other in needed if module in needs[other]})
        for module, needed in needs.items()
    )
    return {circle for circle in found if len(circle) > 1}


def package_of(module: str, graph: grimp.ImportGraph) -> str:
    """The package that holds a module; of a package itself, whose `__init__` it is, the package."""
    return module if graph.find_children(module) else module.rpartition(".")[0]


def imports_of_packages(graph: grimp.ImportGraph) -> dict[str, set[str]]:
    """By package: the other packages that its own modules import, without those of packages in it.

    `__main__` is left out: it starts the program, and is in the root because Python wants it there.
    """
    needs: dict[str, set[str]] = {}
    for module in graph.modules:
        package = package_of(module, graph)
        needed = needs.setdefault(package, set())
        if module.rpartition(".")[2] != "__main__":
            imported = graph.find_modules_directly_imported_by(module)
            needed |= {package_of(each, graph) for each in imported} - {package}
    return needs


def circles_of_packages(graph: grimp.ImportGraph) -> set[frozenset[str]]:
    """The largest groups of packages in which each needs all the others."""
    needs = imports_of_packages(graph)
    packages = grimp.ImportGraph()
    for package, needed in needs.items():
        packages.add_module(package)
        for other in needed:
            packages.add_import(importer=package, imported=other)
    return circles(packages)


def layers(text: str) -> list[list[str]]:
    """The packages of each row of the map in CONTRIBUTING.md, the lowest first."""
    table = text.partition("## The map")[2].partition("\n## ")[0]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    named = (re.findall(r"`((?:tabletop|ui)/[\w/]*)`", cell) for cell in cells)
    return [[name.strip("/").replace("/", ".") for name in names] for names in named]


def breaches(graph: grimp.ImportGraph, rows: list[list[str]]) -> list[str]:
    """Breaches of the rows: packages that no row names, and imports from a row's own neighbours or
    from a row below. A package that is not named itself belongs to the one around it."""
    height = {name: number for number, names in enumerate(rows) for name in names}
    homes: dict[str, str] = {}
    found = []
    for package in sorted(imports_of_packages(graph)):
        home = package
        while home not in height and "." in home:
            home = home.rpartition(".")[0]
        homes[package] = home
        if home not in height and package != "tabletop":
            found.append(f"{package} has no row")
        if home != package and any(other.startswith(f"{home}.") for other in height):
            found.append(f"{package} has no row, and others in {home} have one")
    for package, needed in imports_of_packages(graph).items():
        for other in sorted(needed - {"tabletop"}):  # its version alone, which imports nothing
            mine, theirs = height.get(homes[package], 99), height.get(homes[other], -1)
            if homes[package] != homes[other] and theirs >= mine:
                found.append(f"{package} imports {other}")
    return found


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


BARE = {
    *("create_task", "ensure_future", "run_coroutine_threadsafe", "to_thread", "run_in_executor"),
    *("add_done_callback", "Thread", "Timer", "QThread", "QRunnable", "QThreadPool", "TaskGroup"),
    *("start_new_thread", "ThreadPoolExecutor", "QtConcurrent"),
}
"""Calls, and bases of classes, whose failure nobody hears unless somebody sees to it. A block of a
`TaskGroup` does, as it raises the errors of its tasks: `tasks_of_blocks`."""
EXECUTORS = "tabletop/studio/tournament"
"""Where a future of `submit` is handed to whoever asked for it, with its error."""


def bare_work(home: Path, root: str) -> set[str]:
    """The places, outside of `tabletop/background/`, where background work begins."""
    found = set()
    for file in (home / root).rglob("*.py"):
        place = file.relative_to(home).as_posix()
        if place.startswith("tabletop/background/"):
            continue
        tree = ast.parse(file.read_text("utf-8"))
        heard = tasks_of_blocks(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and node not in heard:
                used = [node.func]
            elif isinstance(node, ast.ClassDef):
                used = node.bases
            else:
                continue
            names = {getattr(each, "attr", getattr(each, "id", "")) for each in used}
            pooled = isinstance(node, ast.Call) and "submit" in names and is_pool(used[0])
            if names & BARE or (pooled and not place.startswith(EXECUTORS)):
                found.add(f"{place}:{node.lineno}")
    return found


def tasks_of_blocks(tree: ast.AST) -> set[ast.Call]:
    """The calls that begin a task in a block `async with TaskGroup() as …`, and the groups'."""
    found: set[ast.Call] = set()
    for block in ast.walk(tree):
        if not isinstance(block, ast.AsyncWith):
            continue
        for item in block.items:
            group, name = item.context_expr, item.optional_vars
            if not (isinstance(group, ast.Call) and isinstance(name, ast.Name)):
                continue
            if ast.unparse(group.func) in ("TaskGroup", "asyncio.TaskGroup"):
                calls = (each for each in ast.walk(block) if isinstance(each, ast.Call))
                begun = f"{name.id}.create_task"
                found |= {group, *(each for each in calls if ast.unparse(each.func) == begun)}
    return found


def is_pool(called: ast.expr) -> bool:
    """Whether this calls a method of something that is named as a pool or an executor."""
    owner = getattr(called, "value", None)
    name = str(getattr(owner, "attr", getattr(owner, "id", ""))).lower()
    return "pool" in name or "executor" in name


def ownerless_calls(home: Path, root: str) -> set[str]:
    """The places where Qt is to call something later, whether or not what it needs still lives:
    `QTimer.singleShot` without a receiver."""
    return {
        f"{file.relative_to(home).as_posix()}:{node.lineno}"
        for file in (home / root).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "singleShot"
        and len(node.args) < len(("time", "receiver", "call"))
    }


OTHER_HOUSES = re.compile(r"(tabletop\.(studio|server)|ui\.studio)(\.\w+)*")
"""The name of a module of the studio or the server."""


def named_houses(home: Path, roots: Collection[str]) -> dict[str, set[str]]:
    """The modules of other houses that the player's program names, as to load them: by its file."""
    found: dict[str, set[str]] = {}
    for file in (file for root in roots for file in (home / root).rglob("*.py")):
        place = file.relative_to(home).as_posix()
        if OTHER_HOUSES.match(place.removesuffix(".py").replace("/", ".")):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            text = node.value if isinstance(node, ast.Constant) else ""
            if isinstance(text, str) and OTHER_HOUSES.fullmatch(text):
                found.setdefault(place, set()).add(text)
    return found


def repeated_constructors(home: Path, root: str) -> set[str]:
    """The places that call the constructor of an object that exists: its fields may keep what was
    there before, and others hold the object as it was."""
    return {
        f"{file.relative_to(home).as_posix()}:{node.lineno}"
        for file in (home / root).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "__init__"
        and ast.unparse(node.func.value) != "super()"
    }


def bare_fields(source: str) -> set[str]:
    """The public fields of public structs that have no docstring."""
    structs = [
        node
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name[0] != "_" and (node.bases or node.keywords)
    ]
    return {
        f"{node.name}.{name}"
        for node in structs
        for field, after in pairwise([*node.body, ast.Pass()])
        if isinstance(field, ast.AnnAssign)
        and (name := ast.unparse(field.target))[0] != "_"
        and "ClassVar" not in ast.unparse(field.annotation)
        and not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant))
    }


def test_a_class_name_means_one_thing() -> None:
    named = Counter(
        node.name
        for root in PROGRAM
        for file in (HOME / root).rglob("*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and "Step" not in map(ast.unparse, node.bases)
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


def test_every_field_of_a_public_grammar_is_explained() -> None:
    files = [file for pattern in GRAMMARS for file in HOME.glob(pattern)]
    assert {file: bare for file in files if (bare := bare_fields(file.read_text("utf-8")))} == {}


def test_a_field_without_a_docstring_is_seen() -> None:
    source = """
class Cat(Struct, frozen=True):
    '''A cat.'''
    name: str
    '''What it is called.'''
    lives: int = 9
    _owner: str = ""
    age: int = 0
    def purr(self): ...
"""
    assert bare_fields(source) == {"Cat.lives", "Cat.age"}


def test_no_modules_import_each_other_in_a_circle(graph: grimp.ImportGraph) -> None:
    assert {"ui.app", "tabletop.engine.model"} <= graph.modules
    assert circles(graph) == set()


def test_no_packages_import_each_other_in_a_circle(graph: grimp.ImportGraph) -> None:
    assert circles_of_packages(graph) == set()


def test_each_package_imports_only_rows_above_it_in_the_map(graph: grimp.ImportGraph) -> None:
    rows = layers((HOME / "CONTRIBUTING.md").read_text("utf-8"))
    assert rows[0] == ["tabletop.engine"]
    assert len(rows) > 25
    assert breaches(graph, rows) == []


def test_the_root_holds_the_version_and_the_start_alone(graph: grimp.ImportGraph) -> None:
    assert not graph.find_modules_directly_imported_by("tabletop")
    plain = {each for each in graph.find_children("tabletop") if not graph.find_children(each)}
    assert plain == {"tabletop.__main__"}
    plain = {each for each in graph.find_children("ui") if not graph.find_children(each)}
    assert plain == {"ui.app", "ui.program"}


def test_other_houses_are_entered_by_their_entries_alone() -> None:
    assert named_houses(HOME, PROGRAM) == {
        "tabletop/commands/all_commands.py": {"tabletop.studio.entry", "tabletop.server.entry"},
        "tabletop/web/gateway/gateway.py": {"tabletop.server.entry"},
        "ui/shell/studio_entry.py": {"ui.studio.entry"},
    }


def test_background_work_begins_in_one_package_alone() -> None:
    places = {place for root in PROGRAM for place in bare_work(HOME, root)}
    assert places == set()


def test_what_is_called_later_goes_with_its_receiver() -> None:
    places = {place for root in ("ui", "tests") for place in ownerless_calls(HOME, root)}
    assert places == set()


def test_no_constructor_is_called_as_a_reset() -> None:
    places = {place for root in (*PROGRAM, "tests") for place in repeated_constructors(HOME, root)}
    assert places == set()


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


def test_bare_background_work_is_seen_however_it_is_named(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    lines = (
        "asyncio.create_task(work())",
        "loop.create_task(work())",
        "ensure_future(work())",
        "asyncio.run_coroutine_threadsafe(work(), loop)",
        "self._pool.submit(work)",
        "threading.Thread(target=work).start()",
        "future.add_done_callback(print)",
        "class Job(QRunnable): pass",
        "class Worker(QtCore.QThread): pass",
        "group = asyncio.TaskGroup()",
        "group.create_task(work())",
    )
    fine = (
        *("match.submit(0, move)", "task(1)", "async def work():"),
        *("    async with asyncio.TaskGroup() as group:", "        group.create_task(work())"),
    )
    (house / "rooms.py").write_text("\n".join((*lines, *fine)))
    numbers = range(1, len(lines) + 1)
    assert bare_work(tmp_path, "house") == {f"house/rooms.py:{number}" for number in numbers}


def test_a_name_of_another_house_is_seen(tmp_path: Path) -> None:
    (tmp_path / "ui" / "studio").mkdir(parents=True)
    (tmp_path / "ui" / "studio" / "entry.py").write_text('import_module("ui.studio.workshop")\n')
    (tmp_path / "ui" / "shelf.py").write_text(
        'import_module("ui.studio.workshop")\n"""About tabletop.server."""\n'
    )
    assert named_houses(tmp_path, ["ui"]) == {"ui/shelf.py": {"ui.studio.workshop"}}


def test_a_later_call_without_a_receiver_is_seen(tmp_path: Path) -> None:
    lines = ("QTimer.singleShot(0, self.act)", "QtCore.QTimer.singleShot(5, lambda: act())")
    fine = ("QTimer.singleShot(0, self, self.act)", "clock = QTimer(self, singleShot=True)")
    house = tmp_path / "house"
    house.mkdir()
    (house / "rooms.py").write_text("\n".join((*lines, *fine)))
    assert ownerless_calls(tmp_path, "house") == {"house/rooms.py:1", "house/rooms.py:2"}


def test_a_constructor_that_is_called_again_is_seen(tmp_path: Path) -> None:
    lines = ("self.__init__(1)", "Seat.__init__(seat, 1)", "seat.__init__()")
    house = tmp_path / "house"
    house.mkdir()
    (house / "rooms.py").write_text("\n".join((*lines, "super().__init__(1)", "Seat(1)")))
    numbers = range(1, len(lines) + 1)
    assert repeated_constructors(tmp_path, "house") == {f"house/rooms.py:{n}" for n in numbers}


def import_graph(imports: dict[str, str]) -> grimp.ImportGraph:
    graph = grimp.ImportGraph()
    for module in {*imports, *imports.values(), "ui", "ui.low", "ui.high", "ui.high.wing"}:
        graph.add_module(module)
    for importer, imported in imports.items():
        graph.add_import(importer=importer, imported=imported)
    return graph


def test_a_circle_of_packages_is_seen_where_modules_have_none() -> None:
    graph = import_graph({"ui.low.one": "ui.high.one", "ui.high.two": "ui.low.two"})
    assert circles(graph) == set()
    assert circles_of_packages(graph) == {frozenset({"ui.low", "ui.high"})}


def test_an_import_against_the_map_is_seen() -> None:
    rows = layers(
        "## The map\n\n| a | b |\n|---|---|\n| `ui/low/` | x |\n| `ui/high/` | `ui/no/` |\n"
    )
    assert rows == [["ui.low"], ["ui.high"]]
    right = import_graph({"ui.high.wing.one": "ui.low.one", "ui.high.one": "ui.high.wing.two"})
    assert breaches(right, rows) == ["ui has no row"]
    wrong = import_graph({"ui.low.one": "ui.high.wing.one", "ui.attic.one": "ui.low.one"})
    assert breaches(wrong, [["ui"], *rows])[0].startswith("ui.attic has no row")
    assert "ui.low imports ui.high.wing" in breaches(wrong, rows)
    assert "ui.low imports ui.high.wing" in breaches(wrong, [["ui.low", "ui.high"]])


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
