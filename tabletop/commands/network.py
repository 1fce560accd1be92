"""Commands about shared tables: to serve them, to host one, to join one."""

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any

import typer
from msgspec.structs import replace

from tabletop.bots.thought import LEVELS
from tabletop.commands.arguments import (
    Chosen,
    Folder,
    Game,
    Port,
    Seats,
    UsageError,
    among,
    options_of,
    refuse,
    seats_of,
)
from tabletop.commands.window import screens
from tabletop.games import catalogue
from tabletop.net.invitation import PORT, BadInvitation, format_link, read_code, read_invitation
from tabletop.storage import folders
from tabletop.words import Words


def serve(
    bind: Annotated[str, typer.Option(metavar="ADDR", help="Listen there only.")] = "",
    port: Port = PORT,
    data: Folder = None,
    max_tables: Annotated[int, typer.Option(min=1, help="At most so many tables.")] = 200,
) -> None:
    """Serve tables to the network, without a window, until told to stop."""
    from tabletop.net.host.headless import serve

    _listen(serve(data or folders.data() / "server", bind or None, port, max_tables))


def host(
    game: Game,
    seats: Seats = 0,
    bots: Annotated[int, typer.Option(min=0, help="How many of the seats bots take.")] = 0,
    level: Annotated[str, typer.Option(help="Of the bots: " + ", ".join(LEVELS))] = LEVELS[0],
    name: Annotated[str, typer.Option(help="What the table is called.")] = "",
    port: Port = PORT,
    data: Folder = None,
    option: Chosen = None,
) -> None:
    """Host one table for others, without a window; it starts when everybody is ready."""
    from tabletop.net.host.headless import host_one, plan

    kit = catalogue.load(game)
    count = seats_of(kit, seats)
    among("--level", level, LEVELS)
    table = plan(kit, count, min(bots, count), level, name, options_of(kit, option, apart=True))
    _listen(host_one(data or folders.data() / "hosted", table, port, print))


def join(
    where: Annotated[str, typer.Argument(metavar="WHERE", help="A link, a code, an address.")],
    code: Annotated[str, typer.Option(help="The table's code, with an address.")] = "",
    bot: Annotated[bool, typer.Option(help="Send a random bot, without a window.")] = False,
    name: Annotated[str, typer.Option(help="Of the bot.")] = "Bot",
    seats: Annotated[int, typer.Option(min=1, help="How many seats the bot takes.")] = 1,
) -> int:
    """Join a table of another computer: opens the window there, or sends a bot."""
    try:
        link = read_invitation(where)
        if code:
            link = replace(link, code=read_code(code))
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    if not bot:
        return int(screens("ui.program").run([format_link(link)]) or 0)
    from tabletop.net.fairness import Verdict
    from tabletop.net.host.headless import join

    came = asyncio.run(join(link, name, seats))
    if not isinstance(came, Verdict):
        refuse(Words("en").reason(came))
        return 1
    print(Words("en").reason(came.reason))
    return 0 if came.fair else 1


def _listen(work: Coroutine[Any, Any, None]) -> None:
    from tabletop.net.host.event_loop import run

    try:
        run(work)
    except OSError as error:
        raise UsageError(f"Cannot listen there: {error.strerror or error}.") from error
    except UnicodeError as error:  # the system asks nobody for a name like that
        raise UsageError("Cannot listen there: this can be no address.") from error
