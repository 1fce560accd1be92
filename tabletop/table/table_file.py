"""The saved state of a hosted table, without its match."""

from msgspec import Struct

from tabletop.engine.model import Reason
from tabletop.protocol.messages import Phase, TablePlan
from tabletop.table.seats import SeatFile


class HostedTableFile(Struct, frozen=True):
    """The JSON content of a table's file."""

    table: str
    code: str
    plan: TablePlan
    owner: str
    """The digest of the owner's token."""
    hosting: int
    """The seat of the player who hosts the table; `AUDIENCE` if there is none."""
    seats: tuple[SeatFile, ...]
    phase: Phase = "gathering"
    number: int = 0
    """The number of matches started so far, which is also the number of the latest match's journal.
    """
    secret: str = ""
    """The host's share of the seed."""
    seals: dict[int, str] = {}
    """The players' commitments to their shares, by seat."""
    shares: dict[int, str] = {}
    """The players' shares of the seed, by seat."""
    ended: Reason | None = None
    """Why the match was ended early; None if it wasn't."""
    opener: str = ""
    """The origin from which the table was opened.

    It is saved so that limits still apply after a restart.
    """
    sealings: int = 0
    """As in `HostedMatch`."""
    banned: tuple[str, ...] = ()
    """The origins of banned guests."""
    muted: tuple[int, ...] = ()
    """The seats that are muted in the chat, as in `HostedTable`."""
