"""Commands about shared tables: to serve them, to host one, to join one."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
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
from tabletop.commands.server import folder_of
from tabletop.commands.trust import server_place
from tabletop.commands.window import screens
from tabletop.engine.model import Reason
from tabletop.games import catalogue
from tabletop.net.guest.known_hosts import KnownHosts
from tabletop.net.invitation import (
    PORT,
    Address,
    BadInvitation,
    format_link,
    read_code,
    read_invitation,
)
from tabletop.net.protocol import TablePlan
from tabletop.storage import folders
from tabletop.storage.errors import disk_trouble
from tabletop.words import Words

KeyFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Its first line is the key that opens tables there."),
]


def serve(
    bind: Annotated[str, typer.Option(metavar="ADDR", help="Listen there only.")] = "",
    port: Port = PORT,
    data: Folder = None,
    max_tables: Annotated[int, typer.Option(min=1, help="At most so many tables.")] = 200,
    key_file: KeyFile = None,
) -> None:
    """Serve tables to the network, without a window, until told to stop."""
    from tabletop.net.host.headless import serve

    key = _key_in(key_file)
    _listen(serve(folder_of(data), bind or None, port, max_tables, key))


def host(
    game: Game,
    seats: Seats = 0,
    bots: Annotated[int, typer.Option(min=0, help="How many of the seats bots take.")] = 0,
    level: Annotated[str, typer.Option(help="Of the bots: " + ", ".join(LEVELS))] = LEVELS[0],
    name: Annotated[str, typer.Option(help="What the table is called.")] = "",
    port: Port = PORT,
    data: Folder = None,
    option: Chosen = None,
    server: Annotated[
        str, typer.Option(metavar="ADDRESS[:PORT]", help="Open the table on this server.")
    ] = "",
    key_file: KeyFile = None,
    fingerprint: Annotated[
        str, typer.Option(metavar="HEX", help="Of the certificate that the server must show.")
    ] = "",
    detach: Annotated[
        bool, typer.Option("--detach", help="Leave the table on the server, and end.")
    ] = False,
) -> int:
    """Host one table for others, without a window; it starts when everybody is ready."""
    from tabletop.net.host.headless import host_one, plan

    kit = catalogue.load(game)
    count = seats_of(kit, seats)
    among("--level", level, LEVELS)
    table = plan(kit, count, min(bots, count), level, name, options_of(kit, option, apart=True))
    if server:
        place = server_place(server, fingerprint)
        return _open_there(place, _key_in(key_file), replace(table, unattended=detach))
    if detach or fingerprint or key_file is not None:
        raise UsageError("--key-file, --fingerprint and --detach need a --server.")
    _listen(host_one(data or folders.data() / "hosted", table, port, print))
    return 0


def _open_there(place: Address, key: str, table: TablePlan) -> int:
    """Open a table on a server; gives the number for the system to end with."""
    from tabletop.net.host.headless import open_on_server

    told = asyncio.run(open_on_server(place, key, table, partial(print, flush=True)))
    if isinstance(told, Reason):
        refuse(Words("en").reason(told))
        return 1
    KnownHosts(folders.known_hosts()).remember(place, told, table.name, table.game)
    return 0


def _key_in(file: Path | None) -> str:
    """The key in the first line of a file."""
    if file is None:
        return ""
    try:
        key = file.read_text("utf-8").splitlines()[:1]
    except UnicodeDecodeError as error:
        raise UsageError(f'"{file.name}" holds no key: it is no text.') from error
    except OSError as error:
        raise disk_trouble(error, file.name) from error
    if not key or not key[0].strip():
        raise UsageError(f'"{file.name}" holds no key in its first line.')
    return key[0].strip()


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
