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

    def when_safe(self, act: Callable[[], None]) -> None:
        """Call `act` once all that was written so far is safe."""

    def save_table(self, kept: HostedTableFile) -> None:
        """Write what the table must not forget."""

    def start_match(self, match: Match, number: int) -> None:
        """Begin the journal of this table's match of that number."""

    def add_note(self, number: int, note: PlaytestNote) -> None:
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
    think_time_s: float
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
        self.is_held = False
        """Whether answers wait, because something still moves on the screen."""
        self.is_hurried = False
        """Whether bots answer at once, until a person is asked."""

    def min_delay_s(self, seat: int) -> float:
        """Return the least seconds before this bot answers."""
        return 0.0 if self.is_hurried else self._pause


CallLater = Callable[[float, Callable[[], None]], Timer]
"""Does something after this many seconds."""


class TableServices(NamedTuple):
    """The services that a host provides for a table."""

    journal: TableJournal
    post: Callable[[Peer, OutgoingMessage], None]
    """Sends a message, after all that was posted before, and once all that was written is safe."""
    call_later: CallLater
    bots: Bots


class TableTiming(Struct, frozen=True):
    """Durations at a table, in seconds."""

    grace_s: float = 10
    """Seconds that a player may be gone before the table pauses."""
    bot_delay_s: float = 0.7
    """The least seconds that a bot waits before it answers; 0: it answers as soon as it can."""
    share_timeout_s: float = 30
    """Seconds that guests may take for their shares of a seed."""


class TablePolicy(Struct, frozen=True):
    """What differs between tables of several computers and those of one."""

    spares_memory: bool = True
    """Whether only the last positions of a match are kept in memory."""
    allows_undo_after_end: bool = False
    """Whether the last move of a match that has ended can still be undone: the match is over for
    good only when the table is left."""


class MatchHost(Protocol):
    """The table's side of a match: what a match needs of it."""

    table: str
    plan: TablePlan
    kit: GameKit
    services: TableServices
    timing: TableTiming
    policy: TablePolicy
    bot_pace: BotPace
    seats: list[HostedSeat]
    is_moving: bool
    """Whether it is on its way to another computer: nothing may change meanwhile."""

    @property
    def guests(self) -> Collection[Peer]: ...
    @property
    def human_seats(self) -> tuple[int, ...]: ...
    @property
    def spectators(self) -> Sequence[Peer]: ...
    def owners(self) -> list[Peer]: ...
    def send(self, peer: Peer, message: FromHost) -> None: ...
    def send_to_players(self, news: TableNews, mover: int | None) -> None: ...
    def send_all(self, message: FromHost, peers: Iterable[Peer] | None = None) -> None: ...
    def notify(self, reason: Reason) -> None: ...
    def send_info(self) -> None: ...
    def save(self) -> None: ...
