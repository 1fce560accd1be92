"""This computer at a table that several computers share: what it holds of it, as Qt signals."""

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
from tabletop.protocol.fairness import UNASKED
from tabletop.protocol.invitation import Address
from tabletop.protocol.match_notes import SENT, MatchNotes, NoteTaken, SentNote
from tabletop.protocol.messages import (
    ANNOUNCED,
    SOON_AWAY,
    ChatLine,
    Entered,
    Farewell,
    FromGuest,
    Notice,
    Proof,
    Refused,
    Seated,
    TableInfo,
    TableNews,
)
from tabletop.protocol.table_transfer import OfferHosting, TableMoved
from tabletop.storage import playtest_notes
from tabletop.storage.playtest_notes import PlaytestNote
from tabletop.table.connection_events import ChangedCertificate, Event, Lost, News
from ui.online.network_thread import QtConnection
from ui.shell.background_call import run_in_background

T = TypeVar("T")

NOT_THERE = Reason("The host can't be reached. Your seat is kept.")
SECOND = 1000
FOR_ALL = (ANNOUNCED.code, SOON_AWAY.code)
"""The notices of a server to everybody at all its tables."""
OF_DEALS = (DEALT_AGAIN.code, UNASKED.code)
"""The guest's own warnings while cards are dealt: the lobby closes in that moment."""


class RemoteTable(QObject):
    """One table elsewhere, from coming to it until leaving it. Lives in the window's thread."""

    changed = Signal()
    """The public facts of the table have changed, or the state of the connection."""
    ticked = Signal()
    """A second has passed, while something waits."""
    received = Signal()
    """The seats here have received news of the match."""
    spoken = Signal(object)
    """Somebody has said something: a ChatLine."""
    noted = Signal(object)
    """Something to read: a Reason."""
    announced = Signal(object)
    """The server has a notice for all its tables: a Reason."""
    warned = Signal(object)
    """A deal may not be fair: a Reason."""
    ended = Signal(object)
    """The connection to the table has ended for good: a Reason."""
    judged = Signal()
    """The shuffle and dice of the match were checked."""

    strange = Signal(object)
    """The host shows another certificate than before: a ChangedCertificate."""
    lacking = Signal(object)
    """The table's game is not here, and may be taken from the host (`take_game`): a
    MissingGame."""
    fetching = Signal(object)
    """A part of the lacking game has come: its GameTransfer."""

    def __init__(self) -> None:
        super().__init__()
        self.guest = Guest(load, self._send)
        self.line: QtConnection | None = None
        self.moved_to: Address | None = None
        """The address to which the table has moved since this window joined it."""
        self.claim = (-1, "")
        """The seat that an invitation keeps for somebody here, and its secret."""
        self.rematch = RematchWish(self.guest)
        self.displaced = False
        """Whether somebody came to the own seats from elsewhere, with the same key."""
        here = _InWindow(self)
        self._taking = GameDownload(
            self.guest, self._ask_to_take, self.take, self.ended.emit, self.fetching.emit, here
        )
        self.proof_check = ProofCheck(self.guest, self._note_verdict, here)
        self._lost: Lost | None = None
        self._closed: Reason | None = None
        """Why the way to the table is closed for good."""
        self.absence = HostAbsence()
        """The absence of the host."""
        self.asked_to_host = False
        """Whether the host asks this computer to host the table on."""
        self.notice: Reason | None = None
        """What the host has said last of its own accord."""
        self._again_at = 0.0
        self._pause_until = 0.0
        self.ended.connect(self._note_end)
        self._stop = self.guest.listen(self._hear)
        self._clock = QTimer(self, interval=SECOND, timerType=Qt.TimerType.CoarseTimer)
        self._clock.timeout.connect(self.ticked)

    # State

    @property
    def info(self) -> TableInfo | None:
        return self.guest.info

    @property
    def kit(self) -> GameKit | None:
        """The game of the table; None as long as nothing is known of it."""
        return load(self.info.plan.game) if self.info else None

    @property
    def own(self) -> tuple[int, ...]:
        """The seats of people here, also where a bot plays for them."""
        return self.guest.seats

    @property
    def hosts(self) -> bool:
        """Whether the table is hosted from here."""
        return self.guest.hosts

    @property
    def playing(self) -> bool:
        """Whether the match has started, and all that look from here have been shown it."""
        info, guest = self.info, self.guest
        return (
            info is not None
            and info.phase in ("playing", "over")
            and guest.audience is not None
            and all(seat in guest.own_seats for seat in guest.seats)
        )

    @property
    def lost(self) -> Reason | None:
        """Why there is no line, while there is none."""
        return self._lost.reason if self._lost else None

    @property
    def goes_on_elsewhere(self) -> bool:
        """Whether the table wasn't where it was looked for, and is looked for somewhere else."""
        return self.info is None and self._lost is not None and self._lost.again == 0.0

    @property
    def again_in(self) -> int | None:
        """The seconds until the line is tried again; None where it is not, or right now."""
        if self._lost is None or self._lost.again is None:
            return None
        return max(0, round(self._again_at - monotonic()))

    @property
    def pausing(self) -> int:
        """The seconds that the paused table still waits."""
        return max(0, round(self._pause_until - monotonic()))

    @property
    def table_people(self) -> TablePeople:
        """The table among its people, as those at this computer see it now."""
        guest = self.guest
        return people_at(
            guest.info,
            guest.seats,
            line=HostLine(
                connected=self._lost is None,
                cut_off=self._cut_off(),
                closed=self._closed,
                asked_to_host=self.asked_to_host,
            ),
            features=guest.features,
            hosts=guest.hosts,
            codes=guest.codes,
            left=self.pausing,
            wished=self.rematch.said,
        )

    def _cut_off(self) -> CutOff | None:
        """What is known of the line's loss."""
        if self._lost is None:
            return None
        if self.displaced:
            return CutOff(self._lost.reason, displaced=True)
        seconds = self.again_in
        never = NOT_THERE if self.info is None else None
        return CutOff(
            self.absence.farewell or never,
            again=seconds is not None,
            seconds=seconds or 0,
            gone=self.absence.lasting and bool(self.own),
        )

    def name(self, seat: int) -> str:
        """The name of the player in a seat; empty for a spectator."""
        return self.info.name_of(seat) if self.info is not None else ""

    # Actions

    def act(self, do: Callable[..., object], *args: object) -> None:
        """Send the host something; where the connection is lost, say that instead."""
        if not isValid(self):
            return  # the table was left while the person was asked
        try:
            do(*args)
        except Illegal as refused:
            self.noted.emit(refused.reason)

    def decline_hosting(self) -> None:
        """Do not host the table on."""
        self.asked_to_host = False
        self.act(self.guest.decline)
        self.changed.emit()

    def accept_hosting(self) -> None:
        """Note that this computer is about to host the table on."""
        self.asked_to_host = False
        self.changed.emit()

    def wish_another(self, words: Words) -> None:
        """Say that somebody here wants another match."""
        try:
            if self.rematch.say(words):
                self.noted.emit(WISHED)
        except Illegal as refused:
            self.noted.emit(refused.reason)
        self.changed.emit()

    def try_again(self) -> None:
        """Come back now, without waiting; also to a seat that somebody took over."""
        if self.displaced:
            self.guest.enter(self.guest.ticket, back=True)
        if self.line is not None:
            self.line.come_back()

    def close(self) -> None:
        """Cut the line; the seat stays one's own. What is still on its way is not signalled:
        another table may be visited by then."""
        self.blockSignals(True)
        self._clock.stop()
        self._stop()
        if self.line is not None:
            self.line.close()
            self.line = None

    # Messages of the host

    def take(self, news: Event) -> None:
        """Take the connection's news, in the window's thread."""
        heard = self._taking.admit(news)
        if isinstance(heard, ChangedCertificate):  # lost only if somebody decides so
            self.strange.emit(heard)
        elif heard is not None:
            self.guest.hear(heard)

    def take_game(self) -> None:
        """Take the table's game from its host; then the table is shown."""
        self.act(self._taking.take)

    def _ask_to_take(self, lacking: MissingGame) -> bool:
        if lacking.can_be_taken:
            self.lacking.emit(lacking)
        else:
            self.ended.emit(lacking.reason)
        return False  # not before somebody wants it

    def _send(self, message: FromGuest) -> None:
        if self.line is not None:
            self.line.send(message)

    def _hear(self, news: News) -> None:
        self.absence.note(news)
        match news:
            case Entered():  # being connected is not enough: only a guest inside can answer
                self._lost, self.displaced = None, False
            case Lost(again=again):
                self._lost, self.asked_to_host = news, False
                self._again_at = monotonic() + (again or 0)
            case TableInfo(pause=pause):
                self._pause_until = monotonic() + pause.left if pause else 0.0
                self.act(self.rematch.heed)
            case Seated():
                self.act(self.guest.watch)  # the seat's own eyes, and the audience's
            case TableNews():
                self.received.emit()
            case ChatLine():
                self.spoken.emit(news)
            case NoteTaken():
                self.noted.emit(SENT)
            case MatchNotes() if self.hosts:
                self._keep_notes(news)
            case Notice(reason=reason) if reason.code in OF_DEALS:
                self.warned.emit(reason)
            case Notice(reason=reason):
                self.notice = reason
                (self.announced if reason.code in FOR_ALL else self.noted).emit(reason)
            case Refused(of="play" | "take_back", seat=seat) if seat in self.guest.own_seats:
                pass  # the seat has told it, where the card waits
            case Refused(reason=reason) if self.line and self.guest.is_elsewhere(news):
                self.line.give_up(reason, self.guest.shown)
            case Refused(reason=reason, of=of):
                if of in ("hello", "enter", "open"):
                    self.ended.emit(reason)
                else:
                    self.noted.emit(reason)
            case Farewell(reason=reason, displaced=True):
                self._lost, self.displaced = Lost(reason), True
            case Farewell(reason=reason, back=False):
                self.ended.emit(reason)
            case OfferHosting():
                self.asked_to_host = True
            case TableMoved(addresses=addresses, port=port, fingerprint=fingerprint):
                self.asked_to_host = False
                self.moved_to = Address(addresses, port, fingerprint)
                self.noted.emit(MOVED)
            case Proof():
                self.proof_check.begin(news)
            case _:
                pass
        self._watch_clock()
        if not isinstance(news, ChatLine | Notice | TableNews):
            self.changed.emit()

    def _note_end(self, reason: Reason) -> None:
        self._closed = reason

    def _keep_notes(self, message: MatchNotes) -> None:
        """Keep the guests' notes with one's own for the record of the match."""
        place = playtest_notes.shared_notes_path(self.match_key(message.round))
        try:
            playtest_notes.add(place, *map(_as_kept, message.notes))
        except StorageError as error:
            self.noted.emit(error.reason)

    def match_key(self, number: int) -> str:
        """The name of the match of this number in statistics and notes."""
        return f"{self.info.table}/{number}" if self.info is not None else ""

    def _note_verdict(self) -> None:
        self.changed.emit()  # the deal is part of the ticket
        self.judged.emit()

    def _watch_clock(self) -> None:
        """The clock runs while something is counted down."""
        waits = self._lost is not None or bool(self.info and self.info.pause)
        if waits != self._clock.isActive():
            (self._clock.start if waits else self._clock.stop)()


class _InWindow:
    """The window's thread, as a `Workplace`, as long as the table isn't left."""

    def __init__(self, table: QObject) -> None:
        self._table = table

    def call_soon(self, do: Callable[[], None]) -> None:
        QTimer.singleShot(0, self._table, do)

    def run_beside(
        self, work: Callable[[], T], take: Callable[[T], None], failed: Callable[[Exception], None]
    ) -> None:
        run_in_background(work, "table", take, failed, self._table)


def _as_kept(sent: SentNote) -> PlaytestNote:
    kept = playtest_notes.make_note(sent.text, sent.ply, sent.seat, sent.at, sent.name)
    return replace(kept, written=sent.written.replace(tzinfo=sent.written.tzinfo or UTC))


MOVED = Reason("Another computer now hosts the table.")
