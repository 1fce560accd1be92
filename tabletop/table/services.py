"""The services that a hosted table needs: a journal, messaging, timers and bots."""

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
    """A table's journal.

    Messages that are posted later are sent only once everything written is saved.
    """

    def call_when_synced(self, act: Callable[[], None]) -> None:
        """Call `act` once everything written so far is saved."""

    def save_table(self, kept: HostedTableFile) -> None:
        """Save the table's state, apart from its match."""

    def start_match(self, match: Match, number: int) -> None:
        """Start the journal of match `number`."""

    def add_note(self, number: int, note: PlaytestNote) -> None:
        """Save a playtest note beside the record of match `number`."""

    def notes_on(self, number: int) -> tuple[PlaytestNote, ...]:
        """Return all saved playtest notes on match `number`."""
        ...


class BotTask(Struct, frozen=True):
    """A question for a bot to answer."""

    game: str
    level: str
    """The bot's level. For an unknown level, any legal move will do."""
    view: State
    """The table as the asked seat sees it."""
    ask: Ask
    offers: tuple[Offer, ...]
    """The legal moves for the question."""
    past: Past
    """What the bot remembers of the match."""
    think_time_s: float
    """Seconds for which a bot of the hard level may think."""


BotDone = Callable[[Move, bool], None]
"""Called with a bot's move, and whether the bot failed, so that the move is only a legal one."""


class Bots(Protocol):
    """Answers questions with bots, which usually think in other processes."""

    def think(self, task: BotTask, on_done: BotDone) -> Callable[[], None]:
        """Let a bot answer `task`, and call `on_done` with its move.

        Return a function that cancels the task.
        """
        ...


class BotPace:
    """Decides when the bots of a table answer: after a minimum
    delay, and not while they are held back.
    """

    def __init__(self, pause: float) -> None:
        """`pause`: the minimum delay in seconds before an answer."""
        self._pause = pause
        self.is_held = False
        """Whether answers are held back because an animation is running."""
        self.is_hurried = False
        """Whether bots answer immediately until a person has to move."""

    def min_delay_s(self, seat: int) -> float:
        """Return the minimum delay in seconds before the bot at `seat` answers."""
        return 0.0 if self.is_hurried else self._pause


CallLater = Callable[[float, Callable[[], None]], Timer]
"""Calls a function after a delay in seconds. Returns the timer."""


class TableServices(NamedTuple):
    """The services that a host provides for a table."""

    journal: TableJournal
    post: Callable[[Peer, OutgoingMessage], None]
    """Sends a message after all earlier ones, once everything written so far is saved."""
    call_later: CallLater
    bots: Bots


class TableTiming(Struct, frozen=True):
    """Time limits and delays at a table."""

    grace_s: float = 10
    """Seconds for which a player may be disconnected before the table pauses."""
    bot_delay_s: float = 0.7
    """The minimum delay in seconds before a bot answers."""
    share_timeout_s: float = 30
    """The seconds that players have to send their shares of the seed."""


class TablePolicy(Struct, frozen=True):
    """How shared tables and tables within one process differ."""

    spares_memory: bool = True
    """Whether only the latest positions of a match are kept in memory."""
    allows_undo_after_end: bool = False
    """Whether the last move of a finished match can be undone.

    Such a match ends when the table is closed.
    """


class MatchHost(Protocol):
    """The table as its match sees it."""

    table: str
    plan: TablePlan
    kit: GameKit
    services: TableServices
    timing: TableTiming
    policy: TablePolicy
    bot_pace: BotPace
    seats: list[HostedSeat]
    is_moving: bool
    """Whether the table is moving to another computer, so that nothing may change."""

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
