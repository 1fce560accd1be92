"""Events at a table between two steps of something else: everybody is notified, nothing waits for
ever, and nobody gets another's cards."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.engine.model import AUDIENCE
from tabletop.files.errors import StorageError
from tabletop.net.guest.fair_shuffle import FairShuffle
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.session import Guest
from tabletop.net.host import table_disk
from tabletop.net.host.host import Host
from tabletop.net.host.relocation import NOT_TAKEN
from tabletop.net.host.table_disk import disk_of
from tabletop.protocol.fairness import FAIR
from tabletop.protocol.messages import (
    FromGuest,
    JoinTable,
    Notice,
    Seated,
    SharesCommitted,
    ShuffleStarted,
    TableInfo,
    TableJoined,
    TableNews,
    UndoProposal,
    Welcome,
)
from tabletop.protocol.moderation import SetMuted
from tabletop.protocol.table_transfer import OfferHosting
from tabletop.table import hosted_match
from tabletop.table.absences import Absences
from tabletop.table.services import NOT_NOW, BotPace, TableTiming
from tabletop.table.timers import Timers
from tests.net.hostile.full_disk import FULL, Journals
from tests.net.loopback import (
    Friend,
    begin,
    hosting,
    opened,
    plan,
    play_out,
    ready_again,
    seated,
)


async def heard_out(friend: Friend) -> None:
    """Wait until the host has heard all that this guest has said, and it what the host said."""
    count = len(friend.refused)
    friend.guest.send_chat(" ")
    await friend.until(lambda: any(refused.of == "speak" for refused in friend.refused[count:]))


async def gathered(host: Host, seats: int = 2) -> list[Friend]:
    """Friends who sit at a table and are ready; the first hosts."""
    friends = [Friend(host.port)]
    friends[0].guest.open_table(plan("sun" if seats == 2 else "sisters", seats))
    await friends[0].inside()
    for _ in range(1, seats):
        friends.append(Friend(host.port, ticket=Ticket(code=friends[0].code)))
    for seat, friend in enumerate(friends):
        await friend.sit(seat)
    await friends[0].until(lambda: all(s.state == "ready" for s in friends[0].guest.info.sitters))
    return friends


async def asked_to_host(ann: Friend, bea: Friend) -> None:
    ann.guest.ask_to_host(1)
    await bea.until(lambda: any(isinstance(news, OfferHosting) for news in bea.news))


async def close(*friends: Friend) -> None:
    for friend in friends:
        await friend.close()


class Disk:
    """A stand-in for the disk of the tables: it waits, or refuses, when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        self.tried = 0
        self.goes_on = Event()
        self.goes_on.set()
        self._write = table_disk.write_atomically
        monkeypatch.setattr(table_disk, "write_atomically", self._written)

    def _written(self, path: Path, content: bytes, *, private: bool) -> None:
        self.goes_on.wait()
        self.tried += 1
        if self.full:
            raise StorageError(FULL.text, file="x")
        self._write(path, content, private=private)


# Hosting on


async def test_a_guest_asked_to_host_one_table_takes_no_other(tmp_path: Path) -> None:
    async with hosting(tmp_path / "here") as here, hosting(tmp_path / "there") as there:
        ann, bea = await gathered(here)
        cat = await opened(here)
        await asked_to_host(ann, bea)
        table = cat.guest.info.table
        bea.line.send(JoinTable("", cat.code))
        await bea.until(lambda: bea.guest.info.table == table)
        key = there.registry.incoming.expect(lambda table, owner: None)
        bea.guest.accept_hosting(there.port, there.certificate.fingerprint, key)
        await bea.until(lambda: bea.refused)
        assert (bea.refused[0].of, bea.refused[0].reason) == ("berth", NOT_NOW)
        assert table in here.hosted_tables
        await close(ann, bea, cat)


async def test_a_guest_who_stood_up_meanwhile_does_not_host_on(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann, bea = await gathered(host)
        await asked_to_host(ann, bea)
        bea.guest.leave_seat(1)
        bea.guest.accept_hosting(host.port, host.certificate.fingerprint, "any")
        await bea.until(lambda: bea.refused)
        assert (bea.refused[0].of, bea.refused[0].reason) == ("berth", NOT_NOW)
        await close(ann, bea)


async def test_a_shuffle_is_not_torn_away_by_an_earlier_offer(tmp_path: Path) -> None:
    async with hosting(tmp_path, pace=TableTiming(0.05, 0, 3600)) as host:
        ann, bea = await gathered(host)
        await asked_to_host(ann, bea)
        asked: list[ShuffleStarted] = []
        bea.instead[ShuffleStarted] = asked.append
        ann.guest.start()
        await bea.until(lambda: asked)
        bea.guest.accept_hosting(1, "ab" * 32, "nowhere")
        await bea.until(lambda: bea.refused)
        assert (bea.refused[0].of, bea.refused[0].reason) == ("berth", NOT_NOW)
        bea.guest.receive(asked[0])
        for friend in (ann, bea):
            await friend.until(lambda friend=friend: friend.guest.own_seats)
        await close(ann, bea)


async def test_a_table_whose_disk_refuses_as_it_leaves_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        ann, bea = friends
        (hosted,) = host.hosted_tables.values()
        disk.full = True
        disk.goes_on.clear()
        bea.guest.say(SetMuted(1, True))  # not hers to say, and nothing is written
        ann.guest.say(SetMuted(1, True))
        ann.guest.accept_hosting(1, "ab" * 32, "nowhere")
        while not hosted.is_moving:
            await asyncio.sleep(0.001)
        disk.goes_on.set()
        await ann.until(lambda: Notice(NOT_TAKEN) in ann.news)
        disk.full = False
        await play_out(friends)


async def test_no_bot_plays_at_a_table_that_is_leaving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(monkeypatch)

    slow = TableTiming(0.05, 3600)
    async with (
        hosting(tmp_path, pace=slow) as host,
        seated(host, plan("sun", 2, 1), (0,)) as friends,
    ):
        (ann,) = friends
        (hosted,) = host.hosted_tables.values()
        while hosted.hosted_match.is_at_rest:  # until it is the bot's turn
            ann.play()
            await ann.until(lambda: ann.guest.own_seats[0].pending is None)
        hosted.hosted_match.bots.pace = BotPace(0)
        disk.goes_on.clear()
        ann.guest.say(SetMuted(1, True))
        ann.guest.accept_hosting(1, "ab" * 32, "nowhere")
        match, writer = hosted.hosted_match.match, disk_of(hosted).writer
        while not hosted.is_moving:
            await asyncio.sleep(0.001)
        before, held = len(match.record), writer.callback_count
        ann.guest.request_refresh()
        ann.guest.send_chat("hello")
        while writer.callback_count < held + 5:  # its view, and that the table is moving
            await asyncio.sleep(0.001)
        for _ in range(10):
            await asyncio.sleep(0)
        assert len(match.record) == before
        disk.goes_on.set()
        await ann.until(lambda: Notice(NOT_TAKEN) in ann.news)
        await play_out(friends)


# A shuffle


async def test_leaving_during_a_shuffle_frees_the_seat(tmp_path: Path) -> None:
    async with hosting(tmp_path, pace=TableTiming(0.05, 0, 3600)) as host:
        ann, bea = await gathered(host)
        asked: list[ShuffleStarted] = []
        bea.instead[ShuffleStarted] = asked.append
        ann.guest.start()
        await bea.until(lambda: asked)
        bea.guest.leave()
        await ann.until(lambda: ann.guest.info.sitters[1].state == "free")
        assert ann.guest.info.phase == "gathering"
        cat = Friend(host.port, ticket=Ticket(code=ann.code))
        await cat.sit(1)
        ann.guest.set_ready(0)
        await begin([ann, cat])
        await play_out([ann, cat])
        assert ann.guest.check_proof(ann.proofs[0]) == FAIR
        await close(ann, bea, cat)


async def test_a_late_share_of_a_cancelled_start_is_accepted(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host:
        ann, bea = await gathered(host)
        late: list[SharesCommitted] = []
        for friend in (ann, bea):
            friend.instead[SharesCommitted] = late.append
        ann.guest.start()
        for friend in (ann, bea):
            await friend.until(lambda: len(late) == 2)
        (hosted,) = host.hosted_tables.values()
        await bea.close()
        while hosted.phase == "shuffling":
            await asyncio.sleep(0.001)
        ann.guest.receive(late[0])  # as if it hadn't heard of the end yet
        await heard_out(ann)
        assert [refused.of for refused in ann.refused] == ["speak"]
        await close(ann)


@pytest.mark.parametrize(("own", "heard"), [((), "b"), ((0,), "a")], ids=["nobody", "a player"])
def test_a_failed_start_does_not_spoil_the_verdict(own: tuple[int, ...], heard: str) -> None:
    """A guest that has sealed a share in it takes no other one for it: a host could drop that share
    so."""
    shuffle = FairShuffle(lambda message: None)
    before = TableInfo("table", plan("sun", 2), (), "shuffling")
    shuffle.commit_shares(before, own, ShuffleStarted(1, "a"))
    shuffle.commit_shares(replace(before, phase="playing"), own, ShuffleStarted(1, "b"))
    assert shuffle.transcript.host_seal == heard


async def test_a_match_is_judged_though_the_next_one_has_begun(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        friends[0].guest.own_seats[0].concede()
        for friend in friends:
            await friend.until(lambda friend=friend: friend.proofs)
        friends[0].guest.gather_for_rematch()
        await ready_again(friends)
        await begin(friends)
        for friend in friends:
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR


# In a match


def test_coming_and_going_puts_off_nobody_elses_pause() -> None:
    rung: dict[float, Callable[[], None]] = {}

    class Clock:
        def __init__(self, seconds: float, act: Callable[[], None]) -> None:
            self.seconds = seconds
            rung[seconds] = act

        def cancel(self) -> None:
            del rung[self.seconds]

    absences = Absences(Timers(Clock), 300, lambda: None)
    absences.mark_absent((0,), 10)
    absences.mark_absent((1,), 11)
    absences.mark_returned((1,))
    absences.mark_absent((1,), 12)
    assert list(rung) == [10, 12]
    rung[10]()
    assert absences.awaited_seats == (0, 1)


async def test_nobody_waits_for_a_bot_to_agree(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as host,
        seated(host, plan("sisters", 3), (0,), (1,), (2,)) as friends,
    ):
        ann, bea, cat = friends
        mover = next(f for f in friends if any(seat.offers for seat in f.guest.own_seats.values()))
        mover.play()
        (number,) = mover.guest.seats
        await mover.until(lambda: mover.guest.own_seats[number].view.ply == 1)
        away = next(f for f in (bea, cat) if f is not mover)
        (gone,) = away.guest.seats
        await away.close()
        await ann.until(lambda: ann.guest.info.pause)
        ann.guest.decide("bot")
        await ann.until(lambda: ann.guest.info.pause is None)
        (hosted,) = host.hosted_tables.values()
        hosted.hosted_match.close()  # the bot lets the others settle this first
        mover.guest.own_seats[number].undo()
        wished = hosted.hosted_match
        await heard_out(mover)
        assert wished.wish is None or gone not in wished.wish.waiting


async def test_an_agreed_undo_that_the_disk_refuses_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journals = Journals(monkeypatch)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        (hosted,) = host.hosted_tables.values()
        for friend in friends:  # until a move cannot be taken back alone
            friend.plays = True
            friend.play()
        match = hosted.hosted_match.match
        while len(match.plies) < 5:
            await asyncio.sleep(0.001)
        for friend in friends:
            friend.plays = False
        for friend in friends:
            await heard_out(friend)
        wisher = next(seat for seat in (0, 1) if not match.can_undo(seat))
        friends[wisher].guest.own_seats[wisher].undo()
        for friend in friends:
            await friend.until(lambda friend=friend: friend.guest.info.wish)
        assert friends[0].guest.info.wish == UndoProposal(wisher, (1 - wisher,))
        journals.full = True
        friends[1 - wisher].guest.answer_wish(1 - wisher, True)
        for friend in friends:
            await friend.until(lambda friend=friend: Notice(FULL) in friend.news)
            await friend.until(lambda friend=friend: friend.guest.info.wish is None)
        journals.full = False
        await play_out(friends)
        for friend in friends:
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR


async def test_leaving_during_a_refresh_is_waited_for(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as (ann, bea):
        bea.guest.leave_seat(1)
        bea.guest.request_refresh()  # with the token that is torn up once the first is heard
        await bea.until(lambda: bea.guest.seats == ())
        await heard_out(bea)
        await heard_out(bea)
        (hosted,) = host.hosted_tables.values()
        assert hosted.seats[1].peer is None
        await ann.until(lambda: ann.guest.info.pause)


@pytest.mark.parametrize("left", [True, False])
def test_late_messages_bring_nobody_back(left: bool) -> None:
    said: list[FromGuest] = []
    guest = Guest(catalogue.load, said.append)
    guest.join(Ticket("table", fingerprint="ab"))
    guest.on_connected("ab")
    guest.receive(Welcome(2, ""))
    guest.receive(TableJoined("table", (), False))
    if left:
        guest.leave()
    guest.receive(Seated(0, "token", "code"))
    guest.receive(TableJoined("table", (0,), False))
    assert guest.seats == (() if left else (0,))
    assert guest.ticket == Ticket() or not left
    assert guest.connection_state == ("outside" if left else "inside")


async def test_delayed_spectators_miss_nothing_of_a_table_that_stays(tmp_path: Path) -> None:
    late = plan("sun", 2, spectators="delayed", delay=3600)
    async with hosting(tmp_path) as host, seated(host, late, (0,), (1,)) as friends:
        ann, bea = friends
        eve = Friend(host.port, ticket=Ticket(code=ann.code))
        eve.guest.watch()
        await eve.inside()
        ann.guest.accept_hosting(1, "ab" * 32, "nowhere")
        await eve.until(lambda: Notice(NOT_TAKEN) in eve.news)
        await play_out(friends)
        await eve.until(lambda: eve.proofs)
        match = host.hosted_tables[ann.guest.info.table].hosted_match.match
        assert eve.guest.audience.view == match.make_reset(AUDIENCE).view
        assert bea.guest.check_proof(bea.proofs[0]) == FAIR
        await close(eve)


async def test_leaving_a_closed_table_ends_ones_view(tmp_path: Path) -> None:
    closed = plan("sun", 2, spectators="none")
    async with hosting(tmp_path) as host, seated(host, closed, (0,), (1,)) as (ann, bea):
        bea.guest.watch()
        await bea.until(lambda: bea.guest.audience)
        bea.guest.leave_seat(1)
        await ann.until(lambda: ann.guest.info.pause)
        await heard_out(bea)
        told = sum(isinstance(news, TableNews) for news in bea.news)
        ann.guest.decide("bot")
        await ann.until(lambda: ann.guest.info.sitters[1].state == "bot")
        await play_out([ann])
        await heard_out(bea)
        assert sum(isinstance(news, TableNews) for news in bea.news) == told


async def test_with_two_seats_the_remaining_one_says_who_is_asked(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path) as host,
        seated(host, plan("sisters", 3), (0,), (1, 2)) as (ann, bea),
    ):
        cat = Friend(host.port, ticket=Ticket(code=ann.code))
        await cat.inside()
        cat.guest.take_over(1, bea.guest.codes[1])
        await cat.until(lambda: cat.guest.own_seats)
        await bea.until(lambda: bea.guest.seats == (2,))
        friends = ann, bea, cat
        for ply in range(1, 5):
            seats = [friend.guest.own_seats[friend.guest.seats[0]] for friend in friends]
            for friend in friends:
                friend.play()
            for friend, seat in zip(friends, seats, strict=True):
                await friend.until(lambda seat=seat, ply=ply: seat.view.ply >= ply)
            assert ann.guest.awaited_seats == bea.guest.awaited_seats == cat.guest.awaited_seats
        await close(cat)


# A disk that refuses


@pytest.mark.parametrize("again", [3600.0, 0.0], ids=["waits", "tries again"])
async def test_a_full_disk_at_a_matchs_end_is_retried(
    again: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted_match, "DISK_RETRY_DELAY_S", again)
    disk = Disk(monkeypatch)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        ann, bea = friends
        (hosted,) = host.hosted_tables.values()
        while not disk_of(hosted).writer.is_settled:
            await asyncio.sleep(0.001)
        disk.full, before = True, disk.tried
        ann.guest.own_seats[0].concede()
        for friend in friends:
            await friend.until(lambda friend=friend: Notice(FULL) in friend.news)
            await friend.until(lambda friend=friend: friend.guest.info.phase == "over")
            for seat in friend.guest.own_seats.values():
                await friend.until(lambda seat=seat: seat.view.result)
        if again:
            for _ in range(20):
                await heard_out(bea)
            assert disk.tried == before + 1
            return
        disk.full = False
        for friend in friends:
            await friend.until(lambda friend=friend: friend.proofs)
            assert friend.guest.check_proof(friend.proofs[0]) == FAIR


async def test_an_ended_match_stays_ended_on_a_refusing_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosted_match, "DISK_RETRY_DELAY_S", 0.0)
    disk = Disk(monkeypatch)

    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        ann, bea = friends
        (hosted,) = host.hosted_tables.values()
        bea.guest.set_absent(1)
        await ann.until(lambda: ann.guest.info.pause)
        ann.guest.decide("end")
        for friend in friends:
            await friend.until(lambda friend=friend: friend.proofs)
        disk.full = True
        ann.guest.say(SetMuted(1, True))
        await ann.until(lambda: Notice(FULL) in ann.news)
        assert hosted.phase == "over"
        disk.full = False
        ann.guest.gather_for_rematch()
        await ann.until(lambda: ann.guest.info.phase == "gathering")
