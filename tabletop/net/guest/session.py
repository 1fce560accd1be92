"""A guest's session at one table: its seats and their tokens, chat and proofs.

`Guest` has no sockets, threads or clock. Pass every event of the connection to `Guest.on_event`;
messages to the host go to `outbox`. `connection.Connection` carries them and reconnects.

    guest = Guest(catalogue.load, outbox=connection.send)
    guest.listen(redraw)                  # called after each event
    guest.join(Ticket(code="K7MPQ2"))     # or guest.open_table(plan); sent once connected
    guest.sit(0, "Ann"); guest.set_ready(0)   # guest.seats[0] is the token; guest.info shows it
    guest.own_seats[0].send(move)         # once the match runs: a `Seat` for each own seat
    guest.audience                        # after guest.watch(): the spectators' view
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
from tabletop.net.guest.wrong_host import WRONG_HOST_CODES
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

NOT_CONNECTED = Reason("Connection lost. Your seat is kept.")

ConnectionState = Literal["away", "greeting", "outside", "inside"]
"""The state of the guest's connection.

`away`: not connected. `greeting`: waiting for the host's `Welcome`. `outside`: welcomed, but at no
table. `inside`: at the table.
"""


class OpeningTable(Struct, frozen=True):
    """The intent to open a new table."""

    message: OpenTable


class JoiningTable(Struct, frozen=True):
    """The intent to join the ticket's table, or to stay at it."""

    takes_seat_back: bool = False
    """Whether to reclaim a seat that another guest has taken over with its code."""


class LeftTable(Struct, frozen=True):
    """The intent of a guest who has left for good. Later messages about the table are ignored."""


Intent = OpeningTable | JoiningTable | LeftTable
"""What a guest does whenever it is connected to the host."""


class Guest(TableClient):
    """The client of a table on another host.

    Proves to the host that it knows the join code, and validates the host's messages.
    """

    own_seats: dict[int, RemoteSeat]  # type: ignore[assignment]  # `_seat_class` makes them
    audience: RemoteSeat | None
    _seat_class = RemoteSeat

    def __init__(
        self,
        games: Games,
        outbox: Callable[[FromGuest], None],
        can_host: bool = True,
    ) -> None:
        """`can_host`: whether the host may ask this guest to take over hosting the table."""
        super().__init__(games, outbox)
        self.connection_state: ConnectionState = "away"
        self.ticket = Ticket()
        self.invitation: Invitation | None = None
        """The invitation for other guests, if this guest hosts the table."""
        self.knock_name = ""
        """The name that the table's host sees when the guest asks to be admitted."""
        self.features = ()
        self._can_host = can_host
        self._intent: Intent = JoiningTable()
        self._watching = False
        self._join_attempt = JoinAttempt(self.say)
        self._stand_in_notices = StandInNotices()
        self._fair_shuffle = FairShuffle(self.say, self._warn, self.check_proof)

    @property
    def supports_moderation(self) -> bool:
        """Whether the host supports `ModerationRequest`."""
        return MODERATION_FEATURE in self.features

    @property
    def supports_seat_codes(self) -> bool:
        """Whether the host supports seat codes, and lets the
        table's owner free a seat during a match.
        """
        return SEAT_CODES_FEATURE in self.features

    @property
    def supports_notes(self) -> bool:
        """Whether the host accepts playtest notes."""
        return NOTES_FEATURE in self.features

    @property
    def supports_bot_takeover(self) -> bool:
        """Whether a bot plays on for a player who concedes while several others are playing."""
        return BOT_TAKEOVER_FEATURE in self.features

    @property
    def seats(self) -> tuple[int, ...]:
        """The guest's own seats, in ascending order."""
        return tuple(sorted(self.ticket.seats))

    @property
    def host_fingerprint(self) -> str:
        """The fingerprint of the host's certificate."""
        return self._join_attempt.host_fingerprint

    @property
    def has_host_proof(self) -> bool:
        """Whether the host has proved on this connection that it knows the table's code."""
        return self._join_attempt.has_proof

    def is_wrong_host(self, refusal: Refused) -> bool:
        """Return whether `refusal` may only mean that the table is at another host.

        False if the certificate proves that this is the right host.
        """
        ticket = self.ticket
        if self.host_fingerprint == ticket.fingerprint or not (ticket.table or ticket.code):
            return False  # it is the right host, or the right host has closed the table
        return refusal.of in ("hello", "enter") and refusal.reason.code in WRONG_HOST_CODES

    @property
    def is_host(self) -> bool:
        """Whether the guest owns the table."""
        return bool(self.ticket.owner)

    # Requests: each sends one message, and the reply arrives in `receive`.

    def open_table(self, plan: TablePlan, key: str = "") -> None:
        """Open a table for `plan` as soon as the guest is connected.

        `key`: the server's key for opening tables, if it has one.
        """
        self._intent = OpeningTable(OpenTable(plan, key))
        self._request_entry()

    def join(
        self, ticket: Ticket, back: bool = False, allowance: ProofAllowance | None = None
    ) -> None:
        """Join or rejoin the ticket's table as soon as the guest is connected.

        Args:
            ticket: The table, its code and the tokens of the guest's own seats.
            back: Whether to reclaim a seat that another guest has taken over with its code.
            allowance: The limit on proofs of the code, shared by all guests of one invitation.
        """
        if allowance is not None or ticket.code != self.ticket.code:
            self._join_attempt.start(allowance or ProofAllowance())
        elsewhere = ticket.starts != self._fair_shuffle.starts
        if elsewhere and (ticket.table or ticket.code):
            self._fair_shuffle.resume(ticket.starts, ticket.seats)
        if back:
            self._fair_shuffle.excuse(ticket.seats)
        self.ticket, self._intent = ticket, JoiningTable(back)
        self._request_entry()

    def sit(self, seat: int, name: str, symbol: str = "", claim: str = "") -> None:
        self._fair_shuffle.expect((seat,))
        super().sit(seat, name, symbol, claim)

    def take_over(self, seat: int, code: str = "") -> None:
        self._fair_shuffle.excuse((seat,))
        super().take_over(seat, code)

    def request_refresh(self) -> None:
        """Ask the host to send the table's complete state for all own seats."""
        ticket = self.ticket
        self._send(JoinTable(ticket.table, "", ticket.owner, ticket.seats))

    def pin_note(self, seat: int) -> Callable[[str], None] | None:
        """Return what `TableClient.pin_note` returns, or None if the host doesn't support notes."""
        return super().pin_note(seat) if self.supports_notes else None

    def watch(self) -> None:
        """Watch the table as a spectator (`audience`), and again after each reconnect."""
        self._watching = True
        if self.connection_state == "inside":
            super().watch()

    def ask_to_host(self, seat: int) -> None:
        """Ask the player at `seat` to take over hosting the table."""
        self.say(HandOverHost(seat))

    def accept_hosting(self, port: int, fingerprint: str, key: str) -> None:
        """Agree to take over hosting the table.

        Args:
            port: The port of this computer's host.
            fingerprint: The fingerprint of this computer's certificate.
            key: The key that authorises the transfer.
        """
        self.say(NewHost(port, fingerprint, key))

    def become_host(self, owner: str) -> None:
        """Store the host's token `owner` in the ticket, once the
        table has arrived on this computer.
        """
        self._keep_ticket(replace(self.ticket, owner=owner))

    def decline_hosting(self) -> None:
        """Decline to take over hosting the table."""
        self.say(NewHost(0))

    def leave(self) -> None:
        """Leave the table for good, and drop the ticket."""
        if self.connection_state == "inside":
            self.say(LeaveTable())
            self.connection_state = "outside"
        self._intent = LeftTable()
        self._fair_shuffle.resume()
        self._keep_ticket(Ticket())

    def check_proof(self, proof: MatchProof) -> Verdict | None:
        """Return whether the match of the latest proof was fair, or
        None if the guest saw nothing of it.

        Replays the match, which may take a second. Safe to call from any thread, because it changes
        nothing; pass the result to `record_verdict`.
        """
        transcript = self._fair_shuffle.proved_transcript
        if transcript is None:
            return None
        try:
            # a game from outside the package may have another ID at the host
            outside = self.info is not None and self.info.outside is not None
            kit = self._games(self.info.plan.game if self.info and outside else proof.game)
        except LookupError:
            return UNVERIFIABLE if transcript.has_messages else None
        return transcript.verify(proof, partial(Match, kit))

    def record_verdict(self, proof: MatchProof, verdict: Verdict | None) -> None:
        """Record the `verdict` that `check_proof` returned for `proof`."""
        self._fair_shuffle.record_verdict(proof, verdict)
        self._keep_ticket(self.ticket)

    @property
    def fair_start(self) -> FairStart | None:
        """The shares that the seed was made of.

        None until the host proves the match, or if the guest didn't see its start.
        """
        evidence = self._fair_shuffle.transcript
        return evidence.fair_start(self.proof) if evidence and self.proof else None

    # Events of the connection

    def on_event(self, event: Event) -> None:
        """Handle an event of the connection, then notify the listeners."""
        match event:
            case Connected(fingerprint=found):
                self.on_connected(found)
            case Lost():
                self.on_connection_lost(event)
            case ChangedCertificate(reason=reason):
                self.on_connection_lost(Lost(reason))
            case _:
                self.receive(event)

    def on_connected(self, fingerprint: str = "") -> None:
        """Greet the host on a new connection. Its `Welcome` then lets the guest join or rejoin.

        `fingerprint`: the fingerprint of the host's certificate.
        """
        self.connection_state = "greeting"
        self._join_attempt.on_connected(fingerprint)
        self._send(Hello(MIN_PROTOCOL_VERSION, PROTOCOL_VERSION, __version__, self._can_host))
        self._notify(Connected(fingerprint))

    def on_connection_lost(self, news: Lost) -> None:
        """Handle the loss of the connection. The last known table stays visible."""
        self.connection_state = "away"
        for seat in self.own_seats.values():
            seat.on_connection_lost()
        self._notify(news)

    def receive(self, message: FromHost) -> None:
        """Handle a message from the host, then notify the listeners."""
        message = self._stand_in_notices.merge(sanitise(message))
        if isinstance(self._intent, LeftTable) and not isinstance(message, Welcome):
            return
        if not self._join_attempt.trusts_host_with(self.ticket) and not self._advance_join_proof(
            message
        ):
            return
        match message:
            case Welcome(protocol=protocol, features=features):
                self._join_attempt.protocol, self.features = protocol, features
                self.connection_state = "outside"
                self._request_entry()
            case TableJoined():
                self._on_entered(message)
            case TableInfo():
                self._apply(message)
                self._keep_ticket(replace(self.ticket, table=message.table, code=message.code))
                if message.phase == "gathering":
                    self._fair_shuffle.on_gathering(self.seats)
            case Invitation():
                self.invitation = message
            case Seated(seat=seat, token=token):
                self._apply(message)
                self._keep_ticket(replace(self.ticket, seats=self.ticket.seats | {seat: token}))
            case ShuffleStarted():
                self._seal_shares(message)
            case SharesCommitted():
                self._fair_shuffle.reveal_shares(self.info, message)
                self._keep_ticket(self.ticket)
            case TableNews():
                self._on_news(message)
            case MatchProof():
                self._apply(message)
                self._fair_shuffle.on_proof(message, self._saw_end(message))
                self._keep_ticket(self.ticket)
            case Refused(closed=True) if self.ticket.has_secrets:
                if self._join_attempt.trusts_host_with(self.ticket):
                    self._keep_ticket(Ticket())
            case TableMoved(table=table, fingerprint=there):
                self._keep_ticket(replace(self.ticket, table=table, fingerprint=there))
            case Farewell(closed=closed):
                if closed and self._join_attempt.trusts_host_with(self.ticket):
                    self._keep_ticket(Ticket())
                self.connection_state = "outside"
            case _:
                self._apply(message)
        self._notify(message)

    def say(self, message: FromGuest) -> None:
        """Send `message` to the host.

        Raises:
            Illegal: the guest isn't connected.
        """
        if self.connection_state == "away":
            raise Illegal(NOT_CONNECTED)
        self._send(message)

    def _request_entry(self) -> None:
        """Ask to join or to open a table, if the host has sent its `Welcome`."""
        if self.connection_state != "outside":
            return
        ticket = self.ticket
        if not self._join_attempt.trusts_host_with(ticket):
            self._report_refusal(self._join_attempt.request_challenge(ticket))
        elif ticket.table or ticket.code:
            self.say(
                JoinTable(
                    ticket.table,
                    ticket.code,
                    ticket.owner,
                    ticket.seats,
                    name=plain_line(self.knock_name),
                    back=self._takes_seat_back,
                )
            )
        elif isinstance(self._intent, OpeningTable):
            self.say(self._intent.message)

    @property
    def _takes_seat_back(self) -> bool:
        return isinstance(self._intent, JoiningTable) and self._intent.takes_seat_back

    def _advance_join_proof(self, message: FromHost) -> bool:
        """Answer a message of the join proof. Return whether to handle `message` as usual.

        Called until the host has proved that it knows the code. Only messages that need no trust
        are handled before.
        """
        match message:
            case JoinChallenge():
                self._report_refusal(
                    self._join_attempt.answer_challenge(
                        self.ticket, message, plain_line(self.knock_name)
                    )
                )
            case TableJoined() if not self._join_attempt.verify_host(message):
                self._report_refusal(IMPOSTOR)
            case TableJoined(table=table) if self.ticket.owner or self.ticket.seats:
                self.say(
                    JoinTable(
                        table, "", self.ticket.owner, self.ticket.seats, back=self._takes_seat_back
                    )
                )
            case TableJoined() | Welcome() | Refused() | Farewell() | Notice():
                return True
        return False

    def _report_refusal(self, reason: Reason | None) -> None:
        if reason is not None:
            self._notify(Refused(reason, "enter"))

    def _on_entered(self, entered: TableJoined) -> None:
        good = {s: token for s, token in self.ticket.seats.items() if s in entered.seats}
        owner = (entered.owner or self.ticket.owner) if entered.hosting else ""
        here = self._join_attempt.host_fingerprint
        self._keep_ticket(Ticket(entered.table, self.ticket.code, owner, good, here))
        self.codes = dict(entered.codes)
        self.connection_state = "inside"
        self._intent = JoiningTable()
        # the host still counts seats that this guest left, or whose token it lost
        for seat in set(entered.seats) - good.keys():
            self.say(LeaveSeat(seat))
        if self._watching:
            self.say(Watch())

    def _seal_shares(self, shuffle: ShuffleStarted) -> None:
        """Send commitments to the guest's own shares when it learns of a started match."""
        if self.info is None:
            return  # the table's state hasn't arrived yet
        if self._fair_shuffle.commit_shares(self.info, self.seats, shuffle):
            self._clear_table()

    def _on_news(self, message: TableNews) -> None:
        notifiers: list[Callable[[], None]] = []
        try:
            for viewer, news in message.what.items():
                seat = self._seat_of(viewer, news)
                if seat is None:
                    continue
                assert self.info is not None
                shown = (viewer,) if viewer != AUDIENCE else ()
                self._fair_shuffle.on_table_shown(self.info, shown).add_message(
                    viewer, message.at, news
                )
                notifiers.append(seat.apply_news(sanitise_news(news), message.at))
        except Exception as error:  # out of step, or sent by a host that may send anything
            log.info("A host's news doesn't fit the table here: %r", error)
            self.request_refresh()
        for notify in notifiers:
            notify()
        self._keep_ticket(self.ticket)

    def _saw_end(self, proof: MatchProof) -> bool:
        """Return whether an own seat or the audience saw the end of the match that was proved."""
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
        self._notify(Notice(reason))
