"""Serves tables to guests: the same host within a window and as `tabletop serve`.

    host = Host(folder)
    await host.start()               # every table that lies in the folder is there again
    ...
    await host.close()               # says farewell, and leaves everything safe on disk

Everything of a host happens in one asyncio loop; only the disk is waited for elsewhere (`ledger`).
"""

import asyncio
import http
import logging
import socket
from collections import Counter
from collections.abc import Callable, Coroutine
from ipaddress import ip_address, ip_network
from pathlib import Path
from time import perf_counter

import msgspec
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.http11 import Request, Response

from tabletop import __version__
from tabletop.bots.minds import Minds
from tabletop.engine.model import Reason
from tabletop.net.certificate import certificate, lean_lines
from tabletop.net.client import deliver
from tabletop.net.company import NOT_NOW, Pace, Refusal
from tabletop.net.finder import Announcer, Listed, addresses
from tabletop.net.hall import Hall, ledger_of
from tabletop.net.invitation import PORT, SLOTS, Place
from tabletop.net.limits import Bucket, Limits
from tabletop.net.metrics import Metrics
from tabletop.net.party import Party
from tabletop.net.protocol import (
    LARGEST_IN,
    Arrange,
    BadMessage,
    Berth,
    Deliver,
    Delivered,
    Enter,
    Farewell,
    FromGuest,
    FromHost,
    HandOver,
    Hello,
    Leave,
    Moved,
    Open,
    Play,
    Refused,
    Rise,
    Sit,
    Welcome,
    WillYouHost,
    agreed,
    encode,
    from_guest,
    other_version,
    plain,
    tag,
)

log = logging.getLogger("tabletop.net")
_quiet = logging.getLogger("tabletop.net.wire")
_quiet.setLevel(logging.CRITICAL)  # every guest that vanishes would be told as an error

STOPPING = Reason("The host has stopped. The table is kept, and goes on when it is back.")
SAY_HELLO = Reason("The first message must be a greeting.")
TOO_FAST = Reason("Too many messages at once.")
DECLINED = Reason("{seat} does not want to host the table.")
NOT_MOVED = Reason("The table could not move: {seat}'s computer cannot be reached from here.")
ANNOUNCING = 1.0
"""Seconds between two looks at whether the network must be told something new."""


class Visitor:
    """The host's end of one guest's line."""

    def __init__(self, line: ServerConnection, limits: Limits) -> None:
        self.line = line
        self.address = _address(line)
        self.origin = _origin(self.address)
        self.party: Party | None = None
        self.greeted = False
        self.asked_to_host = -1
        """The seat whose player was asked to host the table on."""
        self.bucket = Bucket(limits.messages_a_second, limits.burst)
        self._unread = limits.unread

    def send(self, frame: bytes) -> None:
        broadcast([self.line], frame, text=True)
        if self.line.transport.get_write_buffer_size() > self._unread:
            log.warning("cut off, reads nothing address=%s", self.address)
            self.line.transport.abort()

    def tell(self, message: FromHost) -> None:
        self.send(encode(message))


class Host:
    """A computer that serves tables."""

    def __init__(
        self,
        folder: Path,
        *,
        key: str = "",
        limits: Limits | None = None,
        pace: Pace | None = None,
        announced: bool = False,
        minds: Minds | None = None,
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
        self._pace = pace or Pace()
        self._announced = announced
        self._minds = minds
        self._visitors: set[Visitor] = set()
        self._from: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def parties(self) -> dict[str, Party]:
        """All tables, by their names."""
        return self.hall.parties

    # Beginning and end

    async def start(self, bind: str | None = None, port: int | None = None) -> None:
        """Bring the tables of the folder back, and listen; with no port, on the first free one.

        Raises:
            OSError: it cannot listen there.
        """
        loop = self._loop = asyncio.get_running_loop()
        self.hall = Hall(self.folder, loop, self._key, self.limits, self._pace, self._minds)
        self.hall.resume()
        self._server = await self._listen(bind, port)
        self.port = self.hall.port = self._server.sockets[0].getsockname()[1]
        self.hall.fingerprint = self.certificate.fingerprint
        self._do(self._sweep())
        if self._announced:
            self._do(self._announce())
        log.info("listening port=%d tables=%d", self.port, len(self.parties))

    async def close(self, reason: Reason = STOPPING) -> None:
        """Tell everybody, have everything safe on disk, and stop."""
        for visitor in tuple(self._visitors):
            visitor.tell(Farewell(reason, back=True))
        self._server.close()
        for party in self.parties.values():
            party.round.close()
        await self._server.wait_closed()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self.hall.close)
        log.info("stopped tables=%d moves=%d", len(self.parties), self.metrics.moves)

    def keep_berth(self, ready: Callable[[str, str], None]) -> str:
        """Let one table move here; gives the key. `ready` gets its name and its host's token."""
        return self.hall.keep_berth(ready)

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
            port or _free_port(),
            ssl=self.certificate.context(),
            ssl_handshake_timeout=limits.greeting,
            compression=None,
            max_size=LARGEST_IN,
            max_queue=8,
            open_timeout=limits.greeting,
            ping_interval=limits.ping,
            ping_timeout=limits.ping,
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
            self.hall.sweep()

    async def _announce(self) -> None:
        """Keep the network told of the tables that somebody could still come to."""
        told: tuple[Listed, ...] = ()
        here: tuple[str, ...] = ()
        announcer = Announcer(self.port, self.certificate.fingerprint)
        try:
            while True:
                tables, now = self.hall.listed(), addresses()
                if now != here:  # another network: announce anew, on all its interfaces
                    await announcer.close()
                if (tables, now) != (told, here):
                    await announcer.announce(tables)
                    told, here = tables, now
                await asyncio.sleep(ANNOUNCING)
        except OSError as error:
            log.warning("not announced why=%s", error)
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
        if (
            len(self._visitors) >= self.limits.connections
            or self._from[_origin(_address(line))] >= self.limits.connections_per_address
        ):
            return line.respond(http.HTTPStatus.SERVICE_UNAVAILABLE, "too many connections\n")
        return None

    async def _visit(self, line: ServerConnection) -> None:
        """One guest's line, from its first message to its end."""
        visitor = Visitor(line, self.limits)
        self._visitors.add(visitor)
        self._from[visitor.origin] += 1
        self.metrics.connections += 1
        hurry = self._loop.call_later(self.limits.greeting, self._hurry, visitor)
        try:
            while True:
                self._hear(visitor, await line.recv(decode=False))
        except ConnectionClosed:
            pass
        except Exception:  # a mistake of ours may end one line, and must not end the host
            log.exception("line broken address=%s", visitor.address)
        finally:
            hurry.cancel()
            self._visitors.discard(visitor)
            self._from[visitor.origin] -= 1
            if not self._from[visitor.origin]:
                del self._from[visitor.origin]
            self.hall.depart(visitor)

    def _hurry(self, visitor: Visitor) -> None:
        """Who comes and says nothing does not stay."""
        if not visitor.greeted:
            self._cut(visitor, SAY_HELLO)

    def _cut(self, visitor: Visitor, reason: Reason) -> None:
        """Say why, and end the line."""
        self.metrics.cut += 1
        visitor.tell(Farewell(reason))
        self._do(visitor.line.close())

    def _hear(self, visitor: Visitor, frame: bytes) -> None:
        begun = perf_counter()
        try:
            message = from_guest(frame)
        except BadMessage as error:
            self._refuse(visitor, Refused(error.reason))
            return
        party = visitor.party
        invited = isinstance(message, Deliver) and self.hall.expects(message)
        if not invited and not visitor.bucket.take():
            self._cut(visitor, TOO_FAST)
        elif party is None or isinstance(message, Enter | Open | Hello):
            self._at_the_door(visitor, message)
        elif isinstance(message, HandOver | Berth):
            self._hand_over(visitor, party, message)
        elif not party.receive(visitor, message):
            self.metrics.refusals += 1
        elif isinstance(message, Play):
            ledger_of(party).when_safe(lambda: self.metrics.answered(perf_counter() - begun))
        elif isinstance(message, Arrange | Leave | Rise | Sit):
            self.hall.invite(party)  # another seat is free, or none
            if isinstance(message, Leave):
                visitor.party = None

    def _at_the_door(self, visitor: Visitor, message: FromGuest) -> None:
        """What is said by somebody who is at no table, or wants to another one."""
        refused: Reason | None = None
        match message:
            case Hello():
                self._greet(visitor, message)
            case _ if not visitor.greeted:
                self._cut(visitor, SAY_HELLO)
            case Enter():
                refused = self.hall.enter(visitor, message)
            case Open():
                refused = self.hall.open(visitor, message)
            case Deliver():
                arrived = self.hall.take_in(message)
                if isinstance(arrived, Reason):
                    refused = arrived
                elif arrived:
                    visitor.tell(Delivered(arrived, addresses()))
            case _:
                refused = NOT_NOW
        if refused is not None:
            self._refuse(visitor, Refused(refused, tag(message)))

    def _greet(self, visitor: Visitor, hello: Hello) -> None:
        protocol = agreed(hello)
        if protocol is None:
            reason = other_version(__version__, plain(hello.program))
            self._refuse(visitor, Refused(reason, tag(hello)))
            self._cut(visitor, reason)
        else:
            visitor.greeted = True
            visitor.tell(Welcome(protocol, __version__))

    def _refuse(self, visitor: Visitor, refused: Refused) -> None:
        self.metrics.refusals += 1
        visitor.tell(refused)

    # A table that moves to another computer

    def _hand_over(self, visitor: Visitor, party: Party, message: HandOver | Berth) -> None:
        try:
            match message:
                case HandOver(seat=seat):
                    other = party.successor(visitor, seat)
                    assert isinstance(other, Visitor)
                    other.asked_to_host = seat
                    other.tell(WillYouHost(seat))
                case Berth(port=port):
                    seat, visitor.asked_to_host = visitor.asked_to_host, -1
                    if seat < 0:
                        raise Refusal(NOT_NOW)
                    if port:
                        self._do(self._move(visitor, party, message, seat))
                    else:
                        party.note(Reason(DECLINED.text, {"seat": seat}))
        except Refusal as refusal:
            self._refuse(visitor, Refused(refusal.reason, tag(message)))

    async def _move(self, visitor: Visitor, party: Party, berth: Berth, seat: int) -> None:
        """Send a table to the guest's own host, and everybody at it after it."""
        party.moving = True
        party.round.close()
        place = Place((visitor.address,), berth.port, berth.fingerprint)
        try:
            safe = asyncio.Event()
            ledger_of(party).when_safe(safe.set)
            await safe.wait()
            parcel = msgspec.json.encode(self.hall.pack(party, seat))
            arrived = await deliver(place, berth.key, parcel)
        except (OSError, TimeoutError, WebSocketException, BadMessage) as error:
            log.warning("not moved table=%s why=%s", party.table, error)
            party.moving = False
            party.round.go_on()
            party.note(Reason(NOT_MOVED.text, {"seat": seat}))
            return
        hosts = tuple(dict.fromkeys((visitor.address, *arrived.addresses)))
        party.tell_all(Moved(hosts, berth.port, berth.fingerprint, party.table))
        for guest in tuple(party.guests):
            assert isinstance(guest, Visitor)
            guest.party = None
        party.guests.clear()
        self.hall.remove(party.table, None)
        log.info("moved table=%s to=%s", party.table, place.name)

    def _figures(self) -> str:
        playing = sum(party.phase == "playing" for party in self.parties.values())
        return self.metrics.text(
            {
                "tables": ("Tables that are open.", len(self.parties)),
                "tables_playing": ("Tables with a match that runs.", playing),
                "connections": ("Guests connected now.", len(self._visitors)),
            }
        )


def _free_port() -> int:
    """A port that is free now; asked for none, IPv4 and IPv6 would each take one of their own."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def _origin(address: str) -> str:
    """What the lines from an address are counted by: of IPv6 the network, which is one house's."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if ip.version == 4 or ip.is_loopback:
        return address
    return str(ip_network((int(ip) >> 64 << 64, 64)))


def _address(line: ServerConnection) -> str:
    """Where a guest comes from, without the port; "" where it is gone already."""
    remote = line.remote_address
    return str(remote[0]) if remote else ""
