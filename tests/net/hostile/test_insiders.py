"""Guests at a table, with good tokens, can say anything: the host does not fail, and other tables
play on.

Their messages are good ones, damaged; some stay good, so that their tables go through everything
that can happen to one. The seeds are fixed. With TABLETOP_LONG=1 more than 100,000 messages are
said, at tables of every game.
"""

import asyncio
import logging
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.host import Host
from tests.net.hostile.insider import Insider
from tests.net.loopback import LONG, ROOMY, hosting, plan, play_out, run, seated

GAMES = [kit.id for kit in catalogue.shelf()]
SAID = 24_000 if LONG else 300
"""At the tables of one game, by all together."""
LIMITS = replace(ROOMY, codes_per_address=10**9, codes_per_site=10**9)
"""All of them come from one address, whose wrong codes must not keep the next ones out."""
AT_ONCE = 20
"""Messages that one of them says before it listens."""
ROUNDS = 30
"""The number of messages of each guest before they open another table."""


async def at_a_table(host: Host, game: str) -> list[Ticket]:
    """The tickets of two guests in a started match."""
    seats = max(min(catalogue.load(game).box.seats), 2)
    async with seated(host, plan(game, seats, seats - 2), (0,), (1,)) as friends:
        return [friend.guest.ticket for friend in friends]


@pytest.mark.parametrize("game", GAMES)
def test_a_host_fails_at_nothing_that_its_guests_say(
    game: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chance = random.Random(game)
    failed: list[dict[str, Any]] = []
    tables = said = refused = 0

    async def evening() -> None:
        nonlocal tables, said, refused
        asyncio.get_running_loop().set_exception_handler(lambda _, what: failed.append(what))
        async with (
            hosting(tmp_path, limits=LIMITS) as host,
            seated(host, plan("sun", 2), (0,), (1,)) as friends,
        ):
            info = friends[0].guest.info
            while said < SAID:
                insiders = [Insider(host.port, t, chance) for t in await at_a_table(host, game)]
                tables += 1
                for _ in range(ROUNDS):
                    await asyncio.gather(*(insider.say(AT_ONCE) for insider in insiders))
                    await asyncio.gather(*(insider.play() for insider in insiders))
                    if all(insider.gone for insider in insiders):
                        break
                for insider in insiders:
                    insider.close()
                said += sum(insider.said for insider in insiders)
                refused += sum(insider.refused for insider in insiders)
                for table in set(host.hosted_tables) - {info.table}:
                    host.registry.close_table(table)
            await play_out(friends)

    with caplog.at_level(logging.ERROR, "tabletop.net"):
        run(evening)
    print(f"{game}: {said} said at {tables} tables, {refused} refused")
    assert failed == []
    assert [record.getMessage() for record in caplog.records] == []
    assert refused > said // 4
