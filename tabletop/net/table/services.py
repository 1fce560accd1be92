"""Services that a match at a shared table needs: its journal, a clock, bots, its host."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from tabletop.catalogue.catalogue import Kit
from tabletop.engine.heuristic import Past
from tabletop.engine.model import Ask, Move, Offer, Reason, State
from tabletop.match.match import Journal, Match
from tabletop.net.protocol import FromHost, TablePlan, Told
from tabletop.net.table.seats import Peer, Seat, Timer
from tabletop.storage.playtest_notes import PlaytestNote

NOT_NOW = Reason("This cannot be done now.", code="not_now")


class Refusal(Exception):
    """A message is not obeyed; nothing has changed."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.text)
        self.reason = reason


class MatchServices(Journal, Protocol):
    """A match's journal, a clock, and bots that think."""

    def begin(self, kit: Kit, match: Match, number: int) -> None:
        """Begin the journal of this table's match of that number."""

    def note(self, number: int, note: PlaytestNote) -> None:
        """Keep a note on this table's match of that number beside its record."""

    def noted(self, number: int) -> tuple[PlaytestNote, ...]:
        """All notes on that match that were kept."""
        ...

    def later(self, seconds: float, act: Callable[[], None]) -> Timer:
        """Do something after so many seconds."""
        ...

    def think(
        self,
        game: str,
        level: str,
        view: State,
        offers: dict[int, tuple[Offer, ...]],
        ask: Ask,
        past: Past,
        done: Callable[[Move], None],
    ) -> None:
        """Have a bot of this level answer a question of a seat whose view this is."""


class TableTiming(Struct, frozen=True):
    """Durations at a table, in seconds."""

    grace: float = 10
    """How long a player may be gone before the table pauses."""
    bot: float = 0.7
    """How long a bot waits before it answers."""
    sealing: float = 30
    """How long guests may take for their shares of a seed."""


class MatchHost(Protocol):
    """The table's side of a match: what a match needs of it."""

    table: str
    plan: TablePlan
    kit: Kit
    pace: TableTiming
    places: list[Seat]
    moving: bool
    """Whether it is on its way to another computer: nothing may change meanwhile."""

    @property
    def services(self) -> MatchServices: ...
    @property
    def persons(self) -> tuple[int, ...]: ...
    @property
    def spectators(self) -> Sequence[Peer]: ...
    def tell(self, peer: Peer, message: FromHost) -> None: ...
    def tell_players(self, told: Told, mover: int | None) -> None: ...
    def tell_all(self, message: FromHost, peers: Iterable[Peer] | None = None) -> None: ...
    def note(self, reason: Reason) -> None: ...
    def changed(self) -> None: ...
    def keep(self) -> None: ...
