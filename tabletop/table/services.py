"""Services that a shared table and its match need: a journal, the post, a clock, bots."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.heuristic import Past
from tabletop.engine.model import Ask, Move, Offer, Reason, State
from tabletop.match.match import Journal, Match
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import FromHost, TableNews, TablePlan
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.table.seats import HostedSeat, Peer, Timer
from tabletop.table.table_file import HostedTableFile

NOT_NOW = Reason("You can't do that now.", code="not_now")


class TableJournal(Journal, Protocol):
    """The journal of a table: what was written is safe before anything posted later is sent."""

    def call_when_synced(self, act: Callable[[], None]) -> None:
        """Call `act` once all that was written so far is safe."""

    def keep(self, kept: HostedTableFile) -> None:
        """Write what the table must not forget."""

    def begin(self, match: Match, number: int) -> None:
        """Begin the journal of this table's match of that number."""

    def note(self, number: int, note: PlaytestNote) -> None:
        """Keep a note on this table's match of that number beside its record."""

    def notes_on(self, number: int) -> tuple[PlaytestNote, ...]:
        """Return all notes on that match that were kept."""
        ...


class BotTask(Struct, frozen=True):
    """A question that a bot is to answer."""

    game: str
    level: str
    """The bot's level; of an unknown one, any move will do."""
    view: State
    """The view of the asked seat."""
    ask: Ask
    offers: tuple[Offer, ...]
    """The offers of the question."""
    past: Past
    seconds: float
    """The time that a bot of the hard level may think."""


BotDone = Callable[[Move, bool], None]
"""Gets the answer, and whether the bot failed and the answer is an easy one."""


class Bots(Protocol):
    """Bots that think."""

    def think(self, task: BotTask, done: BotDone) -> Callable[[], None]:
        """Have a bot answer; return the function that cancels it."""
        ...


class BotPace:
    """When the bots of a table answer: after a pause, and not while the table is held."""

    def __init__(self, pause: float) -> None:
        """`pause`: the least seconds before an answer; 0: as soon as it is there."""
        self._pause = pause
        self.held = False
        """Whether answers wait, because something still moves on the screen."""
        self.hurried = False
        """Whether bots answer at once, until a person is asked."""

    def pause_of(self, seat: int) -> float:
        """Return the least seconds before this bot answers."""
        return 0.0 if self.hurried else self._pause


Later = Callable[[float, Callable[[], None]], Timer]
"""Does something after this many seconds."""


class TableServices(NamedTuple):
    """The services that a host provides for a table."""

    journal: TableJournal
    post: Callable[[Peer, OutgoingMessage], None]
    """Sends a message, after all that was posted before, and once all that was written is safe."""
    later: Later
    bots: Bots


class TableTiming(Struct, frozen=True):
    """Durations at a table, in seconds."""

    grace: float = 10
    """Seconds that a player may be gone before the table pauses."""
    bot: float = 0.7
    """The least seconds that a bot waits before it answers; 0: it answers as soon as it can."""
    sealing: float = 30
    """Seconds that guests may take for their shares of a seed."""


class TablePolicy(Struct, frozen=True):
    """What differs between tables of several computers and those of one."""

    spares_memory: bool = True
    """Whether only the last positions of a match are kept in memory."""
    undo_after_end: bool = False
    """Whether the last move of a match that has ended can still be undone: the match is over for
    good only when the table is left."""


class MatchHost(Protocol):
    """The table's side of a match: what a match needs of it."""

    table: str
    plan: TablePlan
    kit: GameKit
    services: TableServices
    pace: TableTiming
    policy: TablePolicy
    bot_pace: BotPace
    places: list[HostedSeat]
    moving: bool
    """Whether it is on its way to another computer: nothing may change meanwhile."""

    @property
    def guests(self) -> Collection[Peer]: ...
    @property
    def persons(self) -> tuple[int, ...]: ...
    @property
    def spectators(self) -> Sequence[Peer]: ...
    def owners(self) -> list[Peer]: ...
    def tell(self, peer: Peer, message: FromHost) -> None: ...
    def tell_players(self, news: TableNews, mover: int | None) -> None: ...
    def tell_all(self, message: FromHost, peers: Iterable[Peer] | None = None) -> None: ...
    def notify(self, reason: Reason) -> None: ...
    def send_info(self) -> None: ...
    def keep(self) -> None: ...
