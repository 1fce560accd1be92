"""The help of every command: headings, examples, and the page made from it."""

import shlex
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from tabletop.commands.all_commands import COMMANDS, command_entry, make_application
from tests import commands_page


@pytest.fixture(scope="module")
def program() -> Any:
    return get_command(make_application())


def test_the_page_of_commands_is_up_to_date() -> None:
    assert commands_page.PAGE.read_text("utf-8") == commands_page.page()


def test_the_help_groups_the_commands() -> None:
    shown = CliRunner().invoke(make_application(), ["--help"]).output
    places = [shown.index(f"\n{command_entry(name).group}:\n") for name in COMMANDS]
    assert places == sorted(places)
    assert shown.index("Options:") < shown.index("Examples:")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_example_is_accepted(program: Any, name: str) -> None:
    """Its options exist; values are checked only where they need no file or network."""
    command = program.commands[name]
    for example in command_entry(name).examples:
        words = shlex.split(example)
        assert words[0] == name
        known = {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)}
        assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(program: Any, name: str) -> None:
    command = program.commands[name]
    for each in (command, *getattr(command, "commands", {}).values()):
        assert each.get_short_help_str(200)[:1].isupper()
        assert [param.name for param in each.params if not param.help] == []
