"""An operator's overview of a server, its tables and its guests."""

from collections import Counter
from time import time

from msgspec import Struct

from tabletop import __version__
from tabletop.background import faults
from tabletop.net.host.connected_guest import ConnectedGuest
from tabletop.net.host.sleeping_tables import SleepingTable
from tabletop.protocol.messages import Phase
from tabletop.server.server import TableServer
from tabletop.table.hosted_table import HostedTable


class ServerSummary(Struct, frozen=True):
    """The state of a running server. Counters start with the server."""

    program: str
    port: int
    fingerprint: str
    since: float
    """When the server started. All times in this module are in seconds since the Unix epoch."""
    now: float
    trouble: str
    """The server's most urgent problem as a sentence; empty for none."""
    draining: bool
    """Whether the server refuses new tables, and stops once nobody plays."""
    disk_free: int
    """The free disk space in bytes."""
    tables: int
    playing: int
    unreadable: dict[str, str]
    """The tables whose files can't be read, each with the error."""
    asleep: int
    """The number of sleeping tables: they are only on disk, because nobody is connected."""
    guests: int
    bots_waiting: int
    """The number of questions that bots haven't answered yet."""
    moves: int
    refusals: dict[str, int]
    """The number of refused messages, by reason code."""
    cut: dict[str, int]
    """How many connections ended without a farewell, by reason."""
    turned_away: int
    faults: int
    """The number of unexpected errors."""
    banned: dict[str, float]
    """The banned addresses, each with the time of its ban."""


class TableSummary(Struct, frozen=True):
    """The state of one table, without its code, because operators needn't be able to join."""

    table: str
    game: str
    name: str
    phase: Phase
    players: tuple[str, ...]
    """The players by seat: a person's name, "bot", or "" for a free seat."""
    away: tuple[int, ...]
    """The seats of absent people."""
    watching: int
    moves: int
    """The number of moves in the current or latest match."""
    opener: str
    """The origin from which the table was opened."""
    asleep: bool = False
    """Whether the table is only on disk, because nobody is connected. `moves` is 0 in that case."""


class GuestSummary(Struct, frozen=True):
    """The connection of one guest."""

    guest: int
    """The guest's number while connected."""
    address: str
    table: str
    """The ID of the table; empty for none."""
    players: tuple[str, ...]
    """The names of the players at the guest's seats."""
    since: float


def tables(host: TableServer) -> list[TableSummary]:
    """Return all tables: awake ones in the order of opening or waking, then sleeping ones."""
    return [
        *map(_summarise_table, host.hosted_tables.values()),
        *map(_summarise_sleeping_table, host.registry.sleeping.values()),
    ]


def guests(host: TableServer) -> list[GuestSummary]:
    """Return all connected guests in the order of their connections."""
    return [_summarise_guest(each) for each in sorted(host.guests, key=lambda each: each.number)]


def status(host: TableServer, since: float, trouble: str) -> ServerSummary:
    """Return the current state of the server."""
    metrics = host.metrics
    refusals: Counter[str] = Counter()
    for (_, code), count in metrics.refused.items():
        refusals[code] += count
    return ServerSummary(
        program=__version__,
        port=host.port,
        fingerprint=host.certificate.fingerprint,
        since=since,
        now=time(),
        trouble=trouble,
        draining=host.registry.draining,
        disk_free=host.disk.free,
        tables=len(host.registry.tables),
        playing=sum(hosted.phase == "playing" for hosted in host.hosted_tables.values()),
        unreadable=host.registry.unreadable,
        asleep=len(host.registry.sleeping),
        guests=len(host.guests),
        bots_waiting=host.registry.bots.pending_count,
        moves=metrics.moves,
        refusals=dict(refusals),
        cut=dict(metrics.cut_lines),
        turned_away=metrics.turned_away,
        faults=faults.fault_count(),
        banned={origin: since.timestamp() for origin, since in host.bans.since.items()},
    )


def _summarise_table(hosted: HostedTable) -> TableSummary:
    match = hosted.hosted_match.match
    return TableSummary(
        table=hosted.table,
        game=hosted.plan.game,
        name=hosted.plan.name,
        phase=hosted.phase,
        players=tuple(
            place.name if place.person else "bot" if place.plan.kind == "bot" else ""
            for place in hosted.seats
        ),
        away=tuple(seat for seat, place in enumerate(hosted.seats) if not place.is_present),
        watching=len(hosted.spectators),
        moves=len(match.record) if match is not None else 0,
        opener=hosted.opener,
    )


def _summarise_sleeping_table(row: SleepingTable) -> TableSummary:
    persons = (seat for seat, plan in enumerate(row.plan.seats) if plan.kind != "bot")
    return TableSummary(
        table=row.table,
        game=row.plan.game,
        name=row.plan.name,
        phase=row.phase,
        players=row.players,
        away=tuple(seat for seat in persons if row.players[seat]),
        watching=0,
        moves=0,
        opener=row.opener,
        asleep=True,
    )


def _summarise_guest(guest: ConnectedGuest) -> GuestSummary:
    hosted = guest.hosted
    seats = hosted.seats_of(guest) if hosted is not None else ()
    return GuestSummary(
        guest=guest.number,
        address=guest.address,
        table=hosted.table if hosted is not None else "",
        players=tuple(hosted.seats[seat].name for seat in seats) if hosted is not None else (),
        since=guest.connected_at,
    )
