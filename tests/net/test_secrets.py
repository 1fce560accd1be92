"""Two worlds over the wire: tables that a seat cannot tell apart are sent to it in the very same
bytes."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.engine.scratch import FastRng
from tabletop.match.history import Entry, History, Ply
from tabletop.match.match import Disclosure, Match
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.codec import decode_host_message, encode
from tabletop.protocol.messages import (
    FromGuest,
    JoinTable,
    TableNews,
    Watch,
)
from tabletop.studio.laws import player_messages
from tabletop.studio.laws.random_games import GameTable, PlayedTurn, sample_answers, turns
from tabletop.table.services import TableTiming
from tests.net.loopback import LONG, Friend, greeted, hosting, plan, play_on, run, seated

TURNS = 40 if LONG else 6
"""The number of answers of each game to look at."""


async def heard(line: ClientConnection, *said: FromGuest) -> list[bytes]:
    """Return the host's answers to these messages, up to the news of the table."""
    for message in said:
        await line.send(encode(message), text=True)
    frames = []
    while True:
        frame = await line.recv(decode=False)
        frames.append(frame)
        if isinstance(decode_host_message(frame), TableNews):
            return frames


def stands(match: Match, turn: PlayedTurn) -> None:
    """Have the match stand as before this turn."""
    dealt = match.plies[0]
    match._history = History(dealt.state, dealt.events)
    match._history.plies.append(Ply(turn.before, (), Entry(withdraw=True)))
    match._disclosures = [Disclosure(dict.fromkeys(match.viewers, ()), True)] * 2


@pytest.mark.parametrize("name", [kit.id for kit in catalogue.shelf()])
def test_two_worlds_that_a_seat_cannot_tell_apart_sound_the_same(name: str, tmp_path: Path) -> None:
    kit = catalogue.load(name)
    count = max(2, kit.box.seats[0])
    setting = GameTable(name, kit.rules, kit.backs, count, catalogue.options(kit))
    chance = FastRng(f"worlds of {name}")
    game = [turn for turn in turns(setting, f"worlds of {name}") if turn.after.result is None]

    async def compare(match: Match, line: ClientConnection, viewer: int, me: JoinTable) -> int:
        compared = 0
        again: FromGuest = Watch() if viewer == AUDIENCE else me
        if viewer == AUDIENCE:
            await line.send(encode(me), text=True)
        await heard(line, again)
        for turn in sample_answers(game, TURNS):
            others = player_messages.indistinguishable_turns(
                setting, turn, viewer, match.seed, chance
            )
            for _, other in others:
                told = []
                for world in (turn, other):
                    assert world.seat is not None
                    assert world.move is not None
                    stands(match, world)
                    frames = await heard(line, again)
                    hosted.hosted_match.play(world.seat, world.move)
                    told.append(frames + await heard(line))
                assert told[0] == told[1]
                compared += 1
        return compared

    async def evening() -> None:
        nonlocal hosted
        async with (
            hosting(tmp_path, pace=TableTiming(grace_s=1000)) as host,
            seated(host, plan(name, count), tuple(range(count))) as friends,
        ):
            (hosted,) = host.hosted_tables.values()
            match = hosted.hosted_match.match
            match.journal, match.seed = None, f"worlds of {name}"
            tickets = friends[0].guest.ticket
            await friends[0].close()  # it would ask to be shown the table afresh at each jump
            while hosted.guests:
                await asyncio.sleep(0.001)
            compared = 0
            for viewer in (AUDIENCE, 0, 1):
                line = await greeted(host.port)
                seats = {viewer: tickets.seats[viewer]} if viewer != AUDIENCE else {}
                me = JoinTable(tickets.table, tickets.code, "", seats)
                compared += await compare(match, line, viewer, me)
                await line.close()
            assert compared

    hosted = None
    run(evening)


async def test_nothing_that_is_secret_is_in_any_message_before_the_end(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sisters", 2), (0,), (1,)) as two:
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        cat = Friend(host.port, ticket=Ticket(code=hosted.code))
        cat.guest.watch()
        await cat.until(lambda: cat.guest.audience)
        play_on(two)
        for friend in (*two, cat):
            await friend.until(lambda friend=friend: friend.proofs)
            before = friend.news[: friend.news.index(friend.proofs[0])]
            wire = b"".join(msgspec.json.encode(news) for news in before)
            for secret in (
                match.seed,
                hosted.hosted_match.seed_shares.secret,
                *hosted.hosted_match.seed_shares.shares.values(),
            ):
                assert secret.encode() not in wire
            tokens = {t for other in two for t in other.guest.ticket.seats.values()}
            own = set(friend.guest.ticket.seats.values())
            assert not any(token.encode() in wire for token in tokens - own)
            assert b'"viewer":null' not in wire


async def test_the_folder_of_a_host_keeps_no_token_in_clear(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        tokens = [t for f in friends for t in f.guest.ticket.seats.values()]
        tokens.append(friends[0].guest.ticket.owner)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(token.encode() in content for token in tokens)
    kept = (tmp_path / f"{hosted.table}-1.tabletop").read_bytes()
    match = hosted.hosted_match.match
    assert match.seed.encode() not in kept
