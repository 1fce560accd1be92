"""The connection to a host, which reconnects by itself.

It carries bytes and reads no table; all of it happens in the asyncio loop it was started in, where
it passes its events to `hear`. `Guest.hear` may be that function; in a window it is a signal that
brings the events to the window's own thread, and `Guest.hear` is called there.

Where a host may be at several addresses, all are tried (`dial.ConnectionRace`). The certificate
decides which is the right one; where that isn't known, whoever hears the host says by `give_up`
that it isn't the one. What comes after each attempt and each break, the `ReconnectPolicy` decides.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from tabletop.background.tasks import Tasks
from tabletop.engine.model import Reason
from tabletop.lan.discovery import DiscoveredTable, Finder
from tabletop.net.guest.dial import (
    ConnectionRace,
    HostUnreachable,
    WrongCertificate,
    changed_certificate,
    reason_of_failure,
    routes_of,
    shown_fingerprint,
    with_place,
)
from tabletop.net.guest.rate_limit import IncomingLimit
from tabletop.net.guest.reconnect_policy import (
    AFTER_FAULT,
    BROKEN,
    NONSENSE,
    Destination,
    HostPlaces,
    ReconnectPolicy,
)
from tabletop.net.guest.wrong_host import OTHER_HOST, SILENT, claims_table
from tabletop.net.message_writer import MessageWriter
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
from tabletop.table.connection_events import Connected, Event

STEP = 20.0
"""Seconds in which a host answers each step of joining, unless it says that people are asked."""
STEP_AMONG_OTHERS = 4.0
"""The seconds for a step while there are other addresses to try."""
LOOKING = 2.0
"""Seconds in which a host that isn't at its known addresses is looked for by announcements."""
DIRECTLY = 0.3
"""Seconds in which the known addresses alone are tried."""
ANSWERS: dict[type[FromGuest], type[FromHost]] = {
    Hello: Welcome,
    RequestJoinProof: JoinChallenge,
    Enter: Entered,
    Open: Entered,
}
"""The steps of joining, each with its answer."""
REFUSED_STEPS = ("hello", "ask_doors", "enter", "open")
"""The steps as a host's refusals name them."""


class ConnectionSettings(Struct, frozen=True):
    """How a connection is made, whichever host it leads to."""

    step_timeout_s: float = STEP
    """Seconds for each step of joining."""
    source: str = ""
    """The source address, as in `dial`."""
    searches: bool = True
    """Whether to look for announcements of a host that can't be reached."""
    is_limited: bool = False
    """Whether messages come no faster than a window can show them."""


class JoinSteps:
    """The time limit for each step of joining: a host may answer, and let nobody in."""

    def __init__(self, seconds: float, entered: bool = False) -> None:
        """`entered`: the host has let the guest in before, so no step has a limit."""
        self.proved = False
        """Whether this host was given a proof of the code, and gave no answer."""
        self._seconds = seconds
        self._entered = entered
        self._awaited: type[FromHost] | None = None
        self._deadline: float | None = None
        """The end of the time limit by the loop's clock; None while no answer is missing."""
        self._timeout: asyncio.Timeout | None = None

    def start_limit(self, message: FromGuest) -> None:
        """Start the time limit of a step, unless it is running."""
        self.proved = self.proved or (isinstance(message, Enter) and bool(message.proofs))
        answer = ANSWERS.get(type(message))
        if answer is not None and answer is not self._awaited and not self._entered:
            self._wait_for(answer)

    def stop_limit(self, message: FromHost) -> bool:
        """Stop the time limit if this answers the step, or people at the host are asked; return
        whether the host has let the guest in, now or before."""
        match message:
            case Refused(of=of) if of not in REFUSED_STEPS:
                return self._entered
            case Entered() | Refused() | Farewell() | Notice():
                self.proved = False
        match message:
            case Notice() if self._awaited is Entered:
                self._wait_for(None)
            case Refused() | Farewell():
                self._wait_for(None)
            case _ if self._awaited is not None and isinstance(message, self._awaited):
                self._entered = self._entered or self._awaited is Entered
                self._wait_for(None)
        return self._entered

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


class AnnouncementSearch:
    """The search for a host's announcements, beside the attempts to reach it."""

    def __init__(self, places: HostPlaces) -> None:
        self._places = places
        self._dialling: ConnectionRace | None = None
        self._finder: Finder | None = None
        self._tasks, self._endings = Tasks(), Tasks()

    def begin(self, dialling: ConnectionRace) -> None:
        """Add the places where the host announces itself to these attempts."""
        self._dialling = dialling
        dialling.awaits_more = True
        self._tasks.start(self._search(dialling))

    def detach(self) -> None:
        """Go on listening; what is found counts for the next attempts."""
        self._dialling = None

    async def end(self) -> None:
        """Stop listening."""
        self.detach()
        await self._tasks.cancel()
        finder, self._finder = self._finder, None
        if finder is not None:
            self._endings.start(finder.close())

    async def ended(self) -> None:
        """Return once all that listened is closed."""
        await self._endings.wait()

    async def _search(self, dialling: ConnectionRace) -> None:
        try:
            await asyncio.sleep(DIRECTLY)
            if self._finder is None:
                self._finder = Finder(self._note_found)
                await self._finder.start()
            self._note_found(self._finder.found)
            await asyncio.sleep(LOOKING)
        finally:
            dialling.expect_no_more()

    def _note_found(self, tables: Iterable[DiscoveredTable]) -> None:
        places = self._places.announced(tables)
        if self._dialling is not None and places:
            self._dialling.add(routes_of(*places))


@dataclass
class OpenLine:
    """A connection while it is open."""

    socket: ClientConnection
    outgoing: MessageWriter
    steps: JoinSteps


class Connection:
    """A connection to a host that is made again whenever it breaks, until `close`."""

    def __init__(
        self,
        destination: Destination,
        hear: Callable[[Event], None],
        settings: ConnectionSettings = ConnectionSettings(),  # noqa: B008  # frozen
    ) -> None:
        self.hear = hear
        self._destination = destination
        self._settings = settings
        self._policy = ReconnectPolicy(destination)
        self._limit = IncomingLimit() if settings.is_limited else None
        self._dialling: ConnectionRace | None = None
        """The attempts to find the host, until it is found."""
        self._search = AnnouncementSearch(self._policy.places)
        self._harmless: set[tuple[Address, str]] = set()
        """Computers that aren't the host and don't pretend to be: address and certificate."""
        self._line: OpenLine | None = None
        self._tasks = Tasks()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def place(self) -> Address:
        """The host's present place, the address that answered first."""
        return self._policy.places.present

    def start(self) -> None:
        """Begin, in the running loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks.start_restarting(self._run, AFTER_FAULT, self._fail)

    def send(self, message: FromGuest) -> None:
        """Send a message; may be called from any thread. One that is sent while the connection is
        broken is lost: the guest repeats what still matters once it is back."""
        loop, frame = self._loop, encode(message)
        if loop is None or loop.is_closed():
            return
        try:
            here = asyncio.get_running_loop() is loop
        except RuntimeError:  # no event loop runs in this thread
            here = False
        if here:
            self._write(frame, message)
        else:
            loop.call_soon_threadsafe(self._write, frame, message)

    def give_up(self, reason: Reason, shown: str) -> None:
        """Try elsewhere: the host that showed this certificate isn't the one that is meant; may be
        called from any thread. If there is nothing else, `Lost` tells why."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._give_up, reason, shown)

    def add_place(self, place: Address) -> None:
        """Look for the host at this place as well; called in the loop."""
        self._policy.places.add(place)
        if self._dialling is not None:
            self._dialling.add(routes_of(place), again=True)

    async def close(self) -> None:
        """End the connection for good."""
        self._policy.end()
        await self._tasks.cancel()
        await self._end_dialling()
        await self._search.ended()
        await self._hang_up()

    def _fail(self, error: Exception) -> None:
        if self._line is not None:
            self._line.socket.transport.abort()
        self.hear(self._policy.fail())

    async def drop(self) -> None:
        """Break the connection as a bad network would; it comes back by itself."""
        if self._line is not None:
            self._line.socket.transport.abort()

    def _write(self, frame: bytes, message: FromGuest) -> None:
        if self._line is not None:
            self._line.outgoing.add(frame)
            self._line.steps.start_limit(message)

    def _give_up(self, reason: Reason, shown: str) -> None:
        self._policy.give_up(reason, shown)
        if self._policy.state == "leaving":
            self._tasks.start(self._hang_up())

    async def _run(self) -> None:
        """Dial, listen and pause in turns, until the policy ends it."""
        policy = self._policy
        policy.dial()
        while policy.state != "ended":
            if policy.state == "waiting":
                await asyncio.sleep(policy.pause_s)
                policy.dial()
            elif event := await self._dial_and_listen():
                self.hear(event)

    async def _dial_and_listen(self) -> Event | None:
        """Connect to the host and listen until the connection ends; return the event to report,
        if any."""
        policy = self._policy
        try:
            socket = await self._dial()
        except WrongCertificate as error:
            await self._end_dialling()
            policy.end()
            return changed_certificate(error.place, error.found)
        except HostUnreachable as nowhere:
            await self._end_dialling(searching=not policy.is_first_visit)
            return policy.miss(_reason_of(nowhere))
        steps = JoinSteps(self._seconds_for_step, policy.entered)
        line = self._line = OpenLine(socket, MessageWriter(socket), steps)
        try:
            self.hear(Connected(self.place.fingerprint))
            why = await self._listen(line)
        finally:
            line.outgoing.stop()
        if why is None:
            await self._hang_up()
            policy.end()
            return None
        self._line = None
        event = policy.break_off(why, steps.proved, self._has_others)
        if policy.state == "waiting" and self._dialling is not None:
            self._dialling.add([policy.route], again=True)
        return event

    @property
    def _has_others(self) -> bool:
        return self._dialling is not None and self._dialling.has_others

    @property
    def _seconds_for_step(self) -> float:
        step = self._settings.step_timeout_s
        return min(step, STEP_AMONG_OTHERS) if self._has_others else step

    async def _dial(self) -> ClientConnection:
        """Connect to the host; the certificate by which it was known, it must show ever after.

        Raises:
            HostUnreachable, WrongCertificate: it is nowhere, or another computer claims to be it.
        """
        policy = self._policy
        if self._dialling is None:
            self._dialling = ConnectionRace(routes_of(*policy.places.all), self._settings.source)
            if self._settings.searches and policy.places.can_be_announced:
                self._search.begin(self._dialling)
        while True:
            try:
                socket, route = await self._dialling.next()
            except HostUnreachable as nowhere:
                if self._destination.sure:
                    await self._judge_strangers(nowhere)
                elif self._dialling.strangers:  # only announced: the code decides
                    strangers = [
                        replace(route, fingerprint="") for _, route in self._dialling.strangers
                    ]
                    self._dialling.drop_strangers()
                    self._dialling.add(strangers)
                    continue
                raise
            shown = shown_fingerprint(socket)
            if not policy.is_rejected(shown):
                break
            socket.transport.abort()
        policy.connect(route, shown)
        if policy.state == "settled":
            await self._end_dialling()
        return socket

    async def _end_dialling(self, searching: bool = False) -> None:
        """End the attempts; `searching`: go on listening to announcements."""
        dialling, self._dialling = self._dialling, None
        self._search.detach()
        if dialling is not None:
            await dialling.close()
        if not searching:
            await self._search.end()

    async def _judge_strangers(self, nowhere: HostUnreachable) -> None:
        """Tell computers that are at the host's addresses by chance from one that poses as it.

        Raises:
            WrongCertificate: one claims to have the table.
        """
        assert self._dialling is not None
        fresh = [
            (socket, route)
            for socket, route in self._dialling.strangers
            if (route, shown_fingerprint(socket)) not in self._harmless
        ]
        table = self._destination.table
        if table is None:
            claims = [True] * len(fresh)
        else:
            async with asyncio.TaskGroup() as group:
                asked = [group.create_task(claims_table(each, table)) for each, _ in fresh]
            claims = [each.result() for each in asked]
        for (socket, route), claimed in zip(fresh, claims, strict=True):
            shown = shown_fingerprint(socket)
            if claimed:
                raise WrongCertificate(shown, route) from nowhere
            self._harmless.add((route, shown))

    async def _listen(self, line: OpenLine) -> Reason | None:
        """Pass on what the host sends until the connection ends. Return why it is to be made again,
        None if it isn't."""
        try:
            async with line.steps.limit():
                return await self._pass_on(line)
        except TimeoutError:
            await self._hang_up()
            return SILENT

    async def _pass_on(self, line: OpenLine) -> Reason | None:
        policy = self._policy
        with suppress(WebSocketException, OSError):
            while True:
                frame = await line.socket.recv(decode=False)
                try:
                    message = from_host(frame)
                except BadMessage:
                    await self._hang_up()
                    return NONSENSE
                entered = line.steps.stop_limit(message)
                match message:
                    case Entered() if entered:
                        policy.enter()
                        if policy.state == "settled" and self._dialling is not None:
                            await self._end_dialling()
                    case TableInfo(code=code) if CODE.fullmatch(code):
                        policy.places.name_slot(slot_of(code))
                    case TableMoved(addresses=hosts, port=port, fingerprint=shown):
                        policy.move(Address(hosts, port, shown))
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
        line, self._line = self._line, None
        if line is not None:
            with suppress(WebSocketException, OSError, TimeoutError):
                await line.outgoing.close()


def _reason_of(nowhere: HostUnreachable) -> Reason:
    error, route = nowhere.worth_most
    why = OTHER_HOST if isinstance(error, WrongCertificate) else reason_of_failure(error)
    return with_place(why, route)
