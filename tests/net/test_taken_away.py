"""The folder of a host loses files while matches are played: everything sent is on the disk."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabletop.net.host.table_disk import disk_of, read_table
from tabletop.protocol.messages import Notice
from tabletop.storage.record import read
from tests.net.loopback import hosting, plan, play_out, seated

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="no open file is deleted, moved or replaced there"
)


def delete_journal(journal: Path) -> None:
    journal.unlink()


def replace_journal(journal: Path) -> None:
    other = journal.with_suffix(".other")
    other.write_text("something else")
    other.replace(journal)


def move_folder(journal: Path) -> None:
    journal.parent.rename(journal.parent.with_name("elsewhere"))


@pytest.mark.parametrize("take", [delete_journal, replace_journal, move_folder])
async def test_guests_see_only_moves_that_are_on_the_disk(
    take: Callable[[Path], None], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "hosted"

    async with hosting(folder) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        match, disk = hosted.hosted_match.match, disk_of(hosted)
        await disk.wait_until_safe()
        journal, kept = disk.record_path(hosted.hosted_match.number), read_table(disk.file)
        take(journal)
        mover = next(f for seat, f in enumerate(friends) if f.guest.own_seats[seat].offers)
        before = [friend.guest.own_seats[seat].view for seat, friend in enumerate(friends)]
        mover.play()
        for seat, friend in enumerate(friends):
            await friend.until(lambda at=seat, of=friend: of.guest.own_seats[at].view != before[at])
        assert read(journal).entries == tuple(match.record)
        assert read_table(disk.file).table == kept.table
        await play_out(friends)
        await disk.wait_until_safe()
        assert read(journal).end is not None
    assert caplog.text.count("was deleted, moved or replaced while its match was open") == 1


async def test_where_it_cannot_be_written_again_nothing_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "hosted"

    async with hosting(folder) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        disk = disk_of(hosted)
        await disk.wait_until_safe()
        views = [friend.guest.own_seats[seat].view for seat, friend in enumerate(friends)]
        folder.rename(tmp_path / "elsewhere")
        folder.write_text("no folder")
        mover = next(f for seat, f in enumerate(friends) if f.guest.own_seats[seat].offers)
        mover.play()
        await mover.until(lambda: mover.refused or any(type(n) is Notice for n in mover.news))
        assert [f.guest.own_seats[seat].view for seat, f in enumerate(friends)] == views
        folder.unlink()
        await asyncio.sleep(0)
