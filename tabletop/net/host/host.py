"""Serves tables to guests: the host within a window, and what `tabletop serve` builds on.

    host = Host(folder)
    await host.start()               # restores every table in the folder
    ...
    await host.close()               # says farewell, and leaves everything safe on disk

A host lives in the asyncio loop in which it was made. Only its disk is waited for elsewhere
(`disk_pool`).
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
from tabletop.net.certificate import certificate
from tabletop.net.guess_limit import BUSY
from tabletop.net.host.admission import NO_TABLE, TOO_MANY_TRIES
from tabletop.net.host.announcements import keep_announced
from tabletop.net.host.connected_guest import ConnectedGuest, GuestHere, SocketGuest, address_of
from tabletop.net.host.guest_connection import GuestConnection
from tabletop.net.host.observer import LOST, HostObserver
from tabletop.net.host.pre_handshake_limiter import PreHandshakeLimiter
from tabletop.net.host.relocation import ask_players, is_asking, plan_relocation
from tabletop.net.host.table_disk import disk_of
from tabletop.net.host.table_packing import ArrivingTable
from tabletop.net.host.table_registry import TableRegistry
from tabletop.net.limits import SAY_HELLO, TOO_FAST, LeakyBuckets, Limits, origin
from tabletop.net.message_writer import PARTING
from tabletop.protocol.archive import ArchiveQuestion
from tabletop.protocol.codec import LARGEST_IN, BadMessage, OutgoingMessage, from_guest, tag
from tabletop.protocol.game_files import GameQuestion
from tabletop.protocol.invitation import PORT, SLOTS
from tabletop.protocol.join_proof import RequestJoinProof
from tabletop.protocol.listing import AskTables
from tabletop.protocol.messages import (
    Arrange,
    Commit,
    Enter,
    Farewell,
    FromGuest,
    FromHost,
    Hello,
    Leave,
    LeaveSeat,
    Open,
    Play,
    Refused,
    Reveal,
    Sit,
    Welcome,
)
from tabletop.protocol.moderation import Remove, RenewCode
from tabletop.protocol.seat_codes import WRONG_SEAT_CODE, TakeOver
from tabletop.protocol.table_transfer import (
    GAMES_MOVE,
    Deliver,
    Delivered,
    HandOverHost,
    NewHost,
    RequestMove,
)
from tabletop.protocol.versions import FEATURES, common_protocol, other_version
from tabletop.table import requests
from tabletop.table.given_games import GivenGames
from tabletop.table.hosted_table import HostedTable
from tabletop.table.services import NOT_NOW, TableTiming
from tabletop.text.plain_text import plain_line

log = logging.getLogger("tabletop.net")
quiet = logging.getLogger("tabletop.net.wire")
quiet.setLevel(logging.CRITICAL)  # websockets would log every guest that vanishes as an error
T = TypeVar("T")

ANSWERS_EVERY = 0.1
"""Seconds between two looks whether a table has moved."""
AFTER_FAULT = 30.0
"""Seconds after a fault until its work begins again."""
STOPPING = Reason(
    "The host has stopped. The table is saved and continues when it's back.", code="stopping"
)
PLAYING = (Play, Commit, Reveal, Deliver)
"""Messages that the rules of a game, or a key, limit already."""
GuestQuestion = ArchiveQuestion | AskTables | GameQuestion
QUESTIONS = get_args(GuestQuestion)
"""Questions that are answered from the disk, or from all tables."""
WHILE_JOINING = frozenset((RequestJoinProof, RequestMove, Enter, Open, Hello))
"""Messages of guests that are at no table, or want to go to another one."""


class Host:
    """A computer that serves tables."""

    features: tuple[str, ...] = FEATURES
    registry: TableRegistry

    def __init__(
        self,
        folder: Path,
        *,
        key: str = "",
        limits: Limits | None = None,
        pace: TableTiming | None = None,
        announced: bool = False,
        bot_pool: BotPool | None = None,
        observer: HostObserver | None = None,
    ) -> None:
        """`key`: needed to open a table; with none, anyone may. The `bot_pool` thinks for bots,
        which otherwise answer anything; closing it is up to the caller. `announced`: the tables are
        announced to the whole network.

        Raises:
            StorageError: the folder cannot be written.
        """
        self.folder = folder
        self.limits = limits or Limits()
        self.observer = observer or HostObserver()
        self.port = 0
        self.certificate = certificate(folder)
        self._given_games = GivenGames()
        self._announced = announced
        self.unannounced = ""
        """Why the tables cannot be announced, as the system puts it, while they cannot."""
        self.guests: set[ConnectedGuest] = set()
        """The guests that have finished the handshake."""
        self._from: Counter[str] = Counter()
        self._server: Server | None = None
        self.limiter = PreHandshakeLimiter(self.limits, self._guests_from)
        self._drawn = LeakyBuckets(self.limits.drawn_a_second, self.limits.drawn_at_once)
        self._tasks = Tasks()
        self.registry = self._registry_of(key, pace or TableTiming(), bot_pool)
        self.registry.fingerprint = self.certificate.fingerprint

    def _registry_of(self, key: str, pace: TableTiming, bot_pool: BotPool | None) -> TableRegistry:
        return TableRegistry(self.folder, key, self.limits, pace, bot_pool, self.observer)

    @property
    def hosted_tables(self) -> dict[str, HostedTable]:
        """The tables that are awake, by their names."""
        return self.registry.hosted_tables

    # Beginning and end

    async def start(
        self, bind: str | None = None, port: int | None = None, at: socket | None = None
    ) -> None:
        """Bring the tables of the folder back, and listen: `at` a socket that listens already, or
        at a port, with none the first that is free.

        Raises:
            OSError: it cannot listen there.
        """
        await self.registry.resume()
        server = self._server = await (self._serve(at) if at else self._listen(bind, port))
        self.port = self.registry.port = server.sockets[0].getsockname()[1]
        self._tasks.start_restarting(self._sweep, AFTER_FAULT)
        if self._announced:
            announce = partial(keep_announced, self.registry, self._not_announced)
            self._tasks.start_restarting(announce, AFTER_FAULT)
        log.info("listening port=%d tables=%d", self.port, len(self.registry.tables))

    def ask_players(self) -> bool:
        """Ask the players of all tables to host them on; return whether there is anybody to ask."""
        for hosted in self.hosted_tables.values():
            ask_players(hosted)
        return any(is_asking(hosted) for hosted in self.hosted_tables.values())

    async def tables_handed_over(self, seconds: float) -> None:
        """Wait this long for the answers of those who were asked, and until no table is moving."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while any(
            hosted.moving or (loop.time() < until and is_asking(hosted))
            for hosted in self.hosted_tables.values()
        ):
            await asyncio.sleep(ANSWERS_EVERY)

    async def close(self, reason: Reason = STOPPING) -> None:
        """Notify everybody, have everything safe on disk, and stop."""
        self.limiter.close()
        farewells = Tasks()
        for guest in tuple(self.guests):
            guest.tell(Farewell(reason, back=True))
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
        choices = range(PORT, PORT + SLOTS - 1) if port is None else (port,)
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
            max_size=LARGEST_IN,
            max_queue=2,
            write_limit=self.limits.unread,  # a ping must not wait for the guest
            open_timeout=self.limits.greeting,
            ping_interval=self.limits.ping_interval,
            ping_timeout=self.limits.ping_timeout,
            close_timeout=PARTING,
            process_request=self._asked_for,
            server_header=None,
            logger=quiet,
            create_connection=self._connection_class(),
        )

    def _connection_class(self) -> type[GuestConnection]:
        class OwnConnection(GuestConnection):
            limits = self.limits
            limiter = self.limiter
            context = self.certificate.context()

        return OwnConnection

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(60.0, self.limits.empty, max(0.1, self.limits.awake / 2)))
            self.registry.sweep()

    def _not_announced(self, why: str) -> None:
        self.unannounced = why

    # Lines

    async def _asked_for(self, line: ServerConnection, request: Request) -> Response | None:
        """Turn away one connection too many."""
        try:
            if self.limiter.is_full(origin(address_of(line))):
                self.observer.turn_away()
                return line.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        except Exception as error:  # websockets would answer it without telling anybody
            faults.report(error, "a guest's first request")
            raise
        return None

    def _guests_from(self, origin: str | None) -> int:
        return len(self.guests) if origin is None else self._from[origin]

    async def _serve_guest(self, line: ServerConnection) -> None:
        assert isinstance(line, GuestConnection)
        line.finish_handshake()
        guest = SocketGuest(line, self.limits, self.observer)
        self._from[guest.origin] += 1
        guest.hurry(self.limits.greeting, self.cut)
        try:
            async with self._attended(guest):
                while not guest.ended:
                    frame = await line.recv(decode=False)
                    if not guest.ended:
                        await self._hear(guest, frame)
                        await asyncio.sleep(0)  # give others a turn, however much this guest sends
        except ConnectionClosed as error:
            if line.flooded and not guest.ended:
                self._note_cut(guest, TOO_FAST)
            elif error.rcvd is None and not guest.ended:
                self.observer.cut_off(LOST)
        except Exception as error:  # the error ends this line, and must not end the host
            faults.report(error, "a guest's line")
        finally:
            guest.leave()
            self._from[guest.origin] -= 1
            if not self._from[guest.origin]:
                del self._from[guest.origin]
            if guest.ended:  # the farewell is on its way
                await guest.close()

    async def serve_here(self, guest: GuestHere) -> None:
        """Serve a guest of this process until its connection ends."""
        async with self._attended(guest), asyncio.TaskGroup() as group:
            leaving = group.create_task(guest.wait_closed())
            while not guest.ended:
                coming = group.create_task(guest.incoming.get())
                await asyncio.wait((coming, leaving), return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    coming.cancel()
                    break
                await self._take(guest, coming.result())
            leaving.cancel()

    @asynccontextmanager
    async def _attended(self, guest: ConnectedGuest) -> AsyncIterator[None]:
        """A guest is there as long as this lasts."""
        self.guests.add(guest)
        self.observer.connect()
        try:
            yield
        finally:
            self.guests.discard(guest)
            self.registry.hang_up(guest)

    def cut(self, guest: ConnectedGuest, reason: Reason) -> None:
        """Close a guest's connection with a reason."""
        if guest.ended:
            return
        self._note_cut(guest, reason)
        guest.tell(Farewell(reason))
        self._tasks.start(guest.close())

    def _note_cut(self, guest: ConnectedGuest, reason: Reason) -> None:
        self.observer.cut_off(reason.code)
        log.info("cut off address=%s why=%s", guest.address, reason.text)
        guest.ended = True

    async def _hear(self, guest: ConnectedGuest, frame: bytes) -> None:
        try:
            message = from_guest(frame)
        except BadMessage as error:
            self._refuse(guest, Refused(error.reason))
        else:
            await self._take(guest, message)

    async def _take(self, guest: ConnectedGuest, message: FromGuest) -> None:
        """Do what a guest's message asks for, or refuse it."""
        if isinstance(message, Deliver) and self.registry.incoming.expects(message):
            guest.excuse_message()  # an invited table comes as fast as it can
        if isinstance(message, PLAYING):
            self._obey(guest, message)
        elif isinstance(message, QUESTIONS):
            await guest.wait_for_allowance(self._drawn)
            if guest.greeted:
                self._answer(guest, tag(message), *await self._find_answer(guest, message))
            else:
                self.cut(guest, SAY_HELLO)
        else:
            await guest.wait_for_allowance(self._drawn)
            if isinstance(message, Enter) and guest.greeted:
                await self._enter(guest, message)
                return
            if self._tries_seat_code(guest, message):
                turn = self.registry.admission.wait_for_turn(guest)
                if not await self._while_there(guest, turn):
                    self._refuse(guest, Refused(BUSY, tag(message)))
                    return
            before = self._bytes_posted()
            self._obey(guest, message)
            self._drawn.fill(guest.origin, self._bytes_posted() - before)

    async def _enter(self, guest: ConnectedGuest, message: Enter) -> None:
        """Let a guest join a table; else refuse it."""
        trying = self.registry.admit(guest, message)
        admitted = await self._while_there(guest, trying)
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
        self._drawn.fill(guest.origin, self._bytes_posted() - before)

    def _refuse_entry(self, guest: ConnectedGuest, message: Enter, reason: Reason) -> None:
        gone = reason.code == NO_TABLE.code
        self._refuse(guest, Refused(reason, tag(message), closed=gone))

    async def _while_there(self, guest: ConnectedGuest, work: Coroutine[None, None, T]) -> T:
        """Await work that may have to wait for a turn, as long as the guest is connected."""
        guest.queued = True
        try:
            async with asyncio.TaskGroup() as group:
                trying = group.create_task(work)
                leaving = group.create_task(guest.wait_closed())
                await asyncio.wait((trying, leaving), return_when=asyncio.FIRST_COMPLETED)
                self.registry.admission.give_up(guest)
                await trying
                leaving.cancel()
        finally:
            guest.queued = False
        return trying.result()

    def _tries_seat_code(self, guest: ConnectedGuest, message: FromGuest) -> bool:
        """Return whether this needs a turn to try a code."""
        tries = isinstance(message, TakeOver) and bool(message.code) and guest.hosted is not None
        return tries and not self.registry.admission.is_exhausted(guest)

    def _take_over(self, hosted: HostedTable, guest: ConnectedGuest, message: TakeOver) -> None:
        admission = self.registry.admission
        if admission.is_exhausted(guest):
            self._refuse(guest, Refused(TOO_MANY_TRIES, tag(message)))
            return
        if refused := requests.receive(hosted, guest, message):
            self.observer.refuse(tag(message), refused)
        if refused is not None and refused.code == WRONG_SEAT_CODE.code:
            admission.fail(guest)
        elif message.code:
            admission.give_back_turn(guest)

    def _bytes_posted(self) -> int:
        return sum(hosted.posted for hosted in self.hosted_tables.values())

    def _obey(self, guest: ConnectedGuest, message: FromGuest) -> None:
        started = perf_counter()
        hosted = guest.hosted
        if hosted is None or type(message) in WHILE_JOINING:
            self._join(guest, message)
        elif isinstance(message, (HandOverHost, NewHost)):
            try:
                if way := plan_relocation(self.registry, guest, hosted, message):
                    self._tasks.start(way, lambda _: hosted.notify(WENT_WRONG))
            except Illegal as illegal:
                self._refuse(guest, Refused(illegal.reason, tag(message)))
        elif isinstance(message, TakeOver):
            self._take_over(hosted, guest, message)
        elif refused := requests.receive(hosted, guest, message):
            self.observer.refuse(tag(message), refused)
        elif isinstance(message, Play):
            disk_of(hosted).call_when_synced(
                lambda: self.observer.note_answer(perf_counter() - started)
            )
        elif isinstance(message, RenewCode):
            self.registry.renew_code(hosted)
        elif isinstance(message, (Arrange, Leave, Remove, LeaveSeat, Sit)):
            if isinstance(message, Leave) and hosted.deserted:
                self.registry.remove(hosted.table)
            else:
                self.registry.invite(hosted)  # the free seats have changed

    def _join(self, guest: ConnectedGuest, message: FromGuest) -> None:
        """Handle a message of a guest that is at no table, or wants to go to another one."""
        refused: Reason | None = None
        match message:
            case Hello():
                self._greet(guest, message)
            case _ if not guest.greeted:
                self.cut(guest, SAY_HELLO)
            case RequestJoinProof():
                self._answer(guest, "enter", self.registry.challenge(guest, message))
            case RequestMove():
                self._answer(guest, tag(message), self.registry.offer(guest, message))
            case Open():
                refused = self.registry.open(guest, message)
            case Deliver():
                arrived = self.registry.incoming.take(message)
                if isinstance(arrived, Reason):
                    refused = arrived
                elif arrived is not None:
                    taking = self._take_in(guest, arrived)
                    self._tasks.start(
                        taking, lambda _: self._refuse(guest, Refused(WENT_WRONG, tag(message)))
                    )
            case _:
                refused = NOT_NOW
        if refused is not None:
            self._refuse(guest, Refused(refused, tag(message)))

    async def _take_in(self, guest: ConnectedGuest, arrived: ArrivingTable) -> None:
        """Take in a table that has arrived, and notify its sender."""
        if isinstance(taken := await self.registry.take_in(arrived), Reason):
            self._refuse(guest, Refused(taken, "deliver"))
        else:
            guest.tell(Delivered(taken, addresses()))

    async def _find_answer(
        self, guest: ConnectedGuest, question: GuestQuestion
    ) -> tuple[FromHost | Reason, int]:
        """What a guest asked for, and how many times its size it counts as traffic. A person's own
        host hands out games alone."""
        if isinstance(question, GameQuestion):
            return await self._given_games.answer(guest.hosted, question), 1
        return NOT_NOW, 1

    def _answer(
        self, guest: ConnectedGuest, of: str, answer: FromHost | Reason, cost: int = 1
    ) -> None:
        """Send an answer; it counts this many times as traffic of the guest's origin."""
        if isinstance(answer, Reason):
            self._refuse(guest, Refused(answer, of))
            return
        outgoing = OutgoingMessage(answer)
        self._drawn.fill(guest.origin, cost * guest.size_of(outgoing))
        guest.send(outgoing)

    def _greet(self, guest: ConnectedGuest, hello: Hello) -> None:
        protocol = common_protocol(hello)
        if protocol is None:
            reason = other_version(__version__, plain_line(hello.program))
            self._refuse(guest, Refused(reason, tag(hello)))
            self.cut(guest, reason)
        elif shut_out := self._shut_out(guest):
            self.cut(guest, shut_out)
        else:
            guest.greeted, guest.can_host = True, hello.can_host
            more = (GAMES_MOVE,) if self.limits.takes_games else ()
            guest.tell(Welcome(protocol, __version__, self.features + more))

    def _shut_out(self, guest: ConnectedGuest) -> Reason | None:
        """Why nobody from there may come in."""
        return None

    def _refuse(self, guest: ConnectedGuest, refused: Refused) -> None:
        self.observer.refuse(refused.of, refused.reason)
        log.info("refused of=%s address=%s why=%s", refused.of, guest.address, refused.reason.text)
        guest.tell(refused)
