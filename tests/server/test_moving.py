"""A running table moves from its host's window to a server and back, with all who sit at it."""

import asyncio
from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from tabletop.match.history import Entry
from tabletop.match.match import Match
from tabletop.net.guest.dial import UNREACHABLE, WrongCertificate, with_host_name
from tabletop.net.guest.server_query import request_move_offer
from tabletop.net.host import relocation
from tabletop.net.host import table_packing as parcels
from tabletop.net.host.opening_limits import TOO_MANY_TABLES, WRONG_KEY
from tabletop.net.host.relocation import NOT_TAKEN, relocate_to_server
from tabletop.net.host.table_packing import OTHERS_MOVE
from tabletop.protocol.fairness import FAIR
from tabletop.protocol.invitation import Address
from tabletop.protocol.messages import Notice
from tabletop.protocol.table_transfer import TableMoveAllowed, TableMoved
from tabletop.server.server_tables import DRAINING
from tabletop.table.services import NOT_NOW
from tests.net.loopback import (
    LONGEST,
    ROOMY,
    Friend,
    opened,
    place_of,
    plan,
    play_on,
    play_out,
    run,
    seated,
)
from tests.server.table_server import table_server

FEW = replace(ROOMY, tables=1)


async def all_follow(friends: list[Friend], times: int) -> None:
    for friend in friends:
        await friend.until(
            lambda friend=friend: sum(isinstance(n, TableMoved) for n in friend.news) == times
        )
        await friend.inside()
        await friend.until(lambda friend=friend: friend.guest.own_seats)


async def test_a_table_moves_to_a_server_and_back(tmp_path: Path) -> None:
    async with (
        table_server(tmp_path / "window") as window,
        table_server(tmp_path / "server", key="own") as server,
        seated(window, plan("sun", 2), (0,), (1,)) as friends,
    ):
        ann, bea = friends
        play_on(friends)
        await ann.until(lambda: window.metrics.moves > 4)
        (hosted,) = window.hosted_tables.values()
        moved = await relocate_to_server(window.registry, hosted, place_of(server), "own")
        assert moved is None
        assert not window.hosted_tables
        await all_follow(friends, 1)
        (there,) = server.hosted_tables.values()
        assert there.table == hosted.table
        assert len(there.hosted_match.match.record) >= len(hosted.hosted_match.match.record)
        await ann.until(lambda: server.metrics.moves > 2)
        assert (ann.guest.is_host, bea.guest.is_host) == (True, False), "who hosts stays who it was"
        for friend in friends:
            friend.plays = False

        bea.guest.accept_hosting(window.port, window.certificate.fingerprint, "anything")
        await bea.until(lambda: any(refused.of == "berth" for refused in bea.refused))
        assert bea.refused[-1].reason == NOT_NOW, "only its host takes a table away"
        key = window.registry.incoming.expect(lambda table, owner: ann.guest.become_host(owner))
        ann.guest.accept_hosting(window.port, window.certificate.fingerprint, key)
        await all_follow(friends, 2)
        assert not server.hosted_tables
        assert list(window.hosted_tables) == [hosted.table]
        await play_out(friends)
        for friend in friends:
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR


async def test_others_are_served_while_a_match_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, served = asyncio.Event(), Event()

    loop = asyncio.get_running_loop()

    class LongMatch(Match):
        def restore(self, entry: Entry) -> None:
            loop.call_soon_threadsafe(begun.set)
            assert served.wait(LONGEST), "nobody is served meanwhile"
            super().restore(entry)

    async with (
        table_server(tmp_path / "window") as window,
        table_server(tmp_path / "server") as server,
        seated(window, plan("sun", 2), (0,), (1,)) as friends,
    ):
        play_on(friends)
        await friends[0].until(lambda: window.metrics.moves > 4)
        (hosted,) = window.hosted_tables.values()
        monkeypatch.setattr(parcels, "Match", LongMatch)
        moving = asyncio.create_task(
            relocate_to_server(window.registry, hosted, place_of(server), "")
        )
        await begun.wait()
        other = await opened(server)
        assert not moving.done()
        served.set()
        assert await moving is None
        await all_follow(friends, 1)
        await other.close()
        await play_out(friends)


def test_a_table_that_cannot_move_stays_and_its_host_reads_why(tmp_path: Path) -> None:
    async def evening() -> None:
        async with (
            table_server(tmp_path / "window") as window,
            table_server(tmp_path / "server", key="own", limits=FEW) as server,
            seated(window, plan("sun", 2), (0,), (1,)) as friends,
        ):
            (hosted,) = window.hosted_tables.values()

            async def tried(key: str, there: Address | None = None) -> object:
                return await relocate_to_server(
                    window.registry, hosted, there or place_of(server), key
                )

            nobody = Address(("127.0.0.1",), 1, "ab" * 32)
            assert await tried("own", nobody) == with_host_name(UNREACHABLE, nobody)
            assert await tried("wrong") == WRONG_KEY
            with pytest.raises(WrongCertificate):
                await tried("own", Address(("127.0.0.1",), server.port, "ab" * 32))
            full = Friend(server.port, server.certificate.fingerprint)
            full.guest.open_table(plan("sun", 2), "own")
            await full.inside()
            assert await tried("own") == TOO_MANY_TABLES
            server.registry.close_table(full.guest.info.table)
            for _ in range(8):
                await request_move_offer(place_of(server), "own")
            assert await tried("own") == OTHERS_MOVE
            server.registry.drain()
            assert await tried("own") == DRAINING
            ann = friends[0]
            ann.guest.accept_hosting(1, "ab" * 32, "nowhere")
            await ann.until(lambda: Notice(NOT_TAKEN) in ann.news)
            assert list(window.hosted_tables) == [hosted.table]
            await full.close()
            await play_out(friends)

    run(evening)


async def test_another_computer_where_a_table_is_to_move_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def offered(place: Address, key: str) -> TableMoveAllowed:
        return TableMoveAllowed("key")

    async with (
        table_server(tmp_path / "window") as window,
        table_server(tmp_path / "server") as server,
        seated(window, plan("sun", 2), (0,), (1,)) as friends,
    ):
        ann = friends[0]
        ann.guest.accept_hosting(server.port, "ab" * 32, "key")
        await ann.until(lambda: Notice(NOT_TAKEN) in ann.news)
        monkeypatch.setattr(relocation, "request_move_offer", offered)  # and only then
        (hosted,) = window.hosted_tables.values()
        with pytest.raises(WrongCertificate):
            await relocate_to_server(
                window.registry, hosted, Address(("127.0.0.1",), server.port, "ab" * 32), ""
            )
        assert list(window.hosted_tables) == [hosted.table]
        await play_out(friends)
