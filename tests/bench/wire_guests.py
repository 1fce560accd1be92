"""Guests for `tests.bench.wire`, quicker than the hosts that they measure."""

import asyncio
from time import perf_counter

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from tabletop.engine.model import Move, Offer
from tabletop.engine.scratch import FastRng
from tabletop.net.certificate import guest_context
from tabletop.protocol.codec import MAX_HOST_MESSAGE_BYTES, encode
from tabletop.protocol.fairness import seal_share
from tabletop.protocol.messages import (
    CommitShare,
    FromGuest,
    FromHost,
    Hello,
    JoinTable,
    OpenTable,
    RevealShare,
    SeatConfig,
    Seated,
    SetReady,
    SharesCommitted,
    ShuffleStarted,
    Sit,
    StartMatch,
    TableInfo,
    TableJoined,
    TableNews,
    TablePlan,
)


class _Offered(Struct):
    """As much of an update as it takes to answer."""

    offers: dict[int, tuple[Offer, ...]]


class _News(Struct, tag="told"):
    at: int
    what: dict[int, _Offered]


_news = msgspec.json.Decoder(_News)
_other = msgspec.json.Decoder(FromHost)


class Seat:
    """A minimal guest at one seat: decodes what it must to find a legal move, and folds nothing."""

    def __init__(self, line: ClientConnection, number: int) -> None:
        self.line = line
        self.number = number
        self.offers: dict[int, tuple[Offer, ...]] = {}
        self.seen = 0.0
        self.size = 0
        self.told = asyncio.Event()
        self.frame = b""
        self.context: TableInfo | None = None
        self.share = "share"

    async def say(self, message: FromGuest) -> None:
        await self.line.send(encode(message), text=True)

    async def until(self, kind: type[FromHost]) -> FromHost:
        """Return the next message of this kind."""
        while True:
            message = _other.decode(await self.line.recv(decode=False))
            if isinstance(message, TableInfo):
                self.context = message
            if isinstance(message, kind):
                return message

    async def listen(self) -> None:
        """Keep the latest update and when it arrived; runs during the match."""
        while True:
            frame = await self.line.recv(decode=False)
            now = perf_counter()
            if frame.startswith(b'{"type":"told"'):
                self.frame, self.seen = frame, now
                self.told.set()

    def read(self) -> None:
        """Decode the latest update, outside the measured time."""
        if self.frame:
            news = _news.decode(self.frame)
            self.offers = news.what[self.number].offers
            self.size, self.frame = len(self.frame), b""

    def answer(self, luck: FastRng) -> Move:
        number, offers = next(iter(self.offers.items()))
        return offers[luck.below(len(offers))].sample(number, luck)


async def line_to(port: int) -> ClientConnection:
    """Connect to the host."""
    return await connect(
        f"wss://127.0.0.1:{port}/",
        ssl=guest_context(),
        server_hostname="tabletop",
        compression=None,
        max_size=MAX_HOST_MESSAGE_BYTES,
        proxy=None,
    )


async def sit_down(port: int, game: str) -> tuple[Seat, Seat]:
    """Open a table for two guests and start its match."""
    first = Seat(await line_to(port), 0)
    await first.say(Hello(1, 1, "bench"))
    await first.say(OpenTable(TablePlan(game, (SeatConfig(), SeatConfig()))))
    context = await first.until(TableInfo)
    assert isinstance(context, TableInfo)
    seats = first, second = first, Seat(await line_to(port), 1)
    await second.say(Hello(1, 1, "bench"))
    await second.say(JoinTable(code=context.code))
    await second.until(TableJoined)
    for seat in seats:
        await seat.say(Sit(seat.number, f"P{seat.number}"))
        await seat.until(Seated)
        await seat.say(SetReady(seat.number))
    while not all(s.state == "ready" for s in (first.context or context).sitters):
        await first.until(TableInfo)
    await first.say(StartMatch())
    for seat in seats:
        shuffle = await seat.until(ShuffleStarted)
        assert isinstance(shuffle, ShuffleStarted)
        await seat.say(
            CommitShare(
                seat.number, seal_share(seat.share, context.table, shuffle.round, seat.number)
            )
        )
    for seat in seats:
        await seat.until(SharesCommitted)
        await seat.say(RevealShare(seat.number, seat.share))
    for seat in seats:
        told = await seat.until(TableNews)
        assert isinstance(told, TableNews)
        seat.offers = told.what[seat.number].offers
    return first, second
