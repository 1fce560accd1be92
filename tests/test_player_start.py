"""What a player's program loads: nothing of the studio or the server, and before its first window
only what that window needs."""

import json
import os
import subprocess
import sys

import pytest

HOUSES = {
    "making games": ("tabletop.studio", "ui.studio"),
    "a club's server": ("tabletop.server", "prometheus_client", "uvloop"),
}
UNWANTED_IN_THE_FIRST_WINDOW = {
    "reading games from files": ("tabletop.exchange", "csv", "xml", "python_calamine"),
    "drawing": ("jinja2", "PIL", "PySide6.QtSvg"),
    "fetching from the web": ("urllib.request", "http.client"),
    "the network": ("asyncio", "ssl", "websockets", "zeroconf", "cryptography", "tabletop.net"),
    "phones": ("starlette", "uvicorn", "tabletop.web"),
    "bots": ("multiprocessing", "tabletop.bots"),
    "sound": ("miniaudio",),
    "commands": ("typer", "rich", "tabletop.commands.all_commands"),
}
"""By what they are for, the modules that the first window may not load; what is in them neither."""

PROGRAM = """
import json, os, sys
sys.argv = ["tabletop"]
from tabletop.__main__ import main
import ui.program
from ui import app

stages = {}

def keep(stage):
    stages[stage] = sorted(sys.modules)

def wait_until(is_done):
    while not is_done():
        app.QApplication.processEvents()

def play(window):
    keep("first window")
    furnish(window)
    window.grab()
    keep("shelf")
    next(box.now for box in window.shelf.boxes if box.kit.id == "sun").click()
    wait_until(lambda: window.table is not None)
    window.grab()
    keep("hot seat")
    window.show_shelf()
    window.do("host")
    hosting = window.online.hosting
    hosting.sheet.boxes["sun"].click()
    hosting.sheet.start.click()
    wait_until(lambda: window.online.lobby and window.online.lobby.invitation.link)
    keep("hosting")
    window.may_go = lambda: True  # no one is asked whether to leave the table
    window.do("workshop")
    keep("workshop")
    print(json.dumps(stages), flush=True)
    os._exit(0)

furnish = app.Window.furnish
app.Window.furnish = play
main()
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[str]]:
    """The modules that are loaded after each stage of a program with a home of its own."""
    environment = os.environ | {"TABLETOP_HOME": str(tmp_path_factory.mktemp("home"))}
    environment["QT_QPA_PLATFORM"] = "offscreen"
    words = [sys.executable, "-c", PROGRAM]
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
