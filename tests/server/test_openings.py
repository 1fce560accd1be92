"""Who may open tables at a server: by its key, and so many."""

from pathlib import Path

from tabletop.engine.model import Reason
from tabletop.net.guest.dial import HOST_FULL
from tabletop.net.host.opening_limits import (
    NOT_ALLOWED,
    OPENED_TOO_OFTEN,
    TOO_MANY_KEYS,
    TOO_MANY_TABLES,
    WRONG_KEY,
    OpeningLimits,
)
from tabletop.net.limits import Limits
from tabletop.protocol.messages import OpenTable
from tabletop.server.server import TableServer
from tabletop.table.connection_events import Lost
from tests.net.loopback import Friend, Stranger, plan
from tests.server.table_server import table_server

HOME = "10.0.0.1"
OTHER = "10.0.0.2"


def opened(server: TableServer, key: str, address: str = HOME) -> Reason | None:
    return server.registry.open_table(Stranger(address), OpenTable(plan("sun", 2), key))


async def test_a_key_opens_tables_and_wrong_ones_are_counted(tmp_path: Path) -> None:
    limits = Limits(tables=2, codes_per_address=3)
    async with table_server(tmp_path, key="own", limits=limits) as server:
        assert opened(server, "") == NOT_ALLOWED
        assert opened(server, "own") is None
        assert opened(server, "own") is None
        assert opened(server, "own") == TOO_MANY_TABLES
        assert [opened(server, "x", OTHER) for _ in range(4)] == [*[WRONG_KEY] * 3, TOO_MANY_KEYS]
        assert opened(server, "own", OTHER) == TOO_MANY_KEYS, "who guesses is not told"


def test_a_server_without_a_key_takes_any() -> None:
    openings = OpeningLimits(Limits(), "")
    assert [openings.check_key(HOME, key) for key in ("", "an old one")] == [None, None]


def test_one_address_opens_no_table_after_the_other() -> None:
    openings = OpeningLimits(Limits(openings_per_minute=2), "")
    told = [openings.check_opening(HOME, "", ()) for _ in range(3)]
    assert told == [None, None, OPENED_TOO_OFTEN]
    assert openings.check_opening(OTHER, "", ()) is None


async def test_a_guest_beyond_the_last_free_line_reads_so(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=Limits(connections=1)) as host:
        first, second = Friend(host.port), Friend(host.port)
        await first.until(lambda: first.guest.connection_state == "outside")
        await second.until(lambda: any(isinstance(news, Lost) for news in second.news))
        place = f"127.0.0.1:{host.port}"
        (lost, *_) = (news for news in second.news if isinstance(news, Lost))
        assert lost.reason == HOST_FULL.with_args(place=place)
        await first.close()
        await second.close()
