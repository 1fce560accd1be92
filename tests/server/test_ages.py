"""The age of a table outlasts its host; the limits of a club don't hold for a person's own host."""

import os
from pathlib import Path
from time import time

import pytest

from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host import table_registry
from tabletop.net.host.finished_file import CLOSED_TABLES
from tabletop.net.host.opening_limits import TOO_MANY_OF_YOURS
from tabletop.net.host.table_disk import archive_table, table_files_in
from tabletop.net.limits import Limits
from tabletop.protocol.join_proof import MAX_CHALLENGES
from tabletop.protocol.messages import OpenTable
from tests.net.loopback import Friend, Stranger, opened, plan, play_on, seated, until
from tests.server.table_server import table_server

DAY = 86400


def backdate(folder: Path, days: float) -> None:
    """As if the host had been stopped so many days ago."""
    for file in folder.iterdir():
        if file.is_file():
            os.utime(file, (time() - days * DAY,) * 2)


async def played_a_little(folder: Path) -> None:
    async with table_server(folder) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        play_on(friends)


async def test_a_host_that_restarts_weekly_lets_go_of_tables(tmp_path: Path) -> None:
    await played_a_little(tmp_path)
    backdate(tmp_path, 6)
    async with table_server(tmp_path) as host:
        host.registry.close_abandoned_tables()
        assert len(host.registry.sleeping) == 1
    backdate(tmp_path, 8)
    async with table_server(tmp_path, limits=Limits(clock_recheck_after_s=0)) as host:
        host.registry.close_abandoned_tables()
        assert not host.registry.tables
    assert table_files_in(tmp_path) == []
    assert list((tmp_path / CLOSED_TABLES).glob("*.tabletop"))


async def test_a_clock_that_was_wrong_closes_no_table(tmp_path: Path) -> None:
    await played_a_little(tmp_path)
    backdate(tmp_path, -8)
    async with table_server(tmp_path) as host:
        host.registry.close_abandoned_tables()
        assert len(host.registry.sleeping) == 1


@pytest.mark.parametrize("doubt", [0.0, 3600.0])
async def test_a_clock_that_ran_ahead_at_the_start_closes_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, doubt: float
) -> None:
    await played_a_little(tmp_path)
    ahead = [400 * DAY]
    monkeypatch.setattr(table_registry, "time", lambda: time() + sum(ahead))
    async with table_server(tmp_path, limits=Limits(clock_recheck_after_s=doubt)) as host:
        if not doubt:
            ahead.clear()  # the clock is set
        host.registry.close_abandoned_tables()
        assert len(host.registry.sleeping) == 1


async def test_a_table_is_as_young_as_its_match(tmp_path: Path) -> None:
    await played_a_little(tmp_path)
    backdate(tmp_path, 8)
    (journal,) = tmp_path.glob("*.tabletop")
    os.utime(journal)
    async with table_server(tmp_path) as host:
        host.registry.close_abandoned_tables()
        assert len(host.registry.sleeping) == 1


async def test_a_table_with_guests_is_dated_while_they_are_there(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        await opened(host, plan("sun", 2), 0)
        (file,) = table_files_in(tmp_path)
        await until(lambda: host.hosted_tables[file.stem].services.journal.writer.is_settled)
        backdate(tmp_path, 8)
        host.registry.close_abandoned_tables()
        await until(lambda: time() - file.stat().st_mtime < DAY)


async def test_an_owner_opens_as_many_tables_as_they_like(tmp_path: Path) -> None:
    limits = Limits(tables_per_address=2)

    async with table_server(tmp_path, limits=limits, key="own") as host:
        wanted = OpenTable(plan("sun", 2), "own")
        for address in ("127.0.0.1", "::1") * 3:
            assert host.registry.open_table(Stranger(address), wanted) is None
        for answer in (None, None, TOO_MANY_OF_YOURS):
            assert host.registry.open_table(Stranger("10.0.0.1"), wanted) == answer


async def test_a_code_is_enough_beside_many_sleeping_tables(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        for number in range(MAX_CHALLENGES + 1):
            opener = Stranger(f"10.1.0.{number}")
            assert host.registry.open_table(opener, OpenTable(plan("sun", 2))) is None
    async with table_server(tmp_path) as host:
        assert len(host.registry.sleeping) == MAX_CHALLENGES + 1
        owner = await opened(host, plan("sun", 2), 0)
        friend = Friend(host.port, ticket=Ticket(code=owner.code))
        await friend.sit(1)
        oldest = min(host.registry.sleeping.values(), key=lambda known: known.empty_since)
        late = Friend(host.port, ticket=Ticket(code=oldest.code))
        assert (await late.refusal()).code == "many_tables"


def test_a_table_is_put_away_with_its_record(tmp_path: Path) -> None:
    for name in ("one.table", "one-1.tabletop", "two.table", "two-1.tabletop"):
        (tmp_path / name).touch()
    archive_table(tmp_path, "one", tmp_path / CLOSED_TABLES)
    assert sorted(file.name for file in tmp_path.glob("*.*")) == ["two-1.tabletop", "two.table"]
    assert [file.name for file in (tmp_path / CLOSED_TABLES).iterdir()] == ["one-1.tabletop"]
