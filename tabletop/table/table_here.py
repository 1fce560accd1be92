"""A table in this process, with one client for all players on this computer."""

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
    CallLater,
    TablePolicy,
    TableServices,
    TableTiming,
)
from tabletop.table.table_file import HostedTableFile

POLICY = TablePolicy(spares_memory=False, allows_undo_after_end=True)
NO_DELAYS = TableTiming(grace_s=0, bot_delay_s=0)

MOVE_UNSAVED = Reason(
    "A move wasn't saved: the disk is full. Free up some space, then play it again.",
    code="move_unsaved",
)


class InProcessTransport:
    """A transport between a table and its client in the same thread, without encoding.

    Messages sent while another one is being handled are queued.
    """

    origin = ""
    can_host = False

    def __init__(self) -> None:
        self._receive: Callable[[FromHost], None] | None = None
        self._coming: deque[FromHost] = deque()
        self._delivering = False

    def connect(self, receive: Callable[[FromHost], None]) -> None:
        """Deliver queued and later messages to `receive`."""
        self._receive = receive
        self._deliver()

    def disconnect(self) -> None:
        """Stop delivering messages, and drop queued ones."""
        self._receive = None
        self._coming.clear()

    def send(self, message: OutgoingMessage) -> None:
        self._coming.append(message.message)
        self._deliver()

    def size_bytes(self, message: OutgoingMessage) -> int:
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
    """The journal of a local match, as a `services.TableJournal`.

    It saves only the match, because its table exists only while the window shows it.
    """

    def __init__(
        self,
        match: Match,
        pool: DiskPool,
        wake: Callable[[], None],
        refused: Callable[[StorageError], None],
        on_rewritten: Callable[[Reason], None],
    ) -> None:
        """`on_rewritten`: called in any thread after the whole file had to be written again.

        `pool`, `wake` and `refused`: as in `JournalWriter`.
        """
        journal = match.journal if isinstance(match.journal, JournalFile) else None
        if journal is not None:
            journal.notify = on_rewritten
        super().__init__(journal.path.name if journal else "", pool, wake, refused, journal)
        self.file = journal.path if journal is not None else None
        """The match's file; None if the match isn't recorded."""
        self._saved_entries, self._saved_stand_ins = len(match.record), len(match.stand_ins)
        """The numbers of those that are safe."""

    def write(self, entry: Entry, events: Sequence[Event] = ()) -> None:
        if self.file is not None:
            super().write(entry, events)
            self.call_when_synced(self._count_entry)

    def write_stand_in(self, stand_in: StandIn) -> None:
        if self.file is not None:
            super().write_stand_in(stand_in)
            self.call_when_synced(self._count_stand_in)

    def save_table(self, kept: HostedTableFile) -> None:
        """Do nothing, because the match's file contains everything."""

    def start_match(self, match: Match, number: int) -> None:
        """Do nothing, because the file already exists when the match starts."""

    def add_note(self, number: int, note: PlaytestNote) -> None:
        """Do nothing, because the window saves the notes of local players."""

    def notes_on(self, number: int) -> tuple[PlaytestNote, ...]:
        return ()

    def post(self, peer: Peer, message: OutgoingMessage) -> None:
        """Send `message` to `peer` once everything written so far is saved."""
        self.call_when_synced(lambda: peer.send(message))

    def saved_match(self, match: Match) -> Match:
        """Return a copy of `match` without the entries that aren't saved."""
        options = dict(match.state.options)
        safe = Match(match.kit, match.players, options, match.seed)
        safe.fair_start = match.fair_start
        for entry in match.record[: self._saved_entries]:
            safe.restore(entry)
        safe.stand_ins = match.stand_ins[: self._saved_stand_ins]
        return safe

    def _count_entry(self) -> None:
        self._saved_entries += 1

    def _count_stand_in(self) -> None:
        self._saved_stand_ins += 1


class InProcessTable:
    """A table in this process, with its client. Call all methods in the same thread."""

    def __init__(
        self,
        match: Match,
        *,
        pool: DiskPool,
        wake: Callable[[], None],
        later: CallLater,
        bots: Bots,
        bot_pace: BotPace,
        on_write_error: Callable[[Reason], None],
    ) -> None:
        """Args:
        match: The match, with its journal if it is recorded.
        pool: The threads that write to disk.
        wake: Called in a thread of `pool`; has to call `process_saved` in the table's thread.
        later: Calls a function after a delay in seconds.
        bots: Answers the questions to bots.
        bot_pace: When bots answer.
        on_write_error: Called in any thread if the match's file can't be written, or had to be
            written again.
        """
        self._on_write_error = on_write_error
        self.journal = MatchJournal(match, pool, wake, self._recover, on_write_error)
        self.snapshot = match.snapshot()
        """The match as of the latest news.

        The match itself may be ahead while a move is being saved.
        """
        self._delivered = deque[MatchSnapshot]()
        """Snapshots that belong to news which the transport hasn't delivered yet."""
        self._transport = InProcessTransport()
        services = TableServices(self.journal, self._post, later, bots)
        self.hosted = _table_of(match, services, bot_pace, self._transport)
        self.client = TableClient(lambda name: match.kit, self._say)
        self._stop = self.client.listen(self._end_hurry)
        self._match = match

    def start(self) -> None:
        """Send the client the table's state, and let the bots think."""
        self.hosted.hosted_match.resume(self._match, "playing", SeedShares("", 0), None)
        self.hosted.send_role(self._transport)
        self.hosted.send_info()
        self.hosted.hosted_match.send_state_to(
            self._transport, (AUDIENCE, *self.hosted.human_seats)
        )
        self._transport.connect(self._receive)

    @property
    def match(self) -> Match:
        """The current match, including entries that aren't saved yet."""
        return self.hosted.hosted_match.match or self._match

    def process_saved(self) -> None:
        """Handle finished writes to disk, and deliver the messages that waited for them."""
        self.journal.writer.process_results()

    def hold_bots(self, held: bool) -> None:
        """Set whether to hold bots' answers back while an animation runs.

        Bots continue to think.
        """
        self.hosted.hosted_match.bots.hold(held)

    def hurry_bots(self, hurried: bool) -> None:
        """Set whether bots answer immediately until a person has to move."""
        self.hosted.bot_pace.is_hurried = hurried
        self.hosted.hosted_match.bots.change_pace()

    def change_bot_pace(self) -> None:
        """Restart the delay before a bot's answer with its current length."""
        self.hosted.hosted_match.bots.change_pace()

    def close(self) -> None:
        """Wait until everything is saved, close the file and disconnect the client."""
        self.hosted.hosted_match.close()
        self.journal.writer.finish()
        self._transport.disconnect()
        self._stop()
        try:
            self.journal.close_journal()
        except StorageError as error:
            self._on_write_error(error.reason)

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
        requests.receive(self.hosted, self._transport, message)

    def _recover(self, error: StorageError) -> None:
        """Go back to the saved state of the match after a failed write."""
        reason = MOVE_UNSAVED if isinstance(error, DiskFull) else error.reason
        self.journal.discard_unsynced()
        self._on_write_error(reason)
        safe = self.journal.saved_match(self.match)
        self.hosted.hosted_match.revert_to(safe, reason)
        self.hosted.send_info()

    def _end_hurry(self, news: News) -> None:
        """Stop hurrying bots once a local player has to move, or the match is over."""
        if not isinstance(news, TableNews) or not self.hosted.bot_pace.is_hurried:
            return
        state = self.match.state
        if state.result is not None or set(awaited_seats(state)).intersection(
            self.client.active_seats
        ):
            self.hosted.bot_pace.is_hurried = False


def _table_of(
    match: Match, services: TableServices, bot_pace: BotPace, line: InProcessTransport
) -> HostedTable:
    """Return the table of `match`. All its people are connected through `line`."""
    kit, players = match.kit, match.players
    seats = tuple(
        SeatConfig("bot", player.level) if player.kind == "bot" else SeatConfig()
        for player in players
    )
    plan = TablePlan(kit.id, seats, options=dict(match.state.options))
    hosted = HostedTable("", "", plan, kit, services, NO_DELAYS, POLICY, bot_pace)
    hosted.seats = [
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
    hosted.hosting = next(iter(hosted.human_seats), hosted.hosting)
    return hosted
