"""Plays a match at a table of this process, tells each move that is news, and kills itself inside
the group commit of a later one.

    python3 -m tests.table.child_tables MODE POINT COMMIT

MODE: `here` (a hot-seat table), `host` or `server` (two guests of a host). POINT: `written`, before
the sync; `synced`, before the news. COMMIT: the number of the sync.
"""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from tabletop.catalogue import catalogue
from tabletop.engine.scratch import FastRng
from tabletop.files import folders
from tabletop.files.disk_pool import DiskPool
from tabletop.match.match import Player, Reset, Update
from tabletop.match.seat import Seat
from tabletop.storage import saved_matches
from tabletop.storage.journal import JournalFile
from tabletop.table.services import BotPace
from tabletop.table.table_bots import TableBots
from tabletop.table.table_here import InProcessTable
from tests.net.loopback import hosting, plan, seated
from tests.server.table_server import table_server


def die(point: str, commit: int) -> None:
    """Kill this process at a point of a commit that is still to come."""
    sync, count = JournalFile.sync, 0

    def deadly(journal: JournalFile) -> None:
        nonlocal count
        count += 1
        if count == commit and point == "written":
            os.kill(os.getpid(), signal.SIGKILL)
        sync(journal)
        if count == commit:
            os.kill(os.getpid(), signal.SIGKILL)

    JournalFile.sync = deadly  # type: ignore[method-assign]


def tell(at: int) -> None:
    """Acknowledge that this many entries are news."""
    os.write(1, f"{at}\n".encode())


def answer(seat: Seat, luck: FastRng) -> bool:
    """Answer the first open question of a seat; return whether there was one."""
    for number, offers in seat.offers.items():
        seat.send(offers[luck.below(len(offers))].sample(number, luck))
        return True
    return False


class _Never:
    def cancel(self) -> None: ...


def play_here() -> None:
    """Play a match between two people at one computer."""
    kit, calls = catalogue.load("sun"), SimpleQueue[Callable[[], None]]()
    match = saved_matches.begin(kit, (Player("Ann"), Player("Bea")), seed="killed")
    due: deque[Callable[[], None]] = deque()

    def later(seconds: float, act: Callable[[], None]) -> _Never:
        due.append(act)
        return _Never()

    table = InProcessTable(
        match,
        pool=DiskPool(),
        wake=lambda: calls.put(lambda: table.process_saved()),
        later=later,
        bots=TableBots(lambda: None, calls.put),
        bot_pace=BotPace(0),
        on_write_error=lambda reason: None,
    )
    table.start()
    luck = FastRng("killed")
    assert table.client.audience is not None
    table.client.audience.on_update(lambda _: tell(table.client.audience.at))
    while True:
        any(answer(seat, luck) for seat in table.client.own_seats.values())
        calls.get()()


async def play_at_host(mode: str, folder: Path) -> None:
    """Play a match of two guests of a host."""
    made = hosting(folder) if mode == "host" else table_server(folder)
    async with made as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        luck = FastRng("killed")
        seats = [friend.guest.own_seats[at] for at, friend in enumerate(friends)]

        def note(seat: Seat, _: Update | Reset) -> None:
            tell(seat.at)

        for seat in seats:
            seat.on_update(partial(note, seat))
        while True:
            any(answer(seat, luck) for seat in seats if seat.pending is None)
            await asyncio.sleep(0.001)


if __name__ == "__main__":
    mode, point, commit = sys.argv[1:]
    die(point, int(commit))
    if mode == "here":
        play_here()
    else:
        asyncio.run(play_at_host(mode, folders.hosted()))
