"""The connection to a host, which reconnects by itself.

It carries bytes and knows no table; all of it happens in the asyncio loop it was started in, where
it passes its events to `hear`. `Guest.hear` may be that function; in a window it is a signal that
brings the events to the window's own thread, and `Guest.hear` is called there.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from tabletop.background.tasks import Tasks
from tabletop.engine.model import Reason
from tabletop.net.guest.dial import (
    WrongCertificate,
    changed_certificate,
    dial_one_of,
    every_address,
    reason_of_failure,
    shown_fingerprint,
    with_place,
)
from tabletop.net.guest.rate_limit import IncomingLimit
from tabletop.net.guest.session import Connected, Event, Lost
from tabletop.net.outgoing import Outgoing
from tabletop.protocol.codec import BadMessage, encode, from_host
from tabletop.protocol.invitation import CODE, Address, slot_of
from tabletop.protocol.join_proof import JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import (
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
from tabletop.protocol.table_transfer import TableMoved

BROKEN = Reason("Connection lost. Reconnecting…")
NONSENSE = Reason("The host sent something invalid or far too large.", code="nonsense")
SILENT = Reason(
    'The host at "{place}" answers, but lets nobody in. It may be busy, or it is not the host you '
    "are looking for.",
    code="silent_host",
)
WAITS = (0.2, 0.5, 1.0, 2.0, 4.0, 5.0)
"""Seconds between attempts to come back; the last one for ever."""
STEP = 20.0
"""Seconds in which a host answers each step of joining, unless it says that people are asked."""
ATTEMPTS = 3
"""Connections that may break at an address before a new guest was let in; then the next one."""
ANSWERS: dict[type[FromGuest], type[FromHost]] = {
    Hello: Welcome,
    RequestJoinProof: JoinChallenge,
    Enter: Entered,
    Open: Entered,
}
"""The steps of joining, each with its answer."""
REFUSED_STEPS = ("hello", "ask_doors", "enter", "open")
"""The steps as a host's refusals name them."""


class JoinSteps:
    """The time limit for each step of joining: a host may answer, and let nobody in."""

    def __init__(self, seconds: float) -> None:
        self.entered = False
        """Whether a host has ever let the guest in."""
        self._seconds = seconds
        self._awaited: type[FromHost] | None = None
        self._deadline: float | None = None
        """By the loop's clock; None while no answer is missing."""
        self._timeout: asyncio.Timeout | None = None

    def start_limit(self, kind: type[FromGuest]) -> None:
        """Start the time limit of a step, unless it is running."""
        answer = ANSWERS.get(kind)
        if answer is not None and answer is not self._awaited and not self.entered:
            self._wait_for(answer)

    def stop_limit(self, message: FromHost) -> None:
        """Stop the time limit if this answers the step, or people at the host are asked."""
        match message:
            case Refused(of=of) if of not in REFUSED_STEPS:
                return
            case Notice() if self._awaited is Entered:
                pass
            case Entered() if self._awaited is Entered:
                self.entered = True
            case Refused() | Farewell():
                pass
            case _ if self._awaited is None or not isinstance(message, self._awaited):
                return
        self._wait_for(None)

    def reset(self) -> None:
        """Await nothing: the connection is new."""
        self._wait_for(None)

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """
        Raises:
            TimeoutError: the host didn't answer a step in time.
        """
        try:
            async with asyncio.timeout_at(self._deadline) as self._timeout:
                yield
        finally:
            self._timeout = None

    def _wait_for(self, answer: type[FromHost] | None) -> None:
        self._awaited = answer
        now = asyncio.get_running_loop().time()
        self._deadline = now + self._seconds if answer is not None else None
        if self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(self._deadline)


class Connection:
    """A connection to a host that is made again whenever it breaks, until `close`."""

    def __init__(
        self,
        place: Address,
        hear: Callable[[Event], None],
        returning: bool = False,
        limit: IncomingLimit | None = None,
        source: str = "",
        step: float = STEP,
    ) -> None:
        """`returning`: keep trying even if the host can't be reached at first. `limit`: the rate at
        which a window can show messages. `source`: as of `dial`. `step`: seconds for each step of
        joining."""
        self.place = place
        self.hear = hear
        self._returning = returning
        self._limit = limit
        self._source = source
        self._steps = JoinSteps(step)
        self._pinned = place.fingerprint
        """The certificate that the host must show, where that was known from the beginning."""
        self._met = False
        """Whether any host has answered."""
        self._address = ""
        """The address that answered last."""
        self._given_up: set[str] = set()
        """Addresses that answer and let nobody in."""
        self._socket: ClientConnection | None = None
        self._outgoing: Outgoing | None = None
        self._tasks = Tasks()
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin, in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks.keep_going(self._run, WAITS[-1], self._fail)

    def send(self, message: FromGuest) -> None:
        """Send a message; may be called from any thread. One that is sent while the connection is
        broken is lost: the guest repeats what still matters once it is back."""
        loop, frame = self._loop, encode(message)
        if loop is None or loop.is_closed():
            return
        try:
            here = asyncio.get_running_loop() is loop
        except RuntimeError:  # none runs in this thread
            here = False
        if here:
            self._write(frame, type(message))
        else:
            loop.call_soon_threadsafe(self._write, frame, type(message))

    async def close(self) -> None:
        """End the connection for good."""
        await self._tasks.cancel()
        await self._hang_up()

    def _fail(self, error: Exception) -> None:
        """The connection is made again after a fault, as after any break."""
        if self._socket is not None:
            self._socket.transport.abort()
        self.hear(Lost(with_place(BROKEN, self.place), WAITS[-1]))

    async def drop(self) -> None:
        """Break the connection as a bad network would; it comes back by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    def _write(self, frame: bytes, kind: type[FromGuest]) -> None:
        if self._outgoing is not None:
            self._outgoing.add(frame)
            self._steps.start_limit(kind)

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                self._socket = await self._dial()
            except WrongCertificate as error:
                self.hear(changed_certificate(self.place, error.found))
                return
            except (OSError, TimeoutError, WebSocketException) as error:
                reason = SILENT if self._given_up else reason_of_failure(error)
                wait = _seconds_to_wait(failures)
                failures += 1
                if self._new and (not self._met or self._given_up or failures >= ATTEMPTS):
                    self.hear(Lost(with_place(reason, self.place)))
                    return
                self._given_up.clear()
            else:
                self._met = True
                self._steps.reset()
                outgoing = self._outgoing = Outgoing(self._socket)
                try:
                    self.hear(Connected(self.place.fingerprint))
                    broken = await self._listen(self._socket)
                finally:
                    outgoing.stop()
                if broken is None:
                    await self._hang_up()
                    return
                failures = failures + 1 if self._new or broken is not BROKEN else 0
                reason, wait = broken, _seconds_to_wait(failures)
                if broken is SILENT or (self._new and failures >= ATTEMPTS):
                    failures = 0
                    if self._give_up_address():
                        reason = SILENT if broken is BROKEN else broken
                        self.hear(Lost(with_place(reason, self.place)))
                        return
            self.hear(Lost(with_place(reason, self.place), wait))
            await asyncio.sleep(wait)

    @property
    def _new(self) -> bool:
        """Whether the guest is on its way to a table for the first time."""
        return not (self._returning or self._steps.entered)

    def _give_up_address(self) -> bool:
        """Try the next address from now on; return whether a new guest has tried them all."""
        self._given_up.add(self._address)
        if not self._steps.entered:  # the next one may show another certificate
            self.place = replace(self.place, fingerprint=self._pinned)
        return self._new and self._given_up.issuperset(every_address(self.place))

    async def _dial(self) -> ClientConnection:
        """Connect to the host; the certificate it shows first, it must show ever after."""
        addresses = every_address(self.place)
        if self._given_up.issuperset(addresses):
            self._given_up.clear()
        left = [address for address in addresses if address not in self._given_up]
        socket, self._address = await dial_one_of(left, self.place, self._source)
        self.place = replace(self.place, fingerprint=shown_fingerprint(socket))
        return socket

    async def _listen(self, socket: ClientConnection) -> Reason | None:
        """Pass on what the host sends until the connection ends. Return why it is to be made again,
        None if it isn't."""
        try:
            async with self._steps.limit():
                return await self._pass_on(socket)
        except TimeoutError:
            await self._hang_up()
            return SILENT

    async def _pass_on(self, socket: ClientConnection) -> Reason | None:
        with suppress(WebSocketException, OSError):
            while True:
                frame = await socket.recv(decode=False)
                try:
                    message = from_host(frame)
                except BadMessage:
                    await self._hang_up()
                    return NONSENSE
                self._steps.stop_limit(message)
                match message:
                    case Entered() if self._steps.entered:
                        self._given_up.clear()
                    case TableInfo(code=code) if CODE.fullmatch(code):
                        self.place = replace(self.place, slot=slot_of(code))
                    case TableMoved():
                        self._given_up.clear()
                        self.place = Address(message.addresses, message.port, message.fingerprint)
                passed = self._limit.admit(message) if self._limit else message
                if passed is not None:
                    self.hear(passed)
                match message:
                    case TableMoved():
                        await self._hang_up()
                        return BROKEN
                    case Farewell(back=False) | Refused(of="hello"):
                        return None
                if self._limit is not None:
                    await self._limit.wait_after(len(frame))
        return BROKEN

    async def _hang_up(self) -> None:
        if self._outgoing is not None:
            outgoing, self._outgoing, self._socket = self._outgoing, None, None
            with suppress(WebSocketException, OSError, TimeoutError):
                await outgoing.close()


def _seconds_to_wait(failures: int) -> float:
    """Seconds until the next attempt; not the same for all, or they would all come at once."""
    return WAITS[min(failures, len(WAITS) - 1)] * random.uniform(0.8, 1.2)
