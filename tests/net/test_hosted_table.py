"""Actions at a shared table besides playing: everybody is notified, and nothing is lost."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from tabletop.bots.answer_time import DELIVERY_TIME_S, AnswerClock
from tabletop.bots.decision import TIME_LIMITS_S
from tabletop.commands.records import verify
from tabletop.engine.model import AUDIENCE
from tabletop.engine.play import Illegal
from tabletop.match.history import Entry
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import NOT_CONNECTED
from tabletop.net.host.admission import NO_TABLE, WRONG_CODE
from tabletop.net.host.opening_limits import WRONG_KEY
from tabletop.net.host.relocation import DECLINED, plan_relocation
from tabletop.protocol.codec import decode_guest_message, encode
from tabletop.protocol.fairness import FAIR
from tabletop.protocol.messages import (
    ChatLine,
    Concede,
    Concession,
    Notice,
    Play,
    SeatConfig,
    ShuffleStarted,
    Vote,
)
from tabletop.protocol.table_transfer import NewHost, OfferHosting, TableMoved
from tabletop.storage.record import read
from tabletop.table import bot_driver
from tabletop.table.connection_events import Lost
from tabletop.table.hosted_match import ENDED, NOTHING_OF_YOURS, PAUSED
from tabletop.table.requests import (
    BAD_CLAIM,
    NAMELESS,
    NO_SPECTATORS,
    NO_SYMBOL,
    NOT_READY,
    SAME_NAME,
    SEAT_FREE,
    TAKEN,
)
from tabletop.table.rights import ALREADY_STARTED, BOT_PLAYS, HOST_ONLY, NO_SEAT, NOT_YOURS
from tabletop.table.services import NOT_NOW, TableTiming
from tabletop.table.timers import Timers
from tests.net.loopback import (
    LONGEST,
    Friend,
    begin,
    hosting,
    opened,
    plan,
    play_out,
    ready_again,
    seated,
)


def answer(friend: Friend, seat: int) -> bool:
    """Give one answer for a seat, where it is asked; whether it was."""
    own = friend.guest.own_seats[seat]
    asks = [ask for ask in own.view.asks if ask.id in own.offers]
    if asks and own.pending is None:
        own.send(next(iter(own.offers[asks[0].id][0].moves(asks[0].id))))
        return True
    return False


async def one_move(friends: list[Friend]) -> int:
    """Have somebody answer who is asked; gives the seat, once everybody has seen it."""
    while True:
        for friend in friends:
            for number, seat in friend.guest.own_seats.items():
                ply = seat.view.ply
                if answer(friend, number):
                    await everybody_past(friends, ply)
                    return number
        await asyncio.sleep(0.005)  # it is a bot's turn


async def everybody_past(friends: list[Friend], ply: int) -> None:
    for friend in friends:
        for seat in friend.guest.own_seats.values():
            await friend.until(lambda seat=seat: seat.view.ply > ply)


async def test_seats_are_taken_once_and_with_a_right_to_them(tmp_path: Path) -> None:
    async with hosting(tmp_path, key="mine") as host:
        ann = Friend(host.port)
        ann.guest.open_table(plan("chains", 3, 1), "not mine")
        assert await ann.refusal() == WRONG_KEY
        ann.guest.open_table(plan("chains", 3, 1), "mine")
        await ann.inside()
        invitation = ann.guest.invitation
        await ann.until(lambda: ann.guest.invitation)
        invitation = ann.guest.invitation
        assert invitation.claims.keys() == {0, 1}
        bea = Friend(host.port, ticket=Ticket(code="AAAAAA"))
        assert await bea.refusal() == WRONG_CODE
        bea.guest.join(Ticket(table="nowhere"))
        assert await bea.refusal() == NO_TABLE
        bea.guest.join(Ticket(code=invitation.code))
        await bea.inside()
        await ann.sit(0)
        for seat, name, claim, why in (
            (0, "Bea", "", TAKEN),
            (2, "Bea", "", TAKEN),
            (9, "Bea", "", NO_SEAT),
            (1, "\u202e \x00", "", NAMELESS),
            (1, "Player 1", "", SAME_NAME),
            (1, "Bea", "wrong", BAD_CLAIM),
        ):
            bea.guest.sit(seat, name, claim=claim)
            assert await bea.refusal() == why
        for symbol in ("zzz", "../icons/undo", "\u202esun"):
            bea.guest.sit(1, "Bea", symbol)
            assert await bea.refusal() == NO_SYMBOL
        assert not bea.guest.seats
        ann.guest.start()
        assert await ann.refusal() == SEAT_FREE
        bea.guest.sit(1, "  B\u202eea\n", claim=invitation.claims[1])
        await bea.until(lambda: bea.guest.seats == (1,))
        await bea.until(lambda: bea.guest.info.sitters[1].name == "Bea")
        ann.guest.start()
        assert await ann.refusal() == NOT_READY
        bea.guest.start()
        assert await bea.refusal() == HOST_ONLY
        bea.guest.set_ready(0)
        assert await bea.refusal() == NOT_YOURS
        ann.guest.configure_seat(1, SeatConfig())
        await bea.until(lambda: bea.guest.seats == ())
        bea.guest.sit(1, "Bea")
        await bea.until(lambda: bea.guest.seats == (1,))
        bea.guest.set_ready(1)
        await begin([ann, bea])
        bea.guest.configure_seat(1, SeatConfig())
        assert await bea.refusal() == HOST_ONLY
        ann.guest.configure_seat(1, SeatConfig())
        assert await ann.refusal() == ALREADY_STARTED
        bea.guest.say(Play(0, next(iter(ann.guest.own_seats[0].offers[0][0].moves(0)))))
        assert await bea.refusal() == NOT_YOURS


async def test_chat_is_plain_text_and_reaches_everybody(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        friends[1].guest.send_chat("<b>hi\x07</b>\u202e \n there", 1)
        for friend in friends:
            await friend.until(lambda friend=friend: friend.guest.chat)
            assert friend.guest.chat == [ChatLine(1, "<b>hi</b> there")]
        friends[1].guest.send_chat("I am Ann", 0)
        assert await friends[1].refusal() == NOT_YOURS


async def test_a_move_is_taken_back_alone_or_by_consent(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        friends[0].guest.own_seats[0].undo()
        assert (await friends[0].refusal()).text == "There's nothing to undo."
        await one_move(friends)
        while match.can_undo(match.plies[-1].seat):
            await one_move(friends)
        seat = match.plies[-1].seat
        assert seat is not None
        mover, other = friends[seat], friends[1 - seat]
        before = match.plies[-2].state
        for agree in (False, True):
            mover.guest.own_seats[seat].undo()
            await other.until(lambda: other.guest.info.wish)
            other.guest.answer_wish(1 - seat, agree)
            await other.until(lambda: other.guest.info.wish is None)
        await mover.until(lambda: mover.guest.own_seats[seat].view.ply == before.ply)
        assert match.state == before
        assert any(
            isinstance(news, Notice) and "doesn't agree" in news.reason.text for news in mover.news
        )


async def test_an_absent_seat_is_awaited_or_played_by_a_bot(tmp_path: Path) -> None:
    quick = plan("chains", 2, patience=0.2)
    async with hosting(tmp_path) as host, seated(host, quick, (0,), (1,)) as (ann, bea):
        ticket = bea.guest.ticket
        ann.guest.decide("bot")
        assert await ann.refusal() == NOT_NOW
        await bea.close()
        await ann.until(lambda: ann.guest.info.pause)
        assert ann.guest.info.pause.seats == (1,)
        assert ann.guest.info.sitters[1].state == "away"
        await ann.until(lambda: ann.guest.info.pause.left == 0)
        ann.guest.decide("wait")
        await ann.until(lambda: ann.guest.info.pause.left > 0)
        if answer(ann, 0):
            assert (await ann.refusal()).text == PAUSED.text
        ann.guest.decide("bot")
        await ann.until(lambda: ann.guest.info.pause is None)
        assert ann.guest.info.sitters[1].state == "bot"
        for _ in range(6):
            await ann.until(lambda: ann.guest.own_seats[0].offers)
            answer(ann, 0)
            await ann.until(lambda: ann.guest.own_seats[0].pending is None)
        again = Friend(host.port, ticket=ticket)
        await again.until(lambda: 1 in again.guest.own_seats)
        await ann.until(lambda: ann.guest.info.sitters[1].state == "here")
        await play_out((ann, again))
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR


async def test_the_host_may_end_a_waiting_match_and_gather_anew(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
        bea.guest.set_absent(1)
        await ann.until(lambda: ann.guest.info.pause)
        bea.guest.set_absent(1, False)
        await ann.until(lambda: ann.guest.info.pause is None)
        bea.guest.leave()
        await ann.until(lambda: ann.guest.info.pause)
        assert bea.guest.ticket == Ticket()
        ann.guest.decide("end")
        await ann.until(lambda: ann.proofs)
        assert ann.guest.info.ended == ENDED
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR
        ann.guest.gather_for_rematch()
        await ann.until(lambda: ann.guest.info.phase == "gathering")


async def test_one_concedes_and_both_play_again(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        seeds = set()
        for round_ in (1, 2):
            friends[1].guest.own_seats[1].concede()
            for friend in friends:
                await friend.until(lambda friend=friend, n=round_: len(friend.proofs) == n)
                assert friend.guest.check_proof(friend.proofs[-1]) == FAIR
                assert friend.guest.own_seats[0 if friend is friends[0] else 1].view.result
            seeds.add(friends[0].proofs[-1].seed)
            friends[0].guest.gather_for_rematch()
            await ready_again(friends)
            await begin(friends)
            await friends[1].until(lambda: not friends[1].guest.own_seats[1].view.result)
        assert len(seeds) == 2
        await friends[1].close()
        friends[1].guest.on_connection_lost(Lost(NOT_NOW))
        refusals = []
        friends[1].guest.own_seats[1].on_refusal(refusals.append)
        friends[1].guest.own_seats[1].undo()
        assert refusals == [NOT_CONNECTED]


async def test_who_is_ready_is_away_no_more(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        ann, bea = friends
        bea.guest.set_absent(1)
        await ann.until(lambda: ann.guest.info.pause)
        ann.guest.decide("end")
        await ann.until(lambda: ann.guest.info.ended)
        ann.guest.gather_for_rematch()
        await ann.until(lambda: ann.guest.info.phase == "gathering")
        assert ann.guest.info.sitters[1].state == "away"
        bea.guest.set_ready(1)
        await ann.until(lambda: ann.guest.info.sitters[1].state == "ready")


async def test_of_several_a_bot_plays_on_for_who_concedes(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as host,
        seated(host, plan("chains", 3), (0,), (1,), (2,)) as friends,
    ):
        ann, bea, cem = friends
        (hosted,) = host.hosted_tables.values()
        bea.guest.say(Concede(1))
        await cem.until(lambda: cem.guest.info.ending == Concession(1, (0, 2)))
        assert cem.guest.info.sitters[1].state == "bot"
        assert ann.guest.info.phase == "playing"
        bea.guest.answer_wish(1, True, "end")  # nobody agrees to their own concession
        bea.guest.say(Concede(1))
        assert await bea.refusal() == BOT_PLAYS
        ann.guest.answer_wish(0, True, "end")
        await cem.until(lambda: cem.guest.info.ending == Concession(1, (2,)))
        cem.guest.answer_wish(2, False, "end")
        await ann.until(lambda: ann.guest.info.ending is None)
        assert any(isinstance(n, Notice) and n.reason.code == "goes_on" for n in ann.news)
        assert hosted.hosted_match.match.bots == {1: "normal"}
        bea.guest.set_absent(1, False)
        await ann.until(lambda: ann.guest.info.sitters[1].state != "bot")
        assert [c.level for c in hosted.hosted_match.match.stand_ins] == ["normal", ""]
        await play_out(friends)
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR
        await ann.until(lambda: list(tmp_path.glob("*.tabletop")))
    (file,) = tmp_path.glob("*.tabletop")
    assert [change.level for _, change in read(file).stand_ins] == ["normal", ""]
    verify(file)


async def test_all_the_others_may_end_a_match_that_one_concedes(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as host,
        seated(host, plan("chains", 4, 1), (0,), (1,), (2,)) as friends,
    ):
        ann, _, cem = friends
        ann.guest.say(Concede(0))
        await cem.until(lambda: cem.guest.info.ending == Concession(0, (1, 2)))
        for seat in (1, 2):
            friends[seat].guest.answer_wish(seat, True, "end")
        for friend in friends:
            await friend.until(lambda friend=friend: friend.proofs)
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR
        assert cem.guest.own_seats[2].view.result.winners == (1, 2, 3)
        assert cem.guest.info.ending is None


async def test_who_takes_the_seat_back_ends_the_question(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as host,
        seated(host, plan("chains", 3), (0,), (1,), (2,)) as (ann, bea, cem),
    ):
        bea.guest.say(Concede(1))
        await cem.until(lambda: cem.guest.info.ending)
        bea.guest.set_absent(1, False)
        await cem.until(lambda: cem.guest.info.ending is None)
        for guest, seat in ((ann.guest, 0), (cem.guest, 2)):
            guest.answer_wish(seat, True, "end")
        bea.guest.say(Concede(1))
        await cem.until(lambda: cem.guest.info.ending == Concession(1, (0, 2)))
        cem.guest.say(Concede(2))
        await ann.until(lambda: ann.guest.info.ending == Concession(2, (0,)))
        ann.guest.say(Concede(0))  # nobody is left to play with
        await ann.until(lambda: ann.proofs)
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR


async def test_bots_have_nothing_against_a_concession(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("chains", 4, 3), (0,)) as (ann,):
        ann.guest.say(Concede(0))
        await ann.until(lambda: ann.proofs)
        assert ann.guest.own_seats[0].view.result.winners == (1, 2, 3)


async def test_a_bots_early_answer_waits_as_long_as_a_slow_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a pool bots answer at once; the host still waits for what hard may take."""
    waits: list[float] = []
    wait = Timers.set

    def note(timers: Timers, name: str, seconds: float, act: Callable[[], None]) -> None:
        if name == "bot":
            waits.append(seconds)
        wait(timers, name, 0 if name == "bot" else seconds, act)

    monkeypatch.setattr(Timers, "set", note)
    monkeypatch.setattr(bot_driver, "AnswerClock", partial(AnswerClock, lambda: 0.0))
    pace = TableTiming(0.05, 0.1, 5)
    table = replace(plan("chains", 2), seats=(SeatConfig(), SeatConfig("bot", "hard")))
    async with hosting(tmp_path, pace=pace) as host, seated(host, table, (0,)) as (ann,):
        while not waits:
            answer(ann, 0)
            await asyncio.sleep(0.005)
    assert set(waits) == {TIME_LIMITS_S["hard"] + DELIVERY_TIME_S}


async def test_an_old_guest_concedes_and_reads_on_at_a_new_host(tmp_path: Path) -> None:
    """To a guest that knows nothing of it the question is no field, and its proof replays."""
    async with (
        hosting(tmp_path) as host,
        seated(host, plan("chains", 3), (0,), (1,), (2,)) as friends,
    ):
        ann = friends[0]
        friends[1].guest.say(Concede(1))
        await ann.until(lambda: ann.guest.info.ending)

        class OldInfo(Struct, tag="room"):
            table: str
            phase: str

        seen = OldInfo(ann.guest.info.table, "playing")
        assert msgspec.json.decode(encode(ann.guest.info), type=OldInfo) == seen
        assert decode_guest_message(b'{"type":"consent","seat":0,"agree":true}') == Vote(0, True)
        for seat in (0, 2):
            friends[seat].guest.answer_wish(seat, True, "end")
        await ann.until(lambda: ann.proofs)
        assert ann.proofs[0].record[-1] == Entry(1, concede=True)
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR


async def test_who_sits_down_twice_at_once_sits(tmp_path: Path) -> None:
    """As after a double click: it was told that somebody else sat there."""
    async with hosting(tmp_path) as host:
        ann = Friend(host.port)
        ann.guest.open_table(plan("sun", 2))
        await ann.inside()
        for _ in range(2):
            ann.guest.sit(0, "Ann")
        ann.guest.sit(7, "Ann")
        assert await ann.refusal() == NO_SEAT, "it is the first that is refused"
        assert len(ann.refused) == 1
        assert ann.guest.seats == (0,)
        await ann.close()


@pytest.mark.parametrize("policy", ["none", "delayed", "live"])
async def test_spectators_see_by_the_plans_policy(policy: str, tmp_path: Path) -> None:
    table = plan("sun", 2, spectators=policy, delay=0.3)
    async with hosting(tmp_path) as host, seated(host, table, (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        match = hosted.hosted_match.match
        cat = Friend(host.port, ticket=Ticket(code=hosted.code))
        cat.guest.watch()
        if policy == "none":
            assert await cat.refusal() == NO_SPECTATORS
            await cat.close()
            return
        await cat.until(lambda: cat.guest.audience)
        view = cat.guest.audience.view
        await one_move(friends)
        if policy == "delayed":
            assert cat.guest.audience.view == view
        await cat.until(lambda: cat.guest.audience.view.ply > view.ply)
        assert cat.guest.audience.view == match.view(AUDIENCE)
        assert cat.guest.own_seats == {}
        await friends[0].until(lambda: friends[0].guest.info.watching == 1)
        friends[0].guest.own_seats[0].concede()
        await cat.until(lambda: cat.proofs)
        assert cat.guest.audience.view == match.view(AUDIENCE)
        assert cat.guest.check_proof(cat.proofs[0]) == FAIR


async def test_a_host_that_comes_back_has_all_its_tables(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        port = host.port
        async with seated(host, plan("sisters", 3, 1), (0,), (1,)) as friends:
            for _ in range(4):
                await one_move(friends)
            tickets = [friend.guest.ticket for friend in friends]
            views = {s: seat.view for f in friends for s, seat in f.guest.own_seats.items()}
    async with hosting(tmp_path) as host:
        assert host.port != 0 != port
        again = [Friend(host.port, ticket=ticket) for ticket in tickets]
        for number, friend in enumerate(again):
            await friend.until(
                lambda friend=friend, number=number: number in friend.guest.own_seats
            )
            assert friend.guest.own_seats[number].view.ply >= views[number].ply
            assert friend.guest.is_host == (number == 0)
        await play_out(again)
        for friend in again:
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR
            await friend.close()


async def test_the_table_moves_to_another_computer(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path / "here") as here,
        hosting(tmp_path / "there") as there,
        seated(here, plan("sun", 2), (0,), (1,)) as friends,
    ):
        ann, bea = friends
        for _ in range(3):
            await one_move(friends)
        ann.guest.ask_to_host(0)
        assert await ann.refusal() == NOT_NOW
        ann.guest.ask_to_host(1)
        await bea.until(lambda: any(isinstance(n, OfferHosting) for n in bea.news))
        bea.guest.decline_hosting()
        await ann.until(lambda: any(isinstance(n, Notice) for n in ann.news))
        bea.guest.accept_hosting(there.port, there.certificate.fingerprint, "uninvited")
        assert await bea.refusal() == NOT_NOW
        ann.guest.ask_to_host(1)
        await bea.until(lambda: sum(isinstance(n, OfferHosting) for n in bea.news) == 2)
        key = there.registry.incoming.expect(lambda table, owner: bea.guest.become_host(owner))
        bea.guest.accept_hosting(there.port, there.certificate.fingerprint, key)
        for friend in friends:
            await friend.until(
                lambda friend=friend: any(isinstance(n, TableMoved) for n in friend.news)
            )
            await friend.inside()
        await ann.until(lambda: ann.guest.info.host == 1)
        assert (ann.guest.is_host, bea.guest.is_host) == (False, True)
        assert not here.hosted_tables
        (hosted,) = there.hosted_tables.values()
        assert [len(hosted.hosted_match.match.record)] == [3]
        await play_out(friends)
        for friend in friends:
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR
        (file,) = (tmp_path / "there").glob("*.tabletop")
        assert read(file).fair == ann.guest.fair_start is not None
        assert verify(file) == 0


async def test_a_start_that_somebody_leaves_is_called_off(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path, pace=TableTiming(0.05, 0, 0.2)) as host,
        seated(host, plan("sun", 2), (0,), (1,)) as friends,
    ):
        ann, bea = friends
        ann.guest.own_seats[0].concede()
        await ann.until(lambda: ann.proofs)
        ann.guest.gather_for_rematch()
        await ready_again(friends)
        await ann.until(lambda: all(s.state == "ready" for s in ann.guest.info.sitters))
        bea.instead[ShuffleStarted] = lambda shuffle: None
        ann.guest.start()
        await ann.until(lambda: ann.guest.info.phase == "shuffling")
        await ann.until(lambda: ann.guest.info.phase == "gathering")
        assert all(sitter.state == "here" for sitter in ann.guest.info.sitters)
        del bea.instead[ShuffleStarted]
        for seat, friend in enumerate(friends):
            friend.guest.set_ready(seat)
        await begin(friends)
        friends[0].guest.own_seats[0].concede()
        await ann.until(lambda: len(ann.proofs) == 2)
        assert ann.guest.check_proof(ann.proofs[1]) == FAIR


async def test_a_move_that_was_never_made_cannot_be_wished_back(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        mover = await one_move(friends)
        other = friends[1 - mover]
        other.guest.own_seats[1 - mover].undo()
        assert await other.refusal() == NOTHING_OF_YOURS


async def test_a_guest_that_cannot_host_is_not_asked(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host)
        phone = Friend(host.port, ticket=Ticket(code=ann.code), can_host=False)
        await ann.sit(0)
        await phone.sit(1)
        await ann.until(lambda: ann.guest.info.sitters[1].state == "ready")
        assert [sitter.can_host for sitter in ann.guest.info.sitters] == [True, False]
        ann.guest.ask_to_host(1)
        await ann.until(lambda: Notice(DECLINED.with_args(seat=1)) in ann.news)
        ann.guest.leave_seat(0)
        await ann.until(lambda: ann.guest.info.sitters[0].state == "free")
        assert not host.offer_hosting()
        await host.wait_for_relocations(LONGEST)
        assert not any(isinstance(news, OfferHosting) for news in phone.news)


async def test_of_two_who_agree_at_once_one_hosts_on(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path / "here") as here,
        hosting(tmp_path / "there") as there,
        seated(here, plan("sisters", 3), (0,), (1,), (2,)) as friends,
    ):
        assert here.offer_hosting()
        for friend in friends:
            await friend.until(
                lambda friend=friend: any(isinstance(n, OfferHosting) for n in friend.news)
            )
        (hosted,) = here.hosted_tables.values()
        asked = [guest for guest in hosted.guests if guest.asked_to_host]
        assert len(asked) == 3
        ways = []
        for guest in asked[:2]:
            key = there.registry.incoming.expect(lambda *_: None)
            agrees = NewHost(there.port, there.certificate.fingerprint, key)
            with suppress(Illegal):
                ways.append(plan_relocation(here.registry, guest, hosted, agrees))
        assert len(ways) == 1
        asyncio.get_running_loop().create_task(ways[0])
        await here.wait_for_relocations(LONGEST)
        assert not here.hosted_tables
        assert len(there.hosted_tables) == 1
        for friend in friends:
            await friend.inside()


async def test_a_name_that_looks_like_another_is_marked(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann = await opened(host, plan("royale", 4), 0)
        twins = [Friend(host.port, ticket=Ticket(code=ann.code)) for _ in range(3)]
        names = ("pΙayer 1", "ＰＬＡＹＥＲ　１", "Player l")
        for seat, (twin, name) in enumerate(zip(twins, names, strict=True), 1):
            await twin.inside()
            twin.guest.sit(seat, name)
            await ann.until(lambda seat=seat: ann.guest.info.sitters[seat].name)
        shown = [sitter.name for sitter in ann.guest.info.sitters]
        assert shown == ["Player 1", "pΙayer 1 (2)", "ＰＬＡＹＥＲ １ (3)", "Player l (4)"]
