"""The saved state of a hosted table, without its match."""

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.protocol.messages import Phase, TablePlan
from tabletop.table.seats import SeatFile


class HostedTableFile(Struct, frozen=True):
    """The content of a table's file, as JSON."""

    table: str
    code: str
    plan: TablePlan
    owner: str
    """The digest of the owner's token."""
    hosting: int
    seats: tuple[SeatFile, ...]
    phase: Phase = "gathering"
    number: int = 0
    """The number of matches started; the latest match's journal has this number."""
    secret: str = ""
    """The host's share of the seed."""
    seals: dict[int, str] = {}
    shares: dict[int, str] = {}
    ended: Reason | None = None
    opener: str = ""
    """The origin that opened the table, saved so that limits still apply after a restart."""
    sealings: int = 0
    banned: tuple[str, ...] = ()
    muted: tuple[int, ...] = ()
