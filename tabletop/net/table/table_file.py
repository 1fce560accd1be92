"""A host's file of a table, besides the journal of its match."""

from msgspec import Struct, field

from tabletop.engine.model import Reason
from tabletop.net.protocol import Phase, TablePlan
from tabletop.net.table.seats import SeatFile


class HostedTableFile(Struct, frozen=True):
    """A table's own file, as JSON."""

    table: str
    code: str
    plan: TablePlan
    owner: str
    """The digest of the token of who hosts."""
    hosting: int
    seats: tuple[SeatFile, ...]
    phase: Phase = "gathering"
    number: int = 0
    """How many matches were begun; the last one's journal is of this number."""
    secret: str = ""
    """The host's share of the seed."""
    seals: dict[int, str] = {}
    shares: dict[int, str] = {}
    ended: Reason | None = None
    opener: str = ""
    """What is counted of who opened it: a host that starts again still knows whose it is."""
    sealings: int = 0
    banned: tuple[str, ...] = ()
    muted: tuple[int, ...] = ()
    tenant: str = field(default="", name="room")
    """The tenant of the server to which it belongs."""
