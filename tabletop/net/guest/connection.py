"""The connection to a host, which reconnects by itself, and a `Guest` put together with it.

`Connection` carries bytes and knows no table; all of it happens in the asyncio loop it was started
in. What it hears it gives to `hear`, in that loop. `ConnectedGuest.hear` may be that function; in a
window it is a signal that brings the news to the window's own thread, and `ConnectedGuest.hear` is
called there.
"""

import asyncio
import random
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import broadcast
from websockets.exceptions import InvalidHandshake, InvalidStatus, WebSocketException

from tabletop import __version__
from tabletop.engine.model import Reason
from tabletop.net.certificate import fingerprint, guest_context
from tabletop.net.codec import LARGEST_OUT, BadMessage, encode, from_host
from tabletop.net.guest.rate_limit import IncomingLimit
from tabletop.net.guest.session import Connected, Guest, Lost
from tabletop.net.heartbeat import GuestLine
from tabletop.net.interfaces import by_each_network
from tabletop.net.invitation import CODE, Address, bracketed, slot_of
from tabletop.net.join_proof import JoinChallenge, RequestJoinProof
from tabletop.net.limits import PIECE
from tabletop.net.protocol import (
    Enter,
    Entered,
    Farewell,
    FromGuest,
    FromHost,
    Hello,
    Notice,
    Open,
    Refused,
    TableInfo,
    Welcome,
)
from tabletop.net.table_transfer import Deliver, Delivered, TableMoved
from tabletop.net.versions import OLDEST, PROTOCOL

SERVICE_UNAVAILABLE = 503
"""What a host answers that has no line free."""
UNREACHABLE = Reason('Can\'t reach a host at "{place}".', code="unreachable")
BROKEN = Reason("Connection lost. Reconnecting…")
NONSENSE = Reason("The host sent something invalid or far too large.", code="nonsense")
NO_HOST = Reason('"{place}" answered, but it isn\'t a Tabletop host.', code="no_host")
FULL = Reason('The host at "{place}" is full. Please try again later.')
SILENT = Reason(
    'The host at "{place}" answers, but lets nobody in. It may be busy, or it is not the host you '
    "are looking for.",
    code="silent_host",
)
CHANGED = Reason(
    'The host at "{place}" shows another certificate than before. It may have been reinstalled, or '
    "someone else may be posing as it."
)
FIRST_MET = Reason(
    'This is your first visit to "{place}". Its certificate begins with {found}: ask '
    "its operator whether that's right."
)
LOOPBACK = ("127.0.0.1",)
"""How a host on this very computer is called where lines to it may come from many addresses."""
UNMET = "unmet"
"""Instead of a fingerprint: the host was not met before, and nothing is said to it until somebody
has agreed to the certificate it shows."""
SHOWN = 16
"""Digits of a fingerprint that are shown to somebody who is to compare it."""
WAITS = (0.2, 0.5, 1.0, 2.0, 4.0, 5.0)
"""Seconds between attempts to come back; the last one for ever."""
PATIENCE = 8.0
"""Seconds that one attempt may take."""
STEP = 20.0
"""Seconds in which a host answers each step of the way in, unless it says that people are asked."""
ATTEMPTS = 3
"""Connections that may break at an address before a new guest was let in; then the next one."""
SLOWEST = 400_000
"""Bytes a second by which a table moves at least."""


class ChangedCertificate(Struct, frozen=True):
    """The host shows another certificate than it must: nothing was sent, and the line has ended.

    To go on all the same: a new line to the `place` with the `found` fingerprint.
    """

    place: Address
    found: str
    reason: Reason


Event = FromHost | Connected | Lost | ChangedCertificate
"""What a line tells."""


ANSWERS: dict[type[FromGuest], type[FromHost]] = {
    Hello: Welcome,
    RequestJoinProof: JoinChallenge,
    Enter: Entered,
    Open: Entered,
}
"""The steps of the way in."""
DOOR = ("hello", "ask_doors", "enter", "open")
"""What a host may refuse on the way in."""


class WrongCertificate(OSError):
    """The host shows another certificate than the one it must."""

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found = found


class Connection:
    """A connection to a host that is made again whenever it breaks, until `close`."""

    def __init__(
        self,
        place: Address,
        hear: Callable[[Event], None],
        returning: bool = False,
        calm: IncomingLimit | None = None,
        source: str = "",
        step: float = STEP,
    ) -> None:
        """`returning`: keep trying even if the host cannot be reached at first. `calm`: how fast
        somebody can hear; a program hears as fast as it can read. `source`: the own address from
        which to go to a host on this very computer, which has many. `step`: seconds for each step
        of the way in."""
        self.place = place
        self.hear = hear
        self._returning = returning
        self._calm = calm
        self._source = source
        self._step = step
        self._awaited: type[FromHost] | None = None
        """The answer to the last step of the way in, while it is missing."""
        self._due: float | None = None
        """When it is missing for too long, by the loop's clock."""
        self._limit: asyncio.Timeout | None = None
        self._entered = False
        """Whether a host has ever let the guest in."""
        self._named = place.fingerprint
        """The certificate that the host must show, where that was known from the beginning."""
        self._met = False
        """Whether any host has answered."""
        self._at = ""
        """The address that answered last."""
        self._given_up: set[str] = set()
        """Addresses that answer and let nobody in."""
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin, in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._run())

    def send(self, message: FromGuest) -> None:
        """Send a message; may be called from any thread. What is said while the line is broken is
        lost: the guest says what still matters when the line stands again."""
        loop, frame, answer = self._loop, encode(message), ANSWERS.get(type(message))
        if loop is None or loop.is_closed():
            return
        if asyncio._get_running_loop() is loop:
            self._write(frame, answer)
        else:
            loop.call_soon_threadsafe(self._write, frame, answer)

    async def close(self) -> None:
        """End the line for good."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._hang_up()

    async def drop(self) -> None:
        """Break the line as a bad network would; it comes back by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    def _write(self, frame: bytes, answer: type[FromHost] | None) -> None:
        if self._socket is None:
            return
        broadcast([self._socket], frame, text=True)
        if answer is not None and answer is not self._awaited and not self._entered:
            self._await(answer)

    def _await(self, answer: type[FromHost] | None) -> None:
        """Give the host time for this answer; with None it has all the time there is."""
        assert self._loop is not None
        self._awaited = answer
        self._due = self._loop.time() + self._step if answer is not None else None
        if self._limit is not None and not self._limit.expired():
            self._limit.reschedule(self._due)

    def _answered(self, message: FromHost) -> None:
        """Note whether the host has answered the step that is awaited."""
        match message:
            case Refused(of=of) if of not in DOOR:
                return
            case Notice() if self._awaited is Entered:  # somebody at the host is asked
                pass
            case Entered() if self._awaited is Entered:
                self._entered = True
                self._given_up.clear()
            case Refused() | Farewell():
                pass
            case _ if self._awaited is None or not isinstance(message, self._awaited):
                return
        self._await(None)

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                self._socket = await self._reach()
            except WrongCertificate as error:
                self.hear(strange(self.place, error.found))
                return
            except (OSError, TimeoutError, WebSocketException) as error:
                reason = SILENT if self._given_up else unreached(error)
                wait = _wait(failures)
                failures += 1
                if self._outside and (not self._met or self._given_up or failures >= ATTEMPTS):
                    self.hear(Lost(about(reason, self.place)))
                    return
                self._given_up.clear()
            else:
                self._met = True
                self._await(None)
                self.hear(Connected(self.place.fingerprint))
                broken = await self._listen(self._socket)
                if broken is None:
                    await self._hang_up()
                    return
                failures = failures + 1 if self._outside or broken is not BROKEN else 0
                reason, wait = broken, _wait(failures)
                if broken is SILENT or (self._outside and failures >= ATTEMPTS):
                    failures = 0
                    if self._give_up():
                        reason = SILENT if broken is BROKEN else broken
                        self.hear(Lost(about(reason, self.place)))
                        return
            self.hear(Lost(about(reason, self.place), wait))
            await asyncio.sleep(wait)

    @property
    def _outside(self) -> bool:
        """Whether the guest is on its way to a table for the first time."""
        return not (self._returning or self._entered)

    def _give_up(self) -> bool:
        """Try the next address from now on; whether a new guest has tried them all."""
        self._given_up.add(self._at)
        if not self._entered:  # the next one may show another certificate
            self.place = replace(self.place, fingerprint=self._named)
        return self._outside and self._given_up.issuperset(each_way(self.place))

    async def _reach(self) -> ClientConnection:
        """A line to the host; whichever certificate it shows at first, it must show ever after."""
        ways = each_way(self.place)
        if self._given_up.issuperset(ways):
            self._given_up.clear()
        left = [host for host in ways if host not in self._given_up]
        socket, self._at = await _reach_one_of(left, self.place, self._source)
        self.place = replace(self.place, fingerprint=shown(socket))
        return socket

    async def _listen(self, socket: ClientConnection) -> Reason | None:
        """Pass on what the host says, until the line breaks; why it is made again, if it is."""
        try:
            async with asyncio.timeout_at(self._due) as self._limit:
                return await self._pass_on(socket)
        except TimeoutError:
            await self._hang_up()
            return SILENT
        finally:
            self._limit = None

    async def _pass_on(self, socket: ClientConnection) -> Reason | None:
        with suppress(WebSocketException, OSError):
            while True:
                frame = await socket.recv(decode=False)
                try:
                    message = from_host(frame)
                except BadMessage:
                    await self._hang_up()
                    return NONSENSE
                self._answered(message)
                if isinstance(message, TableMoved):
                    self._given_up.clear()
                    self.place = Address(message.addresses, message.port, message.fingerprint)
                    self.hear(message)
                    await self._hang_up()
                    return BROKEN
                if isinstance(message, TableInfo) and CODE.fullmatch(message.code):
                    self.place = replace(self.place, slot=slot_of(message.code))
                passed = self._calm.passed(message) if self._calm else message
                if passed is not None:
                    self.hear(passed)
                if isinstance(message, Farewell) and not message.back:
                    return None
                if isinstance(message, Refused) and message.of == "hello":
                    return None
                if self._calm is not None:
                    await self._calm.taken(len(frame))
        return BROKEN

    async def _hang_up(self) -> None:
        if self._socket is not None:
            socket, self._socket = self._socket, None
            with suppress(WebSocketException, OSError, TimeoutError):
                await socket.close()


async def reach(place: Address, source: str = "") -> ClientConnection:
    """A connection to the first address that answers; to this very computer from the `source`.
    Nothing is said before its certificate is known to be the right one.

    Raises:
        OSError, TimeoutError, WebSocketException: there is none.
    """
    return (await _reach_one_of(each_way(place), place, source))[0]


def each_way(place: Address) -> tuple[str, ...]:
    """The addresses of a place, each by every network that may lead there."""
    return tuple(chain.from_iterable(map(by_each_network, place.hosts)))


async def _reach_one_of(
    hosts: Iterable[str], place: Address, source: str
) -> tuple[ClientConnection, str]:
    """A connection to the first of these addresses that answers, and that address. Raises as
    `reach`."""
    error: Exception = OSError("no address")
    for host in hosts:
        try:
            async with asyncio.timeout(PATIENCE):
                socket = await connect(
                    f"wss://{bracketed(host)}:{place.port}/",
                    ssl=guest_context(),
                    server_hostname=place.label,
                    compression=None,
                    max_size=LARGEST_OUT,
                    ping_interval=None,
                    create_connection=GuestLine,
                    close_timeout=2,
                    proxy=None,
                    user_agent_header=None,
                    local_addr=(source, 0) if source and host in LOOPBACK else None,
                )
        except (OSError, TimeoutError, WebSocketException) as trouble:
            error = trouble
            continue
        except ValueError as trouble:  # a name that no computer can have, such as "../.."
            error = OSError(str(trouble))
            continue
        if place.fingerprint and (found := shown(socket)) != place.fingerprint:
            socket.transport.abort()
            raise WrongCertificate(found)
        return socket, host
    raise error


def shown(socket: ClientConnection) -> str:
    """The fingerprint of the certificate that a host shows."""
    return fingerprint(socket.transport.get_extra_info("ssl_object").getpeercert(True))


async def deliver(
    place: Address, key: str, packed: Callable[[Collection[str]], bytes]
) -> Delivered:
    """Bring a table to another host; what is brought is made for the features that it has.

    Raises:
        OSError, TimeoutError, WebSocketException, BadMessage: it did not arrive.
    """
    socket = await reach(place)
    try:
        async with asyncio.timeout(2 * PATIENCE):
            await socket.send(encode(Hello(OLDEST, PROTOCOL, __version__)), text=True)
            welcome = await _answer(socket, Welcome)
        parcel = await asyncio.to_thread(packed, welcome.features)
        async with asyncio.timeout(2 * PATIENCE + len(parcel) / SLOWEST):
            for at in range(0, len(parcel), PIECE):
                last = at + PIECE >= len(parcel)
                message = Deliver(key, parcel[at : at + PIECE], last)
                await socket.send(encode(message), text=True)
            return await _answer(socket, Delivered)
    finally:
        await socket.close()


Answer = TypeVar("Answer")


async def _answer(socket: ClientConnection, kind: type[Answer]) -> Answer:
    """Return what the host says of this kind; raises BadMessage where it refuses."""
    while True:
        match from_host(await socket.recv(decode=False)):
            case Refused(reason=reason) | Farewell(reason=reason):
                raise BadMessage(reason)
            case told:
                if isinstance(told, kind):
                    return told


class ConnectedGuest:
    """A guest and its line, put together."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    def hear(self, event: Event) -> None:
        """Let the guest know what its line tells."""
        match event:
            case Connected(fingerprint=found):
                self.guest.connected(found)
            case Lost():
                self.guest.lost(event)
            case ChangedCertificate(reason=reason):
                self.guest.lost(Lost(reason))
            case _:
                self.guest.receive(event)


def strange(place: Address, found: str) -> ChangedCertificate:
    """Why nothing is said to a host that shows this certificate."""
    if place.fingerprint != UNMET:
        return ChangedCertificate(place, found, about(CHANGED, place))
    reason = FIRST_MET.with_args(place=place.name, found=found[:SHOWN])
    return ChangedCertificate(place, found, reason)


def unreached(error: Exception) -> Reason:
    """Why there is no line."""
    match error:
        case InvalidStatus(response=answer) if answer.status_code == SERVICE_UNAVAILABLE:
            return FULL
        case InvalidHandshake():
            return NO_HOST
        case _:
            return UNREACHABLE


def about(reason: Reason, place: Address) -> Reason:
    """Return what is said of this place."""
    return reason.with_args(place=place.name) if "{place}" in reason.text else reason


def _wait(failures: int) -> float:
    """Seconds until the next attempt; not the same for all, or they would all come at once."""
    return WAITS[min(failures, len(WAITS) - 1)] * random.uniform(0.8, 1.2)
