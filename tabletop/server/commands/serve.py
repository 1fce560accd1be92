"""The command `tabletop serve`."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_args

import typer
from msgspec.structs import replace

from tabletop.commands.agreement import permitted_ids_in
from tabletop.commands.arguments import (
    Folder,
    UsageError,
    check_choice,
    parse_endpoint,
    refuse,
    value_option,
)
from tabletop.commands.key_file import KeyFile, read_key
from tabletop.commands.network import listen
from tabletop.files import crash_log
from tabletop.protocol.invitation import DEFAULT_PORT
from tabletop.server.commands.first_steps import first_steps
from tabletop.server.commands.server import ROOMS_REMOVED, NoRoom, folder_of
from tabletop.server.commands.server_config import ServerConfig, read_config
from tabletop.server.log_lines import LogFormat
from tabletop.server.operator.endpoints import operator_endpoints
from tabletop.server.operator.service import NO_FIGURES, has_metrics_library
from tabletop.server.public_list import ListedFor
from tabletop.server.serve import serve as served

PLACE, ACCESS, LIMITS, WATCH = "Address", "Access", "Limits", "Logs and metrics"
"""Headings of options in the help."""


def _limit_option(help: str) -> Any:
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
            f"Port to listen on; 0 for any free one. [default: {DEFAULT_PORT}]",
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
    room: NoRoom = None,
    listed_for: Annotated[
        str | None, value_option("WHO", "Who can see listed tables: everybody or members.", ACCESS)
    ] = None,
    log_format: Annotated[
        str | None, value_option("FORMAT", "Log as lines or json.", WATCH)
    ] = None,
    max_tables: Annotated[int | None, _limit_option("Tables at once.")] = None,
    max_tables_per_address: Annotated[
        int | None, _limit_option("Tables opened from one address.")
    ] = None,
    max_guests: Annotated[int | None, _limit_option("Guests at once.")] = None,
    max_guests_per_address: Annotated[int | None, _limit_option("Guests from one address.")] = None,
    max_guests_per_table: Annotated[int | None, _limit_option("Guests at one table.")] = None,
    openings_a_minute: Annotated[
        int | None, _limit_option("Tables that one address may open in a minute.")
    ] = None,
    messages_a_second: Annotated[
        int | None, _limit_option("Messages that one guest may send in a second.")
    ] = None,
    wrong_codes: Annotated[
        int | None, _limit_option("Wrong codes or keys from one address in five minutes.")
    ] = None,
    bot_seconds: Annotated[float | None, typer.Option(help="Ignored.", hidden=True)] = None,
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
    for option, value, kind in (
        ("--listed-for", listed_for, ListedFor),
        ("--log-format", log_format, LogFormat),
    ):
        if value is not None:
            check_choice(option, value, get_args(kind))
    settings = _with_flags(read_config(config), context.params)
    if room or settings.rooms:
        raise UsageError(ROOMS_REMOVED)
    key = read_key(Path(settings.key_file) if settings.key_file else None)
    for each in settings.games:
        permitted_ids_in(Path(each))
    folder = folder_of(Path(settings.data) if settings.data else None)
    reverse_proxy = settings.reverse_proxy
    tell = first_steps(folder, settings.bind, key, reverse_proxy.public)
    if settings.metrics and not has_metrics_library():
        raise UsageError(NO_FIGURES.text)
    if settings.operator_page:
        refuse('The operator page was removed, so "operator-page" is ignored.')
    if settings.bot_seconds is not None:
        refuse('Limits on bots\' time were removed, so "bot-seconds" is ignored.')
    place = parse_endpoint("--metrics", settings.metrics) if settings.metrics else None
    endpoints = partial(operator_endpoints, metrics=place)
    work = served(
        folder,
        settings.bind or None,
        settings.port,
        settings.limits,
        key,
        settings.key_file,
        settings.listed_for,
        settings.log_format,
        tell,
        endpoints,
        reverse_proxy,
    )
    crash_log.enable("server")
    try:
        listen(work)
    finally:
        crash_log.disable()


def _with_flags(settings: ServerConfig, flags: Mapping[str, object]) -> ServerConfig:
    """Return the configuration, overridden by the command-line flags that were given."""
    given: dict[str, Any] = {
        name: tuple(map(str, value)) if isinstance(value, list) else value
        for name, value in flags.items()
        if name in settings.__struct_fields__ and value not in (None, [], ())
    }
    given |= {name: str(given[name]) for name in ("data", "key_file") if name in given}
    return replace(settings, **given)
