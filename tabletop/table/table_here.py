"""A match that is played in this process: its table, and the one client of the people here."""

from collections import deque
from collections.abc import Callable, Sequence

from tabletop.engine.events import Event
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import DiskFull, StorageError
from tabletop.match.history import Entry
from tabletop.match.match import Match, MatchSnapshot
from tabletop.match.open_asks import awaited_seats
from tabletop.match.stand_ins import StandIn
from tabletop.protocol.codec import OutgoingMessage
from tabletop.protocol.messages import FromGuest, FromHost, SeatConfig, TableNews, TablePlan
from tabletop.storage.journal import JournalFile
from tabletop.storage.journal_writer import JournalWriter
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.table import requests
from tabletop.table.client import TableClient
from tabletop.table.connection_events import News
from tabletop.table.hosted_table import HostedTable, Presence
from tabletop.table.seats import HostedSeat, Peer
from tabletop.table.seed_shares import SeedShares
from tabletop.table.services import (
    BotPace,
    Bots,
    Later,
    TablePolicy,
    TableServices,
    TableTiming,
)
from tabletop.table.table_file import HostedTableFile

POLICY = TablePolicy(spares_memory=False, undo_after_end=True)
NO_GRACE = TableTiming(grace=0, bot=0)

MOVE_UNSAVED = Reason(
    "A move wasn't saved: the disk is full. Free up some space, then play it again.",
    code="move_unsaved",
)


class InProcessLine:
    """The transport between a table and its client in one thread: nothing is encoded.

    What comes while a message is taken in waits for its turn.
    """

    origin = ""
    can_host = False

    def __init__(self) -> None:
        self._receive: Callable[[FromHost], None] | None = None
        self._coming: deque[FromHost] = deque()
        self._delivering = False

    def connect(self, receive: Callable[[FromHost], None]) -> None:
        """Deliver messages to `receive` from now on."""
        self._receive = receive
        self._deliver()

    def disconnect(self) -> None:
        """Deliver nothing more."""
        self._receive = None
        self._coming.clear()

    def send(self, message: OutgoingMessage) -> None:
        self._coming.append(message.message)
        self._deliver()

    def size_of(self, message: OutgoingMessage) -> int:
        return 0

    def _deliver(self) -> None:
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._coming and self._receive is not None:
                self._receive(self._coming.popleft())
        finally:
            self._delivering = False


class MatchJournal(JournalWriter):
    """The file of a match that is played here, as a `services.TableJournal`.

    The match alone is kept: its table is as long as the window shows it.
    """

    def __init__(
        self,
        match: Match,
        pool: DiskPool,
        wake: Callable[[], None],
        refused: Callable[[StorageError], None],
        unkept: Callable[[Reason], None],
    ) -> None:
        """`unkept`: called in any thread once the file had to be written again; the others as of
        `OrderedWriter`."""
        journal = match.journal if isinstance(match.journal, JournalFile) else None
        if journal is not None:
            journal.notify = unkept
        super().__init__(journal.path.name if journal else "", pool, wake, refused, journal)
        self.file = journal.path if journal is not None else None
        """The match's file; None if it has none."""
        self._entries, self._stand_ins = len(match.record), len(match.stand_ins)
        """The numbers of those that are safe."""

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        if self.file is not None:
            super().write(entry, events)
            self.call_when_synced(self._count_entry)

    def write_stand_in(self, stand_in: StandIn) -> None:
        if self.file is not None:
            super().write_stand_in(stand_in)
            self.call_when_synced(self._count_stand_in)

    def keep(self, kept: HostedTableFile) -> None:
        """The match's file holds all that is kept of this table."""

    def begin(self, match: Match, number: int) -> None:
        """The match began with its file."""

    def note(self, number: int, note: PlaytestNote) -> None:
        """Notes of people here are kept by the window."""

    def notes_on(self, number: int) -> tuple[PlaytestNote, ...]:
        return ()

    def post(self, peer: Peer, message: OutgoingMessage) -> None:
        """Send a message once all that was written so far is safe."""
        self.call_when_synced(lambda: peer.send(message))

    def safe_part(self, match: Match) -> Match:
        """Return the match without what the disk has refused."""
        options = dict(match.state.options)
        safe = Match(match.kit, match.players, options, match.seed)
        safe.fair_start = match.fair_start
        for entry in match.record[: self._entries]:
            safe.restore(entry)
        safe.stand_ins = match.stand_ins[: self._stand_ins]
        return safe

    def _count_entry(self) -> None:
        self._entries += 1

    def _count_stand_in(self) -> None:
        self._stand_ins += 1


class TableHere:
    """A table in this process and its client. All methods belong to one thread."""

    def __init__(
        self,
        match: Match,
        *,
        pool: DiskPool,
        wake: Callable[[], None],
        later: Later,
        bots: Bots,
        bot_pace: BotPace,
        unkept: Callable[[Reason], None],
    ) -> None:
        """
        `match`: with its journal, if it is recorded.
        `wake`: called in a thread of `pool`; must have `settle` called in this one.
        `unkept`: called in any thread when the match's file couldn't be written, or had to be
            written again.
        """
        self._unkept = unkept
        self.journal = MatchJournal(match, pool, wake, self._recover, unkept)
        self.snapshot = match.snapshot()
        """The whole match as of the latest news; the match itself is ahead while the disk works."""
        self._delivered = deque[MatchSnapshot]()
        """The snapshots of the news that the line has not handed over yet."""
        self._line = InProcessLine()
        services = TableServices(self.journal, self._post, later, bots)
        self.hosted = _table_of(match, services, bot_pace, self._line)
        self.client = TableClient(lambda name: match.kit, self._say)
        self._stop = self.client.listen(self._end_hurry)
        self._match = match

    def begin(self) -> None:
        """Show the client its table, and let the bots think."""
        self.hosted.hosted_match.resume(self._match, "playing", SeedShares("", 0), None)
        self.hosted.greet(self._line)
        self.hosted.send_info()
        self.hosted.hosted_match.show_to(self._line, (AUDIENCE, *self.hosted.persons))
        self._line.connect(self._receive)

    @property
    def match(self) -> Match:
        """The whole match."""
        return self.hosted.hosted_match.match or self._match

    def settle(self) -> None:
        """Take in what the disk has done by now."""
        self.journal.writer.process_results()

    def hold_bots(self, held: bool) -> None:
        """Let bots think, and hold their answers back while something moves on the screen."""
        self.hosted.hosted_match.bots.hold(held)

    def hurry_bots(self, hurried: bool) -> None:
        """Have bots answer at once until a person is asked, or not any more."""
        self.hosted.bot_pace.hurried = hurried
        self.hosted.hosted_match.bots.change_pace()

    def change_bot_pace(self) -> None:
        """Start the pause of a bot again, as its pace says now."""
        self.hosted.hosted_match.bots.change_pace()

    def close(self) -> None:
        """Leave the table: everything is safe on the disk, and the file is closed in order."""
        self.hosted.hosted_match.close()
        self.journal.writer.finish()
        self._line.disconnect()
        self._stop()
        try:
            self.journal.close_journal()
        except StorageError as error:
            self._unkept(error.reason)

    def _post(self, peer: Peer, message: OutgoingMessage) -> None:
        if isinstance(message.message, TableNews):
            snapshot = self.match.snapshot()
            self.journal.call_when_synced(lambda: self._delivered.append(snapshot))
        self.journal.post(peer, message)

    def _receive(self, message: FromHost) -> None:
        if isinstance(message, TableNews):
            self.snapshot = self._delivered.popleft()
        self.client.receive(message)

    def _say(self, message: FromGuest) -> None:
        requests.receive(self.hosted, self._line, message)

    def _recover(self, error: StorageError) -> None:
        """Show the match as its file has it, after the disk has refused a write."""
        reason = MOVE_UNSAVED if isinstance(error, DiskFull) else error.reason
        self.journal.discard_unsynced()
        self._unkept(reason)
        safe = self.journal.safe_part(self.match)
        self.hosted.hosted_match.show_again(safe, reason)
        self.hosted.send_info()

    def _end_hurry(self, news: News) -> None:
        """Hurry no more once a person is asked or the match is over."""
        if not isinstance(news, TableNews) or not self.hosted.bot_pace.hurried:
            return
        state = self.match.state
        if state.result is not None or set(awaited_seats(state)).intersection(self.client.people):
            self.hosted.bot_pace.hurried = False


def _table_of(
    match: Match, services: TableServices, bot_pace: BotPace, line: InProcessLine
) -> HostedTable:
    """Return the table of a match, with all its people behind this line."""
    kit, players = match.kit, match.players
    seats = tuple(
        SeatConfig("bot", player.level) if player.kind == "bot" else SeatConfig()
        for player in players
    )
    plan = TablePlan(kit.id, seats, options=dict(match.state.options))
    hosted = HostedTable("", "", plan, kit, services, NO_GRACE, POLICY, bot_pace)
    hosted.places = [
        HostedSeat(
            seat,
            "",
            person=player.kind != "bot",
            name=player.name,
            symbol=player.symbol,
            ready=True,
            bot_plays=player.kind != "bot" and number in match.bots,
            peer=line if player.kind != "bot" else None,
        )
        for number, (seat, player) in enumerate(zip(seats, players, strict=True))
    ]
    hosted.guests[line] = Presence(owner=True, watching=True)
    hosted.hosting = next(iter(hosted.persons), hosted.hosting)
    return hosted
