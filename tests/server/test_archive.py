"""The records of finished matches at a server: permission to fetch them, and their listing."""

import asyncio
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from tabletop.commands.arguments import UsageError
from tabletop.commands.finished_matches import records
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.home.known_hosts import MAX_TOKENS_PER_TABLE, KnownHosts
from tabletop.net.guest import archive_query
from tabletop.net.guest.archive_query import (
    BAD_RECORD,
    NO_ARCHIVE,
    fetch_record,
    list_all_finished,
    list_finished,
    parse_packed_record,
)
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.sanitising import sanitise
from tabletop.net.host.finished_file import FINISHED_SUFFIX
from tabletop.net.limits import Limits
from tabletop.protocol.archive import (
    PIECE_BYTES,
    FinishedMatch,
    FinishedMatches,
    MatchId,
    PackedRecord,
    TableTokens,
    pack_record,
    parse_match_id,
    unpack_record,
)
from tabletop.protocol.codec import BadMessage, decode_host_message, encode
from tabletop.protocol.fairness import verify_fair_start
from tabletop.protocol.invitation import Address
from tabletop.server import archive
from tabletop.server.archive import NO_RECORD, TOO_MANY_NAMES
from tabletop.server.backup import back_up, restore
from tabletop.server.server import TableServer
from tabletop.storage.record import read, to_bytes
from tabletop.storage.verification import verify_record
from tests.net.loopback import ROOMY, place_of, plan, play_out, seated
from tests.server.table_server import table_server


async def played(host: TableServer, **more: object) -> tuple[MatchId, str, str]:
    """A match that is over: its name, and the tokens of who hosts and of who came."""
    async with seated(host, plan("chains", 2, **more), (0,), (1,)) as friends:
        await play_out(friends)
        ann, ben = (friend.guest.ticket for friend in friends)
        return MatchId(ann.table, 1), ann.owner, ben.seats[1]


async def test_only_players_fetch_the_record(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        match, owner, ben = await played(host, listing="open")
        for token in (owner, ben):
            record = await fetch_record(place_of(host), match, ("wrong", token))
            assert not isinstance(record, Reason)
            assert verify_record(record)[-1].state.result is not None
            assert record.fair is not None
            assert verify_fair_start(record.fair, record.header.seed, record.header.players).fair
        for tokens in ((), ("wrong",), ("",)):
            assert await fetch_record(place_of(host), match, tokens) == NO_RECORD
        told = await list_finished(place_of(host), (TableTokens(match.table, (ben,)),))
        assert isinstance(told, FinishedMatches)
        (only,) = told.matches
        assert (only.match, only.players, only.open) == (
            match,
            ("Player 1", "Player 2"),
            False,
        )
        assert await list_finished(place_of(host)) == FinishedMatches(())
        nobody = (TableTokens(match.table, ("wrong",)), TableTokens("0" * 12, (ben,)))
        assert await list_finished(place_of(host), nobody) == FinishedMatches(())

        host.registry.close_table(match.table)  # its files move meanwhile
        while (await fetch_record(place_of(host), match, (ben,))) == NO_RECORD:
            await asyncio.sleep(0.01)
        assert sorted(path.suffix for path in (tmp_path / "finished").iterdir()) == [
            FINISHED_SUFFIX,
            ".tabletop",
        ]


async def test_a_table_may_open_its_records_to_everybody_with_the_link(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        hidden, _, _ = await played(host, records="link")
        shown, _, _ = await played(host, records="link", listing="open")
        for match in (hidden, shown):
            record = await fetch_record(place_of(host), match)
            assert not isinstance(record, Reason)
            path = tmp_path / "fetched.tabletop"
            path.write_bytes(to_bytes(record))
            assert verify_record(read(path))
        told = await list_finished(place_of(host))
        assert isinstance(told, FinishedMatches)
        assert [each.match for each in told.matches] == [shown]

        (tmp_path / f"{shown}{FINISHED_SUFFIX}").unlink()  # the operator takes it away
        assert await list_finished(place_of(host)) == FinishedMatches(())
        assert await fetch_record(place_of(host), shown) == NO_RECORD

    closed = replace(ROOMY, open_records=False)
    async with table_server(tmp_path, limits=closed) as host:
        assert await fetch_record(place_of(host), hidden) == NO_RECORD
        match, _, ben = await played(host, records="link", listing="open")
        (hosted,) = (t for t in host.hosted_tables.values() if t.table == match.table)
        assert hosted.plan.records == "players"
        assert await list_finished(place_of(host)) == FinishedMatches(())
        assert not isinstance(await fetch_record(place_of(host), match, (ben,)), Reason)


async def test_of_a_match_that_goes_on_nothing_is_handed_out(tmp_path: Path) -> None:
    async with (
        table_server(tmp_path) as host,
        seated(host, plan("sun", 2, records="link", listing="open"), (0,), (1,)) as friends,
    ):
        ticket = friends[0].guest.ticket
        match, tokens = MatchId(ticket.table, 1), (ticket.owner, ticket.seats[0])
        assert await fetch_record(place_of(host), match, tokens) == NO_RECORD
        assert await list_finished(place_of(host)) == FinishedMatches(())
        mine = (TableTokens(ticket.table, tokens),)
        assert await list_finished(place_of(host), mine) == FinishedMatches(())
        friends[0].guest.own_seats[0].concede()
        await friends[1].until(lambda: friends[1].proofs)
        assert not isinstance(await fetch_record(place_of(host), match), Reason)


async def test_a_guesser_of_names_waits(tmp_path: Path) -> None:
    async with table_server(tmp_path, limits=Limits(codes_per_address=2)) as host:
        for number in (1, 2):
            assert await fetch_record(place_of(host), MatchId("ab" * 6, number)) == NO_RECORD
        assert await fetch_record(place_of(host), MatchId("ab" * 6, 3)) == TOO_MANY_NAMES
        counted = {code: n for (_, code), n in host.metrics.refused.items()}
        assert counted == {"no_record": 2, "too_many_names": 1}


async def test_a_host_stopped_at_a_matchs_end_knows_its_players(tmp_path: Path) -> None:
    async with table_server(tmp_path / "one") as host:
        match, owner, ben = await played(host)
    (tmp_path / "one" / f"{match}{FINISHED_SUFFIX}").unlink()
    async with table_server(tmp_path / "one") as host:
        assert await fetch_record(place_of(host), match, (ben,)) == NO_RECORD
        await host.registry.wake(match.table)
        while (await fetch_record(place_of(host), match, (ben,))) == NO_RECORD:
            await asyncio.sleep(0.01)
    back_up(tmp_path / "one", tmp_path / "all.tar.gz")
    restore(tmp_path / "all.tar.gz", tmp_path / "two")
    with folders.use_key_folder(tmp_path / "two"):
        async with table_server(tmp_path / "two") as host:
            assert not isinstance(await fetch_record(place_of(host), match, (owner,)), Reason)


async def test_the_command_line_tells_and_fetches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLETOP_HOME", str(tmp_path / "ann"))
    out = tmp_path / "own.tabletop"

    async def told(**options: object) -> list[str]:
        assert await asyncio.to_thread(partial(records, **options)) == 0
        return capsys.readouterr().out.splitlines()

    async with table_server(tmp_path / "server") as host:
        match, _, _ = await played(host, listing="open", records="link")
        own, token, _ = await played(host)
        known = KnownHosts(folders.known_hosts())
        known.add_rejoinable(place_of(host), Ticket(own.table, owner=token), "ours", "chains")
        known.forget_table(own.table)
        where = f"127.0.0.1:{host.port}"
        first, second = await told(server=where)
        assert first.startswith(f"tabletop://{where}/{own}  chains")
        assert first.endswith("yours  chains for 2")
        assert second.startswith(f"tabletop://{where}/{match}  chains")
        await told(fetch=second.split()[0], out=tmp_path / "open.tabletop")
        (line,) = await told(server=where, fetch=str(own), out=out)
        assert line.startswith("own.tabletop: ")
        assert verify_record(read(out))
        with pytest.raises(UsageError):  # nothing is overwritten
            await told(server=where, fetch=str(own), out=out)
        hidden = partial(records, server=where, fetch=f"{'ab' * 6}-1")
        assert await asyncio.to_thread(hidden) == 1
        assert capsys.readouterr().err.strip() == NO_RECORD.text
    for wrong in ({"fetch": "x"}, {"fetch": f"{'ab' * 6}-1"}, {"server": "x", "out": out}, {}):
        with pytest.raises(UsageError):
            records(**wrong)


async def test_every_match_is_listed_page_by_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_LISTED_MATCHES", 1)
    monkeypatch.setattr(archive_query, "MAX_QUERIED_TABLES", 1)
    async with table_server(tmp_path) as host:
        ours = [await played(host, listing="open", records="link") for _ in range(3)]
        matches = {match for match, _, _ in ours}
        told = await list_all_finished(place_of(host))
        assert isinstance(told, FinishedMatches)
        assert ({each.match for each in told.matches}, told.more) == (matches, False)
        mine = tuple(TableTokens(match.table, (token,)) for match, _, token in ours)
        told = await list_all_finished(place_of(host), mine)
        assert isinstance(told, FinishedMatches)
        assert {each.match for each in told.matches} == matches


def test_a_server_sends_a_record_or_nothing() -> None:
    match = MatchId("ab" * 6, 1)
    long = bytes(5 * PIECE_BYTES)
    assert unpack_record(pack_record(long)) == long
    for content in (b"", b"x", b"{}\n", long):
        assert parse_packed_record(match, pack_record(content)) == BAD_RECORD
    whole = pack_record(b"what is small")
    for pieces in ((), (b"\0",), (whole.pieces[0][:-3],)):
        assert parse_packed_record(match, PackedRecord(pieces)) == BAD_RECORD
    bomb = pack_record(bytes(archive_query.MAX_RECORD_LINES) * 100)
    assert parse_packed_record(match, bomb) == BAD_RECORD
    assert parse_match_id("0123456789ab-7") == MatchId("0123456789ab", 7)
    for text in ("", "0123456789ab", "0123456789ab-0", "0123456789AB-1", "../../x-1", "a" * 12):
        assert parse_match_id(text) is None
    assert "records" in NO_ARCHIVE.text


def test_a_servers_list_of_matches_is_harmless() -> None:
    match = FinishedMatch(MatchId("ab" * 6, 1), "a\nb", "sun", ("Ann\u202e",), (0,), 1, True)
    (told,) = sanitise(FinishedMatches((match,))).matches
    assert (told.name, told.players) == ("a b", ("Ann",))
    for ended in (-1, 2**40):
        with pytest.raises(BadMessage):
            decode_host_message(encode(FinishedMatches((replace(match, ended=ended),))))


def test_no_table_of_a_year_is_forgotten(tmp_path: Path) -> None:
    known, there = KnownHosts(tmp_path / "known"), Address(("10.0.0.7",))
    for number in range(250):
        known.add_rejoinable(there, Ticket(f"{number:012x}", seats={0: "t"}), "ours", "sun")
    assert len(KnownHosts(tmp_path / "known").list_played_tables(there.name)) == 250


def test_of_a_table_the_latest_tokens_are_remembered(tmp_path: Path) -> None:
    known, there = KnownHosts(tmp_path / "known"), Address(("10.0.0.7",))
    for number in range(MAX_TOKENS_PER_TABLE + 1):
        known.add_rejoinable(there, Ticket("a" * 12, seats={0: f"t{number}"}), "ours", "sun")
    known.add_rejoinable(there, Ticket("b" * 12, seats={0: "u"}), "ours", "sun")
    known.forget_table("a" * 12)
    assert KnownHosts(tmp_path / "known").list_played_tables(there.name) == (
        TableTokens("a" * 12, tuple(f"t{number}" for number in range(1, MAX_TOKENS_PER_TABLE + 1))),
        TableTokens("b" * 12, ("u",)),
    )
    assert known.list_played_tables("10.0.0.8:18920") == ()
