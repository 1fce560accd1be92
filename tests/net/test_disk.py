"""The host's disk refuses a move: nobody sees it, and the match goes on when it can."""

import asyncio
import errno
import threading
from pathlib import Path

import pytest

from tabletop.bots.random_bot import RandomBot
from tabletop.engine.scratch import FastRng
from tabletop.files.disk_pool import DiskPool
from tabletop.files.errors import write_error
from tabletop.net.host import table_disk
from tabletop.net.host.table_registry import DISK_REFUSED, disk_of
from tabletop.protocol.fairness import FAIR
from tabletop.protocol.messages import Notice
from tabletop.protocol.moderation import SetMuted
from tabletop.storage.journal import JournalFile
from tabletop.storage.record import read
from tabletop.table import hosted_match
from tests.net.hostile.full_disk import Journals
from tests.net.loopback import (
    LONGEST,
    Friend,
    hosting,
    plan,
    play_out,
    ready_again,
    seated,
    start,
)
from tests.storage.begun_matches import begun
from tests.storage.processes.playing import links_of, play


async def test_a_move_that_cannot_be_kept_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journals = Journals(monkeypatch)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        views = [friend.guest.own_seats[seat].view for seat, friend in enumerate(friends)]
        journals.full = True
        mover = next(f for seat, f in enumerate(friends) if f.guest.own_seats[seat].offers)
        mover.play()
        await mover.until(lambda: Notice(DISK_REFUSED) in mover.news)
        assert [f.guest.own_seats[seat].view for seat, f in enumerate(friends)] == views
        journals.full = False
        await play_out(friends)
        for friend in friends:
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR


class HeldSync:
    """A stand-in for a disk that syncs a journal, or refuses, when the test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.asked = 0
        self.error = 0
        sync = JournalFile.sync

        def held(journal: JournalFile) -> None:
            self.asked += 1
            assert self.goes_on.wait(LONGEST)
            if self.error:
                raise write_error(OSError(self.error, "refused"), journal.path.name)
            sync(journal)

        monkeypatch.setattr(JournalFile, "sync", held)

    def hold(self) -> None:
        self.asked = 0
        self.goes_on.clear()


@pytest.mark.parametrize("error", [0, errno.EIO], ids=["safe", "refused"])
async def test_nobody_sees_a_move_before_it_is_synced(
    error: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = HeldSync(monkeypatch)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        files = disk_of(hosted)
        await files.wait_until_safe()
        journal = files.record_path(hosted.hosted_match.number)
        views = [friend.guest.own_seats[seat].view for seat, friend in enumerate(friends)]
        before = journal.read_bytes()
        disk.hold()
        mover = next(f for seat, f in enumerate(friends) if f.guest.own_seats[seat].offers)
        mover.play()
        while not disk.asked:
            await asyncio.sleep(0.001)
        assert journal.read_bytes() != before, "it is written, and not safe"
        assert files.writer.callback_count >= 2, "it waits for both"
        assert [f.guest.own_seats[seat].view for seat, f in enumerate(friends)] == views
        disk.error = error
        disk.goes_on.set()
        if error:
            await mover.until(lambda: Notice(DISK_REFUSED) in mover.news)
            disk.error = 0
            assert journal.read_bytes() == before
            assert [f.guest.own_seats[seat].view for seat, f in enumerate(friends)] == views
        await play_out(friends)
        for friend in friends:
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR


async def test_moves_written_during_a_sync_share_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = HeldSync(monkeypatch)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)):
        (hosted,) = host.hosted_tables.values()
        files, match = disk_of(hosted), hosted.hosted_match.match
        await files.wait_until_safe()
        disk.hold()
        luck = FastRng("group commit")
        for _ in range(5):
            seat = next(ask.seat for ask in match.state.asks)
            number, offers = next(iter(match.offers(seat).items()))
            hosted.hosted_match.play(seat, offers[0].sample(number, luck))
        disk.goes_on.set()
        await files.wait_until_safe()
        assert disk.asked == 2
        assert len(read(files.record_path(hosted.hosted_match.number)).entries) == 5


def test_syncs_of_several_tables_overlap() -> None:
    pool, met = DiskPool(), threading.Barrier(8)
    for _ in range(8):
        pool.enqueue(lambda: met.wait(LONGEST) and None)
    pool.close()
    assert not met.broken


async def test_table_writes_coalesce_at_the_disks_pace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    go_on = threading.Event()
    write_whole = table_disk.write_atomically

    def slowly(path: Path, content: bytes, *, private: bool) -> None:
        go_on.wait(LONGEST)
        written.append(content)
        write_whole(path, content, private=private)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        monkeypatch.setattr(table_disk, "write_atomically", slowly)

        changes = [True, False] * 30 + [True]
        for muted in changes:
            friends[0].line.send(SetMuted(1, muted))
        while disk_of(hosted).writer.callback_count < len(friends) * len(changes):
            await asyncio.sleep(0.001)
        go_on.set()
        await friends[1].until(lambda: friends[1].guest.info.muted == (1,))
        files = disk_of(hosted)
        assert len(written) <= 2, "at most the write under way, and the newest"
        assert table_disk.read_table(files.file) == hosted.to_file()


@pytest.mark.parametrize("played", [False, True])
async def test_an_unknown_journal_never_becomes_the_next_match(
    played: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left where a host is killed before it writes the table's file, or where an older file
    of the table came back. Without a move it is replaced; otherwise that start is refused."""
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(hosted_match, "DISK_RETRY_DELAY_S", 0.01)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        await play_out(friends)
        (hosted,) = host.hosted_tables.values()
        left = disk_of(hosted).record_path(2)
        other = begun(0, "another seed")
        if played:
            assert play(other, RandomBot(1), links_of(other))
        other.journal.close()
        other.journal.path.rename(left)
        await again(friends)
        if played:
            await friends[0].until(lambda: friends[0].guest.info.ended)
            for friend in friends:
                await friend.until(lambda friend=friend: len(friend.proofs) == 2)
            assert len(read(left).entries) == 1
            await again(friends)
        for friend in friends:
            friend.proofs.clear()
        await play_out(friends)
        for friend in friends:
            verdict = friend.guest.check_proof(friend.proofs[0])
            assert (verdict.fair, verdict.restarts) == (True, int(played))


async def again(friends: list[Friend]) -> None:
    """Start the table's next match."""
    friends[0].guest.gather_for_rematch()
    await ready_again(friends)
    await start(friends)
