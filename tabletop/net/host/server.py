"""Serves tables to guests: the same host within a window and as `tabletop serve`.

    host = Host(folder)
    await host.start()               # every table that lies in the folder is there again
    ...
    await host.close()               # says farewell, and leaves everything safe on disk

Everything of a host happens in one asyncio loop; only the disk is waited for elsewhere
(`write_ahead`).
"""

import asyncio
import http
import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from pathlib import Path
from time import perf_counter

import msgspec
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.http11 import Request, Response

from tabletop import __version__
from tabletop.bots.bot_pool import BotPool
from tabletop.engine.model import Reason
from tabletop.net.certificate import certificate, lean_lines
from tabletop.net.codec import LARGEST_IN, BadMessage, from_guest, tag
from tabletop.net.discovery import Announcer, Listed
from tabletop.net.doors import AskDoors
from tabletop.net.guest.connection import deliver
from tabletop.net.host.doorkeeper import NO_TABLE
from tabletop.net.host.doorstep import Doorstep, DoorstepLine
from tabletop.net.host.metrics import Metrics
from tabletop.net.host.table_registry import TableRegistry, wal_of
from tabletop.net.host.turns import Turns
from tabletop.net.host.visitor import Visitor, address_of
from tabletop.net.interfaces import addresses, free_port
from tabletop.net.invitation import PORT, SLOTS, Address
from tabletop.net.limits import LeakyBuckets, Limits, origin
from tabletop.net.moderation import Remove, RenewCode
from tabletop.net.moving import Berth, Deliver, Delivered, HandOverHost, TableMoved, WillYouHost
from tabletop.net.protocol import (
    Arrange,
    Commit,
    Enter,
    Farewell,
    FromGuest,
    Hello,
    Leave,
    Open,
    Play,
    Refused,
    Reveal,
    Rise,
    Sit,
    Welcome,
)
from tabletop.net.table import requests
from tabletop.net.table.hosted_table import HostedTable
from tabletop.net.table.services import NOT_NOW, Refusal, TableTiming
from tabletop.net.versions import FEATURES, agreed, other_version
from tabletop.plain_text import plain

log = logging.getLogger("tabletop.net")
_quiet = logging.getLogger("tabletop.net.wire")
_quiet.setLevel(logging.CRITICAL)  # every guest that vanishes would be told as an error

STOPPING = Reason("The host has stopped. The table is kept, and goes on when it is back.")
SAY_HELLO = Reason("The first message must be a greeting.")
COME_IN = Reason("The host keeps no line open that is at no table.")
TOO_FAST = Reason("Too many messages at once.")
DECLINED = Reason("{seat} does not want to host the table.")
NOT_MOVED = Reason("The table could not move: {seat}'s computer cannot be reached from here.")
PLAYING = (Play, Commit, Reveal, Deliver)
"""What the rules of a game, or a key, limit already."""
ANNOUNCING = 1.0
"""Seconds between two looks at whether the network must be told something new."""


class Host:
    """A computer that serves tables."""

    def __init__(
        self,
        folder: Path,
        *,
        key: str = "",
        limits: Limits | None = None,
        pace: TableTiming | None = None,
        announced: bool = False,
        bot_pool: BotPool | None = None,
    ) -> None:
        """`key`: who opens a table must know it; with none, everybody may. `minds` think for bots,
        which else answer anything; they stay the caller's to close.

        `announced`: the tables are told to the whole network, so that they are found by themselves.

        Raises:
            StorageError: the folder cannot be written.
        """
        self.folder = folder
        self.limits = limits or Limits()
        self.metrics = Metrics()
        self.port = 0
        self.certificate = certificate(folder)
        self._key = key
        self._pace = pace or TableTiming()
        self._announced = announced
        self.unannounced = ""
        """Why the tables cannot be announced, as the system puts it, while they cannot."""
        self._bot_pool = bot_pool
        self._visitors: set[Visitor] = set()
        self._from: Counter[str] = Counter()
        self._turns = Turns()
        context = self.certificate.context()
        self._doorstep = Doorstep(context, self.limits, self._came_in, self._turns)
        self._drawn = LeakyBuckets(self.limits.drawn_a_second, self.limits.drawn_at_once)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def hosted_tables(self) -> dict[str, HostedTable]:
        """All tables, by their names."""
        return self.registry.hosted_tables

    # Beginning and end

    async def start(self, bind: str | None = None, port: int | None = None) -> None:
        """Bring the tables of the folder back, and listen; with no port, on the first free one.

        Raises:
            OSError: it cannot listen there.
        """
        loop = self._loop = asyncio.get_running_loop()
        self.registry = TableRegistry(
            self.folder, loop, self._key, self.limits, self._pace, self._bot_pool
        )
        self.registry.resume()
        self._server = await self._listen(bind, port)
        self.port = self.registry.port = self._server.sockets[0].getsockname()[1]
        self.registry.fingerprint = self.certificate.fingerprint
        self._do(self._sweep())
        if self._announced:
            self._do(self._announce())
        log.info("listening port=%d tables=%d", self.port, len(self.hosted_tables))

    async def close(self, reason: Reason = STOPPING) -> None:
        """Tell everybody, have everything safe on disk, and stop."""
        for visitor in tuple(self._visitors):
            visitor.tell(Farewell(reason, back=True))
        self._server.close()
        self._doorstep.close()
        for hosted in self.hosted_tables.values():
            hosted.hosted_match.close()
        await self._server.wait_closed()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.registry.close)
        log.info("stopped tables=%d moves=%d", len(self.hosted_tables), self.metrics.moves)

    def expect_table(self, ready: Callable[[str, str], None]) -> str:
        """Let one table move here; gives the key. `ready` gets its name and its host's token."""
        return self.registry.expect_table(ready)

    async def _listen(self, bind: str | None, port: int | None) -> Server:
        choices = range(PORT, PORT + SLOTS - 1) if port is None else (port,)
        for number in choices:
            try:
                return await self._serve(bind, number)
            except OSError as error:
                trouble = error
        raise trouble

    async def _serve(self, bind: str | None, port: int) -> Server:
        limits = self.limits
        lean_lines()
        return await serve(
            self._visit,
            bind,
            port or free_port(),
            compression=None,
            max_size=LARGEST_IN,
            max_queue=2,
            open_timeout=limits.greeting,
            ping_interval=None,
            create_connection=self._doorstep.line(),
            close_timeout=2,
            process_request=self._asked_for,
            server_header=None,
            logger=_quiet,
        )

    def _do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(min(60.0, self.limits.empty))
            self.registry.sweep()

    async def _announce(self) -> None:
        """Keep the network told of the tables that somebody could still come to."""
        told: tuple[Listed, ...] | None = None
        here: tuple[str, ...] = ()
        announcer = Announcer(self.port, self.certificate.fingerprint)
        try:
            while True:
                tables, now = self.registry.listed(), addresses()
                if now != here:  # another network: announce anew, on all its interfaces
                    here, told = now, None
                    await announcer.close()
                    for hosted in self.hosted_tables.values():
                        self.registry.invite(hosted)
                if tables != told:
                    try:
                        await announcer.announce(tables)
                        told, self.unannounced = tables, ""
                    except OSError as error:  # it may be on its way to another network
                        if not self.unannounced:
                            log.warning("not announced why=%s", error)
                        self.unannounced = error.strerror or str(error)
                await asyncio.sleep(ANNOUNCING)
        finally:
            await announcer.close()

    # Lines

    def _asked_for(self, line: ServerConnection, request: Request) -> Response | None:
        """Before a line is made: what a web server would be asked, and whether there is room."""
        match request.path:
            case "/health":
                return line.respond(http.HTTPStatus.OK, "ok\n")
            case "/metrics":
                return line.respond(http.HTTPStatus.OK, self._figures())
        where, limits = origin(address_of(line)), self.limits
        near = self._came_in(where) + self._doorstep.others(where)
        if near >= limits.connections_per_address or self._came_in() >= limits.connections:
            return line.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None

    def _came_in(self, where: str | None = None) -> int:
        """How many guests there are; `where`: of this origin."""
        return len(self._visitors) if where is None else self._from[where]

    async def _visit(self, line: ServerConnection) -> None:
        """One guest's line, from its first message to its end."""
        assert isinstance(line, DoorstepLine)
        line.come_in()
        visitor = Visitor(line, self.limits)
        self._visitors.add(visitor)
        self._from[visitor.origin] += 1
        self.metrics.connections += 1
        patience = asyncio.create_task(self._hurry(visitor))
        try:
            while not visitor.ended:
                await self._hear(visitor, await line.recv(decode=False))
        except ConnectionClosed:
            pass
        except Exception:  # a mistake of ours may end one line, and must not end the host
            log.exception("line broken address=%s", visitor.address)
        finally:
            patience.cancel()
            self._visitors.discard(visitor)
            self._from[visitor.origin] -= 1
            if not self._from[visitor.origin]:
                del self._from[visitor.origin]
            self.registry.hang_up(visitor)

    async def _hurry(self, visitor: Visitor) -> None:
        """Who comes and says nothing does not stay, nor who is at no table."""
        await asyncio.sleep(self.limits.greeting)
        if not visitor.greeted:
            self._cut(visitor, SAY_HELLO)
        outside = False
        while not visitor.ended:
            at_none = visitor.hosted is None and visitor.knocks_at is None
            if at_none and outside:
                self._cut(visitor, COME_IN)
            outside = at_none
            await asyncio.sleep(self.limits.greeting)

    def _cut(self, visitor: Visitor, reason: Reason) -> None:
        """Say why, and end the line."""
        self.metrics.cut += 1
        visitor.ended = True
        visitor.tell(Farewell(reason))
        self._do(visitor.line.close())

    async def _hear(self, visitor: Visitor, frame: bytes) -> None:
        await self._turns.come(visitor.origin)
        message: FromGuest | BadMessage
        try:
            message = from_guest(frame)
        except BadMessage as error:
            message = error
        invited = isinstance(message, Deliver) and self.registry.expects(message)
        if not invited and not visitor.bucket.take():
            self._cut(visitor, TOO_FAST)
        elif isinstance(message, BadMessage):
            self._refuse(visitor, Refused(message.reason))
        elif isinstance(message, PLAYING):
            self._obey(visitor, message)
        else:
            await self._forgiven(visitor)
            before = self._posted()
            self._obey(visitor, message)
            self._drawn.fill(visitor.origin, self._posted() - before)

    async def _forgiven(self, visitor: Visitor) -> None:
        """Let a guest wait from whose address more was asked for than anybody may have at once."""
        while (wait := self._drawn.wait(visitor.origin)) and not visitor.ended:
            try:
                async with asyncio.timeout(wait):
                    await visitor.line.wait_closed()
            except TimeoutError:
                continue
            return

    def _posted(self) -> int:
        return sum(hosted.posted for hosted in self.hosted_tables.values())

    def _obey(self, visitor: Visitor, message: FromGuest) -> None:
        begun = perf_counter()
        hosted = visitor.hosted
        if hosted is None or isinstance(message, AskDoors | Enter | Open | Hello):
            self._at_the_door(visitor, message)
        elif isinstance(message, HandOverHost | Berth):
            self._hand_over(visitor, hosted, message)
        elif not requests.receive(hosted, visitor, message):
            self.metrics.refusals += 1
        elif isinstance(message, Play):
            wal_of(hosted).when_safe(lambda: self.metrics.answered(perf_counter() - begun))
        elif isinstance(message, RenewCode):
            self.registry.renew_code(hosted)
        elif isinstance(message, Arrange | Leave | Remove | Rise | Sit):
            if isinstance(message, Leave) and hosted.deserted:
                self.registry.remove(hosted.table)
            else:
                self.registry.invite(hosted)  # another seat is free, or none
        self._turns.took(visitor.origin, perf_counter() - begun)

    def _at_the_door(self, visitor: Visitor, message: FromGuest) -> None:
        """What is said by somebody who is at no table, or wants to another one."""
        refused: Reason | None = None
        match message:
            case Hello():
                self._greet(visitor, message)
            case _ if not visitor.greeted:
                self._cut(visitor, SAY_HELLO)
            case AskDoors():
                doors = self.registry.ask_doors(visitor, message)
                if isinstance(doors, Reason):
                    self._refuse(visitor, Refused(doors, "enter"))
                else:
                    visitor.tell(doors)
            case Enter():
                refused = self.registry.enter(visitor, message)
            case Open():
                refused = self.registry.open(visitor, message)
            case Deliver():
                arrived = self.registry.take_in(message)
                if isinstance(arrived, Reason):
                    refused = arrived
                elif arrived:
                    visitor.tell(Delivered(arrived, addresses()))
            case _:
                refused = NOT_NOW
        if refused is not None:
            closed = refused == NO_TABLE
            self._refuse(visitor, Refused(refused, tag(message), closed=closed))

    def _greet(self, visitor: Visitor, hello: Hello) -> None:
        protocol = agreed(hello)
        if protocol is None:
            reason = other_version(__version__, plain(hello.program))
            self._refuse(visitor, Refused(reason, tag(hello)))
            self._cut(visitor, reason)
        else:
            visitor.greeted = True
            visitor.tell(Welcome(protocol, __version__, FEATURES))

    def _refuse(self, visitor: Visitor, refused: Refused) -> None:
        self.metrics.refusals += 1
        visitor.tell(refused)

    # A table that moves to another computer

    def _hand_over(
        self, visitor: Visitor, hosted: HostedTable, message: HandOverHost | Berth
    ) -> None:
        try:
            match message:
                case HandOverHost(seat=seat):
                    other = requests.successor(hosted, visitor, seat)
                    assert isinstance(other, Visitor)
                    other.asked_to_host = seat
                    other.tell(WillYouHost(seat))
                case Berth(port=port):
                    seat, visitor.asked_to_host = visitor.asked_to_host, -1
                    if seat < 0:
                        raise Refusal(NOT_NOW)
                    if port:
                        self._do(self._move(visitor, hosted, message, seat))
                    else:
                        hosted.note(Reason(DECLINED.text, {"seat": seat}))
        except Refusal as refusal:
            self._refuse(visitor, Refused(refusal.reason, tag(message)))

    async def _move(self, visitor: Visitor, hosted: HostedTable, berth: Berth, seat: int) -> None:
        """Send a table to the guest's own host, and everybody at it after it."""
        hosted.moving = True
        hosted.hosted_match.close()
        place = Address((visitor.address,), berth.port, berth.fingerprint)
        try:
            safe = asyncio.Event()
            wal_of(hosted).when_safe(safe.set)
            await safe.wait()
            parcel = msgspec.json.encode(self.registry.pack(hosted, seat))
            arrived = await deliver(place, berth.key, parcel)
        except (OSError, TimeoutError, WebSocketException, BadMessage) as error:
            log.warning("not moved table=%s why=%s", hosted.table, error)
            hosted.moving = False
            hosted.hosted_match.go_on()
            hosted.note(Reason(NOT_MOVED.text, {"seat": seat}))
            return
        hosts = tuple(dict.fromkeys((visitor.address, *arrived.addresses)))
        hosted.tell_all(TableMoved(hosts, berth.port, berth.fingerprint, hosted.table))
        self.registry.remove(hosted.table, None)
        log.info("moved table=%s to=%s", hosted.table, place.name)

    def _figures(self) -> str:
        playing = sum(hosted.phase == "playing" for hosted in self.hosted_tables.values())
        return self.metrics.text(
            {
                "tables": ("Tables that are open.", len(self.hosted_tables)),
                "tables_playing": ("Tables with a match that runs.", playing),
                "connections": ("Guests connected now.", len(self._visitors)),
            }
        )
