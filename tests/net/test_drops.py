"""Lines break and guests are killed at any moment: they come back to their seats and play on."""

import asyncio
from pathlib import Path

import pytest

from tabletop.games import catalogue
from tabletop.net.fairness import FAIR
from tabletop.net.guest.way_in import Ticket
from tabletop.net.host.server import Host
from tests.net.loopback import LONG, Friend, begin, hosting, plan, play_on, play_out, run, seated

EVERY = 3 if LONG else 9
"""Somebody is lost after every so many moves."""


async def killed(host: Host, friend: Friend) -> Friend:
    """The guest's program ends without a word, and is opened again."""
    ticket = friend.guest.ticket
    if friend.line._task is not None:
        friend.line._task.cancel()
    await friend.line.drop()
    again = Friend(host.port, ticket=ticket)
    again.plays = friend.plays
    await again.until(lambda: again.guest.connection_state == "inside")
    assert set(ticket.seats) == set(again.guest.seats)
    return again


@pytest.mark.parametrize("name", [kit.id for kit in catalogue.shelf()])
def test_guests_are_lost_all_through_a_game_and_it_is_played_to_the_end(
    name: str, tmp_path: Path
) -> None:
    count = max(2, catalogue.load(name).box.seats[0])

    async def evening() -> None:
        async with (
            hosting(tmp_path) as host,
            seated(host, plan(name, count), (0,), tuple(range(1, count))) as friends,
        ):
            (hosted,) = host.hosted_tables.values()
            match = hosted.hosted_match.match
            assert match is not None
            lost = 0
            play_on(friends)
            while match.state.result is None:
                await asyncio.sleep(0)
                if len(match.record) < EVERY * (lost + 1):
                    await asyncio.sleep(0.002)
                    continue
                victim = lost % 2
                if lost % 4 < 2:
                    await friends[victim].line.drop()
                else:
                    friends[victim] = await killed(host, friends[victim])
                lost += 1
                if lost > 40 and not LONG:
                    break
            for friend in friends:
                await friend.until(lambda friend=friend: friend.proofs)
                assert friend.guest.judge(friend.proofs[0]) == FAIR
                for seat, link in friend.guest.links.items():
                    assert link.view == match.view(seat)
            assert lost > 1
            await friends[1].close()

    run(evening)


@pytest.mark.parametrize("moment", ["seated", "ready", "sealing", "revealing", "over"])
def test_a_guest_is_lost_around_a_match(moment: str, tmp_path: Path) -> None:
    async def evening() -> None:
        async with hosting(tmp_path) as host:
            ann = Friend(host.port)
            ann.guest.open(plan("sun", 2), "")
            await ann.sit(0)
            assert ann.guest.info is not None
            bea = Friend(host.port, ticket=Ticket(code=ann.guest.info.code))
            await bea.inside()
            bea.guest.sit(1, "Bea")
            await bea.until(lambda: bea.guest.seats)
            if moment == "seated":
                bea = await killed(host, bea)
            bea.guest.ready(1)
            await ann.until(lambda: ann.guest.info.sitters[1].state == "ready")
            if moment == "ready":
                await bea.line.drop()
                await ann.until(lambda: ann.guest.info.sitters[1].state == "away")
                await ann.until(lambda: ann.guest.info.sitters[1].state == "here")
                bea.guest.ready(1)
            if moment in ("sealing", "revealing"):
                fair_shuffle = bea.guest._fair_shuffle
                broken = "seal" if moment == "sealing" else "reveal"
                setattr(fair_shuffle, broken, lambda *told: bea.line._socket.transport.abort())
                await ann.until(lambda: ann.guest.info.sitters[1].state == "ready")
                ann.guest.start()
                await ann.until(lambda: ann.guest.info.phase == "shuffling")
                await ann.until(lambda: ann.guest.info.phase == "gathering")
                delattr(fair_shuffle, broken)
                await ann.until(lambda: ann.guest.info.sitters[1].state == "here")
                ann.guest.ready(0)
                bea.guest.ready(1)
            await begin([ann, bea])
            if moment == "over":
                ann.guest.concede(0)
                await bea.until(lambda: bea.proofs)
                bea = await killed(host, bea)
                await bea.until(lambda: bea.proofs)
                assert bea.guest.links[1].view.result is not None
            else:
                await play_out((ann, bea))
            for friend in (ann, bea):
                verdict = friend.guest.judge(friend.proofs[0])
                assert verdict.fair
                assert verdict.restarts == (moment == "revealing")
                await friend.close()

    run(evening)
