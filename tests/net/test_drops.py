"""Lines break and guests are killed at any moment: they come back to their seats and play on; and
ways back end where a table does."""

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.host import Host
from tabletop.net.host.table_registry import NO_TABLE
from tabletop.protocol.fairness import FAIR
from tabletop.protocol.messages import Farewell, LeaveTable, Notice, SharesCommitted, ShuffleStarted
from tabletop.table.hosted_table import DISPLACED
from tests.net.loopback import (
    LONG,
    Friend,
    begin,
    hosting,
    opened,
    plan,
    play_on,
    play_out,
    seated,
)

GAMES = [kit.id for kit in catalogue.shelf()] if LONG else ["royale", "sun"]
SHORT = {} if LONG else {"royale": {"options": {"length": "4"}}}
EVERY = 3 if LONG else 9
"""Somebody is lost after every so many moves."""


async def killed(host: Host, friend: Friend) -> Friend:
    """The guest's program ends without a word, and is opened again."""
    ticket = friend.guest.ticket
    await friend.line.abort()
    await friend.close()
    again = Friend(host.port, ticket=ticket)
    again.plays = friend.plays
    await again.until(lambda: again.guest.connection_state == "inside")
    assert set(ticket.seats) == set(again.guest.seats)
    return again


@pytest.mark.parametrize("name", GAMES)
async def test_a_game_ends_though_guests_keep_dropping(name: str, tmp_path: Path) -> None:
    count = max(2, catalogue.load(name).box.seats[0])
    table = plan(name, count, **SHORT.get(name, {}))

    async with (
        hosting(tmp_path) as host,
        seated(host, table, (0,), tuple(range(1, count))) as friends,
    ):
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        lost = 0
        play_on(friends)
        while match.state.result is None:
            await asyncio.sleep(0)
            if len(match.record) < EVERY * (lost + 1):
                await asyncio.sleep(0.002)
                continue
            victim = lost % 2
            if lost % 4 < 2:
                await friends[victim].line.abort()
            else:
                friends[victim] = await killed(host, friends[victim])
            lost += 1
            if lost > 16 and not LONG:
                break
        for friend in friends:
            await friend.until(lambda friend=friend: friend.proofs)
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR
            for number, seat in friend.guest.own_seats.items():
                assert seat.view == match.view(number)
        assert lost > 1
        await friends[1].close()


@pytest.mark.parametrize("moment", ["seated", "ready", "sealing", "revealing", "over"])
async def test_a_guest_is_lost_around_a_match(moment: str, tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await bea.inside()
        bea.guest.sit(1, "Bea")
        await bea.until(lambda: bea.guest.seats)
        if moment == "seated":
            bea = await killed(host, bea)
        bea.guest.set_ready(1)
        await ann.until(lambda: ann.guest.info.sitters[1].state == "ready")
        if moment == "ready":
            await bea.line.abort()
            await ann.until(lambda: ann.guest.info.sitters[1].state == "away")
            await ann.until(lambda: ann.guest.info.sitters[1].state == "here")
            bea.guest.set_ready(1)
        if moment in ("sealing", "revealing"):
            broken = ShuffleStarted if moment == "sealing" else SharesCommitted
            bea.instead[broken] = lambda _: asyncio.ensure_future(bea.line.abort())
            await ann.until(lambda: ann.guest.info.sitters[1].state == "ready")
            ann.guest.start()
            await ann.until(lambda: ann.guest.info.phase == "shuffling")
            await ann.until(lambda: ann.guest.info.phase == "gathering")
            del bea.instead[broken]
            await ann.until(lambda: ann.guest.info.sitters[1].state == "here")
            ann.guest.set_ready(0)
            bea.guest.set_ready(1)
        await begin([ann, bea])
        if moment == "over":
            ann.guest.own_seats[0].concede()
            await bea.until(lambda: bea.proofs)
            bea = await killed(host, bea)
            await bea.until(lambda: bea.proofs)
            assert bea.guest.own_seats[1].view.result is not None
        else:
            await play_out((ann, bea))
        for friend in (ann, bea):
            verdict = friend.guest.check_proof(friend.proofs[0])
            assert verdict.fair
            assert verdict.restarts == (moment == "revealing")
            await friend.close()


async def test_a_displaced_guest_reads_so_and_can_come_back(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
        again = Friend(host.port, ticket=bea.guest.ticket)
        await again.until(lambda: again.guest.own_seats)
        await bea.until(lambda: any(isinstance(news, Farewell) for news in bea.news))
        told = next(news for news in bea.news if isinstance(news, Farewell))
        assert told.displaced
        assert not told.closed
        assert told.reason == DISPLACED
        assert bea.guest.seats == (1,), "the way back is kept"
        assert ann.guest.info.sitters[1].state != "away"
        assert ann.guest.info.pause is None
        back = Friend(host.port, ticket=bea.guest.ticket)
        await back.until(lambda: back.guest.own_seats)
        await again.until(lambda: any(isinstance(news, Farewell) for news in again.news))
        await play_out((ann, back))


async def test_of_two_seats_one_may_be_taken_elsewhere(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sisters", 3), (0,), (1, 2)) as friends:
        bea = friends[1]
        ticket = bea.guest.ticket
        cat = Friend(host.port, ticket=replace(ticket, seats={2: ticket.seats[2]}))
        await cat.until(lambda: cat.guest.seats == (2,))
        await bea.until(lambda: bea.guest.seats == (1,))
        assert [n.reason for n in bea.news if isinstance(n, Notice)] == [DISPLACED]
        assert bea.guest.connection_state == "inside"


@pytest.mark.parametrize("how", ["leaves", "closes"])
async def test_a_table_that_its_host_left_is_no_ghost(how: str, tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        async with seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
            ticket = bea.guest.ticket
            await bea.line.close()
            await ann.until(lambda: ann.guest.info.sitters[1].state == "away")
            assert len(host.registry.joinable_tables()) == 1
            if how == "leaves":
                ann.guest.leave()
            else:
                (table,) = host.hosted_tables
                host.registry.close_table(table)
                ann.guest.say(LeaveTable())  # as the window of a host says
            again = Friend(host.port, ticket=ticket)
            assert await again.refusal(0) == NO_TABLE
            assert again.guest.ticket == Ticket(), "the way back is torn up"
        assert host.registry.joinable_tables() == ()
    assert not list(tmp_path.glob("*.table"))
    async with hosting(tmp_path) as host:
        assert not host.registry.tables


async def test_a_table_where_nobody_is_is_not_announced(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        ticket = ann.guest.ticket
        assert len(host.registry.joinable_tables()) == 1
    async with hosting(tmp_path) as host:
        assert len(host.registry.tables) == 1
        assert host.registry.joinable_tables() == ()
        back = Friend(host.port, ticket=ticket)
        await back.inside()
        assert len(host.registry.joinable_tables()) == 1
