"""One computer's part in one table: its seats and their tokens, chat, proofs.

No sockets, no threads, no clock: messages from the host are given to `Guest.receive`, messages to
the host go to the `outbox`. The carrier of the bytes (`connection.Connection`) reports when the
line is up (`start_over`) and when it broke (`note_lost_connection`); then it finds its way back.

    guest = Guest(catalogue.load, outbox=line.send)
    guest.listen(redraw)                  # hears every message, after it has been taken in
    guest.enter(Ticket(code="K7MPQ2"))    # or guest.open(plan): sent once connected
    guest.sit(0, "Ann"); guest.set_ready(0)   # guest.seats[0] is the token; guest.info shows it
    guest.own_seats[0].send(move)         # once the match runs: a `Seat` for each own one
    guest.audience                        # after guest.watch(): what somebody beside it sees
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop import __version__
from tabletop.engine.model import AUDIENCE, Reason
from tabletop.engine.play import Illegal
from tabletop.match.match import FairStart, Match
from tabletop.net.guest.fair_shuffle import FairShuffle
from tabletop.net.guest.join_attempt import IMPOSTOR, JoinAttempt, ProofAllowance, Ticket
from tabletop.net.guest.remote_seat import RemoteSeat
from tabletop.net.guest.sanitising import sanitise, sanitise_news
from tabletop.net.guest.stand_in_notices import StandInNotices
from tabletop.net.guest.wrong_host import ELSEWHERE
from tabletop.protocol.fairness import UNVERIFIABLE, Verdict
from tabletop.protocol.join_proof import JoinChallenge
from tabletop.protocol.match_notes import NOTES_FEATURE
from tabletop.protocol.messages import (
    BOT_TAKEOVER_FEATURE,
    Farewell,
    FromGuest,
    FromHost,
    Hello,
    Invitation,
    JoinTable,
    LeaveSeat,
    LeaveTable,
    MatchProof,
    Notice,
    OpenTable,
    Refused,
    Seated,
    SharesCommitted,
    ShuffleStarted,
    TableInfo,
    TableJoined,
    TableNews,
    TablePlan,
    Watch,
    Welcome,
)
from tabletop.protocol.moderation import MODERATION_FEATURE
from tabletop.protocol.seat_codes import SEAT_CODES_FEATURE
from tabletop.protocol.table_transfer import HandOverHost, NewHost, TableMoved
from tabletop.protocol.versions import MIN_PROTOCOL_VERSION, PROTOCOL_VERSION
from tabletop.table.client import Games, TableClient
from tabletop.table.connection_events import ChangedCertificate, Connected, Event, Lost
from tabletop.text.plain_text import plain_line

log = logging.getLogger("tabletop")

LOST = Reason("Connection lost. Your seat is kept.")

ConnectionState = Literal["away", "greeting", "outside", "inside"]
"""Not connected · connected, both say hello · greeted, but at no table · at the table."""


class OpeningTable(Struct, frozen=True):
    """A guest who wants to open a table."""

    message: OpenTable


class JoiningTable(Struct, frozen=True):
    """A guest who wants to join the table of their ticket, if it names one, or is there."""

    back: bool = False
    """Whether a seat that was taken over by its code is to be taken back."""


class Departed(Struct, frozen=True):
    """A guest who has left for good: what comes then was said before the host heard of it."""


Aim = OpeningTable | JoiningTable | Departed
"""What a guest wants of the host, on every connection to it."""


class Guest(TableClient):
    """The client of a table at a host: it joins by proof, and trusts no message."""

    own_seats: dict[int, RemoteSeat]  # type: ignore[assignment]  # `_seat_class` makes them
    audience: RemoteSeat | None
    _seat_class = RemoteSeat

    def __init__(
        self,
        games: Games,
        outbox: Callable[[FromGuest], None],
        can_host: bool = True,
    ) -> None:
        """`can_host`: the host may ask this guest to host the table on."""
        super().__init__(games, outbox)
        self.connection_state: ConnectionState = "away"
        self.ticket = Ticket()
        self.invitation: Invitation | None = None
        """The invitation for others; where this computer hosts."""
        self.called = ""
        """The name by which one knocks."""
        self.features = ()
        self._can_host = can_host
        self._aim: Aim = JoiningTable()
        self._watching = False
        self._join_attempt = JoinAttempt(self.say)
        self._stand_in_notices = StandInNotices()
        self._fair_shuffle = FairShuffle(self.say, self._warn, self.judge)

    @property
    def moderates(self) -> bool:
        """Whether the host understands a `ModerationRequest`."""
        return MODERATION_FEATURE in self.features

    @property
    def codes_known(self) -> bool:
        """Whether the host knows codes of seats, and lets its owner free them in a match."""
        return SEAT_CODES_FEATURE in self.features

    @property
    def notes_known(self) -> bool:
        """Whether the host takes playtest notes."""
        return NOTES_FEATURE in self.features

    @property
    def plays_on(self) -> bool:
        """Whether a bot plays on at the host for a player who concedes among several others."""
        return BOT_TAKEOVER_FEATURE in self.features

    @property
    def seats(self) -> tuple[int, ...]:
        """The guest's seats."""
        return tuple(sorted(self.ticket.seats))

    @property
    def shown(self) -> str:
        """The fingerprint of the certificate that the host shows."""
        return self._join_attempt.shown

    def is_elsewhere(self, refusal: Refused) -> bool:
        """Whether a refusal only says that the table is at another host: nothing has shown that
        this one is the right one."""
        ticket = self.ticket
        if self.shown == ticket.fingerprint or not (ticket.table or ticket.code):
            return False  # it is the right host, or was and has closed the table
        return refusal.of in ("hello", "enter") and refusal.reason.code in ELSEWHERE

    @property
    def hosts(self) -> bool:
        """Whether this computer's person hosts the table."""
        return bool(self.ticket.owner)

    # A person's actions: each is one message; the host's answer comes by `receive`.

    def open(self, plan: TablePlan, key: str = "") -> None:
        """Open a table as soon as the connection is there."""
        self._aim = OpeningTable(OpenTable(plan, key))
        self._knock()

    def enter(
        self, ticket: Ticket, back: bool = False, allowance: ProofAllowance | None = None
    ) -> None:
        """Join a table, or return to it, as soon as the connection is there; `back`: also to a seat
        that somebody took over by its code. `allowance`: shared by all guests of one invitation."""
        if allowance is not None or ticket.code != self.ticket.code:
            self._join_attempt.begin(allowance or ProofAllowance())
        elsewhere = ticket.starts != self._fair_shuffle.starts
        if elsewhere and (ticket.table or ticket.code):
            self._fair_shuffle.resume(ticket.starts, ticket.seats)
        if back:
            self._fair_shuffle.excuse(ticket.seats)
        self.ticket, self._aim = ticket, JoiningTable(back)
        self._knock()

    def sit(self, seat: int, name: str, symbol: str = "", claim: str = "") -> None:
        self._fair_shuffle.expect((seat,))
        super().sit(seat, name, symbol, claim)

    def take_over(self, seat: int, code: str = "") -> None:
        self._fair_shuffle.excuse((seat,))
        super().take_over(seat, code)

    def request_refresh(self) -> None:
        """Request the table as it is, with all own seats."""
        ticket = self.ticket
        self._send(JoinTable(ticket.table, "", ticket.owner, ticket.seats))

    def pin_note(self, seat: int) -> Callable[[str], None] | None:
        """As `TableClient`; None if the host takes no notes, either."""
        return super().pin_note(seat) if self.notes_known else None

    def watch(self) -> None:
        """Watch the table as the audience sees it, now and after every return (`audience`)."""
        self._watching = True
        if self.connection_state == "inside":
            super().watch()

    def hand_over(self, seat: int) -> None:
        """As host: ask the player at this seat to host the table on."""
        self.say(HandOverHost(seat))

    def host_on(self, port: int, fingerprint: str, key: str) -> None:
        """Agree to host the table: where this computer's host listens, and its key for this
        delivery."""
        self.say(NewHost(port, fingerprint, key))

    def become_host(self, owner: str) -> None:
        """Become the host of the table, which has arrived at this computer's host, with this
        token."""
        self._keep_ticket(replace(self.ticket, owner=owner))

    def decline(self) -> None:
        """Do not agree to host the table."""
        self.say(NewHost(0))

    def leave(self) -> None:
        """Leave for good, and forget the way back."""
        if self.connection_state == "inside":
            self.say(LeaveTable())
            self.connection_state = "outside"
        self._aim = Departed()
        self._fair_shuffle.resume()
        self._keep_ticket(Ticket())

    def judge(self, proof: MatchProof) -> Verdict | None:
        """Judge whether the match of the last proof was fair; None where nothing of it was seen.

        Plays the match again, so it may take a second: call it in any thread. It only reads;
        `settle` takes the result.
        """
        transcript = self._fair_shuffle.proved
        if transcript is None:
            return None
        try:
            # a game from outside the package may have another id at the host
            outside = self.info is not None and self.info.outside is not None
            kit = self._games(self.info.plan.game if self.info and outside else proof.game)
        except LookupError:
            return UNVERIFIABLE if transcript.has_messages else None
        return transcript.verify(proof, partial(Match, kit))

    def settle(self, proof: MatchProof, verdict: Verdict | None) -> None:
        """Note the verdict of `judge` on a proof: only a right proof settles a deal."""
        self._fair_shuffle.settle(proof, verdict)
        self._keep_ticket(self.ticket)

    @property
    def fair_start(self) -> FairStart | None:
        """The shares that the seed was made of, once the host has proved it; None where its making
        wasn't seen."""
        evidence = self._fair_shuffle.transcript
        return evidence.fair_start(self.proof) if evidence and self.proof else None

    # Events of the connection

    def hear(self, event: Event) -> None:
        """Take in an event of the connection, then notify the listeners."""
        match event:
            case Connected(fingerprint=found):
                self.start_over(found)
            case Lost():
                self.note_lost_connection(event)
            case ChangedCertificate(reason=reason):
                self.note_lost_connection(Lost(reason))
            case _:
                self.receive(event)

    def start_over(self, fingerprint: str = "") -> None:
        """Start over on a new connection to a host of this certificate: say hello, and go (back) to
        the table."""
        self.connection_state = "greeting"
        self._join_attempt.meet(fingerprint)
        self._send(Hello(MIN_PROTOCOL_VERSION, PROTOCOL_VERSION, __version__, self._can_host))
        self._tell(Connected(fingerprint))

    def note_lost_connection(self, news: Lost) -> None:
        """Note that the connection broke. The table stays visible."""
        self.connection_state = "away"
        for seat in self.own_seats.values():
            seat.note_lost_connection()
        self._tell(news)

    def receive(self, message: FromHost) -> None:
        """Take in a message of the host, then notify the listeners."""
        message = self._stand_in_notices.join(sanitise(message))
        if isinstance(self._aim, Departed) and not isinstance(message, Welcome):
            return
        if not self._join_attempt.open_to(self.ticket) and not self._believes(message):
            return
        match message:
            case Welcome(protocol=protocol, features=features):
                self._join_attempt.protocol, self.features = protocol, features
                self.connection_state = "outside"
                self._knock()
            case TableJoined():
                self._come_in(message)
            case TableInfo():
                self._take_in(message)
                self._keep_ticket(replace(self.ticket, table=message.table, code=message.code))
                if message.phase == "gathering":
                    self._fair_shuffle.gather(self.seats)
            case Invitation():
                self.invitation = message
            case Seated(seat=seat, token=token):
                self._take_in(message)
                self._keep_ticket(replace(self.ticket, seats=self.ticket.seats | {seat: token}))
            case ShuffleStarted():
                self._seal_shares(message)
            case SharesCommitted():
                self._fair_shuffle.reveal(self.info, message)
                self._keep_ticket(self.ticket)
            case TableNews():
                self._hear(message)
            case MatchProof():
                self._take_in(message)
                self._fair_shuffle.prove(message, self._saw_end(message))
                self._keep_ticket(self.ticket)
            case Refused(closed=True) if self.ticket.secret:
                if self._join_attempt.open_to(self.ticket):
                    self._keep_ticket(Ticket())
            case TableMoved(table=table, fingerprint=there):
                self._keep_ticket(replace(self.ticket, table=table, fingerprint=there))
            case Farewell(closed=closed):
                if closed and self._join_attempt.open_to(self.ticket):
                    self._keep_ticket(Ticket())
                self.connection_state = "outside"
            case _:
                self._take_in(message)
        self._tell(message)

    def say(self, message: FromGuest) -> None:
        """Send a message.

        Raises:
            Illegal: the line is broken.
        """
        if self.connection_state == "away":
            raise Illegal(LOST)
        self._send(message)

    def _knock(self) -> None:
        """Request to join, or to open a table, once the host has said welcome."""
        if self.connection_state != "outside":
            return
        ticket = self.ticket
        if not self._join_attempt.open_to(ticket):
            self._refuse(self._join_attempt.ask(ticket))
        elif ticket.table or ticket.code:
            self.say(
                JoinTable(
                    ticket.table,
                    ticket.code,
                    ticket.owner,
                    ticket.seats,
                    name=plain_line(self.called),
                    back=self._comes_back,
                )
            )
        elif isinstance(self._aim, OpeningTable):
            self.say(self._aim.message)

    @property
    def _comes_back(self) -> bool:
        return isinstance(self._aim, JoiningTable) and self._aim.back

    def _believes(self, message: FromHost) -> bool:
        """Whether to take in a message of a host that hasn't proved yet that it knows the code."""
        match message:
            case JoinChallenge():
                self._refuse(
                    self._join_attempt.prove(self.ticket, message, plain_line(self.called))
                )
            case TableJoined() if not self._join_attempt.believes(message):
                self._refuse(IMPOSTOR)
            case TableJoined(table=table) if self.ticket.owner or self.ticket.seats:
                self.say(
                    JoinTable(
                        table, "", self.ticket.owner, self.ticket.seats, back=self._comes_back
                    )
                )
            case TableJoined() | Welcome() | Refused() | Farewell() | Notice():
                return True
        return False

    def _refuse(self, reason: Reason | None) -> None:
        if reason is not None:
            self._tell(Refused(reason, "enter"))

    def _come_in(self, entered: TableJoined) -> None:
        good = {s: token for s, token in self.ticket.seats.items() if s in entered.seats}
        owner = (entered.owner or self.ticket.owner) if entered.hosting else ""
        here = self._join_attempt.shown
        self._keep_ticket(Ticket(entered.table, self.ticket.code, owner, good, here))
        self.codes = dict(entered.codes)
        self.connection_state = "inside"
        self._aim = JoiningTable()
        # for example, one that this guest has just left
        for seat in set(entered.seats) - good.keys():
            self.say(LeaveSeat(seat))
        if self._watching:
            self.say(Watch())

    def _seal_shares(self, shuffle: ShuffleStarted) -> None:
        """Seal the guest's shares for a match that begins, or on the return to one."""
        if self.info is None:
            return  # nothing is known of the table yet
        if self._fair_shuffle.seal(self.info, self.seats, shuffle):
            self._clear_table()

    def _hear(self, message: TableNews) -> None:
        notifiers: list[Callable[[], None]] = []
        try:
            for viewer, news in message.what.items():
                seat = self._seat_of(viewer, news)
                if seat is None:
                    continue
                assert self.info is not None
                shown = (viewer,) if viewer != AUDIENCE else ()
                self._fair_shuffle.show(self.info, shown).add_message(viewer, message.at, news)
                notifiers.append(seat.hear(sanitise_news(news), message.at))
        except Exception as error:  # out of step, or sent by a host that may send anything
            log.info("A host's news doesn't fit the table here: %r", error)
            self.request_refresh()
        for notify in notifiers:
            notify()
        self._keep_ticket(self.ticket)

    def _saw_end(self, proof: MatchProof) -> bool:
        """Whether a seat or the audience here saw the end to which a proof's record leads."""
        evidence, at = self._fair_shuffle.transcript, len(proof.record)
        seats = (*self.own_seats.values(), *filter(None, (self.audience,)))
        return (
            evidence is not None
            and evidence.round == proof.round
            and any(seat.view.result is not None and seat.at == at for seat in seats)
        )

    def _keep_ticket(self, ticket: Ticket) -> None:
        if ticket.table:  # the count is part of the ticket
            ticket = replace(ticket, starts=self._fair_shuffle.starts)
        self.ticket = ticket

    def _warn(self, reason: Reason) -> None:
        self._tell(Notice(reason))
