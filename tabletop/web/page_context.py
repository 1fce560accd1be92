"""Context of a page in addition to its seat:
the public state of the table, and the state of this browser.

The context is a value, so that a page is a function of values.
"""

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.language.table_status import CutOff
from tabletop.match.match import Player
from tabletop.match.reactions import PassPolicy
from tabletop.protocol.fairness import Verdict
from tabletop.protocol.messages import ChatLine, TableInfo


class PageContext(Struct, frozen=True, kw_only=True):
    """Everything that a page depends on besides its seat."""

    kit: GameKit
    players: tuple[Player, ...] = ()
    """The players with the names and symbols that the page shows."""
    info: TableInfo | None = None
    """The public state of the table; None in tests and for records."""
    connected: bool = True
    """Whether the host is connected."""
    cut_off: CutOff | None = None
    """The lost connection to a host that has been absent for long; None otherwise."""
    policy: PassPolicy = "able"
    chat: tuple[ChatLine, ...] = ()
    verdict: Verdict | None = None
    gives_hints: bool = False
    """Whether hints are available."""
    wants_rematch: bool = False
    """Whether the player has asked for a rematch."""
    seat_code: str = ""
    """The code that moves the seat to another phone; empty for none."""
    features: tuple[str, ...] = ()
    """The host's features in addition to those of the oldest protocol."""
    art_version: str = ""
    """The version of the cards' pictures; empty if there are none."""
