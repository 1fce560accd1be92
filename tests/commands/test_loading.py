"""The modules that a command loads: its own, and not those of the others."""

import subprocess
import sys
from importlib import import_module

import pytest

from tabletop.commands import all_commands

LOADED = """
import sys
from tabletop.commands.all_commands import make_application
make_application([sys.argv[1]])
print(*sorted(name for name in sys.modules if name.startswith("tabletop.")))
"""


def loaded(command: str) -> set[str]:
    """The modules of the program that are there before this command runs."""
    told = subprocess.run(
        [sys.executable, "-c", LOADED, command], capture_output=True, text=True, check=True
    )
    return set(told.stdout.split())


@pytest.mark.parametrize("command", ["server", "games", "check"])
def test_a_command_loads_no_other(command: str) -> None:
    modules = loaded(command)
    module = all_commands.command_entry(command).module
    assert f"tabletop.{module}" in modules
    others = {all_commands.command_entry(each).module for each in all_commands.COMMANDS} - {module}
    assert not modules & {f"tabletop.{other}" for other in others}


def test_looking_after_a_server_loads_no_game_and_no_network() -> None:
    """A backup is taken beside those who play: it may not begin with half a second of loading."""
    assert not any(name.startswith(("tabletop.games", "tabletop.net")) for name in loaded("server"))


def test_every_command_is_there() -> None:
    app = all_commands.make_application()
    names = {
        each.name or getattr(each.callback, "__name__", "") for each in app.registered_commands
    }
    assert names | {"home", "server"} == set(all_commands.COMMANDS)


@pytest.mark.parametrize("house", [all_commands.STUDIO, all_commands.SERVER])
def test_each_command_of_a_house_is_named(house: str) -> None:
    named = {name for name, entry in all_commands.COMMANDS.items() if entry == house}
    assert named == set(import_module(house).COMMANDS)
