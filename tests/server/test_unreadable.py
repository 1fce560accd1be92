"""What can't be read now isn't gone: keys are kept, the operator is told, a repair is noticed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest

from tabletop.files.errors import StorageError
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.admission import NO_TABLE, WRONG_CODE, WRONG_CODE_OR_UNREAD
from tabletop.net.host.finished_file import FINISHED_SUFFIX
from tabletop.net.host.sleeping_tables import NOT_READ
from tabletop.net.host.table_disk import TABLE_SUFFIX, table_files_in
from tabletop.protocol.archive import FetchRecord, ListFinishedMatches, TableTokens
from tabletop.server import bans
from tabletop.server.archive import NO_RECORD, NOT_READABLE
from tabletop.server.backup import back_up, check
from tabletop.server.health import TABLES_UNREADABLE
from tabletop.server.operator import overview
from tabletop.storage import cleanup
from tests.net.loopback import Friend, plan, until
from tests.server.table_server import table_server


@contextmanager
def replaced_by_folder(path: Path) -> Iterator[None]:
    """The system refuses to read this file: tests may run as root, who may read any file."""
    aside = path.with_name(f"{path.name}.aside")
    path.rename(aside)
    path.mkdir()
    yield
    path.rmdir()
    aside.rename(path)


@contextmanager
def cut(path: Path) -> Iterator[None]:
    content = path.read_bytes()
    path.write_bytes(content[:300])
    yield
    path.write_bytes(content)


async def left_table(folder: Path) -> Ticket:
    """Return the ticket of a player at a table whose server was stopped."""
    async with table_server(folder) as host:
        owner = Friend(host.port, host.certificate.fingerprint)
        owner.guest.open_table(plan("sun", 2), "")
        await owner.sit(0)
        await owner.until(lambda: owner.guest.ticket.seats and owner.code)
        return owner.guest.ticket


@pytest.mark.parametrize("damage", [replaced_by_folder, cut])
async def test_a_table_unreadable_at_the_start_keeps_its_guests(
    damage: object, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    ticket = await left_table(tmp_path)
    path = tmp_path / f"{ticket.table}{TABLE_SUFFIX}"
    with damage(path):
        server = table_server(tmp_path)
        host = await server.__aenter__()
        assert f"not resumed table={ticket.table}" in caplog.text
        guest = Friend(host.port, ticket=ticket)
        assert await guest.refusal(0) == NOT_READ
        assert guest.guest.ticket == ticket
        assert not guest.refused[0].closed
        unpinned = Friend(host.port, ticket=Ticket(ticket.table, ticket.code, seats=ticket.seats))
        assert await unpinned.refusal(0) == NOT_READ
        newcomer = Friend(host.port, ticket=Ticket("", ticket.code, "", {}, ticket.fingerprint))
        refused = await newcomer.refusal(0)
        assert refused == WRONG_CODE_OR_UNREAD
        assert refused.code == WRONG_CODE.code
        trouble = TABLES_UNREADABLE.with_args(count=1)
        assert await host.health.trouble() == trouble
        status, text = await host.health.report()
        assert status == HTTPStatus.SERVICE_UNAVAILABLE
        assert "1" in text
        assert ticket.table in overview.status(host, 0, "").unreadable
        for each in (guest, unpinned, newcomer):
            await each.close()
    try:  # it is repaired while the server runs
        await host.registry.read_missing_tables()
        assert await host.health.trouble() is None
        guest = Friend(host.port, ticket=ticket)
        await guest.until(lambda: guest.guest.info)
        assert guest.guest.ticket.seats == ticket.seats
        await guest.close()
    finally:
        await server.__aexit__(None, None, None)


async def test_a_repaired_table_is_found_by_the_guest_who_asks(tmp_path: Path) -> None:
    ticket = await left_table(tmp_path)
    with cut(tmp_path / f"{ticket.table}{TABLE_SUFFIX}"):
        server = table_server(tmp_path)
        host = await server.__aenter__()
    guest = Friend(host.port, ticket=ticket)
    await guest.until(lambda: guest.guest.info)
    await guest.close()
    await server.__aexit__(None, None, None)


async def test_a_table_that_is_gone_is_gone(tmp_path: Path) -> None:
    ticket = await left_table(tmp_path)
    (tmp_path / f"{ticket.table}{TABLE_SUFFIX}").unlink()
    async with table_server(tmp_path) as host:
        guest = Friend(host.port, ticket=ticket)
        assert await guest.refusal(0) == NO_TABLE
        await until(lambda: guest.guest.ticket == Ticket())
        await guest.close()
        assert await host.health.trouble() is None


async def test_a_folder_that_cannot_be_read_is_no_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await left_table(tmp_path)
    file = tmp_path / "a file"
    file.touch()
    with pytest.raises(NotADirectoryError):
        table_files_in(file)
    assert table_files_in(tmp_path / "none") == []

    def refuse(folder: Path) -> list[Path]:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr("tabletop.net.host.table_registry.table_files_in", refuse)
    with pytest.raises(StorageError):
        async with table_server(tmp_path):
            pass


async def test_bans_that_cannot_be_read_are_read_later(tmp_path: Path) -> None:
    bans.Bans(tmp_path).add("203.0.113.9")
    with replaced_by_folder(tmp_path / bans.FILE):
        server = table_server(tmp_path)
        host = await server.__aenter__()
        assert await host.health.trouble() is not None
        with pytest.raises(StorageError):
            host.bans.add("203.0.113.10")
    assert await host.health.trouble() is None
    assert "203.0.113.9" in host.bans
    await server.__aexit__(None, None, None)


async def test_a_finished_match_that_cannot_be_read_is_not_missing(tmp_path: Path) -> None:
    async with table_server(tmp_path) as host:
        path = tmp_path / f"0123456789ab-1{FINISHED_SUFFIX}"
        path.mkdir()
        asked = FetchRecord("0123456789ab-1", ())
        assert await host.archive.answer("192.0.2.1", asked) == NOT_READABLE
        mine = ListFinishedMatches(mine=(TableTokens("0123456789ab", ("token",)),))
        for message in (mine, ListFinishedMatches()):
            answer = await host.archive.answer("192.0.2.1", message)
            assert not answer.matches
        assert path.stem not in host.archive._seen  # it is read again for the next list
        path.rmdir()
        assert await host.archive.answer("192.0.2.1", asked) == NO_RECORD


def test_a_folder_that_cannot_be_read_ends_a_backup_and_a_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "server" / "finished"
    inside.mkdir(parents=True)
    refuse_listing(inside, monkeypatch)
    for act in (
        lambda: back_up(inside.parent, tmp_path / "a.tar.gz"),
        lambda: check(inside.parent),
    ):
        with pytest.raises(StorageError, match="finished"):
            act()
    assert not (tmp_path / "a.tar.gz").exists()


def test_old_games_stay_while_a_folder_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "replays"
    folder.mkdir()
    deleted: list[object] = []
    monkeypatch.setattr(cleanup.folders, "data", lambda: tmp_path)
    monkeypatch.setattr(cleanup.kept_games, "has_old_versions", lambda: True)
    monkeypatch.setattr(cleanup.kept_games, "delete_unneeded_versions", deleted.append)
    cleanup.clean_up()
    assert deleted == [set()]
    refuse_listing(folder, monkeypatch)
    cleanup.clean_up()
    assert deleted == [set()]


def refuse_listing(refused: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this folder can't be listed."""
    real = os.scandir

    def scan(folder: str | Path | int = ".") -> object:
        if folder != "." and not isinstance(folder, int) and Path(folder) == refused:
            raise PermissionError(13, "Permission denied", str(folder))
        return real(folder)

    monkeypatch.setattr(os, "scandir", scan)
