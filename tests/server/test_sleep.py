"""A table without guests sleeps on disk: the next guest finds it as it was left."""

import gc
import shutil
import threading
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop import __version__
from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.match.match import Match
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.missing_game import resolve_game
from tabletop.net.host import table_registry
from tabletop.net.host.admission import NO_TABLE
from tabletop.net.host.opening_limits import TOO_MANY_TABLES
from tabletop.net.host.sleeping_tables import NOT_READ, OTHER_VERSION, load_table
from tabletop.protocol.game_files import GameFiles, ListGameFiles
from tabletop.protocol.messages import TableInfo
from tabletop.server.server import TableServer
from tabletop.storage.record import read, replay, save
from tabletop.studio.workshop import new_game as beginning
from tabletop.table.given_games import SharedGames
from tabletop.table.hosted_table import HostedTable
from tabletop.table.services import TableTiming
from tabletop.table.table_file import HostedTableFile
from tests.game_folders import change
from tests.net.loopback import (
    LONGEST,
    QUICK,
    ROOMY,
    Friend,
    opened,
    plan,
    play_on,
    play_out,
    run,
    seated,
    until,
)
from tests.server.table_server import table_server

DROWSY = replace(ROOMY, sleep_after_s=0)
SLOW_BOTS = TableTiming(grace_s=0.05, bot_delay_s=3600, share_timeout_s=5)


async def asleep(host: TableServer) -> None:
    await until(lambda: host.registry.sleeping and not host.hosted_tables)


@asynccontextmanager
async def back(host: TableServer, tickets: list[Ticket]) -> AsyncIterator[list[Friend]]:
    """Guests with the way back to a match that runs, each at its question again."""
    friends = [Friend(host.port, ticket=ticket) for ticket in tickets]
    try:
        for friend in friends:
            await friend.inside()
            await friend.until(lambda friend=friend: friend.guest.own_seats)
        yield friends
    finally:
        for friend in friends:
            await friend.close()


async def left_alone(host: TableServer, moves: int) -> list[Ticket]:
    """Start a match that everybody leaves; return the tickets."""
    async with seated(host, plan("sun", 2), (0,), (1,)) as friends:
        play_on(friends)
        before = host.metrics.moves
        await friends[0].until(lambda: host.metrics.moves >= before + moves)
        return [friend.guest.ticket for friend in friends]


def moves_on_disk(folder: Path, table: str) -> int:
    return len(read(folder / f"{table}-1.tabletop").entries)


async def test_the_first_guest_wakes_a_table_as_it_was_left(tmp_path: Path) -> None:
    there, copy = tmp_path / "there", tmp_path / "copy"
    async with table_server(there, limits=DROWSY) as host:
        tickets = await left_alone(host, 6)
        await asleep(host)
        (row,) = host.registry.sleeping.values()
        assert (row.phase, row.free_seats, row.players) == ("playing", 0, ("Player 1", "Player 2"))
        moves = moves_on_disk(there, row.table)
        shutil.copytree(there, copy)  # as much as a kill leaves of it

        key = Ticket(row.table, seats={0: "not it"}, fingerprint=host.certificate.fingerprint)
        stranger = Friend(host.port, ticket=key)
        assert await stranger.refusal(0) == NO_TABLE
        assert not host.hosted_tables
        await stranger.close()

        guest = Friend(host.port, ticket=Ticket(code=row.code))
        await guest.inside()
        assert host.hosted_tables.keys() == {row.table}
        await guest.close()
        await asleep(host)

        async with back(host, tickets) as friends:
            (hosted,) = host.hosted_tables.values()
            assert len(hosted.hosted_match.match.record) == moves
            before = host.metrics.moves
            play_on(friends)
            await friends[0].until(lambda: host.metrics.moves > before)
            assert moves_on_disk(there, row.table) > moves
            await play_out(friends)
            assert friends[0].guest.check_proof(friends[0].proofs[0]).fair

    async with table_server(copy, limits=DROWSY) as host:
        assert not host.hosted_tables
        assert host.registry.sleeping.keys() == {row.table}
        async with back(host, tickets) as friends:
            assert moves_on_disk(copy, row.table) == moves
            await play_out(friends)


async def test_a_match_wakes_as_the_game_was_when_it_was_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "home"))
    folder = folders.games() / "pond_night"
    beginning.create_game("Pond Night", folder, "free")
    catalogue.reread("pond_night")
    former = catalogue.load("pond_night").digest
    async with table_server(tmp_path / "there", limits=DROWSY) as host:
        async with seated(host, plan("pond_night", 2), (0,), (1,)) as friends:
            await friends[0].until(lambda: friends[0].guest.own_seats)
            info = friends[0].guest.info
        await asleep(host)
        change(folder / "cards.csv", "Drop,8,", "Drop,9,")
        catalogue.reread("pond_night")
        hosted = await host.registry.wake(info.table)
        assert isinstance(hosted, HostedTable)
        assert hosted.kit.digest == former != catalogue.load("pond_night").digest
        assert len(hosted.hosted_match.match.state.backs) == len(hosted.kit.deck)
        known = resolve_game(info)
        assert isinstance(known, TableInfo)
        assert catalogue.load(known.plan.game).digest == former
        files = await SharedGames().answer(hosted, ListGameFiles())
        assert isinstance(files, GameFiles)
        assert files.digest == former
    catalogue.reread("pond_night")


async def test_others_are_served_while_a_table_is_woken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, woken = threading.Event(), list[str]()

    def slowly(folder: Path, table: str) -> tuple[HostedTableFile, Match | None]:
        woken.append(table)
        assert go_on.wait(LONGEST)
        return load_table(folder, table)

    async with table_server(tmp_path, limits=DROWSY) as host:
        tickets = await left_alone(host, 6)
        await asleep(host)
        monkeypatch.setattr(table_registry, "load_table", slowly)
        friends = [Friend(host.port, ticket=ticket) for ticket in tickets]
        await until(lambda: woken)
        await opened(host)
        assert len(host.hosted_tables) == 1
        go_on.set()
        for friend in friends:
            await friend.inside()
            await friend.until(lambda friend=friend: friend.guest.own_seats)
        assert len(woken) == 1, "both waited for the same"
        await play_out(friends)


def test_a_sleeping_table_is_not_kept_in_memory(tmp_path: Path) -> None:
    async def evening() -> None:
        async with table_server(tmp_path, limits=DROWSY) as host:
            async with seated(host, plan("chains", 2, 1), (0,)) as (ann,):
                play_on([ann])
                await ann.until(lambda: host.metrics.moves > 2)
                held = [weakref.ref(hosted) for hosted in host.hosted_tables.values()]
                held += [weakref.ref(held[0]().hosted_match.match)]
            await asleep(host)

            def gone() -> bool:
                gc.collect()
                return not any(ref() for ref in held)

            await until(gone)

    run(evening)


async def test_bots_that_play_alone_play_on_and_those_that_wait_sleep(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=DROWSY, timing=SLOW_BOTS) as host:
        async with seated(host, plan("chains", 2, 1), (0,)) as (ann,):
            (table,) = host.hosted_tables
            ann.guest.set_absent(0)
            await ann.until(lambda: ann.guest.info.pause)
        await asleep(host)  # no matter the question: its bot waits as well, for Ann
        async with back(host, [ann.guest.ticket]) as (ann,):
            ann.guest.set_absent(0)
            await ann.until(lambda: ann.guest.info.pause)
            ann.guest.decide("bot")
            await ann.until(lambda: ann.guest.info.sitters[0].state == "bot")
        await until(lambda: not host.hosted_tables[table].guests)
        host.registry.close_abandoned_tables()
        host.registry.close_abandoned_tables()
        assert table in host.hosted_tables
    async with table_server(tmp_path, limits=DROWSY, timing=QUICK) as host:
        await asleep(host)
        (row,) = host.registry.sleeping.values()
        assert row.phase == "over"
        assert read(tmp_path / f"{table}-1.tabletop").end is not None


async def test_a_table_of_other_rules_is_kept_and_says_both_versions(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=DROWSY) as host:
        tickets = await left_alone(host, 3)
        other = await left_alone(host, 3)
    table, code = tickets[0].table, tickets[0].code
    journal = tmp_path / f"{table}-1.tabletop"
    before = journal.read_bytes()
    rules = catalogue.load("sun").box.rules
    versions = {"theirs": "0.9", "ours": __version__, "our_rules": rules}
    for header, theirs in (({"rules": 77}, 77), ({"cards": "another deck"}, rules)):
        record = read(journal)
        save(replace(record, header=replace(record.header, program="0.9", **header)), journal)
        written = journal.read_bytes()
        async with table_server(tmp_path, limits=DROWSY) as host:
            for ticket in (tickets[0], Ticket(code=code)):
                guest = Friend(host.port, ticket=ticket)
                await guest.until(lambda guest=guest: guest.refused)
                (refused,) = guest.refused
                assert refused.reason.text == OTHER_VERSION.text
                assert refused.reason.args == versions | {"their_rules": theirs}
                assert not refused.closed
                assert guest.guest.ticket == ticket
                await guest.close()
            async with back(host, other) as friends:
                play_on(friends)
                await friends[0].until(lambda host=host: host.metrics.moves)
            assert table in host.registry.sleeping
        assert journal.read_bytes() == written
        journal.write_bytes(before)
    async with table_server(tmp_path, limits=DROWSY) as host, back(host, tickets) as friends:
        await play_out(friends)


async def test_a_table_that_cannot_be_read_is_kept(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=DROWSY) as host:
        tickets = await left_alone(host, 3)
        await asleep(host)
        journal = tmp_path / f"{tickets[0].table}-1.tabletop"
        whole = journal.read_bytes()
        journal.write_bytes(b"x" + whole)
        guest = Friend(host.port, ticket=tickets[0])
        assert await guest.refusal(0) == NOT_READ
        await guest.close()
        journal.write_bytes(whole)  # the operator has repaired it
        async with back(host, tickets) as friends:
            await play_out(friends)


async def test_a_sleeping_table_counts_and_is_cleared_away_in_time(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=replace(DROWSY, tables=1)) as host:
        tickets = await left_alone(host, 3)
        await asleep(host)
        late = Friend(host.port)
        late.guest.open_table(plan("sun", 2), "")
        assert await late.refusal(0) == TOO_MANY_TABLES
    async with table_server(
        tmp_path, limits=replace(DROWSY, unfinished_table_lifetime_s=0)
    ) as host:
        await until(lambda: not host.registry.tables)
        guest = Friend(host.port, ticket=tickets[0])
        await guest.until(lambda: guest.refused)
        assert guest.refused[0].closed
    (record,) = (tmp_path / "finished").iterdir()
    assert replay(read(record)).record
    assert not list(tmp_path.glob("*.table"))


@pytest.mark.parametrize("game", catalogue.names())
async def test_every_game_wakes_as_it_slept(game: str, tmp_path: Path) -> None:
    """In the middle of a match, or after its end where that comes sooner."""

    seats = min(catalogue.load(game).box.seats)
    async with table_server(tmp_path, limits=DROWSY) as host:
        async with seated(host, plan(game, seats), tuple(range(seats))) as (all_,):
            play_on([all_])
            await all_.until(lambda: host.metrics.moves > 4 or all_.proofs)
            all_.plays = False
            await until(lambda: not any(seat.pending for seat in all_.guest.own_seats.values()))
            (hosted,) = host.hosted_tables.values()
            match = hosted.hosted_match.match
            left = {viewer: match.make_reset(viewer) for viewer in match.viewers}
        await asleep(host)
        async with back(host, [all_.guest.ticket]):
            (hosted,) = host.hosted_tables.values()
            match = hosted.hosted_match.match
            assert {viewer: match.make_reset(viewer) for viewer in match.viewers} == left
