"""A guest that sits at a table with good tokens, and says anything there."""

import random
from collections.abc import Iterator

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabletop.engine.model import AUDIENCE, Move, Offer
from tabletop.engine.scratch import FastRng
from tabletop.net.guest.dial import dial
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.codec import decode_host_message, encode
from tabletop.protocol.invitation import Address
from tabletop.protocol.join_proof import CodeProof, RequestJoinProof
from tabletop.protocol.messages import (
    CommitShare,
    Concede,
    ConfigureSeat,
    Farewell,
    FromGuest,
    Hello,
    JoinTable,
    LeaveSeat,
    LeaveTable,
    OpenTable,
    Play,
    Refused,
    Rematch,
    ResolveAbsence,
    RevealShare,
    SeatConfig,
    SendChat,
    SetAway,
    SetReady,
    Sit,
    StartMatch,
    TableNews,
    TablePlan,
    UndoMove,
    Vote,
    Watch,
)
from tabletop.protocol.moderation import (
    AdmitGuest,
    RemovePlayer,
    RenewCode,
    RequireApproval,
    SetMuted,
)
from tabletop.protocol.table_transfer import DeliverTable, HandOverHost, NewHost
from tests.mutations import change_value, mutated

MARK = Sit(15, "")
"""Nobody sits there at any table: the refusal shows that all before it was heard."""


def samples(ticket: Ticket) -> tuple[FromGuest, ...]:
    """Each kind of message as it might be meant at this table."""
    open_seat, bot = SeatConfig(), SeatConfig("bot")
    return (
        Hello(1, 2, "insider"),
        RequestJoinProof(ticket.table),
        OpenTable(TablePlan("sun", (open_seat, bot), "A table")),
        OpenTable(
            TablePlan("chains", (open_seat, bot), "Another", {"goal": 3}, "delayed", 1.0, 1.0)
        ),
        JoinTable(ticket.table, ticket.code, ticket.owner, ticket.seats),
        JoinTable(ticket.table, proofs={ticket.table: CodeProof(b"S" * 33, b"x" * 32)}),
        Sit(0, "Ann", "moon"),
        Sit(1, "Bea", "sun", "claim"),
        LeaveSeat(1),
        SetReady(0),
        SetReady(1),
        ConfigureSeat(1, bot),
        StartMatch(),
        CommitShare(0, "0" * 64),
        RevealShare(0, "secret"),
        Play(0, Move(1, "place", (1,), "board")),
        UndoMove(0),
        Vote(1, True),
        Concede(1),
        SetAway(0),
        SetAway(0, False),
        ResolveAbsence("wait"),
        ResolveAbsence("bot"),
        Rematch(),
        Watch(),
        SendChat("hello", 0),
        SendChat("hello", AUDIENCE),
        LeaveTable(),
        HandOverHost(1),
        NewHost(0),
        NewHost(9, "fingerprint", "key"),
        DeliverTable("key", b"piece", True),
        RemovePlayer(1),
        RemovePlayer(1, True),
        SetMuted(1),
        RenewCode(),
        RequireApproval(True),
        RequireApproval(False),
        AdmitGuest(1),
    )


class Insider:
    """One line of a guest with this ticket; it comes back when it is cut."""

    def __init__(self, port: int, ticket: Ticket, chance: random.Random) -> None:
        self.ticket = ticket
        self.gone = False
        """Whether there is no such table any more, or none that lets it in."""
        self.said = self.refused = self.cut = 0
        self._port = port
        self._chance = chance
        self._luck = FastRng(str(chance.random()))
        self._line: ClientConnection | None = None
        self._offers: dict[int, dict[int, tuple[Offer, ...]]] = {}
        """The questions to each own seat."""

    def frames(self, count: int) -> Iterator[bytes]:
        """Some of what it says: most is damaged, some is meant, and a few are moves."""
        known = samples(self.ticket)
        for _ in range(count):
            message = self._move() if self._chance.random() < 0.4 else None
            frame = encode(message or self._chance.choice(known))
            match self._chance.randrange(10):
                case 0:
                    yield frame
                case 1 | 2:
                    yield mutated(frame, self._chance)
                case _:
                    yield change_value(frame, self._chance).rstrip(b"\n")

    async def say(self, count: int) -> None:
        """Say so much, and hear all that the host has to say to it."""
        try:
            line = await self._inside()
            for frame in self.frames(count):
                await line.send(frame, text=True)
                self.said += 1
            await self._until_marked(line)
        except (ConnectionClosed, OSError):
            self._line = None
            self.cut += 1

    async def play(self) -> None:
        """Answer as it should, where it is asked anything."""
        if self._line is not None and (move := self._move()) is not None:
            try:
                await self._line.send(encode(move), text=True)
                await self._until_marked(self._line)
            except (ConnectionClosed, OSError):
                self._line = None

    def close(self) -> None:
        """End the line, without waiting for the host."""
        if self._line is not None:
            self._line.transport.abort()

    async def _inside(self) -> ClientConnection:
        if self._line is None:
            self._offers.clear()
            self._line = await dial(Address(("127.0.0.1",), self._port))
            await self._line.send(encode(Hello(1, 2, "insider")), text=True)
            ticket = self.ticket
            back = JoinTable(ticket.table, "", ticket.owner, ticket.seats)
            await self._line.send(encode(back), text=True)
            await self._until_marked(self._line)
        return self._line

    async def _until_marked(self, line: ClientConnection) -> None:
        await line.send(encode(MARK), text=True)
        while True:
            message = decode_host_message(await line.recv(decode=False))
            match message:
                case Refused(reason=reason):
                    assert reason.text
                    self.refused += 1
                    self.gone = self.gone or (message.closed and message.of == "enter")
                    if message.of == "sit" and message.seat in (MARK.seat, AUDIENCE):
                        return
                case Farewell(reason=reason):
                    assert reason.text
                    self.gone = self.gone or message.closed
                case TableNews():
                    for seat, news in message.what.items():
                        self._offers[seat] = dict(news.offers)

    def _move(self) -> Play | None:
        """A legal answer of one of its seats."""
        for seat, offers in self._offers.items():
            if seat in self.ticket.seats and offers:
                ask, choices = self._chance.choice(list(offers.items()))
                if choices:
                    offer = choices[self._luck.below(len(choices))]
                    return Play(seat, offer.sample(ask, self._luck))
        return None
