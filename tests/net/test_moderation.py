"""The host's decisions about guests: removing, muting, a new code, the lobby queue."""

from pathlib import Path

import pytest
from msgspec.json import decode, encode

from tabletop.engine.model import AUDIENCE, Reason
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.admission import NO_TABLE, WRONG_CODE
from tabletop.net.host.table_registry import CROWDED, WAITING_FOR_ADMISSION
from tabletop.net.limits import Limits
from tabletop.protocol.fairness import FAIR
from tabletop.protocol.messages import Farewell, Notice, SeatConfig, Welcome
from tabletop.protocol.moderation import (
    AdmitGuest,
    RemovePlayer,
    RenewCode,
    RequireApproval,
    SetMuted,
)
from tabletop.table.hosted_match import CARRIED_ON
from tabletop.table.lobby_queue import MAX_WAITING_PER_ORIGIN
from tabletop.table.requests import BANNED, GONE_AGAIN, MUTED, REMOVED, TURNED_AWAY
from tabletop.table.rights import HOST_ONLY
from tabletop.table.services import NOT_NOW
from tests.net.loopback import Friend, begin, hosting, opened, plan, play_out, seated


def heard(friend: Friend, reason: Reason) -> bool:
    """Whether a guest got this notice."""
    return any(isinstance(news, Notice) and news.reason.text == reason.text for news in friend.news)


@pytest.mark.parametrize("ban", [False, True])
async def test_a_removed_guest_returns_only_without_a_ban(ban: bool, tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await bea.sit(1)
        ticket = bea.guest.ticket
        bea.guest.say(RemovePlayer(0))
        assert await bea.refusal() == HOST_ONLY
        ann.guest.say(RemovePlayer(0))
        assert await ann.refusal() == NOT_NOW, "the own seat is got up from"
        ann.guest.say(RemovePlayer(1, ban))
        told = await bea.farewell()
        assert told.reason == (BANNED if ban else REMOVED)
        assert bea.guest.ticket == Ticket(), "the way back is torn up"
        await ann.until(lambda: ann.guest.info.sitters[1].state == "free")
        for again in (Ticket(code=ticket.code), ticket):
            cat = Friend(host.port, ticket=again)
            if ban:
                assert await cat.refusal() == BANNED
            else:
                await cat.inside()
                assert cat.guest.seats == (), "the key fits no more"
            await cat.close()
    async with hosting(tmp_path) as host:
        cat = Friend(host.port, ticket=Ticket(code=ticket.code))
        if ban:
            assert await cat.refusal() == BANNED, "a host that starts again knows it still"
        else:
            await cat.inside()


async def test_a_bot_plays_on_for_a_removed_player(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
        ticket = bea.guest.ticket
        ann.guest.say(RemovePlayer(1))
        assert (await bea.farewell()).closed
        await ann.until(lambda: heard(ann, CARRIED_ON))
        again = Friend(host.port, ticket=ticket)
        await again.inside()
        assert again.guest.seats == ()
        await again.close()
        await play_out([ann])
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR
        ann.guest.gather_for_rematch()
        await ann.until(lambda: ann.guest.info.phase == "gathering")
        assert ann.guest.info.sitters[1].state == "free"


async def test_a_removed_player_stays_removed_after_a_restart(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
        ann.guest.say(RemovePlayer(1))
        await bea.farewell()
        await ann.until(lambda: ann.guest.info.sitters[1].state == "bot")
        ticket = ann.guest.ticket
    async with hosting(tmp_path) as host:
        ann = Friend(host.port, ticket=ticket)
        await ann.until(lambda: ann.guest.own_seats)
        await play_out([ann])


async def test_removing_one_of_two_at_a_computer_bans_both(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sisters", 4), 0)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await bea.sit(1, 2, 3)
        ann.guest.say(RemovePlayer(3))
        await bea.until(lambda: bea.guest.seats == (1, 2))
        assert bea.guest.connection_state == "inside"
        ann.guest.say(RemovePlayer(2, True))
        assert (await bea.farewell()).reason == BANNED
        await ann.until(lambda: [s.state for s in ann.guest.info.sitters[1:]] == ["free"] * 3)


async def test_a_muted_guests_chat_reaches_nobody(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await bea.sit(1)
        cat = Friend(host.port, ticket=Ticket(code=ann.code))
        await cat.inside()
        bea.guest.say(SetMuted(0))
        assert await bea.refusal() == HOST_ONLY
        ann.guest.say(SetMuted(1))
        ann.guest.say(SetMuted(AUDIENCE))
        await bea.until(lambda: bea.guest.info.muted == (AUDIENCE, 1))
        for friend, seat in ((bea, 1), (cat, AUDIENCE)):
            friend.guest.send_chat("Hello?", seat)
            assert await friend.refusal() == MUTED
        ann.guest.say(SetMuted(1, False))
        await bea.until(lambda: bea.guest.info.muted == (AUDIENCE,))
        bea.guest.send_chat("Hello!", 1)
        await ann.until(lambda: ann.guest.chat)
        assert [line.text for line in ann.guest.chat] == ["Hello!"]
        ann.guest.say(SetMuted(1))
        ann.guest.configure_seat(1, SeatConfig())
        await ann.until(lambda: ann.guest.info.muted == (AUDIENCE,))


async def test_a_new_code_opens_and_the_one_before_does_not(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await bea.sit(1)
        old = ann.code
        bea.guest.say(RenewCode())
        assert await bea.refusal() == HOST_ONLY
        assert ann.code == old
        ann.guest.say(RenewCode())
        await bea.until(lambda: bea.code != old)
        await ann.until(lambda: ann.guest.invitation.code != old)
        cat = Friend(host.port, ticket=Ticket(code=old))
        assert await cat.refusal() == WRONG_CODE
        cat.guest.join(Ticket(code=ann.code))
        await cat.inside()
        await bea.line.abort()
        await bea.until(lambda: bea.guest.connection_state == "away")
        await bea.inside()
        assert bea.guest.seats == (1,)


async def test_the_host_lets_in_or_turns_away_by_hand(tmp_path: Path) -> None:
    async def host_looks_twice(bea: Friend) -> None:
        """A guest in the lobby queue is not cut off for being at no table."""
        for _ in range(2):
            watcher = Friend(bea.line.address.port)
            await watcher.farewell()
            await watcher.close()
        assert not any(isinstance(news, Farewell) for news in bea.news)

    limits = Limits(greeting_timeout_s=0.3, connections_per_address=99)
    async with hosting(tmp_path, limits=limits) as host:
        ann = await opened(host, plan("sun", 2, knock=True), 0)
        bea = Friend(host.port)
        bea.guest.knock_name = "B\u202eea"
        bea.guest.join(Ticket(code=ann.code))
        await bea.until(lambda: heard(bea, WAITING_FOR_ADMISSION))
        await ann.until(lambda: ann.guest.info.knocking)
        (knock,) = ann.guest.info.knocking
        assert knock.name == "Bea"
        assert bea.guest.connection_state == "outside"
        assert bea.guest.info is None, "nothing is told at the door"
        cat = Friend(host.port, ticket=Ticket(code=ann.code))
        await ann.until(lambda: len(ann.guest.info.knocking) == MAX_WAITING_PER_ORIGIN)
        assert ann.guest.info.knocking[1].name == "127.0.0.1"
        dot = Friend(host.port, ticket=Ticket(code=ann.code))
        assert await dot.refusal() == CROWDED
        await host_looks_twice(bea)
        ann.guest.say(AdmitGuest(ann.guest.info.knocking[1].number, False))
        assert await cat.refusal() == TURNED_AWAY
        ann.guest.say(AdmitGuest(knock.number))
        await bea.inside()
        await ann.until(lambda: not ann.guest.info.knocking)
        ann.guest.say(AdmitGuest(knock.number))
        assert await ann.refusal() == GONE_AGAIN
        await bea.sit(1)
        await bea.line.abort()
        await bea.until(lambda: bea.guest.connection_state == "away")
        await bea.inside()
        assert bea.guest.seats == (1,), "who has a key need not knock"
        bea.guest.set_ready(1)
        await begin([ann, bea])


async def test_opening_the_door_admits_waiting_guests(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        ann.guest.say(RequireApproval(True))
        await ann.until(lambda: ann.guest.info.plan.knock)
        bea = Friend(host.port, ticket=Ticket(code=ann.code))
        await ann.until(lambda: ann.guest.info.knocking)
        bea.guest.say(RequireApproval(False))
        assert await bea.refusal() == NOT_NOW
        ann.guest.say(RequireApproval(False))
        await bea.inside()
        ann.guest.say(RequireApproval(True))
        await ann.until(lambda: ann.guest.info.plan.knock)
        cat = Friend(host.port, ticket=Ticket(code=ann.code))
        await ann.until(lambda: ann.guest.info.knocking)
        await cat.close()
        await ann.until(lambda: not ann.guest.info.knocking)
        dot = Friend(host.port, ticket=Ticket(code=ann.code))
        await ann.until(lambda: ann.guest.info.knocking)
        ann.guest.leave()
        assert await dot.refusal() == NO_TABLE


async def test_an_older_host_is_asked_for_nothing_it_does_not_know(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("sun", 2), 0)
        assert ann.guest.supports_moderation
    older = decode(encode({"type": "welcome", "protocol": 1, "program": "0.1"}), type=Welcome)
    assert older.features == ()
