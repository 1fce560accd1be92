"""The host's disk refuses a move: nobody is told of it, and the match goes on when it can."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tabletop.engine.events import Event
from tabletop.match import Entry
from tabletop.net.fairness import FAIR
from tabletop.net.hall import DISK_REFUSED, ledger_of
from tabletop.net.protocol import Note
from tabletop.storage.record import Journal
from tabletop.storage.trouble import StorageError
from tests.net.at_tables import hosting, plan, run, seated


@pytest.mark.parametrize("quick", [True, False], ids=["waited for", "in a thread"])
def test_a_move_that_cannot_be_kept_is_not_told(
    quick: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, full = Journal.write, False

    def refuse(journal: Journal, entry: Entry, events: Sequence[Event] = ()) -> None:
        if full:
            raise StorageError('"{file}" cannot be written: the disk is full.', file="x")
        write(journal, entry, events)

    monkeypatch.setattr(Journal, "write", refuse)

    async def evening() -> None:
        nonlocal full
        async with hosting(tmp_path) as host, seated(host, plan("sun", 2), (0,), (1,)) as friends:
            (party,) = host.parties.values()
            scribes = ledger_of(party)._scribes
            scribes._usual = scribes._waited = 0.0 if quick else 1e9
            match = party.round.match
            assert match is not None
            views = [friend.guest.links[seat].view for seat, friend in enumerate(friends)]
            full = True
            mover = next(f for seat, f in enumerate(friends) if f.guest.links[seat].offers)
            mover.play()
            if quick:
                await mover.until(lambda: mover.refused)
                assert "disk is full" in mover.refused[0].reason.text
            else:
                await mover.until(lambda: Note(DISK_REFUSED) in mover.news)
            assert [f.guest.links[seat].view for seat, f in enumerate(friends)] == views
            full = False
            for friend in friends:
                friend.plays = True
                friend.play()
            for friend in friends:
                await friend.until(lambda friend=friend: friend.proofs)
                assert friend.guest.judge(friend.proofs[0]) == FAIR

    run(evening)
