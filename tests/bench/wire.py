"""Latency of a move to the other player, and the cost of 400 tables on one core.

Servers run in processes of their own, their guests in this one. The relay and the echo are the
library's own, with TLS and frames as large as the host's, measured in turns with it. A busy disk
shows in the host's latency, so a host on a RAM disk is measured as well.
"""

import asyncio
import gc
import os
import random
from collections.abc import Iterator
from statistics import median
from time import perf_counter

import uvloop

from tabletop.engine.scratch import FastRng
from tabletop.net.guest.dial import dial
from tabletop.protocol.codec import encode
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Play
from tests.bench.figures import Figure, figure, tail
from tests.bench.wire_guests import Seat, sit_down
from tests.bench.wire_servers import RAM, server

MOVES = 400
TABLES = 400
SECONDS = 20


async def moves(port: int, game: str, count: int) -> tuple[list[float], int]:
    """Milliseconds from sending a move until the other player has it; the median frame in bytes."""
    taken: list[float] = []
    sizes: list[int] = []
    luck = FastRng("bench")
    while len(taken) < count:
        seats = await sit_down(port, game)
        readers = [asyncio.create_task(seat.listen()) for seat in seats]
        while len(taken) < count and any(seat.offers for seat in seats):
            sent, other = await play(seats, luck)
            taken.append((other.seen - sent) * 1000)
            sizes.append(other.size)
            await asyncio.sleep(0.005)
        for reader in readers:
            reader.cancel()
        for seat in seats:
            await seat.line.close()
    return taken, int(median(sizes))


async def play(seats: tuple[Seat, Seat], luck: FastRng) -> tuple[float, Seat]:
    """Play a move and wait until both players have it; return when it was sent, and to whom."""
    mover = next(seat for seat in seats if seat.offers)
    for seat in seats:
        seat.told.clear()
    frame = encode(Play(mover.number, mover.answer(luck)))
    sent = perf_counter()
    await mover.line.send(frame, text=True)
    for seat in seats:
        await seat.told.wait()
    for seat in seats:
        seat.read()
    return sent, seats[1 - mover.number]


async def passed_on(port: int, relays: bool, size: int, count: int) -> list[float]:
    """Milliseconds until a frame of `size` bytes is at the other guest, or back."""
    one = await dial(Address(("127.0.0.1",), port))
    two = await dial(Address(("127.0.0.1",), port)) if relays else one
    taken = []
    for _ in range(count):
        begin = perf_counter()
        await one.send(b"x" * size, text=True)
        await two.recv(decode=False)
        taken.append((perf_counter() - begin) * 1000)
        await asyncio.sleep(0.005)
    await one.close()
    await two.close()
    return taken


async def measure_latency(game: str) -> list[Figure]:
    """The host beside the relay and the echo, in turns."""
    taken: dict[str, list[float]] = {"host": [], "diskless": [], "relay": [], "echo": []}
    async with (
        server("host") as (host, _),
        server("host", RAM) as (diskless, _),
        server("relay") as (relay, _),
        server("echo") as (echo, _),
    ):
        await moves(host, game, 30)
        for _ in range(4):
            measured, size = await moves(host, game, MOVES // 4)
            taken["host"] += measured
            taken["diskless"] += (await moves(diskless, game, MOVES // 4))[0]
            taken["relay"] += await passed_on(relay, True, size, MOVES // 4)
            taken["echo"] += await passed_on(echo, False, size, MOVES // 4)
    relayed = median(taken["relay"])
    return [
        *(figure(f"{game}: {name}", "ms", *measured) for name, measured in taken.items()),
        *(tail(f"{game}: {name}", "ms", measured) for name, measured in taken.items()),
        figure(f"{game}: host", "x the relay", median(taken["host"]) / relayed, most=4),
        figure(f"{game}: diskless", "x the relay", median(taken["diskless"]) / relayed),
    ]


async def crowd() -> list[Figure]:
    """Many tables of two guests, a move a second at each."""
    async with server("host") as (port, process):
        pairs: list[tuple[Seat, Seat]] = []
        while len(pairs) < TABLES:
            pairs += await asyncio.gather(*(sit_down(port, "sun") for _ in range(20)))
        readers = [asyncio.create_task(seat.listen()) for pair in pairs for seat in pair]
        before = process.cpu_times()
        played = await asyncio.gather(*map(at_a_table, pairs))
        after, rss = process.cpu_times(), process.memory_info().rss / 2**20
        for reader in readers:
            reader.cancel()
    taken = [latency for table in played for latency in table]
    cpu = after.user + after.system - before.user - before.system
    note = f"{len(taken)} moves in {SECONDS} s"
    name = f"{TABLES} tables"
    return [
        figure(f"{name}: both players have a move", "ms", *taken, note=note),
        tail(f"{name}: both players have a move", "ms", taken, most=25),
        figure(f"{name}: CPU a move", "ms", cpu / len(taken) * 1000, most=1.0),
        figure(f"{name}: memory", "MiB", rss, most=200),
    ]


async def at_a_table(seats: tuple[Seat, Seat]) -> list[float]:
    """Play a move a second; return the milliseconds until both players had each."""
    luck = FastRng(id(seats))
    taken = []
    await asyncio.sleep(random.random())
    end = perf_counter() + SECONDS
    while perf_counter() < end and any(seat.offers for seat in seats):
        sent, _ = await play(seats, luck)
        taken.append((max(seat.seen for seat in seats) - sent) * 1000)
        await asyncio.sleep(max(0.0, 1 - (perf_counter() - sent)))
    return taken


def report() -> Iterator[Figure]:
    gc.disable()  # the guests share this process: its pauses are not the host's
    yield figure("load before", "", os.getloadavg()[0], note=f"{os.cpu_count()} processors")
    for game in ("sun", "chains"):
        yield from uvloop.run(measure_latency(game))
    yield from uvloop.run(crowd())
