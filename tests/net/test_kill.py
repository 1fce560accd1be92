"""The host's process is killed under load, again and again: no move that anybody saw is lost.

Before every second kill the journals of the matches being played are taken away, where the system
lets open files be moved. Each guest remembers a digest of everything it was sent, through all the
kills; at the end the proof must agree with all of it.
"""

import asyncio
import random
import sys
from pathlib import Path

from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.table_disk import journal_path
from tabletop.protocol.messages import TableInfo
from tabletop.storage.record import read
from tests.net.host_process import begun
from tests.net.loopback import LONG, Friend, begin, plan, play_on

KILLS = 200 if LONG else 2
TABLES = 6


class Table:
    """Two friends who play one match after the other, while their host is killed."""

    def __init__(self, port: int, game: str) -> None:
        self.friends = [Friend(port)]
        self.game = game
        self.port = port
        self.judged = 0

    async def sit_down(self) -> None:
        first = self.friends[0]
        first.guest.open_table(plan(self.game, 2), "")
        await first.sit(0)
        self.friends.append(Friend(self.port, ticket=Ticket(code=first.code)))
        await self.friends[1].sit(1)
        await begin(self.friends)
        play_on(self.friends)

    @property
    def name(self) -> str:
        return self.friends[0].guest.info.table

    @property
    def position(self) -> tuple[int, int] | None:
        """The match and its ply, as the first friend sees them; None while none is played."""
        info, seat = self.friends[0].guest.info, self.friends[0].guest.own_seats.get(0)
        if info is None or info.phase != "playing" or seat is None:
            return None
        return info.round, seat.view.ply

    def judge(self) -> None:
        """Check a finished match against all that was sent, then start the next."""
        for friend in self.friends:
            for proof in friend.proofs:
                verdict = friend.guest.check_proof(proof)
                assert verdict is None or verdict.fair  # None: the kill cut a start short
                self.judged += 1
            friend.proofs.clear()
        for seat, friend in enumerate(self.friends):
            info = friend.guest.info
            if friend.guest.connection_state != "inside" or info is None:
                continue
            if info.phase == "over" and seat == 0:
                friend.guest.gather_for_rematch()
            elif info.phase == "gathering" and info.sitters[seat].state == "here":
                friend.guest.set_ready(seat)
            elif info.phase == "gathering" and seat == 0 and _ready(info):
                friend.guest.start()
            friend.play()


def _ready(info: TableInfo) -> bool:
    return all(sitter.state == "ready" for sitter in info.sitters)


def take_journals(folder: Path, tables: list[Table]) -> dict[Table, tuple[int, int]]:
    """Take away the journals of the matches being played; return where these stood."""
    taken = {}
    for table in tables:
        if (position := table.position) is None:
            continue
        journal = journal_path(folder, table.name, position[0])
        away = journal.rename(journal.with_suffix(".taken"))
        if read(away).end is None:
            away.unlink()
            taken[table] = position
        else:  # it ended, which its friends have yet to see
            away.rename(journal)
    return taken


async def two_moves(tables: list[Table], taken: dict[Table, tuple[int, int]]) -> None:
    """Play until these tables showed two moves, or their next match: the first move may have been
    on its way before."""
    while any(
        (now := table.position) is None or now < (round_, ply + 2)
        for table, (round_, ply) in taken.items()
    ):
        await asyncio.sleep(0.005)
        for table in tables:
            table.judge()


async def test_a_killed_host_loses_no_move_that_was_shown(tmp_path: Path) -> None:
    chance = random.Random(6)

    process, port = await asyncio.to_thread(begun, tmp_path)
    tables = [Table(port, ("sun", "sisters", "chains")[n % 3]) for n in range(TABLES)]
    try:
        await asyncio.gather(*(table.sit_down() for table in tables))
        for kill in range(KILLS):
            end = asyncio.get_running_loop().time() + chance.uniform(0.05, 0.4)
            while asyncio.get_running_loop().time() < end:
                await asyncio.sleep(0.02)
                for table in tables:
                    table.judge()
            if kill % 2 and sys.platform != "win32":
                await two_moves(tables, take_journals(tmp_path, tables))
            process.kill()
            process.wait()
            process, _ = await asyncio.to_thread(begun, tmp_path, port)
            for table in tables:
                for friend in table.friends:
                    await friend.until(
                        lambda friend=friend: friend.guest.connection_state == "inside"
                    )
        while not all(table.judged >= 2 for table in tables):
            await asyncio.sleep(0.02)
            for table in tables:
                table.judge()
    finally:
        process.kill()
        process.wait()
        for table in tables:
            for friend in table.friends:
                await friend.close()
