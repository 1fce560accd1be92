"""Floods that no program sees: frames that are answered or collected, and connections that never
speak, or only shake hands."""

import asyncio
from contextlib import suppress

from tabletop.net.certificate import guest_context

STRANGER = "127.7.0.1"
"""The address that connections come from."""

PINGS = bytes((0x89, 0x84)) + bytes(4) + b"ping"
PONGS = bytes((0x8A, 0x80)) + bytes(4)
PIECE = bytes((0x00, 0x80)) + bytes(4)
BEGINNING = bytes((0x01, 0x80)) + bytes(4)
FRAMES = 3_000
"""Frames of a flood: more than any limit allows, and little enough for one read."""

FLOODS = {
    "pings": PINGS * FRAMES,
    "pongs": PONGS * FRAMES,
    "empty pieces": BEGINNING + PIECE * FRAMES,
    "pings between pieces": BEGINNING + (PINGS + PIECE) * FRAMES,
}


async def cut_off(reader: asyncio.StreamReader) -> None:
    """Wait until the other end has closed the connection."""
    with suppress(ConnectionError):
        while await reader.read(1024):
            pass


async def open_silent(
    port: int, count: int
) -> tuple[list[asyncio.Task[None]], list[asyncio.StreamWriter]]:
    """Open TCP connections that say nothing. Return a task for the end of each, and its writer."""
    lines = [
        await asyncio.open_connection("127.0.0.1", port, local_addr=(STRANGER, 0))
        for _ in range(count)
    ]
    ends = [asyncio.create_task(cut_off(reader)) for reader, _ in lines]
    return ends, [writer for _, writer in lines]


async def shake_hands(port: int, count: int) -> int:
    """Connect by TLS and leave, one time after the other. Return the number of handshakes."""
    shaken = 0
    context = guest_context()
    for _ in range(count):
        try:
            _, writer = await asyncio.open_connection(
                "127.0.0.1", port, ssl=context, server_hostname="x", local_addr=(STRANGER, 0)
            )
        except OSError:
            continue
        shaken += 1
        writer.transport.abort()
    return shaken
