"""Hands for tests of shared tables: a host on loopback, and guests that sit down and play."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabletop import __version__
from tabletop.bots.random_bot import RandomBot
from tabletop.catalogue import catalogue
from tabletop.engine.model import Reason
from tabletop.net.guest.connection import Connection
from tabletop.net.guest.dial import dial
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.reconnect_policy import Destination
from tabletop.net.guest.session import Guest
from tabletop.net.host.host import Host
from tabletop.net.limits import Limits, origin
from tabletop.protocol.codec import OutgoingMessage, decode_host_message, encode
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import (
    Farewell,
    FromHost,
    Hello,
    JoinTable,
    MatchProof,
    OpenTable,
    Refused,
    SeatConfig,
    TablePlan,
    Welcome,
)
from tabletop.table.connection_events import Event, News
from tabletop.table.hosted_table import HostedTable
from tabletop.table.services import TableTiming

AnyHost = TypeVar("AnyHost", bound=Host)
LONG = bool(os.environ.get("TABLETOP_LONG"))
"""Whether the tests that could go on for hours do so."""
QUICK = TableTiming(grace_s=0.05, bot_delay_s=0, share_timeout_s=5)
ROOMY = Limits(
    messages_per_s=100_000,
    message_burst=100_000,
    connections_per_address=10_000,
    openings_per_minute=100_000,
    guess_burst=100_000,
    total_guess_burst=100_000,
    traffic_burst_bytes=2**40,
)
HANGS = 3600 if LONG else 300
"""Seconds after which a process that is waited for hangs, however busy the computer is; before the
test itself is ended, so that it can clean up."""
LONGEST = 180.0
"""Seconds after which a test that waits for one event has failed: five times what a busy computer
needs. Less than `HANGS`, after which the whole test has."""


@asynccontextmanager
async def hosting(
    folder: Path,
    *,
    limits: Limits = ROOMY,
    pace: TableTiming = QUICK,
    key: str = "",
) -> AsyncIterator[Host]:
    """A host on loopback, on any free port."""
    async with listening(Host(folder, limits=limits, timing=pace, key=key)) as host:
        yield host


@asynccontextmanager
async def listening(host: AnyHost) -> AsyncIterator[AnyHost]:
    """A host while it listens on loopback, on any free port."""
    await host.start("127.0.0.1", 0)
    try:
        yield host
    finally:
        await close_friends(host.port)
        await host.close()


def place_of(host: Host) -> Address:
    return Address(("127.0.0.1",), host.port, host.certificate.fingerprint)


def plan(game: str, seats: int, bots: int = 0, **more: object) -> TablePlan:
    """A table of a game; the last seats are bots'."""
    plans = (SeatConfig(),) * (seats - bots) + (SeatConfig("bot"),) * bots
    named = {"name": f"{game} for {seats}", **more}
    return TablePlan(game, plans, **named)


async def come_in(host: Host, caller: "Stranger", message: JoinTable) -> Reason | None:
    """The host's answer to a join request; None where it lets them in."""
    admitted = await host.registry.admit(caller, message)
    if isinstance(admitted, Reason):
        return admitted
    hosted = await host.registry.wake(admitted.table)
    if isinstance(hosted, Reason):
        return hosted
    return host.registry.enter(caller, message, hosted, admitted.sign)


async def greeted(port: int, most: int = 1) -> ClientConnection:
    """A line that the host at this port has welcomed, of this protocol at most."""
    line = await dial(Address(("127.0.0.1",), port))
    await line.send(encode(Hello(1, most, "test")), text=True)
    welcome = decode_host_message(await line.recv(decode=False))
    assert isinstance(welcome, Welcome)
    assert (welcome.protocol, welcome.program) == (most, __version__)
    return line


async def to_the_end(line: ClientConnection) -> list[FromHost]:
    """The host's messages until it has cut the line."""
    messages: list[FromHost] = []
    with suppress(ConnectionClosed):
        async with asyncio.timeout(LONGEST):
            while True:
                messages.append(decode_host_message(await line.recv(decode=False)))
    return messages


class Stranger:
    """Somebody at a host's door, from any address."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.origin = origin(address)
        self.can_host = True
        self.hosted: HostedTable | None = None
        self.knocked_table: HostedTable | None = None

    def send(self, message: OutgoingMessage) -> None:
        """Ignore a message to a stranger."""

    def size_bytes(self, message: OutgoingMessage) -> int:
        return 0


class Cable:
    """The cable between a guest and a host, which can be pulled out for a while without notice to
    either."""

    def __init__(self, port: int) -> None:
        """To the host at this port."""
        self._host = port
        self.port = 0
        """Where the guest finds this end of it."""
        self._whole = asyncio.Event()
        self._whole.set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """From now on nothing comes through."""
        self._whole.clear()

    def mend(self) -> None:
        """New lines are carried again; what waited in the old ones is lost with them."""
        for task in self._tasks:
            task.cancel()
        self._whole.set()

    async def close(self) -> None:
        self._server.close()
        self.mend()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._whole.wait()
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._host)
        for one, other in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._pump(one, other))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while piece := await reader.read(65536):
                await self._whole.wait()
                writer.write(piece)
        except OSError:
            pass
        finally:
            if self._whole.is_set():
                writer.close()
            else:
                writer.transport.abort()


async def close_friends(port: int | None = None) -> None:
    """Close the connections of all friends that are left: to the host at this port, or to any."""
    for friend in [each for each in OPEN if port in (None, each.line.address.port)]:
        await friend.close()


class Friend:
    """A guest with its connection, which plays at random where it sits, on request. It's
    closed with its host at the latest."""

    def __init__(
        self,
        port: int,
        fingerprint: str = "",
        ticket: Ticket | None = None,
        host: str = "127.0.0.1",
        slot: int = -1,
        can_host: bool = True,
    ) -> None:
        OPEN.append(self)
        self.news: list[News] = []
        self.refused: list[Refused] = []
        self.proofs: list[MatchProof] = []
        self.plays = False
        self.instead: dict[type, Callable[[Any], object]] = {}
        """Functions called with messages of a kind, which the guest doesn't receive then."""
        place = Address((host,), port, fingerprint, slot)
        self.line = Connection(Destination(place, is_returning=True), self._hear)
        self.guest = Guest(catalogue.load, self.line.send, can_host=can_host)
        self.guest.listen(self._note)
        self._bot = RandomBot(1)
        self._woken = asyncio.Event()
        if ticket is not None:
            self.guest.join(ticket)
        self.line.start()

    def _hear(self, event: Event) -> None:
        self.instead.get(type(event), self.guest.on_event)(event)
        if self.plays:
            self.play()
        self._woken.set()

    def _note(self, news: News) -> None:
        self.news.append(news)
        match news:
            case Refused():
                self.refused.append(news)
            case MatchProof():
                self.proofs.append(news)

    def play(self) -> None:
        """Answer one open question of each own seat that has not sent an answer yet."""
        guest = self.guest
        if (
            guest.connection_state != "inside"
            or guest.info is None
            or guest.info.phase != "playing"
        ):
            return
        for seat in guest.own_seats.values():
            if seat.pending is None and seat.offers:
                ask = next(a for a in seat.view.asks if a.id in seat.offers)
                seat.send(self._bot.answer(seat, ask))

    async def until(self, true: Callable[[], object], seconds: float = LONGEST) -> None:
        async with asyncio.timeout(seconds):
            while not true():
                self._woken.clear()
                await self._woken.wait()

    async def inside(self) -> None:
        await self.until(lambda: self.guest.connection_state == "inside" and self.guest.info)

    async def sit(self, *seats: int) -> None:
        """Sit down at these seats, and say ready."""
        await self.inside()
        for seat in seats:
            self.guest.sit(seat, f"Player {seat + 1}")
            await self.until(lambda seat=seat: seat in self.guest.seats)
            self.guest.set_ready(seat)

    async def refusal(self, since: int | None = None) -> Reason:
        """Return the next refusal, or the first after so many."""
        count = len(self.refused) if since is None else since
        await self.until(lambda: len(self.refused) > count)
        return self.refused[-1 if since is None else since].reason

    async def farewell(self) -> Farewell:
        await self.until(lambda: any(isinstance(news, Farewell) for news in self.news))
        return next(news for news in self.news if isinstance(news, Farewell))

    @property
    def code(self) -> str:
        return self.guest.info.code

    async def close(self) -> None:
        if self in OPEN:
            OPEN.remove(self)
        await self.line.close()


async def opened(host: Host, table: TablePlan | None = None, *seats: int) -> Friend:
    """Open a table, and sit down at these seats."""
    friend = Friend(host.port, host.certificate.fingerprint)
    friend.guest.open_table(table or plan("sun", 2))
    await friend.sit(*seats)
    return friend


def table_at(host: Host) -> HostedTable:
    """A new table that somebody elsewhere has opened."""
    assert host.registry.open_table(Stranger("10.1.0.1"), OpenTable(plan("sun", 2))) is None
    return list(host.hosted_tables.values())[-1]


async def until(true: object, what: str = "") -> None:
    """Wait for something of the host's that no guest hears of."""
    assert callable(true)
    async with asyncio.timeout(LONGEST):
        while not true():
            await asyncio.sleep(0.01)


OPEN: list[Friend] = []
"""The friends of a test that are not closed."""


@asynccontextmanager
async def seated(
    host: Host, table: TablePlan, *groups: tuple[int, ...], key: str = ""
) -> AsyncIterator[list[Friend]]:
    """Friends at a new table, each at these seats; the first hosts. The match has started."""
    friends = [Friend(host.port, host.certificate.fingerprint)]
    friends[0].guest.open_table(table, key)
    try:
        await friends[0].inside()
        info = friends[0].guest.info
        for _ in groups[1:]:
            friends.append(Friend(host.port, ticket=Ticket(code=info.code)))
        for friend, seats in zip(friends, groups, strict=True):
            await friend.sit(*seats)
        await begin(friends)
        yield friends
    finally:
        for friend in friends:
            await friend.close()


async def ready_again(friends: list[Friend]) -> None:
    """Let each, at a seat of their own in this order, be ready for the table's next match."""
    for seat, friend in enumerate(friends):
        await friend.until(lambda friend=friend: friend.guest.info.phase == "gathering")
        friend.guest.set_ready(seat)


async def start(friends: list[Friend]) -> None:
    """The first, who hosts, starts once everybody is ready."""
    first = friends[0]

    def all_ready() -> bool:
        info = first.guest.info
        return info is not None and all(s.state in ("ready", "bot") for s in info.sitters)

    await first.until(all_ready)
    first.guest.start()


async def begin(friends: list[Friend]) -> None:
    """Start, and wait until the table is dealt."""
    await start(friends)
    for friend in friends:
        await friend.until(lambda friend=friend: _dealt(friend))


def play_on(friends: Iterable[Friend]) -> None:
    """Let them play at random, as soon as and as long as they are asked."""
    for friend in friends:
        friend.plays = True
        friend.play()


async def play_out(friends: Iterable[Friend]) -> None:
    """Let them play the match to its end; everybody has its proof then."""
    friends = tuple(friends)
    play_on(friends)
    for friend in friends:
        await friend.until(lambda friend=friend: friend.proofs)


def _dealt(friend: Friend) -> bool:
    info = friend.guest.info
    begun = info is not None and info.phase == "playing"
    return begun and len(friend.guest.own_seats) == len(friend.guest.seats)


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run a test's coroutine; it fails where it hangs."""

    async def limited() -> None:
        OPEN.clear()
        async with asyncio.timeout(HANGS):
            try:
                await work()
            finally:
                await close_friends()

    asyncio.run(limited())
