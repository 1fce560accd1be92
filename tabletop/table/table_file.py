"""A table's file at its host, besides the journal of its match."""

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.protocol.messages import Phase, TablePlan
from tabletop.table.seats import SeatFile


class HostedTableFile(Struct, frozen=True):
    """A table's own file, as JSON."""

    table: str
    code: str
    plan: TablePlan
    owner: str
    """The digest of the host's token."""
    hosting: int
    seats: tuple[SeatFile, ...]
    phase: Phase = "gathering"
    number: int = 0
    """The number of matches started; the last one's journal has this number."""
    secret: str = ""
    """The host's share of the seed."""
    seals: dict[int, str] = {}
    shares: dict[int, str] = {}
    ended: Reason | None = None
    opener: str = ""
    """The origin that opened it, which a restarted host still knows."""
    sealings: int = 0
    banned: tuple[str, ...] = ()
    muted: tuple[int, ...] = ()
