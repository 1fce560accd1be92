"""The connection to a host, which reconnects by itself.

It carries bytes and reads no table; all of it happens in the asyncio loop it was started in, where
it passes its events to `hear`. `Guest.hear` may be that function; in a window it is a signal that
brings the events to the window's own thread, and `Guest.hear` is called there.

Where a host may be at several addresses, all are tried (`dial.Dialling`). The certificate decides
which is the right one; where that isn't known, whoever hears the host says by `give_up` that it
isn't the one.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress

from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from tabletop.background.tasks import Tasks
from tabletop.engine.model import Reason
from tabletop.lan.discovery import Finder, Found
from tabletop.lan.interfaces import is_loopback
from tabletop.net.guest.dial import (
    UNMET,
    Dialling,
    Unreached,
    WrongCertificate,
    changed_certificate,
    reason_of_failure,
    routes_of,
    shown_fingerprint,
    with_place,
)
from tabletop.net.guest.elsewhere import OTHER_HOST, SILENT, UNANSWERED, best_reason, claims_table
from tabletop.net.guest.rate_limit import IncomingLimit
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
from tabletop.table.connection_events import Connected, Event, Lost

BROKEN = Reason("Connection lost. Reconnecting…")
NONSENSE = Reason("The host sent something invalid or far too large.", code="nonsense")
WAITS = (0.2, 0.5, 1.0, 2.0, 4.0, 5.0)
"""Seconds between attempts to come back; the last one for ever."""
STEP = 20.0
"""Seconds in which a host answers each step of joining, unless it says that people are asked."""
STEP_AMONG_OTHERS = 4.0
"""The seconds for a step while there are other addresses to try."""
ATTEMPTS = 3
"""Connections that may break at an address before a new guest was let in; then the next one."""
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


class JoinSteps:
    """The time limit for each step of joining: a host may answer, and let nobody in."""

    def __init__(self, seconds: float) -> None:
        self.entered = False
        """Whether a host has ever let the guest in."""
        self.proved = False
        """Whether this host was given a proof of the code, and gave no answer."""
        self.seconds = seconds
        self._awaited: type[FromHost] | None = None
        self._deadline: float | None = None
        """The end of the time limit by the loop's clock; None while no answer is missing."""
        self._timeout: asyncio.Timeout | None = None

    def start_limit(self, message: FromGuest) -> None:
        """Start the time limit of a step, unless it is running."""
        self.proved = self.proved or (isinstance(message, Enter) and bool(message.proofs))
        answer = ANSWERS.get(type(message))
        if answer is not None and answer is not self._awaited and not self.entered:
            self._wait_for(answer)

    def stop_limit(self, message: FromHost) -> None:
        """Stop the time limit if this answers the step, or people at the host are asked."""
        match message:
            case Refused(of=of) if of not in REFUSED_STEPS:
                return
            case Entered() | Refused() | Farewell() | Notice():
                self.proved = False
        match message:
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
        self.proved = False
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
        self._deadline = now + self.seconds if answer is not None else None
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
        others: Iterable[Address] = (),
        table: str | None = None,
        sure: bool = True,
        searches: bool = True,
    ) -> None:
        """`returning`: keep trying even if the host can't be reached at first. `limit`: the rate at
        which a window can show messages. `source`: as in `dial`. `step`: seconds for each step of
        joining. `others`: more places where the host, or the table, may be. `table`: the table that
        is wanted; None if another certificate alone is an alarm, as at a server. `sure`: whether
        the certificates of the places are known, not only announced: then no other will do.
        `searches`: look for announcements of a host that can't be reached."""
        self.place = place
        """The host's present place, the address that answered first."""
        self.hear = hear
        self._wanted = self._places = (place, *others)
        """The places where the host may be; of one that let the guest in, its place alone."""
        self._returning = returning
        self._limit = limit
        self._source = source
        self._table = table
        self._sure = sure
        self._searching = searches
        self._step = step
        self._steps = JoinSteps(step)
        self._met = False
        """Whether any host has answered."""
        self._dialling: Dialling | None = None
        """The attempts to find the host, until it is found."""
        self._finder: Finder | None = None
        self._route = place
        """The address of the present connection."""
        self._reasons: list[Reason] = []
        """Why the hosts that answered in this dialling aren't the right one."""
        self._given_up: set[str] = set()
        """Their certificates."""
        self._harmless: set[tuple[Address, str]] = set()
        """Computers that aren't the host and don't pretend to be: address and certificate."""
        self._breaks: Counter[Address] = Counter()
        self._socket: ClientConnection | None = None
        self._outgoing: Outgoing | None = None
        self._tasks = Tasks()
        self._searches, self._endings = Tasks(), Tasks()
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
        self._places = tuple(dict.fromkeys((*self._places, place)))
        if self._dialling is not None:
            self._dialling.add(routes_of(place), again=True)

    async def close(self) -> None:
        """End the connection for good."""
        await self._tasks.cancel()
        await self._end_dialling()
        await self._endings.ended()
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

    def _write(self, frame: bytes, message: FromGuest) -> None:
        if self._outgoing is not None:
            self._outgoing.add(frame)
            self._steps.start_limit(message)

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                self._socket = await self._dial()
            except WrongCertificate as error:
                await self._end_dialling()
                self.hear(changed_certificate(self._route, error.found))
                return
            except Unreached as nowhere:
                met = bool(self._reasons)
                reason, wait = self._say_why(nowhere), _seconds_to_wait(failures)
                failures += 1
                await self._end_dialling(searching=not self._new)
                self._reasons.clear()
                self._given_up.clear()
                self._breaks.clear()
                if self._new and (met or not self._met or failures >= ATTEMPTS):
                    self.hear(Lost(reason))
                    return
            else:
                self._met = True
                broken = await self._visit(self._socket)
                if broken is None:
                    await self._hang_up()
                    return
                if (shown := self.place.fingerprint) in self._given_up:
                    self._go_on_elsewhere()
                    continue
                failures = failures + 1 if self._new or broken is not BROKEN else 0
                reason, wait = with_place(broken, self.place), _seconds_to_wait(failures)
                if self._dialling is not None:
                    self._breaks[self._route] += 1
                    if broken is SILENT or self._breaks[self._route] >= ATTEMPTS:
                        silent = UNANSWERED if self._steps.proved else SILENT
                        reason = with_place(broken if broken is NONSENSE else silent, self.place)
                        self._note_failure(reason, shown)
                        self._go_on_elsewhere()
                        continue
                    self._dialling.add([self._route], again=True)
            self.hear(Lost(reason, wait))
            await asyncio.sleep(wait)

    async def _visit(self, socket: ClientConnection) -> Reason | None:
        """Be connected, until the connection ends; return why as `_listen`."""
        self._steps.reset()
        others = self._dialling is not None and self._dialling.has_others
        self._steps.seconds = min(self._step, STEP_AMONG_OTHERS) if others else self._step
        outgoing = self._outgoing = Outgoing(socket)
        try:
            self.hear(Connected(self.place.fingerprint))
            return await self._listen(socket)
        finally:
            outgoing.stop()

    @property
    def _new(self) -> bool:
        """Whether the guest is on its way to a table for the first time."""
        return not (self._returning or self._steps.entered)

    def _give_up(self, reason: Reason, shown: str) -> None:
        if shown in self._given_up:
            return
        self._note_failure(with_place(reason, self.place), shown)
        if self.place.fingerprint == shown:
            self._places, self._steps.entered = self._wanted, False
            self._tasks.start(self._hang_up())

    def _note_failure(self, reason: Reason, shown: str) -> None:
        self._reasons.append(reason)
        self._given_up.add(shown)

    def _go_on_elsewhere(self) -> None:
        if self._dialling is not None and self._dialling.has_others:
            self.hear(Lost(self._reasons[-1], 0.0))

    async def _dial(self) -> ClientConnection:
        """Connect to the host; the certificate by which it was known, it must show ever after.

        Raises:
            Unreached, WrongCertificate: it is nowhere, or another computer claims to be it.
        """
        if self._dialling is None:
            self._dialling = Dialling(routes_of(*self._places), self._source)
            if self._is_looked_for:
                self._dialling.awaits_more = True
                self._searches.start(self._search(self._dialling))
        while True:
            try:
                socket, self._route = await self._dialling.next()
            except Unreached as nowhere:
                if self._sure:
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
            if shown not in self._given_up:
                break
            socket.transport.abort()
        its = next(
            (each for each in self._places if self._route.hosts[0] in each.hosts), self._route
        )
        rest = [host for host in its.hosts if its.port == self._route.port]
        hosts = tuple(dict.fromkeys((*self._route.hosts, *rest)))
        self.place = replace(self._route, hosts=hosts, fingerprint=shown)
        # it has proved to be the right host
        if all(place.fingerprint == shown for place in self._places):
            await self._found_host()
        return socket

    def _name_slot(self, slot: int) -> None:
        """Of several servers at one address it's this one, when the line breaks as well."""
        self.place = replace(self.place, slot=slot)
        self._places = tuple(replace(place, slot=slot) for place in self._places)
        self._wanted = tuple(replace(place, slot=slot) for place in self._wanted)

    async def _found_host(self) -> None:
        """The host is the right one: only there it is looked for from now on."""
        await self._end_dialling()
        self._places = (self.place,)

    async def _end_dialling(self, searching: bool = False) -> None:
        """End the attempts; `searching`: go on listening to announcements."""
        dialling, self._dialling = self._dialling, None
        if dialling is not None:
            await dialling.close()
        if not searching:
            await self._searches.cancel()
            finder, self._finder = self._finder, None
            if finder is not None:
                self._endings.start(finder.close())

    def _say_why(self, nowhere: Unreached) -> Reason:
        error, route = nowhere.worth_most
        why = OTHER_HOST if isinstance(error, WrongCertificate) else reason_of_failure(error)
        return best_reason([*self._reasons, with_place(why, route)])

    # Announcements

    @property
    def _is_looked_for(self) -> bool:
        """Whether announcements can lead to the host: it is known by its certificate, and is not on
        this computer."""
        return self._searching and any(
            place.fingerprint not in ("", UNMET) and not all(map(is_loopback, place.hosts))
            for place in self._places
        )

    async def _search(self, dialling: Dialling) -> None:
        """Add the places where the host announces itself to the attempts."""
        try:
            await asyncio.sleep(DIRECTLY)
            if self._finder is None:
                self._finder = Finder(self._note_found)
                await self._finder.start()
            self._note_found(self._finder.found)
            await asyncio.sleep(LOOKING)
        finally:
            dialling.expect_no_more()

    def _note_found(self, tables: Iterable[Found]) -> None:
        wanted = {place.fingerprint for place in self._places} - {"", UNMET}
        slot = self._places[0].slot
        places = {each.place for each in tables if each.speaks and each.place.fingerprint in wanted}
        if self._dialling is not None and places:
            self._dialling.add(routes_of(*(replace(place, slot=slot) for place in places)))

    async def _judge_strangers(self, nowhere: Unreached) -> None:
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
        if self._table is None:
            claims = [True] * len(fresh)
        else:
            table = self._table
            claims = await asyncio.gather(*(claims_table(each, table) for each, _ in fresh))
        for (socket, route), claimed in zip(fresh, claims, strict=True):
            shown = shown_fingerprint(socket)
            if claimed:
                self._route = route
                raise WrongCertificate(shown) from nowhere
            self._harmless.add((route, shown))

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
                    case Entered() if self._steps.entered and self._dialling is not None:
                        await self._found_host()
                    case TableInfo(code=code) if CODE.fullmatch(code):
                        self._name_slot(slot_of(code))
                    case TableMoved() if self._steps.entered:
                        self.place = Address(message.addresses, message.port, message.fingerprint)
                        self._wanted = self._places = (self.place,)
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
