"""Those against whom `tests.bench.attacks` defends honest tables, in a process of their own.

    python -m tests.bench._attackers ATTACK PORT SECONDS

Each comes from loopback addresses of its own, so that a host counts it apart from honest guests. At
the end it prints how much it has done. All of them go only to this computer.
"""

import asyncio
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

import uvloop
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, WebSocketException

from tabletop.engine.model import AUDIENCE
from tabletop.net.codec import LARGEST_IN, encode
from tabletop.net.doors import AskDoors, CodeProof
from tabletop.net.moderation import Mute
from tabletop.net.protocol import (
    Enter,
    FromGuest,
    Hello,
    Open,
    SeatPlan,
    Speak,
    TableInfo,
    TablePlan,
    Watch,
)
from tests.bench.net import Seat, line_to

ADDRESSES = 8
"""From so many addresses each attack comes."""
LINES = 40
"""From each of them, at once."""
GREETING = encode(Hello(1, 2, "attacker"))
TROUBLE = (OSError, WebSocketException, TimeoutError, EOFError)

done = 0


def count(many: int = 1) -> None:
    global done
    done += many


async def again(act: Callable[[str], Awaitable[None]], source: str, until: float) -> None:
    """Do it from this address, over and over."""
    while monotonic() < until:
        with suppress(*TROUBLE):
            await act(source)
        await asyncio.sleep(0)


async def half_open(port: int, source: str) -> None:
    """Connect and say nothing; some begin TLS and go no further."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    try:
        if count() or done % 2:
            writer.write(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(40))
        await asyncio.wait_for(reader.read(1), 1)
    finally:
        writer.transport.abort()


async def come_and_go(port: int, source: str) -> None:
    """A whole line, with its TLS, for nothing."""
    line = await line_to(port, source)
    count()
    line.transport.abort()


async def pour(line: ClientConnection, frame: bytes) -> None:
    """Say the same until the line is cut."""
    await line.send(GREETING, text=True)
    with suppress(ConnectionClosed):
        while True:
            await line.send(frame, text=True)
            count()
            if done % 50 == 0:
                await asyncio.sleep(0)


async def flood(port: int, source: str) -> None:
    """Small messages that are none, as fast as they go."""
    await pour(await line_to(port, source), b'{"type":"nothing"}')


async def large(port: int, source: str) -> None:
    """The largest messages that a host reads, full of what must be parsed."""
    inner = b"[" * 40 + b"]" * 40 + b","
    body = inner * ((LARGEST_IN - 200) // len(inner))
    frame = b'{"type":"play","seat":0,"move":{"ask":1,"kind":"x","cards":[' + body + b"1]}}"
    await pour(await line_to(port, source), frame)


async def wrong_codes(port: int, source: str) -> None:
    """Every other code is proved, which costs the host more than one that is said."""
    line = await line_to(port, source)
    await line.send(GREETING, text=True)
    with suppress(ConnectionClosed):
        for number in range(40):
            if number % 2:
                await line.send(encode(AskDoors()), text=True)
                proofs = {"0" * 12: CodeProof(b"S" + bytes(32), bytes(32))}
                await line.send(encode(Enter(proofs=proofs)), text=True)
            else:
                await line.send(encode(Enter(code="AAAAAA")), text=True)
            count()
    line.transport.abort()


async def own_table(port: int, source: str) -> tuple[ClientConnection, str, str]:
    """A table that the attacker opens: its line, its name and its code."""
    owner = Seat(await line_to(port, source), 0)
    await owner.line.send(GREETING, text=True)
    await owner.say(Open(TablePlan("sun", (SeatPlan(), SeatPlan()))))
    info = await owner.until(TableInfo)
    assert isinstance(info, TableInfo)
    return owner.line, info.table, info.code


async def say_slowly(line: ClientConnection, *messages: FromGuest) -> None:
    """Again and again, just slowly enough not to be cut; nothing is read."""
    with suppress(ConnectionClosed):
        while True:
            for message in messages:
                await line.send(encode(message), text=True)
                count()
            await asyncio.sleep(len(messages) / 45)


async def slow_readers(port: int, source: str) -> None:
    """A table full of guests that read nothing, each asks for it anew and talks."""
    line, table, code = await own_table(port, source)
    others = [await line_to(port, source) for _ in range(12)]
    for other in others:
        await other.send(GREETING, text=True)
        await other.send(encode(Enter(table, code)), text=True)
    line.transport.pause_reading()
    for other in others:
        other.transport.pause_reading()
    words = Speak("x" * 480, AUDIENCE)
    async with asyncio.TaskGroup() as group:
        for other in (line, *others):
            group.create_task(say_slowly(other, Watch(), words, words))


async def scribble(port: int, source: str) -> None:
    """A table whose host has it written down as often as may be."""
    line, _, _ = await own_table(port, source)
    reading = asyncio.create_task(read_on(line))
    await say_slowly(line, Mute(AUDIENCE), Mute(AUDIENCE, False))
    reading.cancel()


async def read_on(line: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        while True:
            await line.recv(decode=False)


async def compute(port: int, source: str) -> None:
    """Nothing at all is asked of the host: this is what the machine itself does to the tables."""
    until = monotonic() + 0.05
    while monotonic() < until:
        count()
    await asyncio.sleep(0)


ATTACKS: dict[str, tuple[Callable[[int, str], Awaitable[None]], int]] = {
    "nothing, the machine is busy": (compute, 1),
    "half-open lines": (half_open, LINES * 2),
    "lines that come and go": (come_and_go, LINES),
    "floods": (flood, LINES),
    "large messages": (large, LINES),
    "wrong codes": (wrong_codes, LINES),
    "slow readers": (slow_readers, 3),
    "tables written anew": (scribble, 12),
}
"""What is done, and by how many at once from each address."""


async def attack(name: str, port: int, seconds: float) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # it cuts its lines anywhere
    act, lines = ATTACKS[name]
    number = list(ATTACKS).index(name)
    until = monotonic() + seconds
    tasks = [
        asyncio.create_task(
            again(lambda source: act(port, source), f"127.2.{number}.{address + 1}", until)
        )
        for address in range(ADDRESSES)
        for _ in range(lines)
    ]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
    print(done, flush=True)


if __name__ == "__main__":
    socket.setdefaulttimeout(10)
    uvloop.run(attack(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
