"""A shared table, hosted by another program or by this computer, from the view of this window.

`RemoteTable` holds the guest session and the connection, and turns their events into Qt signals.
"""

from collections.abc import Callable
from datetime import UTC
from time import monotonic
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from shiboken6 import isValid

from tabletop.catalogue.catalogue import GameKit, load
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.files.errors import StorageError
from tabletop.language.table_status import CutOff, HostLine, TablePeople, people_at
from tabletop.language.words import Words
from tabletop.net.guest.fair_shuffle import DEALT_AGAIN
from tabletop.net.guest.game_download import GameDownload
from tabletop.net.guest.host_absence import HostAbsence
from tabletop.net.guest.missing_game import MissingGame
from tabletop.net.guest.proof_check import ProofCheck
from tabletop.net.guest.rematch_wish import WISHED, RematchWish
from tabletop.net.guest.session import Guest
from tabletop.protocol.fairness import SHARE_NOT_REQUESTED
from tabletop.protocol.invitation import Address
from tabletop.protocol.match_notes import NOTE_SENT, MatchNotes, NoteReceived, SentNote
from tabletop.protocol.messages import (
    OPERATOR_ANNOUNCEMENT,
    RESTART_ANNOUNCED,
    ChatLine,
    Farewell,
    FromGuest,
    MatchProof,
    Notice,
    Refused,
    Seated,
    TableInfo,
    TableJoined,
    TableNews,
)
from tabletop.protocol.table_transfer import OfferHosting, TableMoved
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.table.connection_events import ChangedCertificate, Event, Lost, News
from ui.online.network_thread import QtConnection
from ui.shell.background_call import run_in_background

T = TypeVar("T")

HOST_UNREACHABLE = Reason("The host can't be reached. Your seat is kept.")
TICK_INTERVAL_MS = 1000
ANNOUNCEMENT_CODES = (OPERATOR_ANNOUNCEMENT.code, RESTART_ANNOUNCED.code)
"""Codes of notices that a server sends to all its tables."""
DEAL_WARNING_CODES = (DEALT_AGAIN.code, SHARE_NOT_REQUESTED.code)
"""Codes of the warnings that the guest raises during a deal.

They are emitted by a separate signal, because the lobby, which shows other notices, closes during
the deal.
"""


class RemoteTable(QObject):
    """A shared table that this window visits, from the first connection attempt to leaving.

    Lives in the GUI thread; all signals are emitted there.
    """

    changed = Signal()
    """The public state of the table, or the state of the connection, has changed."""
    ticked = Signal()
    """Emitted every second during a countdown to a reconnection or to the end of a pause."""
    match_news_received = Signal()
    """News about the match has arrived for the local seats."""
    chat_received = Signal(object)
    """A chat message has arrived: a ChatLine."""
    notice_posted = Signal(object)
    """A message for the user: a Reason, from the host or from this program."""
    announcement_received = Signal(object)
    """The server has sent an announcement to all its tables: a Reason."""
    deal_warning_received = Signal(object)
    """A deal may be unfair: a Reason."""
    connection_ended = Signal(object)
    """The connection to the table is closed for good: a Reason."""
    proof_checked = Signal()
    """The fairness check of shuffle and dice has finished; `proof_check` has its result."""

    certificate_changed = Signal(object)
    """The host presents a new or different certificate: a ChangedCertificate."""
    game_missing = Signal(object)
    """The table's game isn't installed but the host offers it: a MissingGame."""
    download_progressed = Signal(object)
    """Part of the missing game has been downloaded: its GameTransfer."""

    def __init__(self) -> None:
        super().__init__()
        self.guest = Guest(load, self._send)
        self.connection: QtConnection | None = None
        self.new_address: Address | None = None
        """The table's new address if it has moved since this window joined; None otherwise."""
        self.seat_claim = (-1, "")
        """The seat that the user's invitation reserves, and its secret; (-1, "") if none."""
        self.rematch_wish = RematchWish(self.guest)
        self.is_displaced = False
        """Whether another program has taken over the local seats with the same key."""
        gui_thread = _GuiThread(self)
        self._download = GameDownload(
            self.guest,
            self._offer_download,
            self.handle_event,
            self.connection_ended.emit,
            self.download_progressed.emit,
            gui_thread,
        )
        self.proof_check = ProofCheck(self.guest, self._on_proof_checked, gui_thread)
        self._lost: Lost | None = None
        self._closed_reason: Reason | None = None
        """Why the connection is closed for good; None while it is open or being retried."""
        self.host_absence = HostAbsence()
        """How long the host has been unreachable, and its last message before that."""
        self.is_asked_to_host = False
        """Whether the host has asked this computer to take over as host."""
        self.last_notice: Reason | None = None
        """The latest notice that the host sent without a request; None if there is none."""
        self._retry_at = 0.0
        self._pause_until = 0.0
        self.connection_ended.connect(self._on_ended)
        self._stop_listening = self.guest.listen(self._on_news)
        self._clock = QTimer(self, interval=TICK_INTERVAL_MS, timerType=Qt.TimerType.CoarseTimer)
        self._clock.timeout.connect(self.ticked)

    # State

    @property
    def info(self) -> TableInfo | None:
        return self.guest.info

    @property
    def kit(self) -> GameKit | None:
        """The table's game; None until the host has sent the table's description."""
        return load(self.info.plan.game) if self.info else None

    @property
    def local_seats(self) -> tuple[int, ...]:
        """The seats of local players, including those that a bot is playing for."""
        return self.guest.seats

    @property
    def is_host(self) -> bool:
        """Whether the user is the table's host."""
        return self.guest.is_host

    @property
    def is_playing(self) -> bool:
        """Whether the match has started and the host has sent its state for all local viewers."""
        info, guest = self.info, self.guest
        return (
            info is not None
            and info.phase in ("playing", "over")
            and guest.audience is not None
            and all(seat in guest.own_seats for seat in guest.seats)
        )

    @property
    def lost_reason(self) -> Reason | None:
        """Why the connection is lost; None while it is up."""
        return self._lost.reason if self._lost else None

    @property
    def is_trying_next_address(self) -> bool:
        """Whether the first address has failed and the next one is being tried."""
        return self.info is None and self._lost is not None and self._lost.retry_in_s == 0.0

    @property
    def retry_in_s(self) -> int | None:
        """Seconds until the next connection attempt; None if none is scheduled."""
        if self._lost is None or self._lost.retry_in_s is None:
            return None
        return max(0, round(self._retry_at - monotonic()))

    @property
    def pause_left_s(self) -> int:
        """Seconds until the paused table continues; 0 if it isn't paused."""
        return max(0, round(self._pause_until - monotonic()))

    @property
    def table_people(self) -> TablePeople:
        """The people at the table and their connections, as the local players see them."""
        guest = self.guest
        return people_at(
            guest.info,
            guest.seats,
            line=HostLine(
                connected=self._lost is None,
                cut_off=self._cut_off(),
                closed=self._closed_reason,
                asked_to_host=self.is_asked_to_host,
            ),
            features=guest.features,
            hosts=guest.is_host,
            codes=guest.codes,
            left=self.pause_left_s,
            wished=self.rematch_wish.is_said,
        )

    def _cut_off(self) -> CutOff | None:
        """Return the details of the lost connection; None while it is up."""
        if self._lost is None:
            return None
        if self.is_displaced:
            return CutOff(self._lost.reason, displaced=True)
        seconds = self.retry_in_s
        unreachable = HOST_UNREACHABLE if self.info is None else None
        return CutOff(
            self.host_absence.farewell or unreachable,
            again=seconds is not None,
            seconds=seconds or 0,
            gone=self.host_absence.is_lasting and bool(self.local_seats),
        )

    def name_of(self, seat: int) -> str:
        """Return the name of the player at `seat`; "" for a spectator."""
        return self.info.name_of(seat) if self.info is not None else ""

    # Actions

    def request(self, send: Callable[..., object], *args: object) -> None:
        """Call `send`, a method of `guest`, with `args`; post a notice if it raises `Illegal`."""
        if not isValid(self):
            return  # the table was left while a dialog was open
        try:
            send(*args)
        except Illegal as refused:
            self.notice_posted.emit(refused.reason)

    def decline_hosting(self) -> None:
        """Decline the host's request to take over as host."""
        self.is_asked_to_host = False
        self.request(self.guest.decline_hosting)
        self.changed.emit()

    def accept_hosting(self) -> None:
        """Mark the host's request to take over as accepted. The caller starts the move."""
        self.is_asked_to_host = False
        self.changed.emit()

    def request_rematch(self, words: Words) -> None:
        """Ask the table for a rematch on behalf of the local players."""
        try:
            if self.rematch_wish.say(words):
                self.notice_posted.emit(WISHED)
        except Illegal as refused:
            self.notice_posted.emit(refused.reason)
        self.changed.emit()

    def reconnect(self) -> None:
        """Reconnect now, without waiting for the next scheduled attempt.

        If another program has taken over the local seats, they are claimed back.
        """
        if self.is_displaced:
            self.guest.join(self.guest.ticket, back=True)
        if self.connection is not None:
            self.connection.reconnect()

    def close(self) -> None:
        """Close the connection. The local seats stay reserved.

        Signals are blocked first, because pending events could otherwise arrive at the next table.
        """
        self.blockSignals(True)
        self._clock.stop()
        self._stop_listening()
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    # Events from the host

    def handle_event(self, event: Event) -> None:
        """Process an event of the connection. Must be called in the GUI thread."""
        admitted = self._download.filter(event)
        if isinstance(admitted, ChangedCertificate):  # the user decides whether to go on
            self.certificate_changed.emit(admitted)
        elif admitted is not None:
            self.guest.on_event(admitted)

    def download_game(self) -> None:
        """Download the table's game from its host."""
        self.request(self._download.start)

    def _offer_download(self, missing: MissingGame) -> bool:
        if missing.can_download:
            self.game_missing.emit(missing)
        else:
            self.connection_ended.emit(missing.reason)
        return False  # the download starts when the user agrees

    def _send(self, message: FromGuest) -> None:
        if self.connection is not None:
            self.connection.send(message)

    def _on_news(self, news: News) -> None:
        self.host_absence.on_event(news)
        match news:
            case TableJoined():  # a connection alone isn't enough: the host must admit the guest
                self._lost, self.is_displaced = None, False
            case Lost(retry_in_s=again):
                self._lost, self.is_asked_to_host = news, False
                self._retry_at = monotonic() + (again or 0)
            case TableInfo(pause=pause):
                self._pause_until = monotonic() + pause.left if pause else 0.0
                self.request(self.rematch_wish.ready_if_gathering)
            case Seated():
                self.request(self.guest.watch)  # subscribe to the new seat's view as well
            case TableNews():
                self.match_news_received.emit()
            case ChatLine():
                self.chat_received.emit(news)
            case NoteReceived():
                self.notice_posted.emit(NOTE_SENT)
            case MatchNotes() if self.is_host:
                self._save_notes(news)
            case Notice(reason=reason) if reason.code in DEAL_WARNING_CODES:
                self.deal_warning_received.emit(reason)
            case Notice(reason=reason):
                self.last_notice = reason
                (
                    self.announcement_received
                    if reason.code in ANNOUNCEMENT_CODES
                    else self.notice_posted
                ).emit(reason)
            case Refused(of="play" | "take_back", seat=seat) if seat in self.guest.own_seats:
                pass  # the seat shows the reason beside the pending card
            case Refused(reason=reason) if self.connection and self.guest.is_wrong_host(news):
                self.connection.give_up(reason, self.guest.host_fingerprint)
            case Refused(reason=reason, of=of):
                if of in ("hello", "enter", "open"):
                    self.connection_ended.emit(reason)
                else:
                    self.notice_posted.emit(reason)
            case Farewell(reason=reason, displaced=True):
                self._lost, self.is_displaced = Lost(reason), True
            case Farewell(reason=reason, back=False):
                self.connection_ended.emit(reason)
            case OfferHosting():
                self.is_asked_to_host = True
            case TableMoved(addresses=addresses, port=port, fingerprint=fingerprint):
                self.is_asked_to_host = False
                self.new_address = Address(addresses, port, fingerprint)
                self.notice_posted.emit(MOVED)
            case MatchProof():
                self.proof_check.start(news)
            case _:
                pass
        self._update_clock()
        if not isinstance(news, ChatLine | Notice | TableNews):
            self.changed.emit()

    def _on_ended(self, reason: Reason) -> None:
        self._closed_reason = reason

    def _save_notes(self, message: MatchNotes) -> None:
        """Save the playtest notes of the guests and the host for the record of the match."""
        path = playtest_notes.shared_notes_path(self.match_key(message.round))
        try:
            playtest_notes.add(path, *map(_as_playtest_note, message.notes))
        except StorageError as error:
            self.notice_posted.emit(error.reason)

    def match_key(self, number: int) -> str:
        """Return the key for statistics and playtest notes of match `number` at this table."""
        return f"{self.info.table}/{number}" if self.info is not None else ""

    def _on_proof_checked(self) -> None:
        self.changed.emit()  # the ticket includes the deal
        self.proof_checked.emit()

    def _update_clock(self) -> None:
        """Run the timer only during a countdown."""
        counting_down = self._lost is not None or bool(self.info and self.info.pause)
        if counting_down != self._clock.isActive():
            (self._clock.start if counting_down else self._clock.stop)()


class _GuiThread:
    """A `BackgroundRunner` that lets network helpers call back in the GUI thread.

    Pending calls are dropped when `table` is deleted.
    """

    def __init__(self, table: QObject) -> None:
        self._table = table

    def call_soon(self, do: Callable[[], None]) -> None:
        QTimer.singleShot(0, self._table, do)

    def run_in_background(
        self, work: Callable[[], T], take: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        run_in_background(work, "table", take, failed, self._table)


def _as_playtest_note(sent: SentNote) -> PlaytestNote:
    note = playtest_notes.make_note(sent.text, sent.ply, sent.seat, sent.at, sent.name)
    return replace(note, written=sent.written.replace(tzinfo=sent.written.tzinfo or UTC))


MOVED = Reason("Another computer now hosts the table.")
