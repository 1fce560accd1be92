"""Host and join shared tables."""

import asyncio
import sys
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import typer
from msgspec.structs import replace

from tabletop.bots.decision import LEVELS
from tabletop.catalogue import catalogue
from tabletop.commands.arguments import (
    Chosen,
    Folder,
    Game,
    Port,
    Seats,
    UsageError,
    check_choice,
    flag,
    parse_options,
    refuse,
    resolve_seats,
    value_option,
)
from tabletop.commands.key_file import KeyFile, read_key
from tabletop.commands.server_trust import run_query, trusted_server
from tabletop.commands.window import import_ui_module
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts
from tabletop.language.words import Words
from tabletop.protocol.archive import RecordAccess
from tabletop.protocol.invitation import (
    DEFAULT_PORT,
    Address,
    BadInvitation,
    InviteLink,
    format_link,
    parse_code,
    parse_invitation,
)
from tabletop.protocol.messages import Listing, TablePlan

T = TypeVar("T")
LISTINGS = get_args(Listing)
ACCESSES = get_args(RecordAccess)


Fingerprint = Annotated[
    str, value_option("HEX", "Expected fingerprint of the server's certificate.")
]
TABLE, SERVER, BOT = "Table", "On a server", "Bot"
"""Headings under which the help lists options."""


def host(
    game: Game,
    seats: Seats = 0,
    bots: Annotated[int, value_option("N", "Seats for bots.", TABLE, min=0)] = 0,
    level: Annotated[
        str, value_option("LEVEL", "Bot level: " + ", ".join(LEVELS) + ".", TABLE)
    ] = LEVELS[0],
    name: Annotated[str, value_option("NAME", "Name of the table.", TABLE)] = "",
    hand_over: Annotated[
        int,
        value_option(
            "SECONDS",
            "When this ends, ask the players for so long to host the table on; 0: don't ask.",
            TABLE,
            min=0,
            max=3600,
        ),
    ] = 30,
    port: Port = DEFAULT_PORT,
    data: Folder = None,
    option: Chosen = None,
    server: Annotated[
        str, value_option("ADDRESS[:PORT]", "Open the table on this server.", SERVER)
    ] = "",
    key_file: KeyFile = None,
    fingerprint: Fingerprint = "",
    listed: Annotated[
        str, value_option("HOW", "List it there: none, code (joining needs it) or open.", SERVER)
    ] = "none",
    records: Annotated[
        str,
        value_option(
            "WHO",
            "Who can download finished matches: players, or link (anyone who has it).",
            SERVER,
        ),
    ] = "players",
    detach: Annotated[
        bool, flag("--detach", "Leave the table on the server and exit.", SERVER)
    ] = False,
) -> int:
    """Host one table without a window.

    The match starts when every player is ready. Prints the table's code and link.
    Ctrl+C ends it; pressed again, at once.
    """
    from tabletop.commands.headless import host_table, make_table_plan

    kit = catalogue.load(game)
    count = resolve_seats(kit, seats)
    check_choice("--level", level, LEVELS)
    check_choice("--listed", listed, LISTINGS)
    check_choice("--records", records, ACCESSES)
    table = make_table_plan(
        kit, count, min(bots, count), level, name, parse_options(kit, option, apart=True)
    )
    if server:
        place = trusted_server(server, fingerprint)
        return _open_there(
            place,
            read_key(key_file),
            replace(table, unattended=detach, listing=listed, records=records),
        )
    on_server = listed != LISTINGS[0] or records != ACCESSES[0]
    if detach or fingerprint or key_file is not None or on_server:
        raise UsageError(
            "--key-file, --fingerprint, --detach, --listed and --records need a --server."
        )
    folder = data or folders.data() / "hosted"
    listen(host_table(folder, table, port, partial(print, flush=True), hand_over))
    return 0


def _open_there(place: Address, key: str, table: TablePlan) -> int:
    """Open `table` on the server at `place`, and return the exit status."""
    from tabletop.commands.headless import open_on_server

    ticket = run_query(place, open_on_server(place, key, table, partial(print, flush=True)))
    if ticket is None:
        return 1
    KnownHosts(folders.known_hosts()).add_rejoinable(place, ticket, table.name, table.game)
    return 0


def join(
    where: Annotated[str, typer.Argument(metavar="WHERE", help="A link, a code or an address.")],
    list_: Annotated[
        bool, flag("--list", "List the tables of the server at this address.")
    ] = False,
    code: Annotated[str, value_option("CODE", "The table's code, if WHERE is an address.")] = "",
    bot: Annotated[
        bool,
        typer.Option(help="Send a random bot, without a window.", rich_help_panel=BOT),
    ] = False,
    name: Annotated[str, value_option("NAME", "Name of the bot.", BOT)] = "Bot",
    seats: Annotated[int, value_option("N", "Seats the bot takes.", BOT, min=1)] = 1,
    take_game: Annotated[
        bool,
        flag(
            "--take-game",
            "Download the game from the host if it's missing here and has no code.",
            BOT,
        ),
    ] = False,
    key_file: KeyFile = None,
    fingerprint: Fingerprint = "",
) -> int:
    """Join a table in the window, or send a bot to it."""
    if list_:
        return _list(trusted_server(where, fingerprint), key_file)
    if fingerprint or key_file is not None:
        raise UsageError("--key-file and --fingerprint need --list.")
    try:
        link = parse_invitation(where)
        if code:
            link = replace(link, code=parse_code(code))
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    if take_game and not bot:
        raise UsageError("--take-game needs --bot; the window asks instead.")
    if not bot:
        return int(import_ui_module("ui.program").run([format_link(link)]) or 0)
    from tabletop.background.tasks import run_reporting_faults
    from tabletop.commands.headless import join
    from tabletop.net.guest.missing_game import OFFER_CODES
    from tabletop.protocol.fairness import Verdict

    words = Words("en")
    told = ""

    def tell(reason: Reason) -> None:
        nonlocal told
        told = words.reason(reason)
        print(told, file=sys.stderr, flush=True)

    came = asyncio.run(run_reporting_faults(join(link, name, seats, take_game, tell)))
    if not isinstance(came, Verdict):
        hint = " --take-game does." if came.code in OFFER_CODES else ""
        if words.reason(came) + hint != told:
            refuse(words.reason(came) + hint)
        return 1
    print(words.reason(came.reason))
    return 0 if came.fair else 1


def _list(place: Address, key_file: Path | None) -> int:
    """Print the tables that a server lists, and return the exit status."""
    from tabletop.net.guest.server_query import list_tables

    tables = run_query(place, list_tables(place, read_key(key_file)))
    if tables is None:
        return 1
    for listed in tables.tables:
        link = format_link(InviteLink(place.hosts[0], place.port, listed.table))
        free = f"{listed.free} of {listed.seats} free"
        admission = "needs its code" if listed.needs_code else "open"
        print(f"{link}  {listed.game}  {free}  {admission}  {listed.name}")
    if tables.more:
        print("There are more than can be listed.")
    return 0


def listen(work: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine `work`, which starts a host, and return its result.

    Raises:
        UsageError: the host can't listen on its address and port.
    """
    from tabletop.net.event_loop import run

    try:
        return run(work)
    except OSError as error:
        raise UsageError(f"Can't listen there: {error.strerror or error}.") from error
    except UnicodeError as error:  # an invalid host name
        raise UsageError("Can't listen there: that isn't an address.") from error
