"""The gateway's session for one browser: a guest at the host, with a socket while
the browser is connected.

A session outlives its socket: a phone whose screen turns off disconnects from the gateway, but
stays at the table. Everything runs in the gateway's event loop.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from tabletop.background.tasks import Tasks
from tabletop.bots.bot_pool import BotPool
from tabletop.bots.hint import HintService
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import GameKit
from tabletop.engine.model import AUDIENCE, NO_CARD, Reason
from tabletop.engine.play import Illegal
from tabletop.engine.refusals import NOT_OFFERED
from tabletop.language.table_status import CutOff
from tabletop.language.words import Words
from tabletop.match.reactions import PassPolicy
from tabletop.match.seat import ReactionSettings, Seat
from tabletop.net.guest.connection import Connection, ConnectionSettings
from tabletop.net.guest.game_download import EventLoopRunner, GameDownload
from tabletop.net.guest.host_absence import HostAbsence
from tabletop.net.guest.join_attempt import CODE_NEEDED, IMPOSTOR, ProofAllowance, Ticket
from tabletop.net.guest.missing_game import MissingGame
from tabletop.net.guest.proof_check import ProofCheck
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.rematch_wish import RematchWish
from tabletop.net.guest.session import Guest
from tabletop.net.host.admission import WRONG_CODE
from tabletop.net.limits import FailureLimiter
from tabletop.protocol.invitation import Address
from tabletop.protocol.match_notes import NOTE_SENT, NoteReceived
from tabletop.protocol.messages import (
    Farewell,
    MatchProof,
    Notice,
    Refused,
    Seated,
    SharesCommitted,
    TableInfo,
    TableJoined,
    TableNews,
)
from tabletop.protocol.seat_access import can_answer
from tabletop.protocol.seat_codes import WRONG_SEAT_CODE
from tabletop.protocol.table_transfer import OfferHosting, TableMoved
from tabletop.table.connection_events import ChangedCertificate, Event, Lost, News
from tabletop.text.phrases import fill_gaps
from tabletop.web import seat_token, seats
from tabletop.web.answer_ids import AnswerTracker, SubmittedAnswer
from tabletop.web.browser_presence import BrowserPresence, PresenceTiming
from tabletop.web.browser_screen import BrowserScreen
from tabletop.web.cards import picture_order
from tabletop.web.drawer import PictureOrder
from tabletop.web.loopback_address import loopback_address
from tabletop.web.page import build_page
from tabletop.web.page_context import PageContext
from tabletop.web.send_queue import SendQueue
from tabletop.web.wire import PictureRequest, ShowPage, StoreToken

log = logging.getLogger("tabletop.web")

OPENED_ELSEWHERE = Reason("Your seat was opened in another window or on another phone.")
ENTER_CODE = Reason("Enter the table's code, which is on its screen.")
TOO_MANY_CODES = Reason("Too many wrong codes came from there. Wait some minutes.")
SEAT_LOST = Reason("Your seat has been taken.")
WRONG_CODES = frozenset((WRONG_CODE.code, IMPOSTOR.code))
"""Codes of refusals that may mean that the user doesn't know the table's code."""


class GatewayServices(Protocol):
    """The services of a gateway that sessions use."""

    art: str
    """The version of the card images; empty if there are none."""
    bot_pool: BotPool | None
    """The bots that compute hints; None for no hints."""
    takes_games: bool
    """Whether missing games without program code are downloaded from the host."""
    tries: FailureLimiter
    """The counter of wrong table and seat codes, by origin."""
    pause: int
    """How long to delay reaction answers, in milliseconds, so that nobody can tell whether a player
    thought or passed.
    """

    @property
    def place(self) -> Address:
        """The host's address."""
        ...

    def note_info(self, info: TableInfo) -> None:
        """Store the new public state of a table."""

    def trusts(self, fingerprint: str) -> bool:
        """Return whether the host's certificate may have `fingerprint`, as far as the gateway
        itself knows. A browser may trust another one.
        """
        ...

    def on_host_moved(self, place: Address) -> None:
        """Handle the move of the table to another host."""

    def note_entered(self, place: Address, proved_code: str) -> None:
        """Store that the host at `place` admitted a browser.

        `proved_code`: the table's code if the host has proved that it knows the code, or "".
        """

    def on_host_lost(self) -> None:
        """Handle the loss of the connection to the host."""

    def note_seat(self, session: "BrowserSession", token: str, before: str) -> None:
        """Store that the session's token changed from `before` to `token`. A token is empty if
        there is no seat.
        """

    def order(self, session: "BrowserSession", order: PictureOrder | None) -> None:
        """Order a picture for the session; None cancels its pictures."""

    def show(self, session: "BrowserSession") -> None:
        """Queue a call of the session's `send_page`."""


class BrowserArrival(Struct, frozen=True):
    """What a browser sends to start a session."""

    ticket: Ticket
    origin: str
    """The part of the browser's address that limits on wrong codes count."""
    language: str
    policy: PassPolicy = "able"
    back: bool = False
    """Whether the player reclaims a seat that another device has taken over."""
    scanned: str = ""
    """The scanned code, if the browser also has a token."""
    watches: bool = False
    """Whether the browser only watches, unless it has a token."""
    allowance: ProofAllowance | None = None
    """The limit on proofs of the ticket's code, shared by all sessions with this code."""


SessionState = Literal["open", "over", "closed"]
"""The state of a session.

"open": the guest is at the host or connecting. "over": the host has ended the session, and the
browser shows why. "closed": the browser left or was replaced, and nothing is shown.
"""


@dataclass(frozen=True)
class OwnSeat:
    """The seat whose events a session listens to."""

    seat: Seat
    stop_listening: tuple[Callable[[], None], ...]


class BrowserSession:
    """One browser's session at the gateway."""

    def __init__(
        self,
        gateway: GatewayServices,
        arrival: BrowserArrival,
        presence: PresenceTiming = PresenceTiming(),  # noqa: B008  # frozen
    ) -> None:
        """`presence`: how long the user counts as present without a browser."""
        self.state: SessionState = "open"
        self.screen = BrowserScreen(self, arrival.language)
        self.hints = _make_hint_service(gateway.bot_pool)
        """Computes hints; None if there are no hints."""
        self.origin = arrival.origin
        self.policy: PassPolicy = arrival.policy
        self.token = seat_token.format_token(arrival.ticket)
        self.scanned = arrival.scanned if self.token else ""
        """The scanned code in addition to the token; only the code's table is shown."""
        self._connection: Connection  # made last, because it calls back at once
        self.guest = Guest(
            catalogue.load, lambda message: self._connection.send(message), can_host=False
        )
        self.guest.listen(self._hear_guest)
        self.presence = BrowserPresence(self.guest, presence)
        self.wants_ready = bool(self.token)
        self.rematch = RematchWish(self.guest)
        self.answers = AnswerTracker(self.screen.confirm, self.screen.answer_with_reason)
        self.tasks = Tasks()
        self._gateway = gateway
        here = EventLoopRunner(self.tasks)
        self._game_download = GameDownload(
            self.guest, self._takes, self._hear, self._turn_away, runner=here
        )
        self._proof_check = ProofCheck(self.guest, self._note_verdict, here)
        self._refusal: Reason | None = None
        """Why the browser was turned away, or None while it is at the table or on its way."""
        self._own: OwnSeat | None = None
        self._absence = HostAbsence()
        self.guest.knock_name = Words(arrival.language)("A phone")
        self.guest.join(arrival.ticket, arrival.back, arrival.allowance)
        if arrival.watches and not self.token:
            self.guest.watch()
        self._connect()

    def _connect(self) -> None:
        """Connect to the host whose certificate the guest's ticket names.

        If the guest has the table's code, a host with another certificate is asked to prove that
        it knows the code as well. The gateway's host often has a new certificate, and an
        invitation to a phone doesn't name it.
        """
        ticket = self.guest.ticket
        settings = ConnectionSettings(
            source_ip=loopback_address(self.origin),
            searches_lan=False,  # a gateway has hundreds of connections
            is_rate_limited=True,
        )
        place = self._gateway.place
        place = replace(place, fingerprint=ticket.fingerprint or place.fingerprint)
        destination = Destination(place, is_pinned=not ticket.code, is_returning=True)
        self._connection = Connection(destination, self._hear, settings)
        self._connection.start()

    # The socket

    def attach(self, send_queue: SendQueue) -> None:
        """Attach a browser's socket. A browser that was attached before is sent a farewell."""
        screen = self.screen
        if screen.send_queue is not None:
            screen.show_farewell(OPENED_ELSEWHERE)
            self.detach(screen.send_queue)
        screen.send_queue = send_queue
        self.wants_ready = self.presence.on_attached() or self.wants_ready
        if self.info is not None:
            self._make_ready(self.info)
        screen.send_welcome()
        if self.token:
            screen.send(StoreToken(token=self.token))
        screen.resend_code_form()
        self.schedule_page()

    def detach(self, send_queue: SendQueue, closed: bool = False) -> None:
        """Detach a browser whose socket is closed. `closed`: whether the user closed the page."""
        if self.screen.send_queue is send_queue:
            self.screen.send_queue = None
            self.presence.on_detached(closed)
            self.request_picture(PictureRequest(n=1))

    def request_picture(self, looks: PictureRequest) -> None:
        """Store the browser's picture request, or stop its pictures."""
        self.screen.picture_request = looks
        if looks.whole or not looks.width:
            self._gateway.order(self, None)

    async def close(self) -> None:
        """End the session. The seat is kept for its player."""
        self.state = "closed"
        self.presence.close()
        await self.tasks.cancel()
        self._sit(None)
        self.request_picture(PictureRequest(n=1))
        await self._connection.close()

    @property
    def can_resume(self) -> bool:
        """True if a returning browser can continue here: it is at its table or connecting to it.

        Otherwise a new session tries again.
        """
        return self.state == "open" and self._refusal is None

    def leave(self) -> None:
        """Leave the table for good, and show the form for a code."""
        self.guest.leave()
        self._leave_hints()
        self._keep_token()
        self.state = "closed"
        self.screen.show_code_form(ENTER_CODE)

    def take_over(self, seat: int, code: str) -> None:
        """Take over another person's seat by its code, or without one if the host has freed it.

        Raises:
            Illegal: too many wrong codes came from the browser's origin, or the connection is down.
        """
        if self._gateway.tries.is_exhausted(self.origin):
            raise Illegal(TOO_MANY_CODES)
        self.guest.take_over(seat, code)

    # State

    @property
    def info(self) -> TableInfo | None:
        return self.guest.info

    @property
    def kit(self) -> GameKit | None:
        """The game of the table; None if it is unknown or can't be loaded."""
        if self.info is None:
            return None
        try:
            return catalogue.load(self.info.plan.game)
        except LookupError:
            return None

    @property
    def seat_number(self) -> int:
        """The own seat, or `AUDIENCE`."""
        return next(iter(self.guest.seats), AUDIENCE)

    def is_at_other_table(self, code: str) -> bool:
        """Return whether the session's table is known to have another code than `code`;
        False for "".
        """
        return bool(code and self.info is not None and self.info.code not in ("", code))

    @property
    def is_connected(self) -> bool:
        return self.guest.connection_state == "inside"

    @property
    def seat(self) -> Seat | None:
        """The own seat, or the audience's seat of a spectator."""
        guest = self.guest
        if self.seat_number == AUDIENCE:
            return guest.audience
        seat = guest.own_seats.get(self.seat_number) if self.kit is not None else None
        if seat is not (self._own.seat if self._own is not None else None):
            self._sit(seat)
        return seat

    def context(self, kit: GameKit) -> PageContext:
        """Return the context of a page."""
        return PageContext(
            kit=kit,
            players=self.screen.players,
            info=self.info,
            connected=self.is_connected,
            cut_off=self._cut_off(),
            policy=self.policy,
            chat=tuple(self.guest.chat[-seats.MAX_CHAT_LINES :]),
            verdict=self._proof_check.verdict,
            gives_hints=self.hints is not None,
            wants_rematch=self.rematch.is_said,
            seat_code=self.guest.codes.get(self.seat_number, ""),
            features=self.guest.features,
            art_version=self._gateway.art,
        )

    def _cut_off(self) -> CutOff | None:
        """Return the lost connection if the host has been absent for long; None otherwise."""
        if self.is_connected or not self._absence.is_lasting:
            return None
        return CutOff(self._absence.farewell, again=True, gone=True)

    def _sit(self, seat: Seat | None) -> None:
        """Listen to `seat`, and stop listening to the previous seat."""
        if self._own is not None:
            self._own.seat.set_reactions(None)
            for stop in self._own.stop_listening:
                stop()
        self._own = self.answers.unconfirmed = None
        self._leave_hints()
        if seat is None or (kit := self.kit) is None:
            return
        self._proof_check.verdict = None
        policy = self._pass_policy
        seat.set_reactions(
            ReactionSettings(kit.meaning, policy, lambda: self._gateway.pause, _call_later)
        )
        stops = seat.on_update(lambda _: self.schedule_page()), seat.on_refusal(self._refuse_answer)
        self._own = OwnSeat(seat, stops)
        if self.hints is not None:
            self.hints.track(seat)

    def _leave_hints(self) -> None:
        if self.hints is not None:
            self.hints.close()

    def _pass_policy(self) -> PassPolicy:
        """Return the player's pass policy; "ask" while the player can't answer."""
        return self.policy if can_answer(self.info, self.seat_number) else "ask"

    def apply_pass_policy(self) -> None:
        """Apply the current pass policy to open reactions, and schedule a page."""
        if self._own is not None:
            self._own.seat.reapply_pass_policy()
        self.schedule_page()

    # Pages and notices

    def schedule_page(self) -> None:
        """Schedule a page, so that events that arrive together make one page."""
        self._gateway.show(self)

    def send_page(self) -> None:
        """Send the current page, if a browser is connected."""
        kit, info = self.kit, self.info
        if info is None or kit is None or self.state == "closed" or not self.screen.attached:
            return
        if self.is_at_other_table(self.scanned):
            self.screen.show_code_form(
                ENTER_CODE
            )  # the page sends the code again, without the token
            return
        seat, words, context = self.seat, self.screen.words(), self.context(kit)
        if info.phase == "playing" and seat is None and self.seat_number != AUDIENCE:
            return  # a returning player skips the lobby
        if info.phase in ("playing", "over") and seat is not None:
            self.screen.send(ShowPage(page=build_page(seat, context, words)))
            self._order(seat, context, words)
        else:
            self.screen.send(seats.lobby_message(info, self.seat_number, context, words))

    def _order(self, seat: Seat, context: PageContext, words: Words) -> None:
        looks = self.screen.picture_request
        size = looks.width, looks.height
        order = picture_order(seat, context, words.language, looks.known_theme, size)
        self._gateway.order(self, order if all(size) and context.art_version else None)

    def add_place(self, place: Address) -> None:
        """Try the host at `place` as well."""
        self._connection.add_address(place)

    # Messages of the host

    def _takes(self, lacking: MissingGame) -> bool:
        if not (lacking.can_download and self._gateway.takes_games):
            self._turn_away(lacking.web_reason)
        return lacking.can_download and self._gateway.takes_games

    def _hear(self, news: Event) -> None:
        if self.state == "closed" or (event := self._game_download.filter(news)) is None:
            return
        self._absence.on_event(event)
        policy = self._pass_policy()
        self.guest.on_event(event)
        if self._pass_policy() != policy:
            self.apply_pass_policy()
        match event:
            case ChangedCertificate():
                self._on_certificate_changed(event)
                return
            case NoteReceived():
                self.screen.show_notice(NOTE_SENT, good=True)
            case Lost():
                self._gateway.on_host_lost()
                if self.info is None:
                    self._turn_away(event.reason)
            case TableJoined():
                if self.is_connected:
                    self._on_entered()
            case Seated():
                self._keep_token()
            case TableInfo():
                self._refusal = None
                if self._is_at_known_host:
                    self._gateway.note_info(event)
                self._keep_token()  # with the table's code, which may be new
                self._make_ready(event)
                self.presence.update()
            case TableMoved(addresses=hosts, port=port, fingerprint=found):
                if self._is_at_known_host:
                    self._gateway.on_host_moved(Address(hosts, port, found))
            case MatchProof():
                self._proof_check.start(event)
            case SharesCommitted():  # the token contains the number of starts
                self._keep_token()
            case TableNews():
                self._keep_token()
                self._settle()
            case OfferHosting():  # older hosts offer it to phones, too
                self._act(self.guest.decline_hosting)
            case Farewell(reason=reason, back=False, displaced=displaced):
                if not displaced:
                    self._keep_token()
                self.state = "over"
                log.info("sent away address=%s why=%s", self.origin, _log_text(reason))
                self.screen.show_farewell(reason)
            case _:
                self._settle()
        self.schedule_page()

    def _hear_guest(self, news: News) -> None:
        """Show refusals and notices, both the host's and those of the guest's own checks."""
        match news:
            case Notice(reason=reason):
                screen = self.screen
                (screen.show_notice if self.info is not None else screen.show_code_form)(reason)
            case Refused():
                self._take_refusal(news)
            case _:
                pass

    @property
    def _is_at_known_host(self) -> bool:
        """True if the gateway itself trusts the host, not only this browser."""
        return self._gateway.trusts(self.guest.host_fingerprint)

    def _on_entered(self) -> None:
        proved = self.guest.ticket.code if self.guest.has_host_proof else ""
        self._gateway.note_entered(self._connection.address, proved)
        self._keep_token()

    def _on_certificate_changed(self, changed: ChangedCertificate) -> None:
        """Connect again if the host may have the new certificate, or ask the user."""
        ticket, found = self.guest.ticket, changed.fingerprint
        if self._gateway.trusts(found):
            self.guest.join(replace(ticket, fingerprint=found))
        elif not ticket.code:
            self._turn_away(changed.reason, found)
            return
        self.tasks.start(self._connection.close())
        self._connect()

    def _turn_away(self, reason: Reason, fingerprint: str = "") -> None:
        """Show the form for a code and why the browser isn't at its table.

        `fingerprint`: the fingerprint of a certificate that the user may accept.
        """
        if reason != self._refusal:
            level = logging.INFO if reason.code in WRONG_CODES else logging.WARNING
            log.log(level, "turned away address=%s why=%s", self.origin, _log_text(reason))
        self._refusal = reason
        keeps_seat = bool(self.token) and bool(fingerprint or reason.code == CODE_NEEDED.code)
        self.screen.show_code_form(reason, keeps_seat, fingerprint)

    def _take_refusal(self, refused: Refused) -> None:
        if refused.of in ("play", "take_back") and self._own is not None:
            pass  # handled by `_refuse_answer`
        elif refused.of in ("enter", "hello", "ask_doors"):
            if refused.reason.code in WRONG_CODES:
                self._gateway.tries.add_failure(self.origin)
            self._keep_token()
            self._turn_away(refused.reason)
        else:
            if refused.reason.code == WRONG_SEAT_CODE.code:
                self._gateway.tries.add_failure(self.origin)
            self.screen.show_notice(refused.reason)

    def _refuse_answer(self, reason: Reason) -> None:
        """Refuse the unconfirmed answer unless it is still pending.
        If there is none, show `reason`.
        """
        answer = self.answers.unconfirmed
        if answer is not None and self._own is not None and self._own.seat.pending is None:
            self.answers.refuse(answer, reason)
        else:
            self.screen.show_notice(reason)

    def _keep_token(self) -> None:
        before, self.token = self.token, seat_token.format_token(self.guest.ticket)
        if self.token != before:
            self.screen.send(StoreToken(token=self.token))
            self._gateway.note_seat(self, self.token, before)
            if before and not self.token and self.is_connected:
                self.screen.show_notice(SEAT_LOST)

    def _make_ready(self, info: TableInfo) -> None:
        """Mark a present player as ready if they took the seat in this browser or asked for a
        rematch.
        """
        seat = self.seat_number
        if self.presence.state == "gone":
            return
        if info.phase != "gathering" or seat == AUDIENCE or not self.is_connected:
            return
        if self.rematch.is_said:
            self.wants_ready = False
            self._act(self.rematch.ready_if_gathering)
        elif info.round and info.sitters[seat].state == "here":
            self.wants_ready = False  # after a match players ask for a rematch themselves
        elif self.wants_ready:
            self.wants_ready = False
            self._act(partial(self.guest.set_ready, seat))

    def _settle(self) -> None:
        """Confirm the unconfirmed answer if the host has received it;
        resend the answer if it was lost.
        """
        answer, seat = self.answers.unconfirmed, self.guest.own_seats.get(self.seat_number)
        if answer is None or seat is None:
            return
        if answer.move.ask not in seat.open_offers:
            self.answers.confirm(answer)
        elif seat.pending is None and self.is_connected:
            self.submit_answer(answer)  # a reset without the answer: the host never received it

    def submit_answer(self, answer: SubmittedAnswer) -> None:
        """Send `answer` to the host, or refuse it if no offer admits it."""
        seat, move = self.seat, answer.move
        assert seat is not None
        if any(offer.admits(move) for offer in seat.offers.get(move.ask, ())):
            self.answers.unconfirmed = answer
            seat.send(move)
        else:
            reasons = (seat.explain_refusal(card, move.target) for card in move.cards or (NO_CARD,))
            self.answers.refuse(answer, next(filter(None, reasons), NOT_OFFERED))
        self.schedule_page()

    def _note_verdict(self) -> None:
        self._keep_token()
        self.schedule_page()

    def _act(self, do: Callable[[], object]) -> None:
        with suppress(Illegal):  # disconnected: what still matters is sent after a reconnect
            do()


def _log_text(reason: Reason) -> str:
    return fill_gaps(reason.text, reason.args)


def _call_later(milliseconds: int, do: Callable[[], None]) -> Callable[[], None]:
    return asyncio.get_running_loop().call_later(milliseconds / 1000, do).cancel


def _make_hint_service(bot_pool: BotPool | None) -> HintService | None:
    if bot_pool is None:
        return None
    loop = asyncio.get_running_loop()
    return HintService(
        lambda: bot_pool, lambda take: lambda future: loop.call_soon_threadsafe(take, future)
    )
