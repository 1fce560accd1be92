"""A server's list of its tables for each kind of guest; joining an open one without a code."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.net.guest.dial import WrongCertificate
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.server_query import list_tables
from tabletop.net.host.admission import NO_TABLE
from tabletop.net.host.opening_limits import TOO_MANY_KEYS, WRONG_KEY
from tabletop.net.limits import Limits
from tabletop.protocol.invitation import Address
from tabletop.protocol.listing import MAX_LISTED_TABLES, ListedTable, TableList
from tabletop.protocol.messages import OpenTable
from tabletop.server.server import TableServer
from tests.net.loopback import Friend, Stranger, plan, play_out, run
from tests.server.server_command import told
from tests.server.table_server import table_server


def place(host: TableServer, fingerprint: str = "") -> Address:
    return Address(("127.0.0.1",), host.port, fingerprint or host.certificate.fingerprint)


@pytest.mark.parametrize("listed_for", ["everybody", "members"])
def test_a_table_is_listed_as_its_host_and_server_say(listed_for: str, tmp_path: Path) -> None:
    def opened(host: TableServer, listing: str) -> None:
        table = plan("sun", 2, listing=listing)
        host.registry.open_table(
            Stranger("10.0.0.1"), OpenTable(replace(table, name=listing), "own")
        )

    async def names(host: TableServer, key: str = "") -> list[str]:
        found = await list_tables(place(host), key)
        assert isinstance(found, TableList)
        return [listed.name for listed in found.tables]

    async def evening() -> None:
        limits = Limits(codes_per_address=2)
        async with table_server(tmp_path, key="own", listed_for=listed_for, limits=limits) as host:
            for listing in ("none", "code", "open"):
                opened(host, listing)
            assert await names(host, "own") == ["code", "open"]
            assert await names(host) == (["code", "open"] if listed_for == "everybody" else [])
            table = next(h for h in host.hosted_tables.values() if h.plan.name == "open")
            found = await list_tables(place(host), "own")
            for why in (WRONG_KEY, WRONG_KEY, TOO_MANY_KEYS):
                assert await list_tables(place(host), "x") == why
            with pytest.raises(WrongCertificate):
                await list_tables(place(host, "ab" * 32))
            assert isinstance(found, TableList)
            listed = ListedTable(table.table, "open", "sun", 2, 2, "live", needs_code=False)
            assert listed in found.tables
            assert table.code not in repr(found)

    run(evening)


async def test_only_an_open_table_is_joined_without_a_code(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        caller = Stranger("10.0.0.1")
        for listing in ("code", "open"):
            host.registry.open_table(
                caller, OpenTable(plan("sun", 2, listing=listing, unattended=True))
            )
        closed, open_ = host.hosted_tables
        fingerprint = host.certificate.fingerprint
        outside = Friend(host.port, fingerprint, Ticket(closed))
        assert await outside.refusal(0) == NO_TABLE
        friends = [Friend(host.port, fingerprint, Ticket(open_)) for _ in range(2)]
        for seat, friend in enumerate(friends):
            await friend.sit(seat)
        await play_out(friends)


async def test_of_many_tables_the_latest_are_told(tmp_path: Path) -> None:
    limits = Limits(tables=1000, tables_per_address=1000, openings_per_minute=1000)
    async with table_server(tmp_path, limits=limits) as host:
        for _ in range(MAX_LISTED_TABLES + 1):
            host.registry.open_table(
                Stranger("10.0.0.1"), OpenTable(plan("sun", 2, listing="code"))
            )
        found = await list_tables(place(host))
        assert isinstance(found, TableList)
        assert (len(found.tables), found.more) == (MAX_LISTED_TABLES, True)
        assert found.tables[-1].table == [*host.hosted_tables][-1]


async def test_the_command_line_opens_a_listed_table_and_lists_it(tmp_path: Path) -> None:
    async with table_server(tmp_path / "server") as host:
        opened = await told(host, tmp_path, "--detach", "--listed", "open", "--name", "Ann's")
        assert (opened.returncode, opened.stderr) == (0, "")
        (table,) = host.hosted_tables
        listed = await told(host, tmp_path, command="join")
        assert listed.stdout == (
            f"tabletop://127.0.0.1:{host.port}/{table}  sun  2 of 2 free  open  Ann's\n"
        )
