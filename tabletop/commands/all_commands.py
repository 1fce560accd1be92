"""All commands of the program, as one typer application.

It brings nearly all of the program with it, the network included, and is loaded only where a
command was named.
"""

from inspect import isbuiltin
from typing import Annotated

import typer

from tabletop import __version__
from tabletop.commands import print_and_play
from tabletop.commands.agreement import trust
from tabletop.commands.finished_matches import records
from tabletop.commands.game_list import games
from tabletop.commands.network import host, join, serve
from tabletop.commands.operator import OPERATING
from tabletop.commands.playtest_notes import notes
from tabletop.commands.positions import replay, shot
from tabletop.commands.records import record, show, verify
from tabletop.commands.reviews import review
from tabletop.commands.server import server
from tabletop.commands.tournaments import arena, simulate
from tabletop.commands.web import web
from tabletop.commands.window import PUBLIC, open_window
from tabletop.commands.workshop import check, dev, new
from tabletop.engine import play
from tabletop.storage.record import SUFFIX

app = typer.Typer(
    name="tabletop",
    help="Tabletop 卓: Japanese indie card games at one table. Without a command, opens the table.",
    epilog=f"tabletop FILE{SUFFIX} opens a save, tabletop FOLDER a game that lies there.",
    add_completion=False,
    pretty_exceptions_enable=False,
)
COMMANDS = (
    games,
    simulate,
    arena,
    record,
    verify,
    show,
    shot,
    print_and_play.print,
    replay,
    review,
    notes,
    serve,
    host,
    join,
    records,
    web,
    new,
    dev,
    check,
    trust,
)
for command in COMMANDS:
    app.command()(command)
for order in OPERATING:
    server.command()(order)
app.add_typer(server)
NAMES = frozenset({server.info.name, *(command.__name__ for command in COMMANDS)})
"""What each command is called."""


def run(words: list[str]) -> int:
    """Do what these words say; gives the number for the system to end with."""
    try:
        code = app(words, standalone_mode=False)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _form() -> str:
    """Whether rules and bots run as machine code (docs/decisions/compiling.md)."""
    return ", compiled" if isbuiltin(play.answer) else ""


@app.callback(invoke_without_command=True)
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
