"""The commands of the program, as one typer application.

Together they bring nearly all of the program with them, the network included. So a command's module
is loaded once that command was named; only help loads them all.
"""

from collections.abc import Collection
from importlib import import_module
from inspect import isbuiltin
from typing import Annotated

import typer

from tabletop import __version__
from tabletop.commands.window import PUBLIC, open_window
from tabletop.files.folders import SUFFIX

MODULES = {
    "games": "game_list",
    "simulate": "tournaments",
    "arena": "tournaments",
    "record": "records",
    "verify": "records",
    "show": "records",
    "shot": "positions",
    "print": "print_and_play",
    "replay": "positions",
    "review": "reviews",
    "notes": "playtest_notes",
    "serve": "network",
    "host": "network",
    "join": "network",
    "records": "finished_matches",
    "web": "web",
    "new": "workshop",
    "dev": "workshop",
    "check": "workshop",
    "layout": "workshop",
    "trust": "agreement",
    "server": "operator",
}
"""By the name of each command, in the order of the help: the module that has it by that name.
`server` is a group of commands."""


def run(words: list[str]) -> int:
    """Do what these words say; gives the number for the system to end with."""
    names: Collection[str] = MODULES
    if words[0] in MODULES:
        names = words[:1]
    elif words == ["--version"]:
        names = ()
    try:
        code = application(names)(words, standalone_mode=False)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def application(names: Collection[str] = MODULES) -> typer.Typer:
    """The program with the commands of these names."""
    app = typer.Typer(
        name="tabletop",
        help="Tabletop 卓: Japanese indie card games at one table. "
        "Without a command, opens the table.",
        epilog=f"tabletop FILE{SUFFIX} opens a save, tabletop FOLDER a game that lies there.",
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(opened)
    for name in names:
        command = getattr(import_module(f"tabletop.commands.{MODULES[name]}"), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command)
        else:
            app.command()(command)
    return app


def _form() -> str:
    """Whether rules and bots run as machine code (docs/decisions/compiling.md)."""
    from tabletop.engine import play

    return ", compiled" if isbuiltin(play.answer) else ""


def opened(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Tell the version.")] = False,
    public: Annotated[
        bool, typer.Option(PUBLIC, help="Show every match to the whole room, on a full screen.")
    ] = False,
) -> int:
    if version:
        print(f"Tabletop 卓 {__version__}{_form()}")
        raise typer.Exit
    return open_window([], public) if context.invoked_subcommand is None else 0
