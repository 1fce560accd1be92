"""What a player's program loads: nothing of the studio or the server, before its first window only
what that window needs, and for the shelf only what the shelf needs (docs/decisions/start.md)."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.text import phrases
from tabletop.text.translations import compile_catalogues

HOUSES = {
    "making games": ("tabletop.studio", "ui.studio"),
    "a club's server": ("tabletop.server", "prometheus_client", "uvloop"),
}
UNWANTED_ON_THE_SHELF = {
    "reading games from files": ("tabletop.exchange", "xml", "python_calamine"),
    "free tables": ("tabletop.free_table",),
    "drawing": ("jinja2", "PIL", "PySide6.QtSvg", "ui.style.clean_svg", "ui.style.templates"),
    "wrapping Japanese text": ("budoux",),
    "reading translations of other programs": ("babel",),
    "fetching from the web": ("urllib.request", "http.client"),
    "the network": ("asyncio", "ssl", "websockets", "zeroconf", "cryptography", "tabletop.net"),
    "phones": ("starlette", "uvicorn", "tabletop.web"),
    "bots": ("multiprocessing", "tabletop.bots.bot_pool", "tabletop.bots.agent"),
    "matches": ("tabletop.table", "ui.match", "ui.table"),
    "statistics": ("sqlite3",),
    "sound": ("miniaudio",),
    "commands": ("typer", "rich", "tabletop.commands.all_commands"),
}
"""By what they are for, the modules that an English shelf may not load whose boxes were drawn by an
earlier start; what is in them neither."""
UNWANTED_IN_THE_FIRST_WINDOW = UNWANTED_ON_THE_SHELF | {
    "bots": ("multiprocessing", "tabletop.bots"),
    "the shelf": ("ui.shelf", "ui.widgets", "tabletop.language"),
    "games": ("tabletop.catalogue", "csv"),
    "matches kept on the disk": ("tabletop.storage.record", "json"),
}
OWN = ("tabletop", "ui.")
STAGES = ("first window", "shelf", "hot seat", "hosting", "workshop")
"""The stages of the program that is followed, in their order."""

PROGRAM = """
import os, sys, threading
last, sys.argv = sys.argv[1:], ["tabletop"]
from tabletop.__main__ import main
import ui.program
from ui import app

stages = {}

def keep(stage):
    stages[stage] = sorted(sys.modules)

def wait_until(is_done):
    while not is_done():
        app.QApplication.processEvents()

def show_window(window):
    show(window)
    keep("first window")

def show_shelf(window):
    furnish(window)
    window.grab()
    keep("shelf")
    window.context.art.save_shelf_pictures()
    if last == ["shelf"]:
        end()
    play(window)

def end():
    for thread in threading.enumerate():
        if thread.name == "pictures":
            thread.join()
    import json
    print(json.dumps(stages), flush=True)
    os._exit(0)

def play(window):
    next(box.play_button for box in window.shelf.boxes if box.game.id == "sun").click()
    wait_until(lambda: window.table is not None)
    window.grab()
    keep("hot seat")
    window.show_shelf()
    window.run_command("host")
    hosting = window.online.hosting
    hosting.host_sheet.boxes["sun"].click()
    hosting.host_sheet.start_button.click()
    wait_until(lambda: window.online.lobby_screen and window.online.lobby_screen.invitation.link)
    keep("hosting")
    window.try_leave_table = lambda: True  # no one is asked whether to leave the table
    window.run_command("workshop")
    keep("workshop")
    end()

show, app.Window.show = app.Window.show, show_window
furnish, app.Window.load_contents = app.Window.load_contents, show_shelf
main()
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The modules that are loaded after each stage of a first start."""
    return follow(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def loaded_later(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The modules that are loaded after the first stages of a second start."""
    for folder in (phrases.PROGRAM_FOLDER, *phrases.ui_folders()):
        compile_catalogues(folder)  # as they are once installed
    home = tmp_path_factory.mktemp("home")
    follow(home, "shelf")
    return follow(home, "shelf")


def follow(home: Path, *last: str) -> dict[str, set[str]]:
    """Start the program; return the modules that are loaded after each stage until the `last`."""
    environment = os.environ | {"TABLETOP_HOME": str(home), "LANGUAGE": "", "LC_ALL": "C.UTF-8"}
    environment["QT_QPA_PLATFORM"] = "offscreen"
    environment.pop("TABLETOP_GAMES", None)
    words = [sys.executable, "-c", PROGRAM, *last]
    ended = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=350)
    assert ended.returncode == 0, ended.stderr
    stages = json.loads(ended.stdout.splitlines()[-1])
    return {name: set(modules) for name, modules in stages.items()}


def those_of(modules: set[str], packages: tuple[str, ...]) -> list[str]:
    """Return the modules that are one of these, or in one."""
    inside = tuple(f"{package}." for package in packages)
    return sorted(name for name in modules if name in packages or name.startswith(inside))


@pytest.mark.parametrize("stage", ["first window", "shelf", "hot seat", "hosting"])
@pytest.mark.parametrize("house", HOUSES)
def test_a_player_loads_no_other_house(loaded: dict[str, set[str]], stage: str, house: str) -> None:
    assert those_of(loaded[stage], HOUSES[house]) == []


@pytest.mark.parametrize("purpose", UNWANTED_IN_THE_FIRST_WINDOW)
def test_the_first_window_loads_only_what_it_needs(
    loaded: dict[str, set[str]], purpose: str
) -> None:
    assert those_of(loaded["first window"], UNWANTED_IN_THE_FIRST_WINDOW[purpose]) == []


@pytest.mark.parametrize("purpose", UNWANTED_ON_THE_SHELF)
def test_the_shelf_loads_only_what_it_needs(
    loaded_later: dict[str, set[str]], purpose: str
) -> None:
    assert those_of(loaded_later["shelf"], UNWANTED_ON_THE_SHELF[purpose]) == []


def test_a_function_imports_only_what_it_delays(
    loaded: dict[str, set[str]], loaded_later: dict[str, set[str]]
) -> None:
    """A module that is there already when a function's own module is loaded is imported above.
    Commands and the entries of houses are left out: each of their functions loads what it needs."""
    stages = [(loaded | loaded_later)[stage] for stage in STAGES]
    comes = {name: at for at, names in reversed([*enumerate(stages)]) for name in names}
    needless = [
        f"{module} imports {name} in a function"
        for module in sorted(comes)
        if module.startswith(OWN)
        and not module.startswith(("tabletop.__main__", "tabletop.commands."))
        and not module.endswith(".entry")
        for name in imports_in_functions(module)
        if comes.get(name, len(STAGES)) <= comes[module]
    ]
    assert needless == []


def imports_in_functions(module: str) -> Iterator[str]:
    """The modules of the program that functions of this one import."""
    path = source_of(module)
    for function in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if not isinstance(node, ast.ImportFrom) or node.module is None:
                continue
            for each in node.names if node.module.startswith(OWN) else ():
                inner = f"{node.module}.{each.name}"
                yield inner if source_of(inner).exists() else node.module


def source_of(module: str) -> Path:
    """The file of a module of the program; of a package its `__init__.py`."""
    path = Path(__file__).parents[1].joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_each_stage_loads_what_it_is_for(loaded: dict[str, set[str]]) -> None:
    """The stages were reached; what they load is seen."""
    for stage, module in (
        ("first window", "ui.app"),
        ("shelf", "ui.shelf.shelf_screen"),
        ("hot seat", "tabletop.table.table_here"),
        ("hosting", "tabletop.net.host.host"),
        ("workshop", "ui.studio.workshop.workshop_session"),
    ):
        assert module in loaded[stage]
