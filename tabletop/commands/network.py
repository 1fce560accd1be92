"""Commands about shared tables: to serve them, to host one, to join one."""

import asyncio
import sys
from collections.abc import Coroutine
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import typer
from msgspec.structs import replace

from tabletop.bots.thought import LEVELS
from tabletop.commands.agreement import folder_ids
from tabletop.commands.arguments import (
    Chosen,
    Folder,
    Game,
    Port,
    Seats,
    UsageError,
    among,
    endpoint_of,
    options_of,
    refuse,
    seats_of,
)
from tabletop.commands.server import folder_of
from tabletop.commands.server_trust import server_place
from tabletop.commands.window import screens
from tabletop.engine.model import Reason
from tabletop.games import catalogue
from tabletop.net.archive import RecordAccess
from tabletop.net.guest.known_hosts import KnownHosts
from tabletop.net.invitation import (
    PORT,
    Address,
    BadInvitation,
    InviteLink,
    format_link,
    read_code,
    read_invitation,
)
from tabletop.net.protocol import Listing, TablePlan
from tabletop.storage import crash_log, folders
from tabletop.words import Words

T = TypeVar("T")
LISTINGS = get_args(Listing)
ACCESSES = get_args(RecordAccess)
KeyFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Its first line is the key that opens tables there."),
]


Fingerprint = Annotated[
    str, typer.Option(metavar="HEX", help="Of the certificate that the server must show.")
]
AtMost = Annotated[int | None, typer.Option(min=1, help="At most so many.")]


def serve(
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What the flags say, as a TOML file.")
    ] = None,
    bind: Annotated[str | None, typer.Option(metavar="ADDR", help="Listen there only.")] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help=f"Listen there; 0: any free port. [default: {PORT}]"),
    ] = None,
    data: Folder = None,
    known_as: Annotated[
        str | None, typer.Option(metavar="ADDRESS[:PORT]", help="Where guests find the server.")
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="IP", help="Lines from there begin with the PROXY protocol."),
    ] = None,
    key_file: KeyFile = None,
    room: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="A room, and the file of its key; repeatable."),
    ] = None,
    listed_for: Annotated[
        str | None,
        typer.Option(help="Who is told of tables that are listed: everybody, or members."),
    ] = None,
    log_format: Annotated[
        str | None, typer.Option(help="What happens is told as lines, or as json.")
    ] = None,
    max_tables: AtMost = None,
    max_tables_per_address: AtMost = None,
    max_guests: AtMost = None,
    max_guests_per_address: AtMost = None,
    max_guests_per_table: AtMost = None,
    openings_a_minute: Annotated[
        int | None, typer.Option(min=1, help="Tables that one address may open.")
    ] = None,
    messages_a_second: Annotated[
        int | None, typer.Option(min=1, help="That one guest may send.")
    ] = None,
    wrong_codes: Annotated[
        int | None, typer.Option(min=1, help="Or keys, of one address in five minutes.")
    ] = None,
    bot_seconds: Annotated[
        float | None, typer.Option(min=0, help="Of CPU that bots may take in a minute; 0: any.")
    ] = None,
    open_records: Annotated[
        bool | None,
        typer.Option(help="Whether tables may open finished matches to whoever has the link."),
    ] = None,
    take_games: Annotated[
        bool | None,
        typer.Option(
            help="Whether a game without program code comes along with a table that moves here."
        ),
    ] = None,
    min_free: Annotated[
        int | None, typer.Option(min=0, help="MiB free on the disk, for /health to say ok.")
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="[ADDRESS:]PORT", help="Figures for Prometheus, there.")
    ] = None,
    games: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Serve the games there as well; repeatable."),
    ] = None,
) -> None:
    """Serve tables to the network, without a window, until told to stop."""
    from tabletop.commands.first_steps import first_steps
    from tabletop.commands.server_config import own_room, read_config, with_flags
    from tabletop.net.host.headless import serve
    from tabletop.net.host.log_lines import LogFormat
    from tabletop.net.host.rooms import ListedFor
    from tabletop.net.operator.desk import Desk
    from tabletop.net.operator.service import NO_FIGURES, can_tell_figures

    for option, value, kind in (
        ("--listed-for", listed_for, ListedFor),
        ("--log-format", log_format, LogFormat),
    ):
        if value is not None:
            among(option, value, get_args(kind))
    told, rooms = read_config(config)
    flags = {
        "bind": bind,
        "port": port,
        "data": data and str(data),
        "known_as": known_as,
        "proxy": tuple(proxy) if proxy else None,
        "key_file": key_file and str(key_file),
        "listed_for": listed_for,
        "log_format": log_format,
        "max_tables": max_tables,
        "max_tables_per_address": max_tables_per_address,
        "max_guests": max_guests,
        "max_guests_per_address": max_guests_per_address,
        "max_guests_per_table": max_guests_per_table,
        "openings_a_minute": openings_a_minute,
        "messages_a_second": messages_a_second,
        "wrong_codes": wrong_codes,
        "bot_seconds": bot_seconds,
        "open_records": open_records,
        "take_games": take_games,
        "min_free": min_free,
        "metrics": metrics,
        "games": tuple(map(str, games)) if games else None,
    }
    told = replace(told, **{name: value for name, value in flags.items() if value is not None})
    rooms = (own_room(told), *with_flags(rooms, room or ()))
    for each in told.games:
        folder_ids(Path(each))
    folder = folder_of(Path(told.data) if told.data else None)
    reverse_proxy = told.reverse_proxy
    tell = first_steps(folder, told.bind, rooms[0].key, reverse_proxy.public)
    if told.metrics and not can_tell_figures():
        raise UsageError(NO_FIGURES.text)
    if told.operator_page:
        refuse('There is no operator\'s page any more: "operator-page" is ignored.')
    place = endpoint_of("--metrics", told.metrics) if told.metrics else None
    desk = partial(Desk, metrics=place)
    bind = told.bind or None
    work = serve(
        folder, bind, told.port, told.limits, rooms, told.log_format, tell, desk, reverse_proxy
    )
    crash_log.keep("server")
    try:
        _listen(work)
    finally:
        crash_log.forget()


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
    fingerprint: Fingerprint = "",
    listed: Annotated[
        str, typer.Option(help="On the server's list: none, code (which it needs), open.")
    ] = "none",
    records: Annotated[
        str, typer.Option(help="Who may fetch finished matches: players, or link (who has it).")
    ] = "players",
    detach: Annotated[
        bool, typer.Option("--detach", help="Leave the table on the server, and end.")
    ] = False,
) -> int:
    """Host one table for others, without a window; it starts when everybody is ready."""
    from tabletop.net.host.headless import host_one, plan

    kit = catalogue.load(game)
    count = seats_of(kit, seats)
    among("--level", level, LEVELS)
    among("--listed", listed, LISTINGS)
    among("--records", records, ACCESSES)
    table = plan(kit, count, min(bots, count), level, name, options_of(kit, option, apart=True))
    if server:
        from tabletop.commands.server_config import key_in

        place = server_place(server, fingerprint)
        return _open_there(
            place,
            key_in(key_file) if key_file else "",
            replace(table, unattended=detach, listing=listed, records=records),
        )
    on_server = listed != LISTINGS[0] or records != ACCESSES[0]
    if detach or fingerprint or key_file is not None or on_server:
        raise UsageError(
            "--key-file, --fingerprint, --detach, --listed and --records need a --server."
        )
    _listen(host_one(data or folders.data() / "hosted", table, port, partial(print, flush=True)))
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


def join(
    where: Annotated[str, typer.Argument(metavar="WHERE", help="A link, a code, an address.")],
    list_: Annotated[
        bool, typer.Option("--list", help="Tell which tables the server at this address lists.")
    ] = False,
    code: Annotated[str, typer.Option(help="The table's code, with an address.")] = "",
    bot: Annotated[bool, typer.Option(help="Send a random bot, without a window.")] = False,
    name: Annotated[str, typer.Option(help="Of the bot.")] = "Bot",
    seats: Annotated[int, typer.Option(min=1, help="How many seats the bot takes.")] = 1,
    take_game: Annotated[
        bool,
        typer.Option(
            "--take-game", help="Take a game without program code from the host, if it is not here."
        ),
    ] = False,
    key_file: KeyFile = None,
    fingerprint: Fingerprint = "",
) -> int:
    """Join a table of another computer: opens the window there, or sends a bot."""
    if list_:
        return _list(server_place(where, fingerprint), key_file)
    if fingerprint or key_file is not None:
        raise UsageError("--key-file and --fingerprint need --list.")
    try:
        link = read_invitation(where)
        if code:
            link = replace(link, code=read_code(code))
    except BadInvitation as error:
        raise UsageError(str(error)) from error
    if take_game and not bot:
        raise UsageError("--take-game is for a --bot: the window asks.")
    if not bot:
        return int(screens("ui.program").run([format_link(link)]) or 0)
    from tabletop.net.fairness import Verdict
    from tabletop.net.guest.lacking_game import QUESTIONS
    from tabletop.net.host.headless import join

    words = Words("en")

    def tell(reason: Reason) -> None:
        print(words.reason(reason), file=sys.stderr, flush=True)

    came = asyncio.run(join(link, name, seats, take_game, tell))
    if not isinstance(came, Verdict):
        hint = " --take-game does." if came.code in QUESTIONS else ""
        refuse(words.reason(came) + hint)
        return 1
    print(words.reason(came.reason))
    return 0 if came.fair else 1


def _list(place: Address, key_file: Path | None) -> int:
    """Tell which tables a server lists; gives the number for the system to end with."""
    from tabletop.commands.server_config import key_in
    from tabletop.net.guest.connection import CHANGED, WrongCertificate, about
    from tabletop.net.guest.server_query import tables_at

    key = key_in(key_file) if key_file else ""
    try:
        found = asyncio.run(tables_at(place, key))
    except WrongCertificate:
        found = about(CHANGED, place)
    if isinstance(found, Reason):
        refuse(Words("en").reason(found))
        return 1
    for listed in found.tables:
        link = format_link(InviteLink(place.hosts[0], place.port, listed.table))
        free = f"{listed.free} of {listed.seats} free"
        door = "needs its code" if listed.needs_code else "open"
        print(f"{link}  {listed.game}  {free}  {door}  {listed.name}")
    if found.more:
        print("There are more, which are not told.")
    return 0


def _listen(work: Coroutine[Any, Any, T]) -> T:
    from tabletop.net.host.event_loop import run

    try:
        return run(work)
    except OSError as error:
        raise UsageError(f"Cannot listen there: {error.strerror or error}.") from error
    except UnicodeError as error:  # the system asks nobody for a name like that
        raise UsageError("Cannot listen there: this can be no address.") from error
