"""The context of a page beside its seat: the table's public facts, this browser's own state.

A value, so that a page is a function of values.
"""

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.table_status import CutOff
from tabletop.match.match import Player
from tabletop.match.reactions import PassPolicy
from tabletop.protocol.fairness import Verdict
from tabletop.protocol.messages import ChatLine, TableInfo


class PageContext(Struct, frozen=True, kw_only=True):
    """Everything beside the seat, with defaults."""

    kit: GameKit
    players: tuple[Player, ...] = ()
    """The players, each with the name and the symbol that it has on this page."""
    info: TableInfo | None = None
    """The public facts; None of a table that has no host: in tests, and of records."""
    connected: bool = True
    """Whether the connection to the host is up."""
    cut_off: CutOff | None = None
    """More about it while it isn't, where the host may stay away."""
    policy: PassPolicy = "able"
    chat: tuple[ChatLine, ...] = ()
    verdict: Verdict | None = None
    gives_hints: bool = False
    """Whether there is somebody to give a hint."""
    wants_rematch: bool = False
    """Whether the player wishes another match."""
    seat_code: str = ""
    """The code that moves the seat to another phone; empty if there is none."""
    features: tuple[str, ...] = ()
    """What the host understands besides the oldest protocol."""
    art_version: str = ""
    """The version of the cards' pictures; empty where there are none."""
