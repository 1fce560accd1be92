"""A connection to a host that reconnects automatically.

`Connection` carries messages and knows nothing about the game: it finds the host, enforces time
limits while the guest joins, and reports every message and every loss of the connection to
`on_event`. It runs in the asyncio loop in which `start` was called, and calls `on_event` there. A
console program passes `Guest.hear`; the GUI passes a Qt signal that forwards events to its thread.

A host may have several addresses. `dial.ConnectionRace` tries all of them, and the certificate
decides which one is right. If the certificate isn't known in advance, the guest calls `reject_host`
when the host that answered is the wrong one. `ReconnectPolicy` decides what to do after each
attempt and each lost connection.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException
from websockets.frames import CloseCode

from tabletop.background.tasks import Tasks
from tabletop.engine.model import Reason
from tabletop.lan.discovery import DiscoveredTable, Finder
from tabletop.net.guest.dial import (
    ConnectionRace,
    HostUnreachable,
    WrongCertificate,
    certificate_changed_event,
    peer_fingerprint,
    reason_for_error,
    routes_of,
    with_host_name,
)
from tabletop.net.guest.rate_limit import IncomingRateLimiter
from tabletop.net.guest.reconnect_policy import (
    CONNECTION_LOST,
    INVALID_MESSAGE,
    RESTART_DELAY_S,
    Destination,
    HostAddresses,
    ReconnectPolicy,
)
from tabletop.net.guest.wrong_host import OTHER_HOST, SILENT, claims_table
from tabletop.net.message_writer import MessageWriter
from tabletop.protocol.codec import BadMessage, decode_host_message, encode
from tabletop.protocol.invitation import CODE, Address, port_slot
from tabletop.protocol.join_proof import JoinChallenge, RequestJoinProof
from tabletop.protocol.messages import (
    Farewell,
    FromGuest,
    FromHost,
    Hello,
    JoinTable,
    Notice,
    OpenTable,
    Refused,
    TableInfo,
    TableJoined,
    Welcome,
)
from tabletop.protocol.table_transfer import TableMoved
from tabletop.table.connection_events import Connected, Event

STEP_TIMEOUT_S = 20.0
"""The seconds that a host has to reply to each step of joining.

The limit doesn't apply while people at the host decide whether to admit the guest.
"""
MAX_SMALL_FRAME_BYTES = 1200
"""The size of frames up to which a network passes them even if it drops full packets."""
SHORT_STEP_TIMEOUT_S = 4.0
"""The time limit in seconds for a step while other addresses are still untried."""
SEARCH_TIMEOUT_S = 2.0
"""Seconds to wait for LAN announcements of a host that isn't at its known addresses."""
SEARCH_DELAY_S = 0.3
"""Seconds to try only the known addresses before listening for announcements."""
REPLY_TYPES: dict[type[FromGuest], type[FromHost]] = {
    Hello: Welcome,
    RequestJoinProof: JoinChallenge,
    JoinTable: TableJoined,
    OpenTable: TableJoined,
}
"""The type of reply that completes each step of joining."""
JOIN_STEP_NAMES = ("hello", "ask_doors", "enter", "open")
"""The steps of joining, as `Refused.of` names them."""


class ConnectionSettings(Struct, frozen=True):
    """Options of a connection that are independent of the host."""

    step_timeout_s: float = STEP_TIMEOUT_S
    """The time limit for each step of joining, in seconds."""
    source_ip: str = ""
    """The local IP address to connect from if the host is on this computer; empty for any."""
    searches_lan: bool = True
    """Whether to look for LAN announcements of a host that can't be reached."""
    is_rate_limited: bool = False
    """Whether to throttle incoming messages to the rate at which a window can show them."""


class JoinTimeout:
    """Enforces a time limit for each step of joining.

    Without a limit, a host that accepts connections but never answers would block the guest.
    """

    def __init__(self, step_timeout_s: float, was_admitted: bool = False) -> None:
        """`was_admitted`: whether the host has admitted the guest
        before, so that no step has a limit.
        """
        self.proof_unanswered = False
        """Whether the guest has sent a proof of the code that the host hasn't answered."""
        self._step_timeout_s = step_timeout_s
        self._was_admitted = was_admitted
        self._expected_reply: type[FromHost] | None = None
        self._deadline: float | None = None
        """When the time limit expires, on the loop's clock; None if no reply is due."""
        self._timeout: asyncio.Timeout | None = None

    def on_sent(self, message: FromGuest) -> None:
        """Start the time limit if `message` begins a step of joining.

        Repeating a step doesn't extend its limit.
        """
        is_proof = isinstance(message, JoinTable) and bool(message.proofs)
        self.proof_unanswered = self.proof_unanswered or is_proof
        reply = REPLY_TYPES.get(type(message))
        if reply is not None and reply is not self._expected_reply and not self._was_admitted:
            self._expect(reply)

    def on_received(self, message: FromHost) -> bool:
        """Stop the time limit if `message` completes the step or asks the guest to wait for people.

        Returns:
            Whether the host has admitted the guest, by `message` or earlier.
        """
        match message:
            case Refused(of=of) if of not in JOIN_STEP_NAMES:
                return self._was_admitted
            case TableJoined() | Refused() | Farewell() | Notice():
                self.proof_unanswered = False
        match message:
            case Notice() if self._expected_reply is TableJoined:
                self._expect(None)
            case Refused() | Farewell():
                self._expect(None)
            case _ if (reply := self._expected_reply) is not None and isinstance(message, reply):
                self._was_admitted = self._was_admitted or reply is TableJoined
                self._expect(None)
        return self._was_admitted

    @asynccontextmanager
    async def enforce(self) -> AsyncIterator[None]:
        """Cancel the `async with` block when the time limit of a step expires.

        Raises:
            TimeoutError: the host didn't reply to a step in time.
        """
        try:
            async with asyncio.timeout_at(self._deadline) as self._timeout:
                yield
        finally:
            self._timeout = None

    def _expect(self, reply: type[FromHost] | None) -> None:
        """Start the time limit for a `reply`, or stop it if `reply` is None."""
        self._expected_reply = reply
        now = asyncio.get_running_loop().time()
        self._deadline = now + self._step_timeout_s if reply is not None else None
        if self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(self._deadline)


class AnnouncementSearch:
    """Searches for LAN announcements of a host, in parallel with a `ConnectionRace`."""

    def __init__(self, addresses: HostAddresses) -> None:
        self._addresses = addresses
        self._race: ConnectionRace | None = None
        self._finder: Finder | None = None
        self._tasks, self._closing_tasks = Tasks(), Tasks()

    def start(self, race: ConnectionRace) -> None:
        """Start to listen, and add each announced address of the host to `race`."""
        self._race = race
        race.expects_routes = True
        self._tasks.start(self._search(race))

    def detach(self) -> None:
        """Stop adding addresses to the current race, but keep listening for the next one."""
        self._race = None

    async def stop(self) -> None:
        """Stop listening. The socket closes in the background; `wait_closed` waits for it."""
        self.detach()
        await self._tasks.cancel()
        finder, self._finder = self._finder, None
        if finder is not None:
            self._closing_tasks.start(finder.close())

    async def wait_closed(self) -> None:
        """Wait until the sockets of stopped searches are closed."""
        await self._closing_tasks.wait()

    async def _search(self, race: ConnectionRace) -> None:
        try:
            await asyncio.sleep(SEARCH_DELAY_S)
            if self._finder is None:
                self._finder = Finder(self._on_found)
                await self._finder.start()
            self._on_found(self._finder.found)
            await asyncio.sleep(SEARCH_TIMEOUT_S)
        finally:
            race.stop_expecting_routes()

    def _on_found(self, tables: Iterable[DiscoveredTable]) -> None:
        addresses = self._addresses.announced_in(tables)
        if self._race is not None and addresses:
            self._race.add(routes_of(*addresses))


@dataclass
class OpenSocket:
    """An open WebSocket with its outgoing queue and its time limit for joining."""

    websocket: ClientConnection
    writer: MessageWriter
    join_timeout: JoinTimeout
    carries_large_frames: bool = False
    """Whether a frame has arrived that needs a full packet."""

    def has_stalled(self, reason: Reason | None) -> bool:
        """Return whether the host fell silent before any large frame arrived.

        `reason`: why the connection ended.
        """
        sent = self.websocket.protocol.close_sent
        unanswered_ping = sent is not None and sent.code == CloseCode.INTERNAL_ERROR
        return not self.carries_large_frames and (reason is SILENT or unanswered_ping)


class Connection:
    """A connection to a host that reconnects until `close` is called."""

    def __init__(
        self,
        destination: Destination,
        on_event: Callable[[Event], None],
        settings: ConnectionSettings = ConnectionSettings(),  # noqa: B008  # frozen
    ) -> None:
        """`on_event`: called in the event loop with each message and each connection event."""
        self.on_event = on_event
        self._destination = destination
        self._settings = settings
        self._policy = ReconnectPolicy(destination)
        self._rate_limiter = IncomingRateLimiter() if settings.is_rate_limited else None
        self._race: ConnectionRace | None = None
        """The race between the host's addresses; None once the right host is found."""
        self._search = AnnouncementSearch(self._policy.addresses)
        self._harmless: set[tuple[Address, str]] = set()
        """Routes and fingerprints of strangers that don't claim to have the wanted table."""
        self._open: OpenSocket | None = None
        self._tasks = Tasks()
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def address(self) -> Address:
        """The host's current address. The host name that answered first comes first."""
        return self._policy.addresses.current

    def start(self) -> None:
        """Start to connect in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._tasks.start_restarting(self._run, RESTART_DELAY_S, self._on_fault)

    def send(self, message: FromGuest) -> None:
        """Queue `message` for sending. Safe to call from any thread.

        Without an open connection, the message is dropped. After a
        reconnect, the guest resends what still matters.
        """
        loop, frame = self._loop, encode(message)
        if loop is None or loop.is_closed():
            return
        try:
            is_in_loop = asyncio.get_running_loop() is loop
        except RuntimeError:  # no event loop runs in this thread
            is_in_loop = False
        if is_in_loop:
            self._write(frame, message)
        else:
            loop.call_soon_threadsafe(self._write, frame, message)

    def reject_host(self, reason: Reason, fingerprint: str) -> None:
        """Disconnect from the host with this certificate `fingerprint` and try other addresses.

        Safe to call from any thread. If no other address answers, `on_event`
        gets a `Lost` with the most useful reason.
        """
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._reject_host, reason, fingerprint)

    def add_address(self, address: Address) -> None:
        """Try `address` as well. Call it in the event loop."""
        self._policy.addresses.add(address)
        if self._race is not None:
            self._race.add(routes_of(address), retry=True)

    async def close(self) -> None:
        """Disconnect and stop reconnecting."""
        self._policy.end()
        await self._tasks.cancel()
        await self._close_race()
        await self._search.wait_closed()
        await self._close_socket()

    async def abort(self) -> None:
        """Drop the open connection without a close frame, as a network failure would.

        The connection then reconnects as usual.
        """
        self._abort_socket()

    def _on_fault(self, error: Exception) -> None:
        self._abort_socket()
        self.on_event(self._policy.on_fault())

    def _abort_socket(self) -> None:
        if self._open is not None:
            self._open.websocket.transport.abort()

    def _write(self, frame: bytes, message: FromGuest) -> None:
        if self._open is not None:
            self._open.writer.add(frame)
            self._open.join_timeout.on_sent(message)

    def _reject_host(self, reason: Reason, fingerprint: str) -> None:
        self._policy.reject_host(reason, fingerprint)
        if self._policy.state == "leaving":
            self._tasks.start(self._close_socket())

    async def _run(self) -> None:
        """Alternate between connecting and pausing until the policy's state is `ended`."""
        policy = self._policy
        policy.start_dialling()
        while policy.state != "ended":
            if policy.state == "waiting":
                await asyncio.sleep(policy.delay_s)
                policy.start_dialling()
            elif event := await self._connect_and_receive():
                self.on_event(event)

    async def _connect_and_receive(self) -> Event | None:
        """Connect, and pass received messages to `on_event` until the connection ends.

        Returns:
            The event that reports the end, or None if the guest needn't be told.
        """
        policy = self._policy
        try:
            websocket = await self._connect()
        except WrongCertificate as error:
            await self._close_race()
            policy.end()
            return certificate_changed_event(error.address, error.fingerprint)
        except HostUnreachable as error:
            await self._close_race(keep_searching=not policy.is_first_visit)
            return policy.on_unreachable(_reason_for(error))
        join_timeout = JoinTimeout(self._step_timeout_s, policy.was_admitted)
        opened = self._open = OpenSocket(websocket, MessageWriter(websocket), join_timeout)
        try:
            self.on_event(Connected(self.address.fingerprint))
            reason = await self._receive(opened)
        finally:
            opened.writer.stop()
        if reason is None:
            await self._close_socket()
            policy.end()
            return None
        self._open = None
        event = policy.on_disconnected(
            reason,
            join_timeout.proof_unanswered,
            self._has_untried_routes,
            opened.has_stalled(reason),
        )
        if policy.state == "waiting" and self._race is not None:
            self._race.add([policy.route], retry=True)
        return event

    @property
    def _has_untried_routes(self) -> bool:
        return self._race is not None and self._race.has_untried_routes

    @property
    def _step_timeout_s(self) -> float:
        timeout_s = self._settings.step_timeout_s
        return min(timeout_s, SHORT_STEP_TIMEOUT_S) if self._has_untried_routes else timeout_s

    async def _connect(self) -> ClientConnection:
        """Return a connection to the host, skipping hosts that were rejected before.

        Raises:
            HostUnreachable: no address leads to the host.
            WrongCertificate: a computer with another certificate claims to be the host.
        """
        policy = self._policy
        if self._race is None:
            routes = routes_of(*policy.addresses.candidates)
            self._race = ConnectionRace(routes, self._settings.source_ip)
            if self._settings.searches_lan and policy.addresses.can_be_announced:
                self._search.start(self._race)
        while True:
            try:
                websocket, route = await self._race.next_connection()
            except HostUnreachable as error:
                if self._destination.is_pinned:
                    await self._check_strangers(error)
                elif self._race.strangers:
                    # the certificates were only announced: let the join code decide instead
                    strangers = [
                        replace(route, fingerprint="") for _, route in self._race.strangers
                    ]
                    self._race.drop_strangers()
                    self._race.add(strangers)
                    continue
                raise
            fingerprint = peer_fingerprint(websocket)
            if not policy.is_rejected(fingerprint):
                break
            websocket.transport.abort()
        policy.on_connected(route, fingerprint)
        if policy.state == "settled":
            await self._close_race()
        return websocket

    async def _close_race(self, keep_searching: bool = False) -> None:
        """Cancel all attempts to connect.

        `keep_searching`: whether to keep listening for LAN announcements.
        """
        race, self._race = self._race, None
        self._search.detach()
        if race is not None:
            await race.close()
        if not keep_searching:
            await self._search.stop()

    async def _check_strangers(self, unreachable: HostUnreachable) -> None:
        """Ask each stranger whether it has the wanted table, and remember those that don't.

        A stranger is a computer at one of the host's addresses with another certificate. It may be
        there by chance, or pose as the host.

        Raises:
            WrongCertificate: a stranger claims to have the table.
        """
        assert self._race is not None
        unchecked = [
            (websocket, route)
            for websocket, route in self._race.strangers
            if (route, peer_fingerprint(websocket)) not in self._harmless
        ]
        table = self._destination.table
        if table is None:
            claims = [True] * len(unchecked)
        else:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(claims_table(each, table)) for each, _ in unchecked]
            claims = [task.result() for task in tasks]
        for (websocket, route), has_claimed in zip(unchecked, claims, strict=True):
            fingerprint = peer_fingerprint(websocket)
            if has_claimed:
                raise WrongCertificate(fingerprint, route) from unreachable
            self._harmless.add((route, fingerprint))

    async def _receive(self, opened: OpenSocket) -> Reason | None:
        """Pass messages to `on_event` until the connection ends,
        and enforce the time limits for joining.

        Returns:
            The reason to reconnect, or None if the host has ended the connection for good.
        """
        try:
            async with opened.join_timeout.enforce():
                return await self._receive_messages(opened)
        except TimeoutError:
            await self._close_socket()
            return SILENT

    async def _receive_messages(self, opened: OpenSocket) -> Reason | None:
        policy = self._policy
        with suppress(WebSocketException, OSError):
            while True:
                frame = await opened.websocket.recv(decode=False)
                try:
                    message = decode_host_message(frame)
                except BadMessage:
                    await self._close_socket()
                    return INVALID_MESSAGE
                opened.carries_large_frames |= len(frame) > MAX_SMALL_FRAME_BYTES
                was_admitted = opened.join_timeout.on_received(message)
                match message:
                    case TableJoined() if was_admitted:
                        policy.on_admitted()
                        if policy.state == "settled" and self._race is not None:
                            await self._close_race()
                    case TableInfo(code=code) if CODE.fullmatch(code):
                        policy.addresses.set_slot(port_slot(code))
                    case TableMoved(addresses=hosts, port=port, fingerprint=fingerprint):
                        policy.on_moved(Address(hosts, port, fingerprint))
                shown = self._rate_limiter.filter(message) if self._rate_limiter else message
                if shown is not None:
                    self.on_event(shown)
                match message:
                    case TableMoved():
                        await self._close_socket()
                        return CONNECTION_LOST
                    case Farewell(back=False) | Refused(of="hello"):
                        return None
                if self._rate_limiter is not None:
                    await self._rate_limiter.throttle(len(frame))
        return CONNECTION_LOST

    async def _close_socket(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            with suppress(WebSocketException, OSError, TimeoutError):
                await opened.writer.close()


def _reason_for(unreachable: HostUnreachable) -> Reason:
    error, route = unreachable.most_useful
    reason = OTHER_HOST if isinstance(error, WrongCertificate) else reason_for_error(error)
    return with_host_name(reason, route)
