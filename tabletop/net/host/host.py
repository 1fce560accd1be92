"""A host: serves tables to guests, in the program's window or under `tabletop serve`.

    host = Host(folder)
    await host.start()               # restores all tables in the folder
    ...
    await host.close()               # says farewell and saves everything

A host runs in the asyncio loop in which it was created. Only disk
access happens in other threads (`disk_pool`).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from socket import socket
from time import perf_counter
from typing import TypeVar, get_args

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tabletop import __version__
from tabletop.background import faults
from tabletop.background.faults import WENT_WRONG
from tabletop.background.tasks import Tasks, run_in_thread
from tabletop.bots.bot_pool import BotPool
from tabletop.engine.model import Reason
from tabletop.engine.play import Illegal
from tabletop.lan.interfaces import addresses, server_socket
from tabletop.net.certificate import load_certificate
from tabletop.net.guess_limit import BUSY
from tabletop.net.host.admission import NO_TABLE, TOO_MANY_TRIES
from tabletop.net.host.announcements import keep_announced
from tabletop.net.host.connected_guest import ConnectedGuest, LocalGuest, SocketGuest, address_of
from tabletop.net.host.guest_connection import GuestConnection
from tabletop.net.host.observer import CONNECTION_BROKE, HostObserver
from tabletop.net.host.pre_handshake_limiter import PreHandshakeLimiter
from tabletop.net.host.relocation import has_open_offer, offer_hosting_to_players, plan_relocation
from tabletop.net.host.table_disk import disk_of
from tabletop.net.host.table_packing import ArrivingTable
from tabletop.net.host.table_registry import TableRegistry
from tabletop.net.limits import SAY_HELLO, TOO_FAST, LeakyBuckets, Limits, origin
from tabletop.net.message_writer import CLOSE_TIMEOUT_S
from tabletop.protocol.archive import ArchiveRequest
from tabletop.protocol.codec import (
    MAX_GUEST_MESSAGE_BYTES,
    BadMessage,
    OutgoingMessage,
    decode_guest_message,
    tag_of,
)
from tabletop.protocol.game_files import GameFileRequest
from tabletop.protocol.invitation import DEFAULT_PORT, PORT_SLOTS
from tabletop.protocol.join_proof import RequestJoinProof
from tabletop.protocol.listing import ListTables
from tabletop.protocol.messages import (
    CommitShare,
    ConfigureSeat,
    Farewell,
    FromGuest,
    FromHost,
    Hello,
    JoinTable,
    LeaveSeat,
    LeaveTable,
    OpenTable,
    Play,
    Refused,
    RevealShare,
    Sit,
    Welcome,
)
from tabletop.protocol.moderation import RemovePlayer, RenewCode
from tabletop.protocol.seat_codes import WRONG_SEAT_CODE, TakeOverSeat
from tabletop.protocol.table_transfer import (
    GAME_TRANSFER_FEATURE,
    DeliverTable,
    HandOverHost,
    NewHost,
    RequestTableMove,
    TableDelivered,
)
from tabletop.protocol.versions import FEATURES, negotiate_protocol, version_mismatch
from tabletop.table import requests
from tabletop.table.given_games import SharedGames
from tabletop.table.hosted_table import HostedTable
from tabletop.table.services import NOT_NOW, TableTiming
from tabletop.text.plain_text import plain_line

log = logging.getLogger("tabletop.net")
silent_log = logging.getLogger("tabletop.net.wire")
silent_log.setLevel(logging.CRITICAL)  # websockets would log every guest that vanishes as an error
T = TypeVar("T")

POLL_INTERVAL_S = 0.1
"""Seconds between two checks whether any table is still moving."""
RESTART_DELAY_S = 30.0
"""Seconds before a background task restarts after an unexpected exception."""
HOST_STOPPED = Reason(
    "The host has stopped. The table is saved and continues when it's back.", code="stopping"
)
UNMETERED_MESSAGES = (Play, CommitShare, RevealShare, DeliverTable)
"""Messages exempt from the traffic limit. The rules or a transfer key already limit them."""
GuestQuestion = ArchiveRequest | ListTables | GameFileRequest
QUERY_TYPES = get_args(GuestQuestion)
"""Types of questions that are answered from the disk or the list of tables."""
JOIN_MESSAGES = frozenset((RequestJoinProof, RequestTableMove, JoinTable, OpenTable, Hello))
"""Types of messages that a guest sends to reach a table, even if it is at another one."""


class Host:
    """A WebSocket server that hosts tables."""

    features: tuple[str, ...] = FEATURES
    registry: TableRegistry

    def __init__(
        self,
        folder: Path,
        *,
        key: str = "",
        limits: Limits | None = None,
        timing: TableTiming | None = None,
        is_announced: bool = False,
        bot_pool: BotPool | None = None,
        observer: HostObserver | None = None,
    ) -> None:
        """Args:
            folder: The folder of the tables.
            key: The key needed to open a table; if empty, anyone may open one.
            limits: The limits for guests.
            timing: The time limits and delays at the host's tables.
            is_announced: Whether to announce the tables on the LAN.
            bot_pool: The worker processes in which bots think; None makes bots move at random. The
                caller closes the pool.
            observer: Notified of what the host does, for statistics.

        Raises:
            StorageError: `folder` can't be written.
        """
        self.folder = folder
        self.limits = limits or Limits()
        self.observer = observer or HostObserver()
        self.port = 0
        self.certificate = load_certificate(folder)
        self._given_games = SharedGames()
        self._is_announced = is_announced
        self.announcement_error = ""
        """The system's error message if the tables can't be announced; "" if announcing works."""
        self.guests: set[ConnectedGuest] = set()
        """All guests whose handshake is complete."""
        self._guest_counts: Counter[str] = Counter()
        self._server: Server | None = None
        self.limiter = PreHandshakeLimiter(self.limits, self._count_guests)
        self._traffic = LeakyBuckets(
            self.limits.traffic_bytes_per_s, self.limits.traffic_burst_bytes
        )
        self._tasks = Tasks()
        self.registry = self._make_registry(key, timing or TableTiming(), bot_pool)
        self.registry.fingerprint = self.certificate.fingerprint

    def _make_registry(
        self, key: str, pace: TableTiming, bot_pool: BotPool | None
    ) -> TableRegistry:
        return TableRegistry(self.folder, key, self.limits, pace, bot_pool, self.observer)

    @property
    def hosted_tables(self) -> dict[str, HostedTable]:
        """The tables in memory by ID, without sleeping ones."""
        return self.registry.hosted_tables

    # Start and stop

    async def start(
        self, bind: str | None = None, port: int | None = None, at: socket | None = None
    ) -> None:
        """Load the tables in the folder and start to listen.

        Args:
            bind: The local address to listen on; None or "" means all addresses.
            port: The port; None takes the first free port of the default range.
            at: A socket that is already listening, instead of `bind` and `port`.

        Raises:
            OSError: the host can't listen there.
            StorageError: the folder of the tables can't be read.
        """
        await self.registry.load_tables()
        server = self._server = await (self._serve(at) if at else self._listen(bind, port))
        self.port = self.registry.port = server.sockets[0].getsockname()[1]
        self._tasks.start_restarting(self._sweep, RESTART_DELAY_S)
        if self._is_announced:
            announce = partial(keep_announced, self.registry, self._on_announced)
            self._tasks.start_restarting(announce, RESTART_DELAY_S)
        log.info("listening port=%d tables=%d", self.port, len(self.registry.tables))

    def offer_hosting(self) -> bool:
        """Ask the players of all tables to take over hosting. Return whether anyone was asked."""
        for hosted in self.hosted_tables.values():
            offer_hosting_to_players(hosted)
        return any(has_open_offer(hosted) for hosted in self.hosted_tables.values())

    async def wait_for_relocations(self, timeout_s: float) -> None:
        """Wait up to `timeout_s` for players to answer offers, then until no table is moving."""
        loop = asyncio.get_running_loop()
        until = loop.time() + timeout_s
        while any(
            hosted.is_moving or (loop.time() < until and has_open_offer(hosted))
            for hosted in self.hosted_tables.values()
        ):
            await asyncio.sleep(POLL_INTERVAL_S)

    async def close(self, reason: Reason = HOST_STOPPED) -> None:
        """Send all guests a farewell with `reason`, save everything and stop."""
        self.limiter.close()
        farewells = Tasks()
        for guest in tuple(self.guests):
            guest.send_message(Farewell(reason, back=True))
            farewells.start(guest.close())
        await farewells.wait()
        if self._server is not None:
            self._server.close()
        for hosted in self.hosted_tables.values():
            hosted.hosted_match.close()
        if self._server is not None:
            await self._server.wait_closed()
        await self._tasks.cancel()
        await run_in_thread(self.registry.close)
        log.info("stopped tables=%d", len(self.registry.tables))

    async def _listen(self, bind: str | None, port: int | None) -> Server:
        choices = range(DEFAULT_PORT, DEFAULT_PORT + PORT_SLOTS - 1) if port is None else (port,)
        for number in choices:
            try:
                listener = server_socket(bind or "", number)
            except OSError as error:
                trouble = error
            else:
                return await self._serve(listener)
        raise trouble

    async def _serve(self, at: socket) -> Server:
        return await serve(
            self._serve_guest,
            sock=at,
            compression=None,
            max_size=MAX_GUEST_MESSAGE_BYTES,
            max_queue=2,
            write_limit=self.limits.max_unsent_bytes,  # pings needn't wait for a slow guest
            open_timeout=self.limits.greeting_timeout_s,
            ping_interval=self.limits.ping_interval_s,
            ping_timeout=self.limits.ping_timeout_s,
            close_timeout=CLOSE_TIMEOUT_S,
            process_request=self._check_room,
            server_header=None,
            logger=silent_log,
            create_connection=self._connection_class(),
        )

    def _connection_class(self) -> type[GuestConnection]:
        class OwnConnection(GuestConnection):
            limits = self.limits
            limiter = self.limiter
            context = self.certificate.make_tls_context()

        return OwnConnection

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(
                min(
                    60.0,
                    self.limits.empty_table_lifetime_s,
                    max(0.1, self.limits.sleep_after_s / 2),
                )
            )
            self.registry.close_abandoned_tables()
            await self.registry.read_missing_tables()

    def _on_announced(self, why: str) -> None:
        self.announcement_error = why

    # Connections

    async def _check_room(self, socket: ServerConnection, request: Request) -> Response | None:
        """Refuse the connection if the host has too many from the same origin."""
        try:
            if self.limiter.is_full(origin(address_of(socket))):
                self.observer.on_turned_away()
                return socket.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        except Exception as error:  # websockets would swallow it
            faults.report(error, "a guest's first request")
            raise
        return None

    def _count_guests(self, origin: str | None) -> int:
        return len(self.guests) if origin is None else self._guest_counts[origin]

    async def _serve_guest(self, socket: ServerConnection) -> None:
        assert isinstance(socket, GuestConnection)
        socket.finish_handshake()
        guest = SocketGuest(socket, self.limits, self.observer)
        self._guest_counts[guest.origin] += 1
        guest.start_idle_timer(self.limits.greeting_timeout_s, self.cut_off)
        try:
            async with self._registered(guest):
                while not guest.is_closing:
                    frame = await socket.recv(decode=False)
                    if not guest.is_closing:
                        await self._on_frame(guest, frame)
                        await asyncio.sleep(0)  # give others a turn, however much this guest sends
        except ConnectionClosed as error:
            if socket.is_flooded and not guest.is_closing:
                self._record_cut_off(guest, TOO_FAST)
            elif error.rcvd is None and not guest.is_closing:
                self.observer.on_cut_off(CONNECTION_BROKE)
        except Exception as error:  # the error ends this connection only
            faults.report(error, "a guest's connection")
        finally:
            guest.stop()
            self._guest_counts[guest.origin] -= 1
            if not self._guest_counts[guest.origin]:
                del self._guest_counts[guest.origin]
            if guest.is_closing:  # the farewell is on its way
                await guest.close()

    async def serve_local(self, guest: LocalGuest) -> None:
        """Serve a guest in this process until its connection ends."""
        async with self._registered(guest), asyncio.TaskGroup() as group:
            leaving = group.create_task(guest.wait_closed())
            while not guest.is_closing:
                coming = group.create_task(guest.incoming.get())
                await asyncio.wait((coming, leaving), return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    coming.cancel()
                    break
                await self._handle(guest, coming.result())
            leaving.cancel()

    @asynccontextmanager
    async def _registered(self, guest: ConnectedGuest) -> AsyncIterator[None]:
        """Keep `guest` in `guests` within the `async with` block, then report its disconnection."""
        self.guests.add(guest)
        self.observer.on_connected()
        try:
            yield
        finally:
            self.guests.discard(guest)
            self.registry.on_disconnected(guest)

    def cut_off(self, guest: ConnectedGuest, reason: Reason) -> None:
        """Close the connection of `guest` with `reason`."""
        if guest.is_closing:
            return
        self._record_cut_off(guest, reason)
        guest.send_message(Farewell(reason))
        self._tasks.start(guest.close())

    def _record_cut_off(self, guest: ConnectedGuest, reason: Reason) -> None:
        self.observer.on_cut_off(reason.code)
        log.info("cut off address=%s why=%s", guest.address, reason.text)
        guest.is_closing = True

    async def _on_frame(self, guest: ConnectedGuest, frame: bytes) -> None:
        try:
            message = decode_guest_message(frame)
        except BadMessage as error:
            self._refuse(guest, Refused(error.reason))
        else:
            await self._handle(guest, message)

    async def _handle(self, guest: ConnectedGuest, message: FromGuest) -> None:
        """Carry out or refuse a message from `guest`."""
        if isinstance(message, DeliverTable) and self.registry.incoming.is_expected(message):
            guest.uncount_message()  # an invited table may arrive at full speed
        if isinstance(message, UNMETERED_MESSAGES):
            self._dispatch(guest, message)
        elif isinstance(message, QUERY_TYPES):
            await guest.wait_for_allowance(self._traffic)
            if guest.is_greeted:
                self._answer(guest, tag_of(message), *await self._find_answer(guest, message))
            else:
                self.cut_off(guest, SAY_HELLO)
        else:
            await guest.wait_for_allowance(self._traffic)
            if isinstance(message, JoinTable) and guest.is_greeted:
                await self._enter(guest, message)
                return
            if self._needs_turn(guest, message):
                turn = self.registry.admission.wait_for_turn(guest)
                if not await self._while_connected(guest, turn):
                    self._refuse(guest, Refused(BUSY, tag_of(message)))
                    return
            before = self._bytes_posted()
            self._dispatch(guest, message)
            self._traffic.fill(guest.origin, self._bytes_posted() - before)

    async def _enter(self, guest: ConnectedGuest, message: JoinTable) -> None:
        """Admit a guest to a table, or refuse its request."""
        trying = self.registry.admit(guest, message)
        admitted = await self._while_connected(guest, trying)
        if isinstance(admitted, Reason):
            self._refuse_entry(guest, message, admitted)
            return
        hosted = await self.registry.wake(admitted.table)  # the last await: it stays awake
        if isinstance(hosted, Reason):
            self._refuse_entry(guest, message, hosted)
            return
        before = self._bytes_posted()
        if refused := self.registry.enter(guest, message, hosted, admitted.sign):
            self._refuse_entry(guest, message, refused)
        self._traffic.fill(guest.origin, self._bytes_posted() - before)

    def _refuse_entry(self, guest: ConnectedGuest, message: JoinTable, reason: Reason) -> None:
        gone = reason.code == NO_TABLE.code
        self._refuse(guest, Refused(reason, tag_of(message), closed=gone))

    async def _while_connected(self, guest: ConnectedGuest, work: Coroutine[None, None, T]) -> T:
        """Return the result of `work`, which may wait for a turn.

        If the guest disconnects, cancel its turn.
        """
        guest.is_queued = True
        try:
            async with asyncio.TaskGroup() as group:
                trying = group.create_task(work)
                leaving = group.create_task(guest.wait_closed())
                await asyncio.wait((trying, leaving), return_when=asyncio.FIRST_COMPLETED)
                self.registry.admission.cancel_turn(guest)
                await trying
                leaving.cancel()
        finally:
            guest.is_queued = False
        return trying.result()

    def _needs_turn(self, guest: ConnectedGuest, message: FromGuest) -> bool:
        """Return whether `message` tries a seat code, so that it must wait for a turn."""
        tries = (
            isinstance(message, TakeOverSeat) and bool(message.code) and guest.hosted is not None
        )
        return tries and not self.registry.admission.is_exhausted(guest)

    def _take_over(self, hosted: HostedTable, guest: ConnectedGuest, message: TakeOverSeat) -> None:
        admission = self.registry.admission
        if admission.is_exhausted(guest):
            self._refuse(guest, Refused(TOO_MANY_TRIES, tag_of(message)))
            return
        if refused := requests.receive(hosted, guest, message):
            self.observer.on_refused(tag_of(message), refused)
        if refused is not None and refused.code == WRONG_SEAT_CODE.code:
            admission.count_wrong_code(guest)
        elif message.code:
            admission.give_back_turn(guest)

    def _bytes_posted(self) -> int:
        return sum(hosted.posted_bytes for hosted in self.hosted_tables.values())

    def _dispatch(self, guest: ConnectedGuest, message: FromGuest) -> None:
        started = perf_counter()
        hosted = guest.hosted
        if hosted is None or type(message) in JOIN_MESSAGES:
            self._dispatch_outside(guest, message)
        elif isinstance(message, (HandOverHost, NewHost)):
            try:
                if relocation := plan_relocation(self.registry, guest, hosted, message):
                    self._tasks.start(relocation, lambda _: hosted.notify(WENT_WRONG))
            except Illegal as illegal:
                self._refuse(guest, Refused(illegal.reason, tag_of(message)))
        elif isinstance(message, TakeOverSeat):
            self._take_over(hosted, guest, message)
        elif refused := requests.receive(hosted, guest, message):
            self.observer.on_refused(tag_of(message), refused)
        elif isinstance(message, Play):
            disk_of(hosted).call_when_synced(
                lambda: self.observer.on_move_answered(perf_counter() - started)
            )
        elif isinstance(message, RenewCode):
            self.registry.renew_code(hosted)
        elif isinstance(message, (ConfigureSeat, LeaveTable, RemovePlayer, LeaveSeat, Sit)):
            if isinstance(message, LeaveTable) and hosted.is_deserted:
                self.registry.close_table(hosted.table)
            else:
                self.registry.send_invitation(hosted)  # the free seats have changed

    def _dispatch_outside(self, guest: ConnectedGuest, message: FromGuest) -> None:
        """Handle a message from a guest that isn't at a table, or wants to go to another one."""
        refused: Reason | None = None
        match message:
            case Hello():
                self._greet(guest, message)
            case _ if not guest.is_greeted:
                self.cut_off(guest, SAY_HELLO)
            case RequestJoinProof():
                self._answer(guest, "enter", self.registry.challenge(guest, message))
            case RequestTableMove():
                self._answer(guest, tag_of(message), self.registry.offer_move(guest, message))
            case OpenTable():
                refused = self.registry.open_table(guest, message)
            case DeliverTable():
                arrived = self.registry.incoming.add_piece(message)
                if isinstance(arrived, Reason):
                    refused = arrived
                elif arrived is not None:
                    taking = self._import_table(guest, arrived)
                    self._tasks.start(
                        taking, lambda _: self._refuse(guest, Refused(WENT_WRONG, tag_of(message)))
                    )
            case _:
                refused = NOT_NOW
        if refused is not None:
            self._refuse(guest, Refused(refused, tag_of(message)))

    async def _import_table(self, guest: ConnectedGuest, arrived: ArrivingTable) -> None:
        """Add a table that has arrived from another computer, and notify its sender."""
        if isinstance(taken := await self.registry.import_table(arrived), Reason):
            self._refuse(guest, Refused(taken, "deliver"))
        else:
            guest.send_message(TableDelivered(taken, addresses()))

    async def _find_answer(
        self, guest: ConnectedGuest, question: GuestQuestion
    ) -> tuple[FromHost | Reason, int]:
        """Return the answer to `question`, and the factor by which its size counts as traffic.

        A plain `Host` answers only requests for games; the subclass
        of `tabletop serve` answers the others.
        """
        if isinstance(question, GameFileRequest):
            return await self._given_games.answer(guest.hosted, question), 1
        return NOT_NOW, 1

    def _answer(
        self, guest: ConnectedGuest, of: str, answer: FromHost | Reason, cost: int = 1
    ) -> None:
        """Send `answer`, and count `cost` times its size as traffic of the guest's origin.

        `of`: the tag of the message that is answered.
        """
        if isinstance(answer, Reason):
            self._refuse(guest, Refused(answer, of))
            return
        outgoing = OutgoingMessage(answer)
        self._traffic.fill(guest.origin, cost * guest.size_bytes(outgoing))
        guest.send(outgoing)

    def _greet(self, guest: ConnectedGuest, hello: Hello) -> None:
        protocol = negotiate_protocol(hello)
        if protocol is None:
            reason = version_mismatch(__version__, plain_line(hello.program))
            self._refuse(guest, Refused(reason, tag_of(hello)))
            self.cut_off(guest, reason)
        elif shut_out := self._ban_reason(guest):
            self.cut_off(guest, shut_out)
        else:
            guest.is_greeted, guest.can_host = True, hello.can_host
            more = (GAME_TRANSFER_FEATURE,) if self.limits.accepts_games else ()
            guest.send_message(Welcome(protocol, __version__, self.features + more))

    def _ban_reason(self, guest: ConnectedGuest) -> Reason | None:
        """Return why the guest's origin is banned, or None if it isn't."""
        return None

    def _refuse(self, guest: ConnectedGuest, refused: Refused) -> None:
        self.observer.on_refused(refused.of, refused.reason)
        log.info("refused of=%s address=%s why=%s", refused.of, guest.address, refused.reason.text)
        guest.send_message(refused)
