"""A table moves to a server that has not its game: the game comes along where the server takes it,
and nothing of it is kept where something is wrong with it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.data_game import MAX_FILES
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.games.received_games import NOTE_FILE
from tabletop.net.host import relocation
from tabletop.net.host.relocation import relocate_to_server
from tabletop.net.host.table_packing import (
    BAD_TRANSFER,
    GAME_NOT_TAKEN,
    LACKS_GAME,
    TAKES_NO_GAMES,
    ArrivingTable,
    GameUnavailable,
    MigratingTable,
    pack_table,
    unpack_table,
)
from tabletop.protocol.table_transfer import MAX_MOVED_GAME_BYTES, TableMoved
from tabletop.table.given_games import files_to_move
from tests.game_folders import change
from tests.net.loopback import ROOMY, Friend, begin, hosting, opened, place_of, plan, play_out, run
from tests.net.playtest.prototypes import at_the_designers, png, prototype

TAKES = replace(ROOMY, accepts_games=True)


def received() -> list[str]:
    kept = folders.received()
    return sorted(path.name for path in kept.iterdir()) if kept.is_dir() else []


@contextmanager
def sending(monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]) -> Iterator[None]:
    """Meanwhile a table's host sends these files: both ends are one program here, which knows the
    designer's folder or does not."""
    with monkeypatch.context() as patch:
        patch.setattr(relocation, "files_to_move", lambda kit: files)
        yield


@pytest.mark.parametrize("takes", [True, False])
async def test_the_game_comes_along_where_the_server_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, takes: bool
) -> None:
    folder = prototype(tmp_path / "pond")

    async with (
        hosting(tmp_path / "window", limits=TAKES) as window,
        hosting(tmp_path / "server", limits=TAKES if takes else ROOMY) as server,
    ):
        ann = Friend(window.port, window.certificate.fingerprint)
        with at_the_designers(folder, monkeypatch) as kit:
            ann.guest.open_table(plan(kit.id, 2, bots=1))
            await ann.sit(0)
            await begin([ann])
            files = files_to_move(kit)
        assert "free.toml" in files
        assert "sketch.xcf" not in files
        (hosted,) = window.hosted_tables.values()
        with sending(monkeypatch, files):
            told = await relocate_to_server(window.registry, hosted, place_of(server), "")
        if not takes:
            assert told.text == TAKES_NO_GAMES.text
            assert received() == []
            assert list(window.hosted_tables) == [hosted.table], "it stays where it is"
            assert not hosted.is_moving
        else:
            assert told is None
            known = f"{kit.id}-{kit.digest[:12]}"
            assert received() == [known]
            assert (folders.received() / known / NOTE_FILE).is_file()
            assert not window.hosted_tables
            (there,) = server.hosted_tables.values()
            assert (there.kit.id, there.kit.digest) == (known, kit.digest)
            assert there.kit.received is not None
            await ann.until(lambda: any(isinstance(news, TableMoved) for news in ann.news))
            await ann.until(lambda: there.guests and ann.guest.is_host and ann.guest.own_seats)

            key = window.registry.incoming.expect(lambda table, own: ann.guest.become_host(own))
            received_games.remove_game(folders.received() / known)
            catalogue.reread(known)
            with sending(monkeypatch, files):  # and back, to a window that has it no more
                ann.guest.accept_hosting(window.port, window.certificate.fingerprint, key)
                await ann.until(lambda: sum(isinstance(news, TableMoved) for news in ann.news) == 2)
            assert received() == [known]
            assert list(window.hosted_tables) == [hosted.table]
            (back,) = window.hosted_tables.values()
            await ann.until(lambda: back.guests and ann.guest.own_seats)
        with at_the_designers(folder, monkeypatch):
            await play_out([ann])


def test_a_sent_game_holds_no_more_than_a_guest_would_get(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = prototype(tmp_path / "pond")
    assert files_to_move(catalogue.load("sun")) == {}, "every program has it"
    with at_the_designers(folder, monkeypatch) as kit:
        assert compute_digest(files_to_move(kit)) == kit.digest
        change(folder / "cards.toml", "Cowrie", "Cockle")
        assert files_to_move(kit) == {}, "it is another game than that of the table"


def test_a_bad_upload_gets_one_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, there = prototype(tmp_path / "pond"), tmp_path / "there"
    there.mkdir()

    async def work() -> None:
        async with hosting(tmp_path / "hosted") as host:
            ann = Friend(host.port, host.certificate.fingerprint)
            with at_the_designers(folder, monkeypatch) as kit:
                ann.guest.open_table(plan(kit.id, 2, bots=1))
                await ann.sit(0)
                (hosted,) = host.hosted_tables.values()
                parcel, files = pack_table(hosted, 0), files_to_move(kit)

        async def refused(sent: MigratingTable, takes: bool = True) -> GameUnavailable:
            arrived = ArrivingTable(bytearray(msgspec.json.encode(sent)), None)
            with pytest.raises(GameUnavailable) as caught:
                await unpack_table(arrived, there, takes)
            assert received() == []
            assert list(there.iterdir()) == []
            return caught.value

        good = replace(parcel, files=files)
        assert (await refused(good, takes=False)).reason.text == TAKES_NO_GAMES.text
        assert (await refused(parcel)).reason.text == LACKS_GAME.text
        bad: dict[str, dict[str, bytes]] = {
            "isn't a file of a game without code": {"rules.py": b"print()"},
            "its digest differs": {"free.toml": files["free.toml"] + b"\n"},
            "isn't a picture of the kind": {"heron.png": b"<svg/>"},
            "too many for a card": {"heron.png": png(7_999, 7_999)},
            "files, and 500 is the most": {f"{n}.svg": b"" for n in range(MAX_FILES)},
            "it is larger than 8 MiB": {"heron.png": png() + b"\0" * MAX_MOVED_GAME_BYTES},
        }
        for why, more in bad.items():
            for name in ("../{}", "{}"):  # nothing leads out of its folder either
                spoilt = {name.format(each): content for each, content in more.items()}
                told = (await refused(replace(parcel, files=files | spoilt))).reason
                assert told.text == GAME_NOT_TAKEN.text
                assert name != "{}" or why in str(told.args["why"]), told.args["why"]
        torn = files | {"free.toml": b"[zones]\nkinf = 1\n"}
        digest = compute_digest(torn)
        told = (await refused(replace(parcel, files=torn, digest=digest))).reason
        assert "free.toml" in str(told.args["why"])

        # The game is good, its table is not: it came for that table alone.
        head = replace(parcel.table, table="../../etc")
        arrived = ArrivingTable(bytearray(msgspec.json.encode(replace(good, table=head))), None)
        with pytest.raises(ValueError, match="no name for a table"):
            await unpack_table(arrived, there, True)
        assert received() == []
        assert catalogue.find_by_digest(parcel.digest) is None

        async with hosting(tmp_path / "full", limits=TAKES) as full:  # nor if its name is taken
            ann = await opened(full)
            (taken,) = full.hosted_tables
            files_before = sorted((tmp_path / "full").iterdir())
            head = replace(parcel.table, table=taken)
            arrived = ArrivingTable(bytearray(msgspec.json.encode(replace(good, table=head))), None)
            assert await full.registry.import_table(arrived) == BAD_TRANSFER
            assert received() == []
            assert sorted((tmp_path / "full").iterdir()) == files_before

        def refuses(*_: object) -> None:  # nor if the host cannot take the table
            raise ValueError("no room")

        arrived = ArrivingTable(bytearray(msgspec.json.encode(good)), None)
        with pytest.raises(ValueError, match="no room"):
            await unpack_table(arrived, there, True, refuses)
        assert received() == []

        kept, match = await unpack_table(
            ArrivingTable(bytearray(msgspec.json.encode(good)), None), there, True
        )
        assert kept.plan.game == f"pond-{parcel.digest[:12]}"
        assert match is None
        assert (folders.received() / kept.plan.game / "free.toml").read_bytes() == files[
            "free.toml"
        ]
        assert read_game_files(folders.received() / kept.plan.game) == files

    run(work)
