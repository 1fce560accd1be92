"""A server that has grown, and at which nobody is, begins anew: what Python keeps of the memory of
tables that sleep is given back, and nobody is refused meanwhile."""

import asyncio
import gc
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.match import Match
from tabletop.net.host import freed_memory, headless
from tabletop.net.host import inherited_socket as sockets
from tabletop.net.host.freed_memory import GROWN, LOOKS, outgrown
from tabletop.net.host.headless import serve
from tabletop.net.host.server import Host
from tabletop.net.host.write_ahead import (
    WriteAheadLog,
    journal_of,
    read_table,
    table_file,
    tables_in,
)
from tabletop.net.invitation import new_code
from tabletop.net.limits import Limits
from tabletop.net.protocol import Enter
from tabletop.net.table.hosted_table import HostedTable
from tests.net.loopback import (
    HANGS,
    ROOMY,
    Friend,
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
            return sum(isinstance(o, HostedTable | Match | WriteAheadLog) for o in gc.get_objects())

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
            assert host.deserted

    run(evening)


def test_it_begins_anew_once_it_has_grown_and_nobody_was_there_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = 0

    def memory(sizes: Iterator[int]) -> None:
        monkeypatch.setattr(freed_memory, "resident", partial(next, sizes, 2 * GROWN))

    def nobody() -> bool:
        nonlocal asked
        asked += 1
        return asked != LOOKS  # somebody came at the last moment

    async def evening() -> None:
        memory(iter([0]))
        await outgrown(nobody, quiet=0)
        assert asked == 2 * LOOKS
        memory(iter([GROWN]))  # with as much it had begun
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await outgrown(lambda: True, quiet=0)

    run(evening)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such socket")
def test_whoever_comes_meanwhile_waits_in_the_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    monkeypatch.setattr(sockets, "FIRST", listening.detach())
    monkeypatch.setattr(freed_memory, "GROWN", -1)
    monkeypatch.setattr(headless, "outgrown", partial(outgrown, quiet=0))
    for name, value in (("LISTEN_FDS", "1"), ("LISTEN_PID", str(os.getpid()))):
        monkeypatch.setenv(name, value)
    words: list[str] = []
    monkeypatch.setattr(os, "execv", lambda program, given: words.extend([program, *given]))

    async def evening() -> None:
        met: list[Host] = []
        start = Host.start

        async def started(host: Host, *place: object, **more: object) -> None:
            met.append(host)
            await start(host, *place, **more)

        monkeypatch.setattr(Host, "start", started)
        async with asyncio.timeout(HANGS):
            begin_anew = await serve(tmp_path, None, 0, Limits())
        assert met[0].port == port
        assert begin_anew is not None
        begin_anew()
        assert words == [sys.executable, sys.executable, *sys.orig_argv[1:]]
        friend = Friend(port)  # comes while nobody is there
        friend.guest.open(plan("sun", 2), "")
        again = Host(tmp_path)
        await again.start(at=sockets.inherited_socket())
        await friend.inside()
        await friend.close()
        await again.close()

    run(evening)


def test_where_nobody_holds_its_port_a_server_at_any_port_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ends_by_itself(host: Host) -> None:
        await asyncio.sleep(0.1)

    monkeypatch.setattr(freed_memory, "GROWN", -1)
    monkeypatch.setattr(headless, "outgrown", partial(outgrown, quiet=0))
    monkeypatch.setattr(Host, "drained", ends_by_itself)

    async def evening() -> None:
        async with asyncio.timeout(HANGS):
            assert await serve(tmp_path, "127.0.0.1", 0, Limits()) is None

    run(evening)


def test_a_server_whose_memory_cannot_be_read_serves_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    unread = tmp_path / "statm"
    unread.write_text("no numbers here")
    monkeypatch.setattr(freed_memory, "RESIDENT", unread)

    async def ends_after_the_failure(host: Host) -> None:
        while "task failed" not in caplog.text:
            await asyncio.sleep(0.01)

    monkeypatch.setattr(Host, "drained", ends_after_the_failure)

    async def evening() -> None:
        async with asyncio.timeout(HANGS):
            assert await serve(tmp_path / "host", "127.0.0.1", 0, Limits()) is None

    run(evening)
