"""Serve, host and join shared tables."""

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
    flag,
    options_of,
    refuse,
    seats_of,
    value_option,
)
from tabletop.commands.server import folder_of
from tabletop.commands.server_trust import answer_of, server_place
from tabletop.commands.window import screens
from tabletop.engine.model import Reason
from tabletop.files import crash_log, folders
from tabletop.language.words import Words
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

T = TypeVar("T")
LISTINGS = get_args(Listing)
ACCESSES = get_args(RecordAccess)
KeyFile = Annotated[Path | None, value_option("FILE", "File whose first line is the server's key.")]


Fingerprint = Annotated[
    str, value_option("HEX", "Expected fingerprint of the server's certificate.")
]
PLACE, ACCESS, LIMITS, WATCH = "Address", "Access", "Limits", "Logs and metrics"
TABLE, SERVER, BOT = "Table", "On a server", "Bot"
"""Headings of options in the help."""


def _limit(help: str) -> Any:
    return value_option("N", help, LIMITS, min=1)


def serve(
    context: typer.Context,
    config: Annotated[
        Path | None, value_option("FILE", "Read these settings from a TOML file; flags win.")
    ] = None,
    bind: Annotated[str | None, value_option("ADDR", "Listen on this address only.", PLACE)] = None,
    port: Annotated[
        int | None,
        value_option(
            "PORT",
            f"Port to listen on; 0 for any free one. [default: {PORT}]",
            PLACE,
            min=0,
            max=65535,
        ),
    ] = None,
    data: Folder = None,
    known_as: Annotated[
        str | None, value_option("ADDRESS[:PORT]", "Address that guests use, if it differs.", PLACE)
    ] = None,
    proxy: Annotated[
        list[str] | None,
        value_option("IP", "Expect the PROXY protocol from this address; repeatable.", PLACE),
    ] = None,
    key_file: KeyFile = None,
    room: Annotated[
        list[str] | None,
        value_option("NAME=FILE", "Add a room with its key file; repeatable.", ACCESS),
    ] = None,
    listed_for: Annotated[
        str | None, value_option("WHO", "Who can see listed tables: everybody or members.", ACCESS)
    ] = None,
    log_format: Annotated[
        str | None, value_option("FORMAT", "Log as lines or json.", WATCH)
    ] = None,
    max_tables: Annotated[int | None, _limit("Tables at once.")] = None,
    max_tables_per_address: Annotated[int | None, _limit("Tables opened from one address.")] = None,
    max_guests: Annotated[int | None, _limit("Guests at once.")] = None,
    max_guests_per_address: Annotated[int | None, _limit("Guests from one address.")] = None,
    max_guests_per_table: Annotated[int | None, _limit("Guests at one table.")] = None,
    openings_a_minute: Annotated[
        int | None, _limit("Tables that one address may open in a minute.")
    ] = None,
    messages_a_second: Annotated[
        int | None, _limit("Messages that one guest may send in a second.")
    ] = None,
    wrong_codes: Annotated[
        int | None, _limit("Wrong codes or keys from one address in five minutes.")
    ] = None,
    bot_seconds: Annotated[
        float | None,
        value_option(
            "S", "CPU seconds that bots may use in a minute; 0 for no limit.", LIMITS, min=0
        ),
    ] = None,
    open_records: Annotated[
        bool | None,
        typer.Option(help="Let tables share finished matches by link.", rich_help_panel=ACCESS),
    ] = None,
    take_games: Annotated[
        bool | None,
        typer.Option(
            help="Accept games without code from tables that move here.", rich_help_panel=ACCESS
        ),
    ] = None,
    min_free: Annotated[
        int | None, value_option("MIB", "Free disk space below which /health fails.", WATCH, min=0)
    ] = None,
    metrics: Annotated[
        str | None, value_option("[ADDRESS:]PORT", "Serve Prometheus metrics here.", WATCH)
    ] = None,
    games: Annotated[
        list[Path] | None, value_option("DIR", "Also serve the games in this folder; repeatable.")
    ] = None,
) -> None:
    """Run a table server without a window until stopped.

    Every option can also be set in the --config file, under the same name.
    """
    from tabletop.commands.first_steps import first_steps
    from tabletop.commands.server_config import own_room, read_config, with_flags
    from tabletop.net.host.headless import serve
    from tabletop.net.host.log_lines import LogFormat
    from tabletop.net.host.tenants import ListedFor
    from tabletop.net.operator.endpoints import operator_endpoints
    from tabletop.net.operator.service import NO_FIGURES, can_tell_figures

    for option, value, kind in (
        ("--listed-for", listed_for, ListedFor),
        ("--log-format", log_format, LogFormat),
    ):
        if value is not None:
            among(option, value, get_args(kind))
    settings, rooms = read_config(config)
    flags = {
        name: tuple(map(str, value)) if isinstance(value, list) else value
        for name, value in context.params.items()
        if name in settings.__struct_fields__ and value not in (None, [])
    }
    flags |= {name: str(flags[name]) for name in ("data", "key_file") if name in flags}
    settings = replace(settings, **flags)
    rooms = (own_room(settings), *with_flags(rooms, room or ()))
    for each in settings.games:
        folder_ids(Path(each))
    folder = folder_of(Path(settings.data) if settings.data else None)
    reverse_proxy = settings.reverse_proxy
    tell = first_steps(folder, settings.bind, rooms[0].key, reverse_proxy.public)
    if settings.metrics and not can_tell_figures():
        raise UsageError(NO_FIGURES.text)
    if settings.operator_page:
        refuse('The operator page was removed, so "operator-page" is ignored.')
    place = endpoint_of("--metrics", settings.metrics) if settings.metrics else None
    endpoints = partial(operator_endpoints, metrics=place)
    work = serve(
        folder,
        settings.bind or None,
        settings.port,
        settings.limits,
        rooms,
        settings.log_format,
        tell,
        endpoints,
        reverse_proxy,
    )
    crash_log.keep("server")
    try:
        _listen(work)
    finally:
        crash_log.forget()


def host(
    game: Game,
    seats: Seats = 0,
    bots: Annotated[int, value_option("N", "Seats for bots.", TABLE, min=0)] = 0,
    level: Annotated[
        str, value_option("LEVEL", "Bot level: " + ", ".join(LEVELS) + ".", TABLE)
    ] = LEVELS[0],
    name: Annotated[str, value_option("NAME", "Name of the table.", TABLE)] = "",
    port: Port = PORT,
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
    """
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
    """Open a table on a server; return the exit status."""
    from tabletop.net.host.headless import open_on_server

    ticket = answer_of(place, open_on_server(place, key, table, partial(print, flush=True)))
    if ticket is None:
        return 1
    KnownHosts(folders.known_hosts()).remember(place, ticket, table.name, table.game)
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
        raise UsageError("--take-game needs --bot; the window asks instead.")
    if not bot:
        return int(screens("ui.program").run([format_link(link)]) or 0)
    from tabletop.background.tasks import heard
    from tabletop.net.fairness import Verdict
    from tabletop.net.guest.lacking_game import QUESTIONS
    from tabletop.net.host.headless import join

    words = Words("en")

    def tell(reason: Reason) -> None:
        print(words.reason(reason), file=sys.stderr, flush=True)

    came = asyncio.run(heard(join(link, name, seats, take_game, tell)))
    if not isinstance(came, Verdict):
        hint = " --take-game does." if came.code in QUESTIONS else ""
        refuse(words.reason(came) + hint)
        return 1
    print(words.reason(came.reason))
    return 0 if came.fair else 1


def _list(place: Address, key_file: Path | None) -> int:
    """Print the tables a server lists; return the exit status."""
    from tabletop.commands.server_config import key_in
    from tabletop.net.guest.server_query import tables_at

    tables = answer_of(place, tables_at(place, key_in(key_file) if key_file else ""))
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


def _listen(work: Coroutine[Any, Any, T]) -> T:
    from tabletop.net.host.event_loop import run

    try:
        return run(work)
    except OSError as error:
        raise UsageError(f"Can't listen there: {error.strerror or error}.") from error
    except UnicodeError as error:  # the system asks nobody for a name like that
        raise UsageError("Can't listen there: that isn't an address.") from error
