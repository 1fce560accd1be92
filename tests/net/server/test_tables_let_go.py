"""Tables that sleep leave nothing in memory but their rows."""

import asyncio
import gc
import shutil
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tabletop.match.match import Match
from tabletop.net.host.table_disk import (
    TableDisk,
    journal_of,
    read_table,
    table_file,
    tables_in,
)
from tabletop.net.invitation import new_code
from tabletop.net.protocol import Enter
from tabletop.net.table.hosted_table import HostedTable
from tests.net.loopback import (
    HANGS,
    ROOMY,
    Stranger,
    come_in,
    hosting,
    plan,
    play_on,
    run,
    seated,
)

TABLES = 20
DROWSY = replace(ROOMY, awake=0, codes_per_address=TABLES)


def test_of_tables_that_sleep_nothing_is_left_but_their_rows(tmp_path: Path) -> None:
    async def evening() -> None:
        async with (
            hosting(tmp_path) as host,
            seated(host, plan("sun", 2), (0,), (1,)) as friends,
        ):
            play_on(friends)
            await friends[0].until(lambda: host.metrics.moves > 6)
        (path,) = tables_in(tmp_path)
        kept = read_table(path)
        journal = journal_of(tmp_path, kept.table, kept.number)
        codes = [kept.code]
        for number in range(1, TABLES):
            copy = replace(kept, table=f"{number:012x}", code=new_code())
            table_file(tmp_path, copy.table).write_bytes(msgspec.json.encode(copy))
            shutil.copy(journal, journal_of(tmp_path, copy.table, copy.number))
            codes.append(copy.code)

        def living() -> int:
            return sum(isinstance(o, HostedTable | Match | TableDisk) for o in gc.get_objects())

        async with hosting(tmp_path, limits=DROWSY) as host:
            gc.collect()
            before = living()
            callers = [Stranger("10.0.0.1") for _ in codes]
            for caller, code in zip(callers, codes, strict=True):
                assert await come_in(host, caller, Enter(code=code)) is None
            assert living() - before >= 3 * TABLES
            for caller in callers:
                host.registry.hang_up(caller)
            async with asyncio.timeout(HANGS):
                while host.hosted_tables:
                    host.registry.sweep()
                    await asyncio.sleep(0.01)
            assert len(host.registry.sleeping) == TABLES
            gc.collect()
            assert living() == before

    run(evening)
