"""Guests' notes at a shared table reach the host at the end, and nobody before."""

from pathlib import Path

import msgspec

from tabletop.engine.model import AUDIENCE
from tabletop.net.guest.join_attempt import Ticket
from tabletop.protocol.match_notes import (
    MAX_NOTE_CHARACTERS,
    MAX_NOTES_PER_AUTHOR,
    MatchNotes,
    NoteReceived,
    WriteNote,
)
from tabletop.protocol.versions import FEATURES
from tabletop.storage import playtest_notes
from tests.net.loopback import Friend, hosting, plan, play_out, run, seated

SECRET = "I hold the ghost and nobody sees it"


def told(friend: Friend) -> list[MatchNotes]:
    return [news for news in friend.news if isinstance(news, MatchNotes)]


def heard(friend: Friend) -> bytes:
    """All messages to a guest, as bytes."""
    return b"".join(msgspec.json.encode(news) for news in friend.news)


def write(friend: Friend, seat: int, text: str) -> None:
    pinned = friend.guest.pin_note(seat)
    pinned(text)


async def test_notes_reach_the_host_only_at_the_end(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        ann, bea = friends
        cleo = Friend(host.port, ticket=Ticket(code=ann.code))
        await cleo.inside()
        cleo.guest.watch()
        await cleo.until(lambda: cleo.guest.audience)
        write(bea, 1, SECRET)
        write(cleo, AUDIENCE, "the turn is long")
        for friend in (bea, cleo):
            await friend.until(lambda friend=friend: NoteReceived() in friend.news)
        for friend in (ann, bea, cleo):
            assert SECRET.encode() not in heard(friend)
        record = tmp_path / f"{ann.guest.info.table}-1.tabletop"
        kept = playtest_notes.notes(playtest_notes.notes_path(record))
        assert [(each.name, each.seat) for each in kept] == [
            ("Player 2", 1),
            ("", AUDIENCE),
        ]
        await play_out(friends)
        await ann.until(lambda: told(ann))
        assert [note.text for note in told(ann)[-1].notes] == [SECRET, "the turn is long"]
        assert told(ann)[-1].round == 1
        for friend in (bea, cleo):
            assert told(friend) == []
        write(bea, 1, "well played")
        await ann.until(lambda: len(told(ann)[-1].notes) == 3)
        back = Friend(host.port, host.certificate.fingerprint, ann.guest.ticket)
        await back.until(lambda: told(back))
        assert told(back) == told(ann)[-1:]


async def test_notes_outlive_the_host_and_their_table(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        write(friends[1], 1, "a note")
        await friends[1].until(lambda: NoteReceived() in friends[1].news)
        tickets = [friend.guest.ticket for friend in friends]
        table = friends[0].guest.ticket.table
    async with hosting(tmp_path) as host:
        fingerprint = host.certificate.fingerprint
        friends = [Friend(host.port, fingerprint, ticket) for ticket in tickets]
        for friend in friends:
            await friend.until(lambda friend=friend: friend.guest.own_seats)
        await play_out(friends)
        await friends[0].until(lambda: told(friends[0]))
        assert told(friends[0])[-1].notes[0].text == "a note"
        for friend in friends:
            await friend.close()
        host.registry.close_table(table)
    place = playtest_notes.notes_path(tmp_path / "finished" / f"{table}-1.tabletop")
    assert [note.text for note in playtest_notes.notes(place)] == ["a note"]


def test_an_unwritable_note_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async def work() -> None:
        async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
            bea = friends[1]

            async def refused(message: WriteNote) -> str:
                before = len(bea.refused)
                bea.guest.say(message)
                await bea.until(lambda: len(bea.refused) > before)
                return bea.refused[-1].reason.text

            assert "not your seat" in await refused(WriteNote("x", 0, 0, 0))
            assert "no such seat" in await refused(WriteNote("x", 9, 0, 0))
            assert "note is empty" in await refused(WriteNote(" \n\x1b", 1, 0, 0))
            assert "can't understand" in await refused(
                WriteNote("x" * (MAX_NOTE_CHARACTERS + 1), 1, 0, 0)
            )
            for number in range(MAX_NOTES_PER_AUTHOR):
                bea.guest.say(WriteNote(f"{number}", 1, 0, 10**6))
            assert "from you on this match already" in await refused(WriteNote("x", 1, 0, 0))
            (notes,) = (
                hosted.hosted_match.notes.all_notes() for hosted in host.hosted_tables.values()
            )
            assert len(notes) == MAX_NOTES_PER_AUTHOR
            assert notes[0].entries == 0

    run(work)


async def test_a_host_that_knows_no_notes_is_sent_none(tmp_path: Path) -> None:
    async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
        assert friends[1].guest.pin_note(1) is not None
        friends[1].guest.features = tuple(each for each in FEATURES if each != "notes")
        assert friends[1].guest.pin_note(1) is None
