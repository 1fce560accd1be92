"""Matches at shared tables: seats are taken, everybody sees what its seat sees, and it was fair."""

from pathlib import Path

import pytest

from tabletop.catalogue import catalogue
from tabletop.commands.records import verify
from tabletop.engine.model import AUDIENCE
from tabletop.protocol.fairness import FAIR
from tabletop.storage.record import read
from tabletop.storage.record_lines import end_of
from tests.net.loopback import hosting, plan, play_on, seated


@pytest.mark.parametrize("name", [kit.id for kit in catalogue.shelf()])
async def test_two_guests_and_a_bot_or_none_play_to_the_end(name: str, tmp_path: Path) -> None:
    seats = catalogue.load(name).box.seats
    count = min((n for n in seats if n > 1), default=2)

    async with hosting(tmp_path) as host:
        groups = ((0,), tuple(range(1, max(2, count - 1))))
        bots = count - sum(map(len, groups))
        async with seated(host, plan(name, count, bots), *groups) as friends:
            friends[1].guest.watch()
            play_on(friends)
            (hosted,) = host.hosted_tables.values()
            for friend in friends:
                await friend.until(lambda friend=friend: friend.proofs)
            match = hosted.hosted_match.match
            assert match.state.result is not None
            assert match.state.options == catalogue.options(catalogue.load(name), apart=True)
            for friend in friends:
                for number, seat in friend.guest.own_seats.items():
                    assert seat.view == match.view(number)
                    assert tuple(seat.log) == match.log(number)
                assert friend.guest.check_proof(friend.proofs[0]) == FAIR
                assert friend.guest.fair_start == match.fair_start
            (file,) = tmp_path.glob("*.tabletop")
            record = read(file)
            assert (record.fair, record.end) == (match.fair_start, end_of(match.state.result))
            assert verify(file) == 0
            assert friends[1].guest.audience.view == match.view(AUDIENCE)


async def test_a_guests_seats_have_the_news_before_listeners_are_told(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0, 1)) as (ann,):
        guest, plies = ann.guest, list[set[int]]()
        await ann.until(lambda: len(guest.own_seats) == 2)
        seats = tuple(guest.own_seats.values())
        for seat in seats:
            seat.on_update(lambda _: plies.append({each.view.ply for each in seats}))
        ann.play()
        await ann.until(lambda: plies)
        assert plies == [{1}] * 2
