"""A guest takes the game of a table from its host, plays it, and gets a reason where it can't."""

import asyncio
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import msgspec
import pytest

from tabletop.catalogue import agreements, catalogue
from tabletop.catalogue.catalogue import UnknownGame
from tabletop.commands.headless import join
from tabletop.engine.model import Reason
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.received_games import NOTE_FILE
from tabletop.net.guest.game_download import BackgroundRunner, GameDownload, T
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.guest.missing_game import MissingGame
from tabletop.net.host.table_packing import (
    ArrivingTable,
    GameUnavailable,
    pack_table,
    restore_table,
)
from tabletop.protocol.game_files import PART_BYTES, GamePart, ListGameFiles
from tabletop.protocol.invitation import InviteLink
from tabletop.protocol.match_notes import NoteReceived
from tabletop.protocol.messages import Refused
from tabletop.storage.playtest_notes import notes, notes_path
from tabletop.storage.record import read
from tabletop.table.connection_events import Connected, Event
from tabletop.table.given_games import HAS_CODE
from tests.game_folders import change, laid
from tests.net.loopback import Friend, begin, hosting, plan, play_on, play_out
from tests.net.playtest.prototypes import at_the_designers, opened, png, prototype


class Taker(Friend):
    """A friend who takes a game that is offered, or does not."""

    def __init__(
        self, port: int, code: str, takes: bool = True, workplace: BackgroundRunner | None = None
    ) -> None:
        self.lacks: list[MissingGame] = []
        self.failed: list[str] = []
        self.asked: list[Reason] = []
        self.takes = takes
        self.taking: GameDownload | None = None
        self.workplace = workplace
        super().__init__(port, ticket=Ticket(code=code))

    def _hear(self, event: Event) -> None:
        if self.taking is None:
            self.taking = GameDownload(
                self.guest,
                self._decide,
                self._hear,
                self._fail,
                runner=self.workplace,
            )
        if isinstance(event, Refused) and event.of == "ask_game":
            self.asked.append(event.reason)
        passed = self.taking.filter(event)
        if passed is not None:
            super()._hear(passed)
        self._woken.set()

    def _fail(self, why: Reason) -> None:
        self.failed.append(why.text)
        self._woken.set()

    def _decide(self, lacking: MissingGame) -> bool:
        self.lacks.append(lacking)
        return self.takes and lacking.can_download


def received() -> list[str]:
    """The folders of received games; those that another thread still writes are hidden."""
    kept = folders.received()
    return sorted(path.name for path in kept.glob("[!.]*"))


async def test_a_game_without_code_is_taken_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")
    (folder / "pictures" / "large.png").write_bytes(png() + b"\0" * (2 * PART_BYTES))

    async with hosting(tmp_path / "hosted") as host:
        ann = Friend(host.port, host.certificate.fingerprint)
        with at_the_designers(folder, monkeypatch) as kit:
            ann.guest.open_table(plan(kit.id, 2))
            await ann.sit(0)
        info = ann.guest.info
        assert info.outside is not None
        with pytest.raises(UnknownGame):
            catalogue.load(kit.id)
        bea = Taker(host.port, info.code)
        watcher = Taker(host.port, info.code)
        await bea.sit(1)
        known = f"{kit.id}-{kit.digest[:12]}"
        assert bea.guest.info.plan.game == known
        assert bea.lacks[0].reason.args["theirs"] == kit.digest[:12]
        assert received() == [known]
        lying = {path.name for path in (folders.received() / known).rglob("*.*")}
        assert "sketch.xcf" not in lying
        assert {"heron.png", "free.toml", NOTE_FILE} <= lying
        await watcher.inside()
        watcher.guest.watch()
        with at_the_designers(folder, monkeypatch):
            await begin([ann, bea])
            await watcher.until(lambda: watcher.guest.audience)
            await play_out([ann, bea])
        verdict = bea.guest.check_proof(bea.proofs[0])
        assert verdict.fair
        kept = catalogue.load(known)
        assert kept.received.giver == "Player 1"
        assert (kept.digest, kept.box.title) == (kit.digest, "Pond Night")


async def test_a_declined_game_is_taken_on_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")

    async with hosting(tmp_path / "hosted") as host:
        ann = Friend(host.port, host.certificate.fingerprint)
        bea = Friend(host.port, host.certificate.fingerprint)
        with at_the_designers(folder, monkeypatch) as kit:
            ann.guest.open_table(plan(kit.id, 2))
            await ann.sit(0)
            bea.guest.join(Ticket(code=ann.code, fingerprint=bea.line.address.fingerprint))
            await bea.sit(1)
            await begin([ann, bea])
        ticket = bea.guest.ticket
        await bea.close()
        shy = Taker(host.port, ticket.code, takes=False)
        await shy.until(lambda: shy.lacks)
        assert shy.guest.info is None
        assert received() == []
        await shy.close()
        back = Taker(host.port, "")
        back.guest.join(ticket)
        await back.until(lambda: 1 in back.guest.own_seats)
        assert back.guest.own_seats[1].offers
        play_on([back])
        await back.until(lambda: back.guest.own_seats[1].view.ply > 0)


async def test_a_changed_own_game_is_named_with_both_digests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = prototype(tmp_path / "a" / "pond")
    ours = prototype(tmp_path / "b" / "pond")
    change(ours / "cards.toml", "Cowrie", "Cockle")

    async with hosting(tmp_path / "hosted") as host:
        _, kit, code = await opened(host, theirs, monkeypatch)
        with at_the_designers(ours, monkeypatch) as own:
            bea = Taker(host.port, code)
            await bea.inside()
            lacking = bea.lacks[0].reason
            assert (lacking.args["theirs"], lacking.args["ours"]) == (
                kit.digest[:12],
                own.digest[:12],
            )
            assert "Download it from the host?" in lacking.text
            mine, taken = catalogue.load(own.id), catalogue.load(bea.guest.info.plan.game)
            assert (mine.deck[0]["name"], taken.deck[0]["name"]) == ("Cockle", "Cowrie")


async def test_program_code_never_travels_and_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laid(tmp_path / "bluff", "Bluff")
    other = laid(tmp_path / "b" / "bluff", "Bluff")
    change(other / "cards.toml", '"Minnow"', '"Minnows"')
    agreements.add_own_folder(folder)
    agreements.add_own_folder(other)

    async with hosting(tmp_path / "hosted") as host:
        _, kit, code = await opened(host, folder, monkeypatch)
        bea = Taker(host.port, code)
        await bea.until(lambda: bea.lacks)
        reason = bea.lacks[0].reason
        assert not bea.lacks[0].can_download
        assert reason.args == {"title": "Bluff", "rules": 1, "theirs": kit.digest[:12]}
        bea.guest.say(ListGameFiles())
        await bea.until(lambda: bea.asked)
        assert bea.asked == [HAS_CODE]
        link = InviteLink("127.0.0.1", host.port, code=code)
        assert await join(link, "Bot", take_game=True) == reason
        with at_the_designers(other, monkeypatch) as own:
            cleo = Taker(host.port, code)
            await cleo.until(lambda: cleo.lacks)
            told = cleo.lacks[0].reason
            assert not cleo.lacks[0].can_download
            assert (told.args["theirs"], told.args["ours"]) == (
                kit.digest[:12],
                own.digest[:12],
            )
        assert received() == []


async def test_a_folder_changed_since_opening_is_not_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")

    async with hosting(tmp_path / "hosted") as host:
        _, _, code = await opened(host, folder, monkeypatch)
        change(folder / "cards.toml", "Cowrie", "Cockle")
        bea = Taker(host.port, code)
        await bea.until(lambda: bea.failed)
        assert received() == []


async def test_a_table_moves_where_its_game_is_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")

    async with hosting(tmp_path / "hosted") as host:
        ann = Friend(host.port, host.certificate.fingerprint)
        with at_the_designers(folder, monkeypatch) as kit:
            ann.guest.open_table(plan(kit.id, 2, bots=1))
            await ann.sit(0)
            await begin([ann])
            ann.play()
            await ann.until(lambda: ann.guest.own_seats[0].view.ply > 0)
            pinned = ann.guest.pin_note(0)
            pinned("as it was there")
            await ann.until(lambda: any(isinstance(news, NoteReceived) for news in ann.news))
            (hosted,) = host.hosted_tables.values()
            parcel = msgspec.json.encode(pack_table(hosted, 0))
        there = tmp_path / "there"
        there.mkdir()
        with pytest.raises(GameUnavailable, match=kit.digest[:12]):
            restore_table(ArrivingTable(bytearray(parcel), None), there)
        assert list(there.iterdir()) == []
        bea = Taker(host.port, hosted.code)
        await bea.inside()
        kept, match = restore_table(ArrivingTable(bytearray(parcel), None), there)
        assert kept.plan.game == f"{kit.id}-{kit.digest[:12]}"
        assert match is not None
        record = there / f"{kept.table}-1.tabletop"
        assert read(record).header.folder_digest == kit.digest
        assert [note.text for note in notes(notes_path(record))] == ["as it was there"]


class Cut(Taker):
    """A friend whose line breaks in the middle of the game."""

    def __init__(self, port: int, code: str) -> None:
        self.parts: list[int] = []
        super().__init__(port, code)

    def _hear(self, event: Event) -> None:
        super()._hear(event)
        if isinstance(event, GamePart):
            self.parts.append(event.at)
            if len(self.parts) == 2:
                self.cutting = asyncio.create_task(self.line.abort())


async def test_after_a_lost_line_it_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")
    (folder / "pictures" / "large.png").write_bytes(png() + b"\0" * (4 * PART_BYTES))

    async with hosting(tmp_path / "hosted") as host:
        _, _, code = await opened(host, folder, monkeypatch)
        bea = Cut(host.port, code)
        await bea.inside()
        assert sum(isinstance(news, Connected) for news in bea.news) == 2
        assert sorted(set(bea.parts)) == [n * PART_BYTES for n in range(5)]
        assert len(bea.parts) <= 6
        assert len(received()) == 1


class Slow:
    """A workplace where what takes its time is done when a test says so."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], None]] = []

    def call_soon(self, do: Callable[[], None]) -> None:
        do()

    def run_in_background(
        self, work: Callable[[], T], take: Callable[[T], None], failed: object
    ) -> None:
        self.jobs.append(lambda: take(work()))


async def test_early_messages_are_not_repeated_after_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A phone and a window of one program may take the same game at the same time."""
    folder = prototype(tmp_path / "pond")
    slow = Slow()

    async with hosting(tmp_path / "hosted") as host:
        ann, _, code = await opened(host, folder, monkeypatch)
        bea = Taker(host.port, code, workplace=slow)
        await bea.until(lambda: slow.jobs)
        cleo = Taker(host.port, code)
        await cleo.inside()
        assert bea.guest.info is None
        ann.guest.sit(0, "Ann")  # everybody gets the facts of the table
        await bea.inside()
        bea.guest.sit(1, "Bea")
        await bea.until(lambda: 1 in bea.guest.seats)
        before = bea.guest.info
        (job,) = slow.jobs
        job()
        assert bea.guest.info is before
        assert len(bea.lacks) == 1
        assert bea.failed == []


async def test_a_game_that_cannot_be_kept_is_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")

    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    async with hosting(tmp_path / "hosted") as host:
        ann, _, code = await opened(host, folder, monkeypatch)
        monkeypatch.setattr(received_games, "store_game", full)
        bea = Taker(host.port, code)
        await bea.until(lambda: bea.failed)
        await ann.sit(0)  # everybody gets the facts of the table
        await bea.until(lambda: bea.taking._missing.info.sitters[0].name == "Player 1")
        assert len(bea.lacks) == 1
        assert len(bea.failed) == 1
        assert bea.guest.info is None
