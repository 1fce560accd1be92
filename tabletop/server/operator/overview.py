"""An operator's overview of a server: its state, its tables, its guests."""

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
    """A running server as a whole; what is counted is counted since it began."""

    program: str
    port: int
    fingerprint: str
    since: float
    """The start, in seconds since 1970; all other moments here as well."""
    now: float
    trouble: str
    """The trouble with its disk, as a sentence; empty if there is none."""
    draining: bool
    """Whether it opens no new tables, and ends once nobody plays."""
    disk_free: int
    """Free space on its disk, in bytes."""
    tables: int
    playing: int
    asleep: int
    """Tables that are on disk only, since nobody is there."""
    guests: int
    bots_waiting: int
    """Questions that bots have not answered yet."""
    moves: int
    refusals: dict[str, int]
    """The refused messages, by the reason's code."""
    cut: dict[str, int]
    """The lines that ended without a goodbye, by the reason."""
    turned_away: int
    faults: int
    """Errors of the program that nobody foresaw."""
    banned: dict[str, float]
    """The banned addresses, and since when."""


class TableSummary(Struct, frozen=True):
    """One table. It has no code: an operator need not be able to sit down."""

    table: str
    game: str
    name: str
    phase: Phase
    players: tuple[str, ...]
    """The players seat by seat: a person's name, "bot", or "" for a free seat."""
    away: tuple[int, ...]
    """The seats whose persons are not here."""
    watching: int
    moves: int
    """The moves of the match that runs or was played last."""
    opener: str
    """The origin from which it was opened."""
    asleep: bool = False
    """Whether it exists on disk alone, since nobody is there; then its moves are not counted."""


class GuestSummary(Struct, frozen=True):
    """One guest's connection."""

    guest: int
    """The guest's number, as long as it is connected."""
    address: str
    table: str
    """Empty where it is at none."""
    players: tuple[str, ...]
    """The names of its players."""
    since: float


def tables(host: TableServer) -> list[TableSummary]:
    """All tables: those that are awake in the order in which they were opened or woken."""
    return [
        *map(_summarise_table, host.hosted_tables.values()),
        *map(_summarise_sleeping_table, host.registry.sleeping.values()),
    ]


def guests(host: TableServer) -> list[GuestSummary]:
    """All connected guests, the first to come first."""
    return [_summarise_guest(each) for each in sorted(host.guests, key=lambda each: each.number)]


def status(host: TableServer, since: float, trouble: str) -> ServerSummary:
    """The server as a whole, as it is now."""
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
        asleep=len(host.registry.sleeping),
        guests=len(host.guests),
        bots_waiting=host.registry.bots.waiting,
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
            for place in hosted.places
        ),
        away=tuple(seat for seat, place in enumerate(hosted.places) if not place.here),
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
        players=tuple(hosted.places[seat].name for seat in seats) if hosted is not None else (),
        since=guest.since,
    )
