"""The host's disk refuses a move: nobody is told of it, and the match goes on when it can."""

import asyncio
import errno
import sys
import threading
from pathlib import Path

import pytest

from tabletop.net.fairness import FAIR
from tabletop.net.host import kernel_sync, write_ahead, writer_pool
from tabletop.net.host.kernel_sync import NUMBERS, Done, KernelSync
from tabletop.net.host.table_registry import DISK_REFUSED, wal_of
from tabletop.net.moderation import Mute
from tabletop.net.protocol import Notice
from tests.net.hostile.full_disk import Journals
from tests.net.loopback import LONGEST, hosting, plan, play_out, run, seated


@pytest.mark.parametrize("quick", [True, False], ids=["waited for", "in a thread"])
def test_a_move_that_cannot_be_kept_is_not_told(
    quick: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journals = Journals(monkeypatch)

    async def evening() -> None:
        async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
            (hosted,) = host.hosted_tables.values()
            writers = wal_of(hosted)._writers
            writers._usual = writers._waited = 0.0 if quick else 1e9
            match = hosted.hosted_match.match
            assert match is not None
            views = [friend.guest.links[seat].view for seat, friend in enumerate(friends)]
            journals.full = True
            mover = next(f for seat, f in enumerate(friends) if f.guest.links[seat].offers)
            mover.play()
            if quick:
                await mover.until(lambda: mover.refused)
                assert "disk is full" in mover.refused[0].reason.text
            else:
                await mover.until(lambda: Notice(DISK_REFUSED) in mover.news)
            assert [f.guest.links[seat].view for seat, f in enumerate(friends)] == views
            journals.full = False
            await play_out(friends)
            for friend in friends:
                assert friend.guest.judge(friend.proofs[0]) == FAIR

    run(evening)


class HeldSync:
    """Stands for the kernel, which has a file safe, or refuses it, when the test says so."""

    def __init__(self, _: asyncio.AbstractEventLoop) -> None:
        self.under_way: list[Done] = []
        self.holds = False

    def begin(self, _: int, done: Done) -> bool:
        if self.holds:
            self.under_way.append(done)
        else:
            asyncio.get_running_loop().call_soon(done, 0)
        return True

    def close(self) -> None:
        """Nothing is left."""


@pytest.mark.parametrize("error", [0, errno.EIO], ids=["safe", "refused"])
def test_nobody_is_told_of_a_move_before_the_kernel_has_it_safe(
    error: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_pool, "KernelSync", HeldSync)

    async def evening() -> None:
        async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
            (hosted,) = host.hosted_tables.values()
            wal = wal_of(hosted)
            kernel = wal._writers._kernel
            assert isinstance(kernel, HeldSync)
            wal._writers._usual = 1e9  # a disk that is slow
            journal = wal.record(hosted.hosted_match.number)
            views = [friend.guest.links[seat].view for seat, friend in enumerate(friends)]
            before, kernel.holds = journal.read_bytes(), True
            mover = next(f for seat, f in enumerate(friends) if f.guest.links[seat].offers)
            mover.play()
            while not kernel.under_way:
                await asyncio.sleep(0.001)
            assert journal.read_bytes().startswith(before)
            assert len(wal._held) >= 2, "it waits for both"
            assert [f.guest.links[seat].view for seat, f in enumerate(friends)] == views
            kernel.holds = False
            kernel.under_way.pop()(error)
            if error:
                await mover.until(lambda: Notice(DISK_REFUSED) in mover.news)
                assert journal.read_bytes() == before
                assert [f.guest.links[seat].view for seat, f in enumerate(friends)] == views
            await play_out(friends)
            for friend in friends:
                assert friend.guest.judge(friend.proofs[0]) == FAIR

    run(evening)


@pytest.mark.skipif(sys.platform != "linux", reason="asynchronous I/O of this kind is Linux's")
def test_the_kernel_has_files_safe_while_the_host_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel_sync, "NUMBERS", NUMBERS)

    async def evening() -> None:
        try:
            kernel = KernelSync(asyncio.get_running_loop())
        except OSError as error:
            pytest.skip(f"this system lends none: {error}")
        told = asyncio.Queue[int]()
        with (tmp_path / "a").open("wb", 0) as first, (tmp_path / "b").open("wb", 0) as second:
            for file in (first, second, first):
                file.write(b"a move")
                assert kernel.begin(file.fileno(), told.put_nowait)
            assert [await told.get() for _ in range(3)] == [0, 0, 0]
            number = second.fileno()
        assert not kernel.begin(number, told.put_nowait), "nobody has opened it"
        kernel.close()

    run(evening)


def test_table_writes_coalesce_at_the_disks_pace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    go_on = threading.Event()
    write_whole = write_ahead.write_whole

    def slowly(path: Path, content: bytes) -> None:
        go_on.wait(LONGEST)
        written.append(content)
        write_whole(path, content)

    async def evening() -> None:
        async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
            (hosted,) = host.hosted_tables.values()
            monkeypatch.setattr(write_ahead, "write_whole", slowly)

            for muted in [True, False] * 30 + [True]:
                friends[0].line.send(Mute(1, muted))
            friends[0].guest.speak("all of it was asked for", 0)
            while not hosted.muted or len(wal_of(hosted)._held) < 60:
                await asyncio.sleep(0.001)
            go_on.set()
            await friends[1].until(lambda: friends[1].guest.info.muted == (1,))
            wal = wal_of(hosted)
            assert len(written) <= 2, "at most what was begun, and the newest"
            assert write_ahead.read_table(wal.file) == hosted.kept()

    run(evening)
