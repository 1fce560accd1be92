"""Ways back to a shared table: two lines with one key, and a table that is no more."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.engine.model import Reason
from tabletop.net.guest.session import Ticket
from tabletop.net.host.table_registry import NO_TABLE
from tabletop.net.protocol import Farewell, Leave, Notice
from tabletop.net.table.hosted_table import DISPLACED
from tests.net.loopback import Friend, hosting, plan, play_out, run, seated


async def refused(friend: Friend) -> Reason:
    """The first refusal that a guest hears."""
    await friend.until(lambda: friend.refused)
    return friend.refused[0].reason


def test_who_is_displaced_is_told_and_can_come_back(tmp_path: Path) -> None:
    async def evening() -> None:
        async with (
            hosting(tmp_path) as host,
            seated(host, plan("sun", 2), (0,), (1,)) as friends,
        ):
            ann, bea = friends
            again = Friend(host.port, ticket=bea.guest.ticket)
            await again.until(lambda: again.guest.links)
            await bea.until(lambda: any(isinstance(news, Farewell) for news in bea.news))
            told = next(news for news in bea.news if isinstance(news, Farewell))
            assert told.displaced
            assert not told.closed
            assert told.reason == DISPLACED
            assert bea.guest.seats == (1,), "the way back is kept"
            assert ann.guest.info is not None
            assert ann.guest.info.sitters[1].state != "away"
            assert ann.guest.info.pause is None
            back = Friend(host.port, ticket=bea.guest.ticket)
            await back.until(lambda: back.guest.links)
            await again.until(lambda: any(isinstance(news, Farewell) for news in again.news))
            await play_out((ann, back))
            for friend in (again, back):
                await friend.close()

    run(evening)


def test_of_two_seats_one_may_be_taken_elsewhere(tmp_path: Path) -> None:
    async def evening() -> None:
        async with (
            hosting(tmp_path) as host,
            seated(host, plan("sisters", 3), (0,), (1, 2)) as friends,
        ):
            bea = friends[1]
            ticket = bea.guest.ticket
            cat = Friend(host.port, ticket=replace(ticket, seats={2: ticket.seats[2]}))
            await cat.until(lambda: cat.guest.seats == (2,))
            await bea.until(lambda: bea.guest.seats == (1,))
            assert [n.reason for n in bea.news if isinstance(n, Notice)] == [DISPLACED]
            assert bea.guest.connection_state == "inside"
            await cat.close()

    run(evening)


@pytest.mark.parametrize("how", ["leaves", "closes"])
def test_a_table_that_its_host_left_is_no_ghost(how: str, tmp_path: Path) -> None:
    async def evening() -> None:
        async with hosting(tmp_path) as host:
            async with seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
                ticket = bea.guest.ticket
                bea.line._returning = False
                await bea.line.close()
                await ann.until(lambda: ann.guest.info.sitters[1].state == "away")
                assert len(host.registry.listed()) == 1
                if how == "leaves":
                    ann.guest.leave()
                else:
                    (table,) = host.hosted_tables
                    host.registry.remove(table)
                    ann.guest.say(Leave())  # what the window of a host says as well
                again = Friend(host.port, ticket=ticket)
                assert await refused(again) == NO_TABLE
                assert again.guest.ticket == Ticket(), "the way back is torn up"
                await again.close()
            assert host.registry.listed() == ()
        assert not list(tmp_path.glob("*.table"))
        async with hosting(tmp_path) as host:
            assert not host.hosted_tables

    run(evening)


def test_a_table_where_nobody_is_is_not_announced(tmp_path: Path) -> None:
    async def evening() -> None:
        async with hosting(tmp_path) as host:
            ann = Friend(host.port)
            ann.guest.open(plan("sun", 2), "")
            await ann.sit(0)
            ticket = ann.guest.ticket
            assert len(host.registry.listed()) == 1
            await ann.close()
        async with hosting(tmp_path) as host:
            assert len(host.hosted_tables) == 1
            assert host.registry.listed() == ()
            back = Friend(host.port, ticket=ticket)
            await back.inside()
            assert len(host.registry.listed()) == 1
            await back.close()

    run(evening)
